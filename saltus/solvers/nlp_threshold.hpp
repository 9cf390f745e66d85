#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// tolerance · max(1, ‖∇f(0)‖∞); tolerance if ∇f(0) is not finite.
[[nodiscard]] inline double threshold(double tolerance, const Nlp& problem) {
  const Vector gradient = evaluate(problem, Vector::Zero(problem.n)).gradient;
  return gradient.allFinite() ? threshold(tolerance, gradient) : tolerance;
}

/// Throws Error unless options, problem and point fit; gives the point multipliers (0 if it has
/// none).
template <class Options>
void prepare(const Nlp& problem, NlpPoint& point, const Options& options) {
  validate(options);
  validate(problem, point);
  require(point.z.allFinite(), "{}: the initial guess holds NaN or infinity", Options::name);
  if (point.lambda.size() == 0) point.lambda = Vector::Zero(problem.m);
  if (point.mu.size() == 0) point.mu = Vector::Zero(problem.p);
}

}  // namespace saltus
