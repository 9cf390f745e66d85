#include "saltus/solvers/qp_automatic.hpp"

#include "saltus/solvers/active_set.hpp"
#include "saltus/solvers/equality_qp.hpp"
#include "saltus/solvers/projected_gradient.hpp"
#include "saltus/solvers/qp_interior_point.hpp"

namespace saltus {

namespace {

constexpr Index dense_limit = 2000;  // variables up to which the dense active set is worth trying

/// A solution or a proof that there is none.
bool settled(SolveStatus status) {
  return status == SolveStatus::converged || status == SolveStatus::infeasible ||
         status == SolveStatus::unbounded || status == SolveStatus::nonconvex;
}

template <class First, class Second>
SolveReport cascade(const Qp& problem, QpPoint& point, const First& first, const Second& second,
                    bool go_on, Workspace& work) {
  const SolveReport report = solve(problem, point, first, work);
  if (settled(report.status) || !go_on) return report;
  SolveReport next = solve(problem, point, second, work);
  next.iterations += report.iterations;
  next.seconds += report.seconds;
  return next;
}

/// min ½zᵀQz + pᵀz between bounds by Gpcg, from the guess. Q is not indefinite.
SolveReport solve_bounds(const Qp& problem, QpPoint& point, double tolerance, Workspace& work) {
  const Stopwatch clock;
  const Qp qp = completed(problem);
  resize(qp, point);
  BlockForm form{BlockSparse::sparse(qp.Q), qp.p, {}};
  for (Index i = 0; i < qp.p.size(); ++i) form.K.push_back(Interval{qp.lower[i], qp.upper[i]});
  const SolveReport report = solve(form, point.z, Gpcg{.tolerance = 0.5 * tolerance}, work);
  point.bounds = qp.Q * point.z + qp.p;
  return judge({report.status, report.iterations}, residual(qp, point), qp_threshold(qp, tolerance),
               clock);
}

}  // namespace

SolveReport solve(const Qp& problem, QpPoint& point, const QpAutomatic& options, Workspace& work) {
  require_valid(options);
  validate(problem);
  const double tolerance = options.tolerance;
  if (only_equalities(problem))
    return cascade(problem, point, KktLdlt{.tolerance = tolerance},
                   NullSpace{.tolerance = tolerance}, problem.p.size() <= dense_limit, work);
  const Index n = problem.p.size(), size = n + problem.A.rows() + problem.C.rows();
  const bool guessed = point.z.size() == n && n > 0 && !point.z.isZero(0);
  const ActiveSet pivoting{.tolerance = tolerance};
  const QpInteriorPoint interior{.tolerance = tolerance};
  if (size <= options.small || (guessed && n <= dense_limit))
    return cascade(problem, point, pivoting, interior, true, work);
  if (size == n && curvature(completed(problem).Q) != Curvature::indefinite) {
    const SolveReport report = solve_bounds(problem, point, tolerance, work);
    if (report.converged()) return report;
  }
  return cascade(problem, point, interior, pivoting, n <= dense_limit, work);
}

}  // namespace saltus
