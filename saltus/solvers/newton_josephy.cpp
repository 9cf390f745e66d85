#include "saltus/solvers/newton_josephy.hpp"

#include "saltus/problems/mcp_merit.hpp"
#include "saltus/solvers/ncp_newton.hpp"

#include <array>

namespace saltus {

namespace {

/// The solution of the problem linearised at z; false if `inner` does not find it.
bool linearised_solution(const Mcp& problem, const Vector& z, const NewtonJosephy& options,
                         Vector& next, Workspace& work) {
  const BlockForm form = linearise(problem, z);
  if (!form.q.allFinite() || !form.W.all_finite()) return false;
  next = z;
  const SolveReport report = std::visit(
      [&](auto inner) {
        inner.tolerance = 1e-12;  // the linear solution is wanted to rounding
        return solve(form, next, inner, work);
      },
      options.inner);
  // a point within 1e-6 is still a good Newton step on a badly scaled problem
  const double scale = std::max(1.0, form.q.lpNorm<Eigen::Infinity>());
  return report.residual <= 1e-6 * scale;
}

/// z ← z + t (next − z) with the largest t = 1, ½, … 2⁻¹⁰ that brings Ψ below `reference`.
bool damped_step(const Mcp& problem, Vector& z, const Vector& next, double reference) {
  const Vector d = next - z;
  for (int k = 0; k <= 10; ++k) {
    const double t = std::ldexp(1.0, -k);
    const Vector trial = z + t * d;
    if (fischer_burmeister_merit(problem, trial) <= (1 - 1e-4 * t) * reference) {
      z = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NewtonJosephy& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = z, next;
  std::array<double, 5> history;
  history.fill(fischer_burmeister_merit(problem, x));
  const NcpNewton one_step{.tolerance = options.tolerance, .max_iterations = 1};
  while (residual(problem, x) > limit && outcome.iterations < options.max_iterations) {
    const bool solved = linearised_solution(problem, x, options, next, work);
    ++outcome.iterations;
    const double reference = *std::max_element(history.begin(), history.end());
    if (!options.damping && solved) {
      x = next;
    } else if (!options.damping || !(solved && damped_step(problem, x, next, reference))) {
      if (!options.damping || solve(problem, x, one_step, work).status == SolveStatus::stalled) {
        outcome.status = SolveStatus::stalled;
        break;
      }
    }
    history[static_cast<std::size_t>(outcome.iterations) % history.size()] =
        fischer_burmeister_merit(problem, x);
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
