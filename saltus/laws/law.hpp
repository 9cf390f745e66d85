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

/// Unilateral contact with Coulomb friction and Newton's restitution (PL:NL-04, TI:TI-121, F:F160,
/// F:F161, F:B21). The relation has 2 (plane) or 3 (space) rows, normal first. If y_N ≤ 0:
///     K* ∋ û ⟂ r + h c e_N ∈ K = {‖r_T‖ ≤ μ r_N},
///     û = (u_N⁺ + e u_N⁻ + μ‖u_T⁺ + e_t u_T⁻‖, u_T⁺ + e_t u_T⁻)
/// A cohesive contact holds by its own force c: it carries tension up to c, and its friction is
/// μ (r_N + h c) (TI:TI-122).
struct Coulomb {
  static constexpr std::string_view name = "Coulomb";
  double mu = 0;        ///< coefficient of friction
  double e = 0;         ///< coefficient of normal restitution
  double e_t = 0;       ///< coefficient of tangential restitution: e_t = 1 gives back the slip
  double cohesion = 0;  ///< c [N], per contact
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"e", "coefficient of normal restitution", unit_interval}, s.e);
    visit(Field{"e_t", "coefficient of tangential restitution", Range{-1, 1}}, s.e_t);
    visit(Field{"cohesion", "tension that a contact carries [N]", non_negative}, s.cohesion);
  }
};

/// Orthotropic friction (F:F151): as Coulomb in space, with K = {((r₁/μ₁)² + (r₂/μ₂)²)^½ ≤ r_N}.
/// The tangents of the relation are the principal directions.
struct EllipticCoulomb {
  static constexpr std::string_view name = "EllipticCoulomb";
  double mu_1 = 0;  ///< coefficient of friction along the first tangent
  double mu_2 = 0;  ///< along the second
  double e = 0;     ///< coefficient of normal restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu_1", "coefficient of friction along the first tangent", non_negative}, s.mu_1);
    visit(Field{"mu_2", "coefficient of friction along the second tangent", non_negative}, s.mu_2);
    visit(Field{"e", "coefficient of normal restitution", unit_interval}, s.e);
  }
};

/// Sliding and rolling friction (TI:TI-122): rows n, t, ω_t, the last the relative angular velocity
/// along the tangents (5 rows in space, 3 in the plane),
///     K = {‖r_T‖ ≤ μ r_N, ‖m‖ ≤ μ_R r_N}
struct RollingCoulomb {
  static constexpr std::string_view name = "RollingCoulomb";
  double mu = 0;          ///< coefficient of sliding friction
  double mu_rolling = 0;  ///< coefficient of rolling friction [m]
  double e = 0;           ///< coefficient of normal restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of sliding friction", non_negative}, s.mu);
    visit(Field{"mu_rolling", "coefficient of rolling friction [m]", non_negative}, s.mu_rolling);
    visit(Field{"e", "coefficient of normal restitution", unit_interval}, s.e);
  }
};

/// Unilateral contact with Tresca's friction: ‖λ_T‖ ≤ bound whatever the normal force (FS:FS-28).
struct Tresca {
  static constexpr std::string_view name = "Tresca";
  double bound = 0;  ///< largest friction force [N]
  double e = 0;      ///< coefficient of normal restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"bound", "largest friction force [N]", non_negative}, s.bound);
    visit(Field{"e", "coefficient of normal restitution", unit_interval}, s.e);
  }
};

/// Poisson's law of impact with Coulomb friction, in two phases (F:F145, F:B19, AI:VA-14): what the
/// contact gives back in the expansion is at least e times the percussion of the compression. The
/// relation has 1 to 3 rows, normal first. A contact at rest gets e m g h back in every step and
/// hops by O(h²).
struct PoissonCoulomb {
  static constexpr std::string_view name = "PoissonCoulomb";
  double mu = 0;  ///< coefficient of friction
  double e = 0;   ///< coefficient of restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"e", "coefficient of restitution", unit_interval}, s.e);
  }
};

/// Spring and damper on every row, without bounds (PL:RE-07, F:F164, F:F165):
///     λ = −k y − c u
/// by the θ of the scheme, at least ½: no step is too long for it.
struct Spring {
  static constexpr std::string_view name = "Spring";
  double k = 1;  ///< stiffness [N/m]
  double c = 0;  ///< damping [N s/m]; k + c must be positive
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"k", "stiffness [N/m]", non_negative}, s.k);
    visit(Field{"c", "damping [N s/m]", s.k > 0 ? non_negative : positive}, s.c);
  }
};

/// Unilateral contact on a spring and damper, with Coulomb friction (PL:RE-06, PL:RE-07, F:B8):
///     0 ≤ λ_N ⟂ λ_N/k + y_N + (c/k) u_N ≥ 0,   y_N at the end of the step
/// The relation has 1 to 3 rows, normal first. Implicit: k → ∞ is the rigid contact with e = 0.
struct CompliantContact {
  static constexpr std::string_view name = "CompliantContact";
  double k = 1;   ///< stiffness [N/m]
  double c = 0;   ///< damping [N s/m]
  double mu = 0;  ///< coefficient of friction
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"k", "stiffness [N/m]", positive}, s.k);
    visit(Field{"c", "damping [N s/m]", non_negative}, s.c);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
  }
};

/// A spring in series with dry friction on every row, Masing's and Prandtl's element (F:F168,
/// F:F169, F:B27): λ̇ = −k u while |λ| < bound, else λ slips at ±bound. λ of the last step is its
/// memory.
struct ElasticPlastic {
  static constexpr std::string_view name = "ElasticPlastic";
  double k = 1;      ///< stiffness [N/m]
  double bound = 1;  ///< largest force [N]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"k", "stiffness [N/m]", positive}, s.k);
    visit(Field{"bound", "largest force [N]", positive}, s.bound);
  }
};

/// The laws: a closed set. A law missing from a std::visit is a compile error.
using Law =
    std::variant<Equality, Complementarity, NewtonImpact, Relay, Coulomb, EllipticCoulomb,
                 RollingCoulomb, Tresca, PoissonCoulomb, Spring, CompliantContact, ElasticPlastic>;

}  // namespace saltus
