#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Sizes `work`, a workspace that the projection has for itself.
void prepare_projection(const Model& model, StepWorkspace& work);

struct ProjectionReport {
  bool converged = false;
  int iterations = 0;    ///< Newton iterations
  double violation = 0;  ///< largest |y| of a bilateral row, −y of a contact, at the last iterate
};

/// Projects positions on the constraints, in the metric of the masses (TI:TI-108b, AC:GA-23):
///     min ½ δᵀ M δ   so that   y(q ⊕ δ) = 0 (bilateral),   y_N(q ⊕ δ) ≥ 0 (contacts),
/// by Newton's method, each iteration a linear complementarity problem in the multipliers ν of
/// δ = M⁻¹ Hᵀ ν. `q` moves until no constraint is violated by more than `tolerance`; at most
/// `iterations` times. Contacts of sources are found anew at every iterate.
[[nodiscard]] ProjectionReport project_positions(const Model& model, const State& state, Vector& q,
                                                 double tolerance, int iterations,
                                                 StepWorkspace& work);

}  // namespace saltus
