#pragma once

#include "saltus/model/model.hpp"

namespace saltus {

/// What the bilateral constraints of a model (Lagrangian relations under Equality) leave free at
/// its initial state:
///     G v = −∂h/∂t,   G of size rows × dof and of rank `rank`
/// Rows that depend on those before them are redundant: the mechanism is over-constrained there. It
/// moves all the same, but only G ᵀr is determined, not r: solvers return one of many multipliers.
/// The rank is that of D G M^(−½), D scaling its rows to one, by a sparse QR factorisation that
/// takes the rows in their order; a row counts as dependent if less than 1e-9 of it is left.
struct Mobility {
  struct Redundant {
    InteractionId interaction;
    std::string name;
    Index rows = 0;  ///< dependent ones
  };
  struct Moving {
    InteractionId interaction;
    std::string name;
    double velocity = 0;  ///< largest |G v + ∂h/∂t| of its rows
  };

  Index dof = 0;
  Index rows = 0;
  Index rank = 0;
  std::vector<Redundant> redundant = {};  ///< in the order of the interactions
  std::vector<Moving> moving =
      {};  ///< constraints that the initial velocities violate by more than
           ///< 1e-9 (1 + ‖v‖∞): the first step stops them by percussions
  /// Motions that the constraints allow.
  [[nodiscard]] Index freedom() const { return dof - rank; }
};

[[nodiscard]] Mobility mobility(const Model& model);

}  // namespace saltus
