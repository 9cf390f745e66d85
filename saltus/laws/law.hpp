#pragma once

#include "saltus/base/fields.hpp"

#include <string_view>
#include <variant>

namespace saltus {

// Every law is a normal-cone inclusion between the output y (or the relative velocity u of a
// Lagrangian relation) and the multiplier: −y ∈ N_K(λ). The parameters are the law; the integrator
// maps it to a set K and a shift of y.

/// Bilateral constraint: y = 0, λ free.
struct Equality {
  static constexpr std::string_view name = "Equality";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Complementarity on every row (PL:NL-01): 0 ≤ y ⟂ λ ≥ 0.
struct Complementarity {
  static constexpr std::string_view name = "Complementarity";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Unilateral contact with Newton's restitution, Moreau's form (PL:NL-02), on every row:
///     if y ≤ 0:  0 ≤ u⁺ + e u⁻ ⟂ r ≥ 0        (FS:FS-06 with e = 0, FS:FS-07)
struct NewtonImpact {
  static constexpr std::string_view name = "NewtonImpact";
  double e = 0;  ///< coefficient of restitution, 0 (plastic) to 1 (elastic)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"e", "coefficient of restitution", unit_interval}, s.e);
  }
};

/// Relay on every row (PL:NL-03, sign as in part D of the card): −y ∈ N_[lower, upper](λ), that is
///     y > 0 ⇒ λ = lower,   y < 0 ⇒ λ = upper,   y = 0 ⇒ λ anywhere between.
/// With the default bounds λ ∈ −Sgn(y), the dissipative sign for r = +Bλ. On a Lagrangian relation
/// y is the velocity u and λ a force: dry friction under a known normal load.
struct Relay {
  static constexpr std::string_view name = "Relay";
  double lower = -1;
  double upper = 1;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"lower", "value of the multiplier for y > 0", any_number}, s.lower);
    visit(Field{"upper", "value of the multiplier for y < 0", Range{s.lower, inf, false}}, s.upper);
  }
};

/// Unilateral contact with Coulomb friction and Newton's restitution (PL:NL-04). The relation has 2
/// (plane) or 3 (space) rows, normal first. If y_N ≤ 0:
///     K* ∋ û ⟂ r ∈ K = {‖r_T‖ ≤ μ r_N},   û = (u_N⁺ + e u_N⁻ + μ‖u_T⁺‖, u_T⁺)
struct Coulomb {
  static constexpr std::string_view name = "Coulomb";
  double mu = 0;  ///< coefficient of friction
  double e = 0;   ///< coefficient of normal restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"e", "coefficient of normal restitution", unit_interval}, s.e);
  }
};

/// The laws: a closed set. A law missing from a std::visit is a compile error.
using Law = std::variant<Equality, Complementarity, NewtonImpact, Relay, Coulomb>;

}  // namespace saltus
