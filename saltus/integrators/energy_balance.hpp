#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Where the energy of the second-order systems went in a run [J] (F:F162):
///
///     E = T + V,   E − E₀ = forces + drives − impact − friction − laws − scheme + error
///
/// T = ½ v·Mv, V of the systems that give one. A step changes the momentum by M(v⁺ − v) = J + Hᵀr,
/// J of the forces, so that with v_m = ½(v + v⁺), u_m = ½(u⁻ + u⁺) and M constant
///
///     T⁺ − T = v_m·J + Σ r·u_m − Σ r·∂h/∂t
///
///     forces     v_m·J of systems without potential, v_m·J + V⁺ − V of the others
///     drives     −r·∂h/∂t: moving obstacles and drives put it in
///     impact     −r_N u_mN of contacts
///     friction   −r_T·u_mT of contacts, and of Relay
///     laws       −r·u_m of springs, elastic-plastic elements and cohesion: stored or lost
///     scheme     −(v_m·J + V⁺ − V) of conservative systems, −r·u_m of bilateral constraints, and
///                the change of M(q) in a step: what the scheme loses (if negative: gains)
///     error      what remains: rounding
///
/// Schemes at position level have the same accounts: the percussions of generalized-α are the total
/// impulses Λ*, those of Paoli–Schatzman the steps of the momentum, whose first velocity is half a
/// step of the forces off that of the state (scheme).
///
/// At θ = ½ on a linear conservative model the scheme loses nothing but through constraints.
struct EnergyBalance {
  bool known = false;                 ///< of the schemes of mechanics
  double kinetic = 0, potential = 0;  ///< T and V at the end
  double start = 0;                   ///< E₀
  double forces = 0, drives = 0, impact = 0, friction = 0, laws = 0, scheme = 0;

  [[nodiscard]] double total() const { return kinetic + potential; }
  [[nodiscard]] double error() const {
    return total() - start - (forces + drives - impact - friction - laws - scheme);
  }
};

/// Buffers of the account.
struct EnergyWorkspace {
  Vector middle;              ///< v_m
  Vector speed;               ///< u_m of one block
  Vector forces;              ///< v_m·J of each system
  Vector potential;           ///< V of each system before the step
  Vector kinetic;             ///< T of each system after it, M as the step had it
  Matrix mass;                ///< of one body
  SparseMatrix coupled_mass;  ///< of one coupled system
};

/// Starts the account at a state.
void start_energy(const Model& model, const State& state, EnergyBalance& balance,
                  EnergyWorkspace& buffers);

/// Adds the step that led to `state`, which left its percussions and Jacobians in `work`.
void add_energy(const Model& model, const State& state, const StepWorkspace& work,
                EnergyBalance& balance, EnergyWorkspace& buffers);

}  // namespace saltus
