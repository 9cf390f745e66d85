#include "saltus/solvers/qp_interior_point.hpp"

#include "saltus/solvers/mehrotra.hpp"

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The conditions of the header in block form, shifted by `delta` on the diagonal.
BlockForm conditions(const Qp& qp, double delta) {
  const Index n = qp.p.size(), e = qp.C.rows(), m = qp.A.rows(), size = n + e + m;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index i, Index j, double value) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  };
  const auto add_rows = [&](const Sparse& A, Index first) {
    for (Index k = 0; k < A.outerSize(); ++k)
      for (Sparse::InnerIterator it(A, k); it; ++it) {
        add(first + it.row(), k, it.value());
        add(k, first + it.row(), -it.value());
      }
  };
  for (Index k = 0; k < n; ++k)
    for (Sparse::InnerIterator it(qp.Q, k); it; ++it) add(it.row(), k, it.value());
  add_rows(qp.C, n);
  add_rows(qp.A, n + e);
  for (Index i = 0; i < size; ++i) add(i, i, delta);
  Sparse W(size, size);
  W.setFromTriplets(entries.begin(), entries.end());
  BlockForm form{BlockSparse::sparse(W), Vector(size), {}};
  form.q << qp.p, -qp.d, -qp.b;
  for (Index i = 0; i < n; ++i) {
    if (qp.lower[i] == -inf && qp.upper[i] == inf)
      form.K.emplace_back(Reals{});
    else
      form.K.emplace_back(Interval{qp.lower[i], qp.upper[i]});
  }
  form.K.insert(form.K.end(), static_cast<std::size_t>(e), Reals{});
  form.K.insert(form.K.end(), static_cast<std::size_t>(m), NonNegative{});
  return form;
}

/// The point of the QP from (z, μ, λ); π is what stationarity leaves.
void read(const Qp& qp, const Vector& r, QpPoint& point) {
  const Index n = qp.p.size(), e = qp.C.rows(), m = qp.A.rows();
  point.z = r.head(n);
  point.mu = r.segment(n, e);
  point.lambda = r.tail(m);
  point.bounds =
      qp.Q * point.z + qp.p - qp.A.transpose() * point.lambda - qp.C.transpose() * point.mu;
  for (Index i = 0; i < n; ++i)
    if (qp.lower[i] == -inf && qp.upper[i] == inf) point.bounds[i] = 0;
}

/// v / ‖v‖∞ without entries below 1e-6; empty if there is no direction in v.
Vector cleaned(const Vector& v) {
  const double size = v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0;
  if (!(size > 0) || !std::isfinite(size)) return {};
  return (v.array().abs() < 1e-6 * size).select(0.0, v / size);
}

/// The iterates of an unsolvable problem run along a proof: looks for it.
SolveStatus reason(const Qp& qp, const QpPoint& point, SolveStatus otherwise, Workspace& work) {
  Vector multipliers(point.lambda.size() + point.mu.size());
  multipliers << point.lambda, point.mu;
  const Vector y = cleaned(multipliers);
  if (y.size() > 0) {
    const Index n = qp.p.size(), m = qp.A.rows(), e = qp.C.rows();
    Vector proof(m + e + n);
    proof << y, -(qp.A.transpose() * y.head(m) + qp.C.transpose() * y.tail(e));
    for (Index i = m + e; i < proof.size(); ++i)
      if (std::abs(proof[i]) < 1e-9) proof[i] = 0;
    work.certificate = proof;
    if (proves_infeasible(qp, proof)) return SolveStatus::infeasible;
  }
  work.certificate = cleaned(point.z);
  if (work.certificate.size() > 0 && proves_unbounded(qp, work.certificate))
    return SolveStatus::unbounded;
  work.certificate.resize(0);
  return otherwise;
}

}  // namespace

SolveReport solve(const Qp& problem, QpPoint& point, const QpInteriorPoint& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  const Qp qp = completed(problem);
  resize(qp, point);
  work.certificate.resize(0);
  const double goal = qp_threshold(qp, options.tolerance);
  if (curvature(qp.Q) == Curvature::indefinite)
    return judge({SolveStatus::nonconvex, 0}, residual(qp, point), -1, clock);
  const Mehrotra method{.tolerance = 0.5 * options.tolerance,  // two residuals, one in each norm
                        .max_iterations = options.max_iterations,
                        .purify = options.purify};
  BlockForm form = conditions(qp, 0);
  Vector r = Vector::Zero(form.q.size());
  SolveReport inner = solve(form, r, method, work);
  if (!inner.converged()) {
    const Sparse W = form.W.to_sparse();
    const double size = W.nonZeros() > 0 ? W.coeffs().cwiseAbs().maxCoeff() : 1;
    form = conditions(qp, options.regularisation * size);
    Vector again = Vector::Zero(form.q.size());
    const SolveReport second = solve(form, again, method, work);
    if (second.converged() || second.residual < inner.residual) r = again;
    inner.status = second.status;
    inner.iterations += second.iterations;
  }
  work.certificate.resize(0);
  read(qp, r, point);
  if (inner.status == SolveStatus::infeasible) inner.status = SolveStatus::stalled;
  SolveReport report = judge({inner.status, inner.iterations}, residual(qp, point), goal, clock);
  if (!report.converged()) report.status = reason(qp, point, report.status, work);
  report.seconds = clock.seconds();
  return report;
}

}  // namespace saltus
