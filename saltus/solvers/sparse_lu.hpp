#pragma once

#include "saltus/base/unset_vector.hpp"
#include "saltus/solvers/dense_kernels.hpp"
#include "saltus/solvers/front_tree.hpp"
#include "saltus/solvers/task_forest.hpp"

#include <Eigen/SparseCore>

#include <span>
#include <vector>

namespace saltus {

/// LU factorisation of a matrix whose pattern stays while its values change, with a nearly
/// symmetric pattern and any values: multifrontal [Duff, Reid 1983], analysed once (FS:FS-117).
/// Rows are exchanged among the pivots of a front only, so that the pattern never changes: the
/// callers refine. Half full or small matrices are one front, hence partial pivoting. Separate
/// subtrees, the fronts above them, and tiles of large fronts are shared out among the threads;
/// every number is computed by the same operations in the same order whatever their count. Nothing
/// is allocated after the first factorisation and solution.
class SparseLu {
 public:
  /// Takes the pattern, by columns, and analyses it.
  void analyse(const std::vector<int>& column_begin, const std::vector<int>& row);
  /// Where entry (row, column) of the pattern sits in values().
  [[nodiscard]] Index position(int row, int column) const { return tree_.entry(row, column); }
  /// visit(row, position) for some rows of a column.
  template <class Visit>
  void for_positions(int column, std::span<const int> rows, const Visit& visit) const {
    tree_.for_entries(column, rows, visit);
  }
  /// The values to factorise, `size()` of them, zero where the pattern has nothing; the first call
  /// makes room for them. factorise() overwrites them.
  [[nodiscard]] double* values();
  /// All values zero, by all threads.
  void clear(ThreadTeam& team);
  [[nodiscard]] Index size() const { return tree_.storage; }
  /// False if the matrix is singular.
  [[nodiscard]] bool factorise(ThreadTeam& team);
  /// Analysis, values and factors of one matrix.
  [[nodiscard]] bool factorise(const Eigen::SparseMatrix<double>& A, ThreadTeam& team);
  /// Of A, whose last `kept` rows and columns stay, S = A₂₂ − A₂₁ A₁₁⁻¹ A₁₂; false if A₁₁ is
  /// singular. After it solve() is that of A₁₁.
  [[nodiscard]] bool condense(const Eigen::SparseMatrix<double>& A, Index kept, Matrix& S,
                              ThreadTeam& team);
  /// Factorises the symmetric S without any exchange of rows, S = L D Lᵀ: whether all pivots d_k
  /// exceed `zero`.
  [[nodiscard]] bool positive_definite(const Eigen::SparseMatrix<double>& S, double zero,
                                       ThreadTeam& team);
  /// Of the matrix that was factorised: 1 or −1.
  [[nodiscard]] int determinant_sign() const;
  /// x = A⁻¹ b; b and x are different vectors.
  void solve(const Vector& b, Vector& x, ThreadTeam& team);
  /// Operations of a factorisation.
  [[nodiscard]] double flops() const { return tree_.flops; }

 private:
  [[nodiscard]] kernels::Block block(const Front& front) {
    return {values_.data() + front.value_begin, front.rows};
  }
  [[nodiscard]] kernels::Packing packing(int thread);
  void plan();
  void load(const Eigen::SparseMatrix<double>& A);
  void reserve(const ThreadTeam& team);
  void share_out();
  void assemble(const Front& parent, const Front& child, Index begin, Index end);
  void compress(const Front& front);
  [[nodiscard]] bool eliminate(Index f, int thread);
  [[nodiscard]] bool eliminate_large(Index f, ThreadTeam& team);
  void forward(Index f, Vector& x);
  void backward(Index f, Vector& x);
  void forward_large(Index f, Vector& x, ThreadTeam& team);
  void backward_large(Index f, Vector& x, ThreadTeam& team);
  void gather(const Front& front, Index f, const Vector& x);

  Index n_ = 0, kept_ = 0;  // rows, and the last of them that are not eliminated
  bool exchange_ = true;    // of rows, among the pivots of a front
  FrontTree tree_;
  UnsetVector<double> values_;
  std::vector<double> local_, packed_;
  std::vector<Index> pivots_;
  std::vector<int> order_;     // the variable of each pivot
  TaskForest tasks_;           // the fronts that are done by one thread each
  std::vector<Index> shared_;  // and then those that all do together: large ones, and the way up
  Vector permuted_;
};

}  // namespace saltus
