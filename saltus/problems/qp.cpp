#include "saltus/problems/qp.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double proof = 1e-9;  // see proves_infeasible

double largest(const Vector& v) {
  if (v.size() == 0) return 0;
  return v.allFinite() ? v.lpNorm<Eigen::Infinity>() : inf;
}

bool finite(Sparse A) {
  A.makeCompressed();
  return A.nonZeros() == 0 || A.coeffs().allFinite();
}

double max_abs(const Sparse& A) {
  double worst = 0;
  for (Index k = 0; k < A.outerSize(); ++k)
    for (Sparse::InnerIterator it(A, k); it; ++it) worst = std::max(worst, std::abs(it.value()));
  return worst;
}

void check_rows(const char* matrix, const Sparse& A, const char* vector, const Vector& b, Index n) {
  require(A.rows() == 0 || A.cols() == n, "Qp: {} has {} columns, p has size {}", matrix, A.cols(),
          n);
  require(b.size() == A.rows(), "Qp: {} has size {}, {} has {} rows", vector, b.size(), matrix,
          A.rows());
  require(finite(A) && b.allFinite(), "Qp: {} or {} has a NaN or infinite entry", matrix, vector);
}

double lower_of(const Qp& qp, Index i) { return qp.lower.size() > 0 ? qp.lower[i] : -inf; }
double upper_of(const Qp& qp, Index i) { return qp.upper.size() > 0 ? qp.upper[i] : inf; }

/// A x, zero-sized if A is empty.
Vector times(const Sparse& A, ConstVectorRef x) { return A.rows() > 0 ? Vector(A * x) : Vector(0); }

bool positive_definite(const Sparse& Q, double shift) {
  Sparse shifted = Q;
  for (Index i = 0; i < Q.rows(); ++i) shifted.coeffRef(i, i) += shift;
  const Eigen::SimplicialLLT<Sparse> llt(shifted);
  return llt.info() == Eigen::Success;
}

void append_row(Matrix& rows, Index& count, const Vector& row) { rows.row(count++) = row; }

}  // namespace

double residual(const Qp& problem, const QpPoint& point) {
  const Index n = problem.p.size();
  require(point.z.size() == n && point.bounds.size() == n &&
              point.lambda.size() == problem.A.rows() && point.mu.size() == problem.C.rows(),
          "residual(Qp): z, lambda, mu, bounds have sizes {}, {}, {}, {}, expected {}, {}, {}, {}",
          point.z.size(), point.lambda.size(), point.mu.size(), point.bounds.size(), n,
          problem.A.rows(), problem.C.rows(), n);
  Vector gradient = problem.p - point.bounds;
  if (problem.Q.rows() > 0) gradient += problem.Q * point.z;
  if (problem.A.rows() > 0) gradient -= problem.A.transpose() * point.lambda;
  if (problem.C.rows() > 0) gradient -= problem.C.transpose() * point.mu;
  double worst = largest(gradient);
  if (!std::isfinite(worst) || !point.z.allFinite()) return inf;
  if (problem.C.rows() > 0) worst = std::max(worst, largest(problem.C * point.z - problem.d));
  if (problem.A.rows() > 0) {
    const Vector slack = problem.A * point.z - problem.b;
    if (!point.lambda.allFinite() || !slack.allFinite()) return inf;
    worst = std::max(worst, largest(point.lambda.cwiseMin(slack)));
  }
  for (Index i = 0; i < n; ++i) {
    const double z = point.z[i];
    const double projected =
        std::min(std::max(z - point.bounds[i], lower_of(problem, i)), upper_of(problem, i));
    worst = std::max(worst, std::abs(z - projected));
  }
  return worst;
}

double objective(const Qp& problem, ConstVectorRef z) {
  require(z.size() == problem.p.size(), "objective(Qp): z has size {}, p has {}", z.size(),
          problem.p.size());
  const double linear = problem.p.dot(z);
  return problem.Q.rows() > 0 ? linear + 0.5 * z.dot(problem.Q * z) : linear;
}

void validate(const Qp& problem) {
  const Index n = problem.p.size();
  require(problem.p.allFinite(), "Qp: p has a NaN or infinite entry");
  const Sparse& Q = problem.Q;
  require(Q.rows() == 0 || (Q.rows() == n && Q.cols() == n), "Qp: Q is {}x{}, expected {}x{}",
          Q.rows(), Q.cols(), n, n);
  require(finite(Q), "Qp: Q has a NaN or infinite entry");
  // assembled from products, a symmetric matrix differs from its transpose by rounding
  require(Q.rows() == 0 || max_abs(Q - Sparse(Q.transpose())) <= 1e-10 * max_abs(Q),
          "Qp: Q is not symmetric; expected ½ (Q + Qᵀ), which gives the same objective");
  check_rows("A", problem.A, "b", problem.b, n);
  check_rows("C", problem.C, "d", problem.d, n);
  for (const Vector* bound : {&problem.lower, &problem.upper})
    require(bound->size() == 0 || bound->size() == n, "Qp: a bound has size {}, p has {}",
            bound->size(), n);
  for (Index i = 0; i < n; ++i) {
    const double l = lower_of(problem, i), u = upper_of(problem, i);
    require(l <= u && l < inf && u > -inf,
            "Qp: bounds {} and {} of variable {}, expected lower <= upper", l, u, i);
  }
}

