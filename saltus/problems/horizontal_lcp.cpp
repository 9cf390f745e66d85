#include "saltus/problems/horizontal_lcp.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <cmath>

namespace saltus {

namespace {

std::vector<Index> complement(const std::vector<Index>& equalities, Index n) {
  std::vector<Index> rows;
  std::size_t e = 0;
  for (Index i = 0; i < n; ++i) {
    if (e < equalities.size() && equalities[e] == i)
      ++e;
    else
      rows.push_back(i);
  }
  return rows;
}

/// Marks the columns of a largest independent set, as a rank-revealing QR finds them.
std::vector<bool> independent_columns(const Matrix& preferred) {
  const Eigen::ColPivHouseholderQR<Matrix> qr(preferred);
  std::vector<bool> chosen(static_cast<std::size_t>(preferred.cols()), false);
  for (Index k = 0; k < qr.rank(); ++k)
    chosen[static_cast<std::size_t>(qr.colsPermutation().indices()[k])] = true;
  return chosen;
}

/// w = M v + q' with w_i = s_i where keep[i], x_i elsewhere; false if that basis is singular.
bool solve_for_basis(const HorizontalLcp& problem, const std::vector<bool>& keep, Lcp& lcp) {
  Matrix basis = problem.R, rest = problem.Q;
  for (Index i = 0; i < basis.cols(); ++i)
    if (!keep[static_cast<std::size_t>(i)]) basis.col(i).swap(rest.col(i));
  const Eigen::FullPivLU<Matrix> lu(basis);
  if (!lu.isInvertible()) return false;
  lcp.M = BlockSparse::dense(-lu.solve(rest));
  lcp.q = lu.solve(problem.q);
  return true;
}

}  // namespace

double residual(const HorizontalLcp& problem, ConstVectorRef x, ConstVectorRef s) {
  const Index n = problem.q.size();
  require(x.size() == n && s.size() == n,
          "residual(HorizontalLcp): x has size {} and s {}, the problem {}", x.size(), s.size(), n);
  if (n == 0) return 0;
  if (!x.allFinite() || !s.allFinite()) return inf;
  const double equation = (problem.Q * x + problem.R * s - problem.q).lpNorm<Eigen::Infinity>();
  const double worst = std::max(equation, x.cwiseMin(s).lpNorm<Eigen::Infinity>());
  return std::isfinite(equation) ? worst : inf;
}

void validate(const HorizontalLcp& problem) {
  const Index n = problem.q.size();
  const auto check = [n](const char* letter, const Eigen::SparseMatrix<double>& A) {
    require(A.rows() == n && A.cols() == n, "HorizontalLcp: {} is {}x{}, expected {}x{}", letter,
            A.rows(), A.cols(), n, n);
    require(A.coeffs().allFinite(), "HorizontalLcp: {} has a NaN or infinite entry", letter);
  };
  Eigen::SparseMatrix<double> Q = problem.Q, R = problem.R;
  Q.makeCompressed();
  R.makeCompressed();
  check("Q", Q);
  check("R", R);
  require(problem.q.allFinite(), "HorizontalLcp: q has a NaN or infinite entry");
}

HorizontalLcp to_horizontal_lcp(LcpView problem) {
  validate(problem);
  Eigen::SparseMatrix<double> identity(problem.M.rows(), problem.M.rows());
  identity.setIdentity();
  return {problem.M.to_sparse(), -identity, -problem.q};
}

Vector MlcpAsHorizontal::expand(const HorizontalPoint& point) const {
  Vector z(static_cast<Index>(equalities.size() + rows.size()));
  z(equalities) = offset + of_v * point.x + of_w * point.s;
  z(rows) = point.x;
  return z;
}

MlcpAsHorizontal to_horizontal_lcp(const Mlcp& problem) {
  validate(problem);
  MlcpAsHorizontal out;
  out.equalities = problem.equalities;
  out.rows = complement(problem.equalities, problem.q.size());
  require(out.rows.size() == out.equalities.size(),
          "to_horizontal_lcp: {} equalities and {} complementarities, expected as many",
          out.equalities.size(), out.rows.size());
  const Matrix M = problem.M.to_dense();
  const Matrix A = M(out.equalities, out.equalities), B = M(out.rows, out.rows);
  const Matrix C = M(out.equalities, out.rows), D = M(out.rows, out.equalities);
  const Vector a = problem.q(out.equalities), b = problem.q(out.rows);
  const Eigen::FullPivLU<Matrix> lu(D);
  require(lu.isInvertible(), "to_horizontal_lcp: the block D ({} rows) is singular, rank {}",
          D.rows(), lu.rank());
  out.of_w = lu.inverse();
  out.of_v = -lu.solve(B);
  out.offset = -lu.solve(b);
  out.problem.Q = Matrix(C + A * out.of_v).sparseView();
  out.problem.R = Matrix(A * out.of_w).sparseView();
  out.problem.q = -A * out.offset - a;
  return out;
}

HorizontalPoint HorizontalAsLcp::expand(ConstVectorRef v) const {
  Vector w(v.size());
  lcp.M.multiply(v, w);
  w += lcp.q;
  HorizontalPoint point{v, w};
  for (Index i = 0; i < v.size(); ++i)
    if (swapped[static_cast<std::size_t>(i)]) std::swap(point.x[i], point.s[i]);
  return point;
}

HorizontalAsLcp to_lcp(const HorizontalLcp& problem) {
  validate(problem);
  HorizontalAsLcp out;
  std::vector<bool> keep = independent_columns(Matrix(problem.R));
  if (!solve_for_basis(problem, keep, out.lcp)) {
    keep = independent_columns(Matrix(problem.Q));
    keep.flip();
    require(solve_for_basis(problem, keep, out.lcp),
            "to_lcp(HorizontalLcp): no regular complementary basis found, expected a monotone "
            "pair or a regular Q or R");
  }
  out.swapped = keep;
  out.swapped.flip();
  return out;
}

}  // namespace saltus
