#pragma once

#include "saltus/solvers/nlp_interior_point.hpp"
#include "saltus/solvers/nlp_methods.hpp"
#include "saltus/solvers/nlp_projection.hpp"

#include <variant>

namespace saltus {

/// Any algorithm for nonlinear programs. NlpBarrier and NlpRosen need a feasible guess, NlpRosen
/// affine constraints.
using NlpAlgorithm = std::variant<NlpSqp, NlpAugmentedLagrangian, NlpPenalty, NlpBarrier,
                                  NlpInteriorPoint, NlpRosen>;

[[nodiscard]] inline SolveReport solve(const Nlp& problem, NlpPoint& point,
                                       const NlpAlgorithm& algorithm, Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, point, options, work); },
                    algorithm);
}

}  // namespace saltus