Qp completed(Qp problem) {
  const Index n = problem.p.size();
  if (problem.Q.rows() == 0) problem.Q.resize(n, n);
  if (problem.A.rows() == 0) problem.A.resize(0, n);
  if (problem.C.rows() == 0) problem.C.resize(0, n);
  if (problem.lower.size() == 0) problem.lower.setConstant(n, -inf);
  if (problem.upper.size() == 0) problem.upper.setConstant(n, inf);
  problem.Q.makeCompressed();
  problem.A.makeCompressed();
  problem.C.makeCompressed();
  return problem;
}

Qp bounds_as_rows(const Qp& problem) {
  Qp out = completed(problem);
  const Index n = out.p.size(), rows = out.A.rows();
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> b(out.b.data(), out.b.data() + out.b.size());
  for (Index k = 0; k < out.A.outerSize(); ++k)
    for (Sparse::InnerIterator it(out.A, k); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  const auto add = [&](Index i, double sign, double bound) {
    if (!std::isfinite(bound)) return;
    entries.emplace_back(static_cast<int>(b.size()), static_cast<int>(i), sign);
    b.push_back(sign * bound);
  };
  for (Index i = 0; i < n; ++i) add(i, 1, out.lower[i]);
  for (Index i = 0; i < n; ++i) add(i, -1, out.upper[i]);
  if (static_cast<Index>(b.size()) > rows) {
    out.A.resize(static_cast<Index>(b.size()), n);
    out.A.setFromTriplets(entries.begin(), entries.end());
    out.b = Eigen::Map<const Vector>(b.data(), static_cast<Index>(b.size()));
  }
  out.lower.setConstant(n, -inf);
  out.upper.setConstant(n, inf);
  return out;
}

void resize(const Qp& problem, QpPoint& point) {
  const auto fit = [](Vector& v, Index size) {
    if (v.size() != size) v.setZero(size);
  };
  fit(point.z, problem.p.size());
  fit(point.lambda, problem.A.rows());
  fit(point.mu, problem.C.rows());
  fit(point.bounds, problem.p.size());
}

Curvature curvature(const Sparse& Q) {
  const double size = max_abs(Q);
  if (size == 0) return Curvature::positive_semidefinite;
  const double zero = 10 * static_cast<double>(Q.rows()) * 2.2e-16 * size;
  if (positive_definite(Q, -zero)) return Curvature::positive_definite;
  if (positive_definite(Q, zero)) return Curvature::positive_semidefinite;
  return Curvature::indefinite;
}

QpDiagnosis diagnose(const Qp& problem, const QpPoint& point, double tolerance) {
  validate(problem);
  const Qp qp = completed(problem);
  require(point.z.size() == qp.p.size() && point.lambda.size() == qp.b.size() &&
              point.bounds.size() == qp.p.size(),
          "diagnose(Qp): the point does not have the sizes of the problem");
  QpDiagnosis out;
  out.curvature = curvature(qp.Q);
  const Index n = qp.p.size();
  const Matrix A = qp.A, C = qp.C;
  Matrix active(C.rows() + A.rows() + n, n);
  for (Index i = 0; i < C.rows(); ++i) append_row(active, out.active, C.row(i));
  const Vector slack = times(qp.A, point.z) - qp.b;
  for (Index i = 0; i < slack.size(); ++i) {
    if (std::abs(slack[i]) > tolerance) continue;
    append_row(active, out.active, A.row(i));
    if (std::abs(point.lambda[i]) <= tolerance) ++out.weakly_active;
  }
  for (Index i = 0; i < n; ++i) {
    const double gap = std::min(point.z[i] - qp.lower[i], qp.upper[i] - point.z[i]);
    if (!(std::abs(gap) <= tolerance)) continue;
    append_row(active, out.active, Vector::Unit(n, i));
    if (std::abs(point.bounds[i]) <= tolerance) ++out.weakly_active;
  }
  if (out.active > 0)
    out.rank = Eigen::ColPivHouseholderQR<Matrix>(active.topRows(out.active)).rank();
  return out;
}

bool proves_infeasible(const Qp& problem, ConstVectorRef y) {
  const Index n = problem.p.size(), m = problem.A.rows(), e = problem.C.rows();
  if (y.size() != m + e + n || !y.allFinite()) return false;
  const Vector lambda = y.head(m), mu = y.segment(m, e), pi = y.tail(n);
  double gain = 0;
  Vector sum = pi;
  if (m > 0) {
    if (lambda.minCoeff() < 0) return false;
    gain += problem.b.dot(lambda);
    sum += problem.A.transpose() * lambda;
  }
  if (e > 0) {
    gain += problem.d.dot(mu);
    sum += problem.C.transpose() * mu;
  }
  for (Index i = 0; i < n; ++i) {
    if (pi[i] == 0) continue;
    gain += pi[i] * (pi[i] > 0 ? lower_of(problem, i) : upper_of(problem, i));
  }
  return gain > 0 && std::isfinite(gain) && largest(sum) <= proof * gain;
}

bool proves_unbounded(const Qp& problem, ConstVectorRef v) {
  const Index n = problem.p.size();
  if (v.size() != n || !v.allFinite()) return false;
  const double gain = -problem.p.dot(v), zero = proof * gain;
  if (!(gain > 0)) return false;
  if (problem.Q.rows() > 0 && largest(problem.Q * v) > zero) return false;
  if (problem.A.rows() > 0 && Vector(problem.A * v).minCoeff() < -zero) return false;
  if (problem.C.rows() > 0 && largest(problem.C * v) > zero) return false;
  for (Index i = 0; i < n; ++i) {
    if (lower_of(problem, i) > -inf && v[i] < -zero) return false;
    if (upper_of(problem, i) < inf && v[i] > zero) return false;
  }
  return true;
}

}  // namespace saltus
