#pragma once

#include "saltus/integrators/generalized_alpha.hpp"
#include "saltus/integrators/step_workspace.hpp"

#include <Eigen/Core>

#include <optional>
#include <vector>

namespace saltus {

/// Linear and angular momentum, the latter about the origin of the world; or their impulses.
struct Momentum {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< [kg m/s]
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< [kg m²/s]
};

/// Where the momentum of a run went, of the systems that know the rigid motions G of the world
/// (System::rigid_motions: points, rigid bodies in space and in the plane):
///
///     P = Gᵀ M v,    P_end − P_start = forces + interactions + scheme + error
///
/// A step has M(v⁺ − v) = J + P₀ + Hᵀr, J of the forces F, P₀ the percussions that systems
/// integrate themselves, so that with G_m, v_m the means of beginning and end
///
///     P⁺ − P = G_mᵀ(J + P₀ + Hᵀr) + (G⁺ − G)ᵀ M v_m
///
///     forces         J as the scheme weighs F, and the linear part of P₀ (`load` of RigidBodies)
///     interactions   Σ G̃ᵀ Hᵀ r, G̃ where the step has H: x × p for a percussion p at x. Those of
///                    contacts and joints between bodies of the account cancel
///     scheme         (G⁺ − G)ᵀ M v_m and the angular part of P₀: gyroscopic percussions and the
///                    update of the lever arms, zero where the scheme is exact (a `load` is in it;
///                    gyroscopic torques of AcceleratedBodies are in forces, with the other sign
///                    here)
///     error          what remains: Newton's tolerance and rounding; in the angular momentum also
///                    lever arms of contacts that moved in the step
struct MomentumBalance {
  bool known = false;  ///< some system knows its momentum, and the scheme is one of mechanics
  Momentum start, end, forces, interactions, scheme;
  [[nodiscard]] Momentum error() const;
};

/// How a scheme weighs the forces of a step.
struct ForceWeights {
  double theta = 0.5;   ///< h[θ F⁺ + (1−θ) F], systems by their own rule
  bool middle = false;  ///< h F(t, q, ½(v + v⁺)) instead
  std::optional<AlphaCoefficients> alpha = {};  ///< or the filter of generalized-α
};

/// Buffers of the account: the last state, resultants of the forces, one column per system.
struct MomentumWorkspace {
  using Motions = Eigen::Matrix<double, Eigen::Dynamic, 6, 0, 6, 6>;
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic>;
  State before;
  Vector force;                  ///< F at one instant
  Vector velocity;               ///< (v, x) at which it was taken
  Vector mean, jump, momentum;   ///< M v_m, M (w_begin − v), M v⁺
  Columns wrench;                ///< GᵀF at the last state
  Columns filtered;              ///< its filter, for generalized-α
  Columns next;                  ///< GᵀF at the new state
  std::vector<Motions> motions;  ///< G of each body at the last state; empty: it has none
  Motions G;                     ///< of one body
};

/// Starts the account at a state.
void start_momentum(const Model& model, const State& state, const StepWorkspace& work,
                    MomentumBalance& balance, MomentumWorkspace& buffers);

/// Adds the step of length h that led to `state`, which left its percussions and Jacobians in
/// `work`.
void add_momentum(const Model& model, const State& state, double h, const ForceWeights& weights,
                  const StepWorkspace& work, MomentumBalance& balance, MomentumWorkspace& buffers);

}  // namespace saltus
