#include "saltus/problems/qp_conversions.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entries = std::vector<Eigen::Triplet<double>>;

/// Adds factor · A at (row, column), transposed on request.
void add(Entries& entries, const Sparse& A, Index row, Index column, double factor,
         bool transposed = false) {
  for (Index k = 0; k < A.outerSize(); ++k)
    for (Sparse::InnerIterator it(A, k); it; ++it) {
      const Index i = transposed ? it.col() : it.row(), j = transposed ? it.row() : it.col();
      entries.emplace_back(static_cast<int>(row + i), static_cast<int>(column + j),
                           factor * it.value());
    }
}

Sparse assemble(const Entries& entries, Index rows, Index columns) {
  Sparse A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

void require_only_non_negativity(const char* where, const Qp& qp, bool equalities) {
  require(qp.A.rows() == 0 && (equalities || qp.C.rows() == 0),
          "{}: the problem has rows that this form does not take: use to_mlcp", where);
  require((qp.lower.array() == 0).all() && (qp.upper.array() == inf).all(),
          "{}: expected the bounds z >= 0 and no others: use to_mlcp", where);
}

Eigen::LLT<Matrix> factor(const char* where, const Qp& qp) {
  Eigen::LLT<Matrix> llt{Matrix(qp.Q)};
  require(llt.info() == Eigen::Success && curvature(qp.Q) == Curvature::positive_definite,
          "{}: Q is not positive definite; use to_dorn_dual", where);
  return llt;
}

}  // namespace

Lcp to_lcp(const Qp& problem) {
  validate(problem);
  const Qp qp = completed(problem);
  require_only_non_negativity("to_lcp(Qp)", qp, false);
  return {BlockSparse::sparse(qp.Q), qp.p};
}

QpPoint QpAsMlcp::expand(ConstVectorRef solution) const {
  QpPoint point;
  point.z = solution.head(variables);
  point.mu = solution.segment(variables, equalities);
  point.lambda = solution.segment(variables + equalities, rows);
  point.bounds.setZero(variables);
  Index k = variables + equalities + rows;
  for (Index i : lower) point.bounds[i] += solution[k++];
  for (Index i : upper) point.bounds[i] -= solution[k++];
  return point;
}

QpAsMlcp to_mlcp(const Qp& problem) {
  validate(problem);
  const Qp qp = completed(problem);
  QpAsMlcp out;
  const Index n = out.variables = qp.p.size(), e = out.equalities = qp.C.rows();
  const Index m = out.rows = qp.A.rows();
  for (Index i = 0; i < n; ++i) {
    if (qp.lower[i] > -inf) out.lower.push_back(i);
    if (qp.upper[i] < inf) out.upper.push_back(i);
  }
  const Index size = n + e + m + static_cast<Index>(out.lower.size() + out.upper.size());
  Entries entries;
  add(entries, qp.Q, 0, 0, 1);
  add(entries, qp.C, 0, n, -1, true);
  add(entries, qp.C, n, 0, 1);
  add(entries, qp.A, 0, n + e, -1, true);
  add(entries, qp.A, n + e, 0, 1);
  out.mlcp.q.resize(size);
  out.mlcp.q.head(n + e + m) << qp.p, -qp.d, -qp.b;
  Index k = n + e + m;
  const auto bound = [&](Index i, double sign, double value) {
    entries.emplace_back(static_cast<int>(k), static_cast<int>(i), sign);
    entries.emplace_back(static_cast<int>(i), static_cast<int>(k), -sign);
    out.mlcp.q[k++] = -sign * value;
  };
  for (Index i : out.lower) bound(i, 1, qp.lower[i]);
  for (Index i : out.upper) bound(i, -1, qp.upper[i]);
  out.mlcp.M = BlockSparse::sparse(assemble(entries, size, size));
  for (Index i = 0; i < n + e; ++i) out.mlcp.equalities.push_back(i);
  return out;
}

HorizontalLcp to_horizontal_lcp(const Qp& problem) {
  const Index n = problem.p.size(), m = problem.C.rows();
  if (m == 0) return to_horizontal_lcp(problem, Matrix::Identity(n, n));
  require(problem.C.cols() == n, "Qp: C has {} columns, p has size {}", problem.C.cols(), n);
  const Eigen::ColPivHouseholderQR<Matrix> qr(Matrix(problem.C).transpose());
  require(qr.rank() == m, "to_horizontal_lcp(Qp): C has rank {}, expected its {} rows independent",
          qr.rank(), m);
  const Matrix basis = qr.householderQ();
  return to_horizontal_lcp(problem, basis.rightCols(n - m));
}

