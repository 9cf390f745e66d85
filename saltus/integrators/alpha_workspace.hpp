#pragma once

#include "saltus/integrators/coupled.hpp"

#include <vector>

namespace saltus {

/// What the generalized-α scheme keeps: from step to step, and in the step. Vectors over the
/// velocities, or over the rows of the constraints.
struct AlphaWorkspace {
  // At the beginning of the step, from the last one
  Vector acceleration_begin, a_begin;  ///< ẇ and a
  Vector lambda_begin, eta_begin;      ///< λ and its shifted average η

  // At the end of the step
  Vector acceleration, a;
  Vector lambda, eta;
  Vector U, nu, nu_total;              ///< ν* = ν + h²((½−β) η + β η⁺)
  Vector W, Lambda, Lambda_total;      ///< Λ* = Λ + h((1−γ) η + γ η⁺)
  Vector u;                            ///< H v⁺ + ∂g/∂t
  Vector curvature;                    ///< ḣ: d(H v + ∂g/∂t)/dt at constant v
  Vector rest;                         ///< what is left of a constraint, at the level in hand
  Vector weight;                       ///< r of each contact
  Vector change;                       ///< of the variable in hand
  std::vector<char> in_A, in_B, in_S;  ///< block by block
  std::vector<char> last_A, last_B, last_S;
  StepFactors mass_factor;
  bool masses_factored = false;
};

}  // namespace saltus
