#include "saltus/solvers/nlp_methods.hpp"

#include "saltus/solvers/nlp_merit.hpp"
#include "saltus/solvers/nlp_threshold.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The multiplier estimates of the merit function at z.
void take_multipliers(const Nlp& problem, const NlpMerit& merit, NlpPoint& point) {
  const NlpValues v = evaluate(problem, point.z);
  const NlpMeritValue m = evaluate(merit, v.f, v.g, v.h);
  point.lambda = m.lambda;
  point.mu = m.mu;
}

/// Penalty and barrier: the sequence of minimisations for ε ↓ 0.
template <class Merit, class Options>
SolveReport follow(const Nlp& problem, NlpPoint& point, const Options& options) {
  const Stopwatch clock;
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, point);
  // below this ε the Hessian, of order 1/ε, loses all digits of the gradient
  constexpr double least = 1e-14;
  for (double epsilon = options.epsilon;
       error > limit && epsilon > least && outcome.iterations < options.max_iterations;
       epsilon *= options.shrink) {
    const NlpMerit merit = Merit{epsilon};
    const Outcome inner =
        minimise(problem, point.z, merit, 0.1 * limit, options.max_iterations - outcome.iterations);
    outcome.iterations += inner.iterations;
    if (inner.status == SolveStatus::numerical_error) {
      outcome.status = inner.status;
      break;
    }
    outcome.status =
        inner.status == SolveStatus::max_iterations ? inner.status : SolveStatus::stalled;
    take_multipliers(problem, merit, point);
    error = residual(problem, point);
  }
  return judge(outcome, residual(problem, point), limit, clock);
}

}  // namespace

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpPenalty& options, Workspace&) {
  prepare(problem, point, options);
  return follow<QuadraticPenalty>(problem, point, options);
}

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpBarrier& options, Workspace&) {
  prepare(problem, point, options);
  const Vector g = evaluate(problem, point.z).g;
  for (Index i = 0; i < g.size(); ++i)
    require(g[i] > 0, "NlpBarrier: g_{} is {} at the initial guess, expected > 0", i, g[i]);
  return follow<LogBarrier>(problem, point, options);
}

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpAugmentedLagrangian& options,
                  Workspace&) {
  const Stopwatch clock;
  prepare(problem, point, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double sigma = options.sigma, infeasibility = inf, error = residual(problem, point);
  while (error > limit && outcome.iterations < options.max_iterations) {
    const NlpMerit merit = AugmentedLagrangian{sigma, point.lambda, point.mu};
    const Outcome inner =
        minimise(problem, point.z, merit, 0.1 * limit, options.max_iterations - outcome.iterations);
    outcome.iterations += inner.iterations;
    const Vector lambda = point.lambda;
    take_multipliers(problem, merit, point);
    error = residual(problem, point);
    // (λ − λ⁺)/σ = min(g, λ/σ) and h: zero when the constraints and complementarity hold
    const Vector h = evaluate(problem, point.z).h;
    const double now = std::hypot((lambda - point.lambda).norm() / sigma, h.norm());
    if (inner.status == SolveStatus::numerical_error || (inner.iterations == 0 && sigma > 1e12)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    if (now > infeasibility / 4) sigma *= 10;
    infeasibility = now;
  }
  return judge(outcome, residual(problem, point), limit, clock);
}

}  // namespace saltus
