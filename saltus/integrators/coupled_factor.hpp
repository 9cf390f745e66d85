#pragma once

#include "saltus/solvers/sparse_lu.hpp"
#include "saltus/systems/system.hpp"

#include <memory>
#include <vector>

namespace saltus {

struct KluFactors;

/// Factors of the matrix A of a coupled system, M or M̂, whose pattern stays, and what contacts ask
/// of its inverse: the compliance S, the rows and columns of A⁻¹ of the bodies that they touch.
///     S_ab = e_aᵀ A⁻¹ e_b,    one solve for each unknown of body b, kept until A changes
/// Second order: the multifrontal LU of friction (docs/decisions/0007), whose pivots are safe since
/// A is positive definite but for damping. First order: KLU, which exchanges rows at will, since
/// equations without derivative have no pivot of their own. Bodies once touched stay; factorising
/// and solving allocate nothing after that.
class CoupledFactor {
 public:
  CoupledFactor();
  ~CoupledFactor();
  CoupledFactor(CoupledFactor&&) noexcept;
  CoupledFactor& operator=(CoupledFactor&&) noexcept;

  /// Takes the pattern of A, compressed, cut into `bodies`.
  void analyse(const SparseMatrix& A, Order order, Index bodies);
  /// False if A is singular.
  [[nodiscard]] bool factorise(const SparseMatrix& A);
  /// x = A⁻¹ b, x and b of the size of A; they may be the same.
  void solve(const double* b, double* x);

  /// Contacts touch `body`.
  void touch(Index body);
  /// S_ab is wanted for this b, and every a that is touched by now.
  void complete(Index body);
  /// First value of S_ab, column by column with `stride()` values each.
  [[nodiscard]] const double* compliance(Index a, Index b) const {
    return S_.data() + place_[a] * each_ + place_[b] * each_ * S_.rows();
  }
  [[nodiscard]] Index stride() const { return S_.rows(); }

  /// A load to be collected, and what it does: load ← 0, x += A⁻¹ load, if anything was collected.
  [[nodiscard]] double* load() {
    loaded_ = true;
    return load_.data();
  }
  void unload(double sign, double* x);

 private:
  [[nodiscard]] bool factorise_klu(const SparseMatrix& A);

  Order order_ = Order::second;
  Index each_ = 1;  // unknowns of a body
  SparseLu lu_;
  std::vector<Index> position_;  // of the values of A in lu_
  std::unique_ptr<KluFactors> klu_;
  std::vector<Index> place_;  // of a body among the touched ones, −1: not touched
  std::vector<Index> touched_;
  std::vector<char> complete_;  // columns of S, by place
  Matrix S_;
  Vector load_, rhs_, solution_;
  bool loaded_ = false;
};

}  // namespace saltus
