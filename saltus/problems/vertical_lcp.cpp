#include "saltus/problems/vertical_lcp.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

double residual(const VerticalLcp& problem, ConstVectorRef x) {
  require(x.size() == problem.a.size(), "residual(VerticalLcp): x has size {}, the problem {}",
          x.size(), problem.a.size());
  if (x.size() == 0) return 0;
  const Vector y = problem.A * x + problem.a, w = problem.B * x + problem.b;
  if (!y.allFinite() || !w.allFinite()) return inf;
  return y.cwiseMin(w).lpNorm<Eigen::Infinity>();
}

void validate(const VerticalLcp& problem) {
  const Index n = problem.a.size();
  const auto check = [n](const char* letter, const Matrix& A, const Vector& a) {
    require(A.rows() == n && A.cols() == n, "VerticalLcp: {} is {}x{}, expected {}x{}", letter,
            A.rows(), A.cols(), n, n);
    require(a.size() == n, "VerticalLcp: the constant beside {} has size {}, expected {}", letter,
            a.size(), n);
    require(A.allFinite() && a.allFinite(),
            "VerticalLcp: {} or the constant beside it has a NaN or infinite entry", letter);
  };
  check("A", problem.A, problem.a);
  check("B", problem.B, problem.b);
}

VerticalLcp to_vertical_lcp(LcpView problem) {
  validate(problem);
  const Index n = problem.q.size();
  return {Matrix::Identity(n, n), Vector::Zero(n), problem.M.to_dense(), problem.q};
}

Vector MlcpAsVertical::expand(ConstVectorRef u) const {
  Vector z(static_cast<Index>(equalities.size() + rows.size()));
  z(equalities) = u;
  z(rows) = problem.A * u + problem.a;
  return z;
}

MlcpAsVertical to_vertical_lcp(const Mlcp& problem) {
  validate(problem);
  MlcpAsVertical out;
  out.equalities = problem.equalities;
  std::size_t e = 0;
  for (Index i = 0; i < problem.q.size(); ++i) {
    if (e < out.equalities.size() && out.equalities[e] == i)
      ++e;
    else
      out.rows.push_back(i);
  }
  require(out.rows.size() == out.equalities.size(),
          "to_vertical_lcp: {} equalities and {} complementarities, expected as many",
          out.equalities.size(), out.rows.size());
  const Matrix M = problem.M.to_dense();
  const Matrix A = M(out.equalities, out.equalities), B = M(out.rows, out.rows);
  const Matrix C = M(out.equalities, out.rows), D = M(out.rows, out.equalities);
  const Eigen::FullPivLU<Matrix> lu(C);
  require(lu.isInvertible(), "to_vertical_lcp: the block C ({} rows) is singular, rank {}",
          C.rows(), lu.rank());
  out.problem.A = -lu.solve(A);
  out.problem.a = -lu.solve(problem.q(out.equalities).eval());
  out.problem.B = D + B * out.problem.A;
  out.problem.b = problem.q(out.rows) + B * out.problem.a;
  return out;
}

VerticalAsLcp to_lcp(const VerticalLcp& problem) {
  validate(problem);
  const Eigen::FullPivLU<Matrix> lu(problem.A);
  require(lu.isInvertible(), "to_lcp(VerticalLcp): A ({} rows) is singular, rank {}",
          problem.A.rows(), lu.rank());
  VerticalAsLcp out;
  out.inverse = lu.inverse();
  out.a = problem.a;
  const Matrix M = problem.B * out.inverse;
  out.lcp.M = BlockSparse::dense(M);
  out.lcp.q = problem.b - M * problem.a;
  return out;
}

}  // namespace saltus
