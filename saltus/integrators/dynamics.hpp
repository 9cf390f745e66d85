#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Sizes the buffers of the dynamics.
void prepare_dynamics(const Model& model, StepWorkspace& work);

/// F(t, q, w) of all systems, in the layout of w.
void evaluate_forces(const Model& model, double t, const Vector& q, const Vector& w,
                     const Vector& z, const Layout& layout, Vector& F);

/// Mass matrices of the systems that are not time-invariant at (t, q, w); of all if `all`.
void evaluate_masses(const Model& model, double t, const Vector& q, const Vector& w,
                     const Vector& z, bool all, StepWorkspace& work);

/// M̂ = M + damping · C + stiffness · K and its factors: time-invariant systems when the weights
/// changed, the others always, at (t, q, w). False if M̂ is singular.
[[nodiscard]] bool factorise(const Model& model, double t, const Vector& q, const Vector& w,
                             const Vector& z, IterationWeights weights, StepWorkspace& work);

/// work.impulse = percussions over [t, t + h] of the forces that systems integrate themselves.
void evaluate_impulses(const Model& model, const State& state, double h, StepWorkspace& work);

/// moved = q ⊕ d of all second-order systems.
void move_positions(const Model& model, const Vector& q, const Vector& d, Vector& moved);

/// R = M (w − w_begin) − h[θ F_end + (1−θ) F_begin] − P, in work.newton, P the impulses above.
void evaluate_residual(double h, double theta, StepWorkspace& work);

/// f += M x
void add_mass_product(const StepWorkspace& work, const Vector& x, Vector& f);

/// w_free = w − M̂⁻¹ R
void compute_free(StepWorkspace& work);

}  // namespace saltus
