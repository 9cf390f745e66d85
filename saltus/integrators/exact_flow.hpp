#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

// The systems of a step that have ExactFlow as their integrator (system_integrators.hpp). With
//     w⁺ = w_flow + M̂⁻¹ Hᵀ r,    q⁺ = q_flow + (dq⁺/dv⁺)(w⁺ − w_flow)
// they enter the one-step problem like any other: M̂ = h M Γ_vv⁻¹, of first order h E Γ⁻¹.

/// Γ, M̂ and its factors for the step h, unless they are known. False if a body that contacts may
/// touch cannot answer them: a mode of it turns by π or more in a step, so that Γ_vv M⁻¹ is not
/// positive definite.
[[nodiscard]] bool hold_exact_flows(const Model& model, const State& state, double h,
                                    StepWorkspace& work);

/// w_flow and q_flow from `state`.
void evaluate_exact_flows(const Model& model, const State& state, double h, StepWorkspace& work);

/// Their residual M̂ (w − w_flow), in work.newton.
void evaluate_exact_residual(StepWorkspace& work);

/// Their part of work.q_end.
void move_exact(StepWorkspace& work);

}  // namespace saltus