HorizontalLcp to_horizontal_lcp(const Qp& problem, ConstMatrixRef Z) {
  validate(problem);
  const Qp qp = completed(problem);
  require_only_non_negativity("to_horizontal_lcp(Qp)", qp, true);
  const Index n = qp.p.size(), m = qp.C.rows();
  require(Z.rows() == n && Z.cols() == n - m, "to_horizontal_lcp(Qp): Z is {}x{}, expected {}x{}",
          Z.rows(), Z.cols(), n, n - m);
  // rounding of an orthonormal basis
  require(m == 0 || n == m ||
              (qp.C * Z).cwiseAbs().maxCoeff() <= 1e-10 * Matrix(qp.C).norm() * Z.norm(),
          "to_horizontal_lcp(Qp): C Z is not zero");
  Matrix R(n, n), S = Matrix::Zero(n, n);
  R << Z.transpose() * qp.Q, Matrix(qp.C);
  S.topRows(n - m) = -Z.transpose();
  HorizontalLcp out{R.sparseView(), S.sparseView(), Vector(n)};
  out.q << -Z.transpose() * qp.p, qp.d;
  return out;
}

Qp to_symmetric_qp(LcpView problem) {
  validate(problem);
  require(problem.M.symmetric(), "to_symmetric_qp: M is not symmetric; use to_gap_qp");
  Qp qp;
  qp.Q = problem.M.to_sparse();
  qp.p = problem.q;
  qp.lower.setZero(qp.p.size());
  return qp;
}

Qp to_gap_qp(LcpView problem) {
  validate(problem);
  const Sparse M = problem.M.to_sparse();
  Qp qp;
  qp.Q = M + Sparse(M.transpose());
  qp.p = problem.q;
  qp.A = M;
  qp.b = -problem.q;
  qp.lower.setZero(qp.p.size());
  return qp;
}

bool closes_gap(LcpView problem, ConstVectorRef z, double tolerance) {
  require(z.size() == problem.q.size(), "closes_gap: z has size {}, the problem {}", z.size(),
          problem.q.size());
  if (z.size() == 0) return true;
  Vector w(z.size());
  problem.M.multiply(z, w);
  w += problem.q;
  const double limit = tolerance * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
  return z.minCoeff() >= -limit && w.minCoeff() >= -limit && z.dot(w) <= limit;
}

double dual_objective(const Qp& problem, const QpPoint& point) {
  validate(problem);
  const Qp qp = completed(problem);
  const auto llt = factor("dual_objective", qp);
  require(point.lambda.size() == qp.b.size() && point.mu.size() == qp.d.size() &&
              point.bounds.size() == qp.p.size(),
          "dual_objective: the multipliers do not have the sizes of the problem");
  if (point.lambda.size() > 0 && point.lambda.minCoeff() < 0) return -inf;
  double value = qp.b.dot(point.lambda) + qp.d.dot(point.mu);
  for (Index i = 0; i < qp.p.size(); ++i)
    if (const double pi = point.bounds[i]; pi != 0)
      value += pi * (pi > 0 ? qp.lower[i] : qp.upper[i]);
  const Vector g =
      qp.A.transpose() * point.lambda + qp.C.transpose() * point.mu + point.bounds - qp.p;
  return value - 0.5 * g.dot(llt.solve(g));
}

DualQp to_dual(const Qp& problem) {
  validate(problem);
  const Qp qp = bounds_as_rows(problem);
  const auto llt = factor("to_dual", qp);
  const Index m = qp.A.rows(), e = qp.C.rows();
  Matrix rows(m + e, qp.p.size());
  rows << Matrix(qp.A), Matrix(qp.C);
  DualQp out;
  out.slope = llt.solve(rows.transpose());
  out.offset = -llt.solve(qp.p);
  const Matrix H = rows * out.slope;
  out.dual.Q = Matrix(0.5 * (H + H.transpose())).sparseView();
  out.dual.p.resize(m + e);
  out.dual.p << -qp.b, -qp.d;
  out.dual.p += rows * out.offset;
  out.constant = -0.5 * qp.p.dot(out.offset);
  out.dual.lower.setConstant(m + e, -inf);
  out.dual.lower.head(m).setZero();
  return out;
}

Qp to_dorn_dual(const Qp& problem) {
  validate(problem);
  const Qp qp = bounds_as_rows(problem);
  const Index n = qp.p.size(), m = qp.A.rows(), e = qp.C.rows(), size = n + m + e;
  Qp out;
  Entries entries;
  add(entries, qp.Q, 0, 0, 1);
  out.Q = assemble(entries, size, size);
  out.p.setZero(size);
  out.p.segment(n, m) = -qp.b;
  out.p.tail(e) = -qp.d;
  entries.clear();
  add(entries, qp.Q, 0, 0, -1);
  add(entries, qp.A, 0, n, 1, true);
  add(entries, qp.C, 0, n + m, 1, true);
  out.C = assemble(entries, n, size);
  out.d = qp.p;
  out.lower.setConstant(size, -inf);
  out.lower.segment(n, m).setZero();
  return out;
}

}  // namespace saltus
