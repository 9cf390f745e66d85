#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/LU>

#include <memory>
#include <vector>

namespace saltus {

/// LU factorisation of a matrix whose pattern stays while its values change, with a nearly
/// symmetric pattern and any values: multifrontal (UMFPACK) with a symmetric ordering that prefers
/// diagonal pivots, analysed once [Davis 2004]. Up to 60 rows, or 30 % full: dense with partial
/// pivoting. (FS:FS-117)
class SparseLu {
 public:
  SparseLu();
  ~SparseLu();
  SparseLu(SparseLu&&) noexcept;
  SparseLu& operator=(SparseLu&&) noexcept;

  /// Takes the pattern, by columns with ascending rows, and analyses it.
  void analyse(std::vector<int> column_begin, std::vector<int> row);
  /// Where entry (row, column) of the pattern sits in values().
  [[nodiscard]] Index position(int row, int column) const;
  /// The values to factorise, `size()` of them.
  [[nodiscard]] double* values() { return dense_ ? matrix_.data() : values_.data(); }
  [[nodiscard]] Index size() const {
    return dense_ ? matrix_.size() : static_cast<Index>(values_.size());
  }
  /// False if the matrix is singular.
  [[nodiscard]] bool factorise();
  /// x = A⁻¹ b; b and x are different vectors.
  void solve(const Vector& b, Vector& x);
  /// Operations of a factorisation, as estimated by the analysis.
  [[nodiscard]] double flops() const { return flops_; }

 private:
  struct Umfpack;

  bool dense_ = true;
  Index n_ = 0;
  double flops_ = 0;
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  std::vector<int> begin_, row_;
  std::vector<double> values_;
  std::unique_ptr<Umfpack> umfpack_;
};

}  // namespace saltus
