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
/// changed, the others always, at (t, q, w); systems with integrators of their own by their weights
/// (work.rules). False if M̂ is singular.
[[nodiscard]] bool factorise(const Model& model, double t, const Vector& q, const Vector& w,
                             const Vector& z, IterationWeights weights, StepWorkspace& work);

/// work.impulse = percussions over [t, t + h] of the forces that systems integrate themselves.
void evaluate_impulses(const Model& model, const State& state, double h, StepWorkspace& work);

/// moved = q ⊕ d of all second-order systems.
void move_positions(const Model& model, const Vector& q, const Vector& d, Vector& moved);

/// R = M (w − w_begin) − h[θ F_end + (1−θ) F_begin] − P, in work.newton, P the impulses above; θ
/// of the scheme or of the system (work.rules).
void evaluate_residual(double h, double theta, StepWorkspace& work);

/// f += M x
void add_mass_product(const StepWorkspace& work, const Vector& x, Vector& f);

/// Sizes factors for the bodies and coupled systems of the model, of their masses or of M̂.
void size_factors(const Model& model, const StepWorkspace& work, bool of_masses,
                  StepFactors& factors);

/// The factors of the mass matrix as it stands; false if it is singular.
[[nodiscard]] bool factorise_masses(const StepWorkspace& work, StepFactors& factors);

/// x = A⁻¹ b, A the mass matrix or M̂; x ≠ b.
void solve_factors(const Layout& layout, const std::vector<CoupledOperators>& coupled,
                   const Vector& b, StepFactors& factors, Vector& x);

/// w_free = w − M̂⁻¹ R
void compute_free(StepWorkspace& work);

}  // namespace saltus
