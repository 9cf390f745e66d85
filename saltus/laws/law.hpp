#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/sets/set.hpp"

#include <string>
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

/// Sliding, rolling and spinning friction (TI:TI-122, pivoting): a torque m_N about the normal
/// holds a spinning body back,
///     ‖r_T‖ ≤ μ r_N,   ‖m_T‖ ≤ μ_R r_N,   |m_N| ≤ μ_S r_N,   each against its own velocity.
/// Rows n, t₁, t₂, ω₁, ω₂, ω_N (the relative angular velocity along the tangents and the normal),
/// n, t₁, t₂, ω_N without rolling friction, or n, ω_N for spinning alone. A disk of radius a that
/// presses evenly has μ_S = ⅔ μ a, while it does not slide.
struct SpinningCoulomb {
  static constexpr std::string_view name = "SpinningCoulomb";
  double mu = 0;           ///< coefficient of sliding friction
  double mu_spinning = 0;  ///< coefficient of spinning friction [m]
  double mu_rolling = 0;   ///< coefficient of rolling friction [m]
  double e = 0;            ///< coefficient of normal restitution
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of sliding friction", non_negative}, s.mu);
    visit(Field{"mu_spinning", "coefficient of spinning friction [m]", non_negative},
          s.mu_spinning);
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

/// A falling broken line between output and multiplier, on every row (PL:NL-05, PL:B10, F:F068):
/// (y, λ) lies on the polygon through `points`, continued with the slopes `before` and `after`.
/// Vertical pieces (two points with the same y, an end slope of −∞) are set-valued, horizontal ones
/// (the default at both ends) bound λ: saturation, dead zone, relays with dead zone, Zener diodes.
/// y may not fall and λ may not rise from point to point, so that −y is a maximal monotone map of
/// λ: other graphs are refused. On a Lagrangian relation y is the velocity u and λ a force.
struct PiecewiseLinear {
  static constexpr std::string_view name = "PiecewiseLinear";
  Rows points = {{0.0, 1.0}, {0.0, -1.0}};  ///< one (y, λ) per row; the default is the relay
  double before = 0;                        ///< dλ/dy left of the first point, −∞ to 0
  double after = 0;                         ///< dλ/dy right of the last point, −∞ to 0
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"points", "vertices, one (y, lambda) per row, y rising and lambda falling"},
          s.points);
    visit(Field{"before", "slope left of the first vertex", Range{-inf, 0}}, s.before);
    visit(Field{"after", "slope right of the last vertex", Range{-inf, 0}}, s.after);
  }
};

/// Normal cone to any convex set of sets/, one set for all rows of a first-order relation (F:F003,
/// F:F076, F:F067, TI:TI-081):
///     −y ∈ N_K(λ)   or, `of_output`,   −λ ∈ N_K(y).
/// The first is a differential variational inequality, the second a sweeping process: λ keeps y in
/// K and pushes along the inward normal. They are one law if K is a cone, with K and its dual
/// exchanged.
struct NormalCone {
  static constexpr std::string_view name = "NormalCone";
  Set set = NonNegative{};  ///< K
  bool of_output = false;   ///< the set is one of outputs, not of multipliers
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"set", "the convex set K"}, s.set);
    visit(Field{"of_output", "K holds y, not the multiplier"}, s.of_output);
  }
};

/// Throws Error unless the points are finite and the graph falls.
void validate(const PiecewiseLinear& law);
void validate(const NormalCone& law);

/// λ = −min(max(gain · y, −bound), bound); gain = ∞ is the relay.
[[nodiscard]] PiecewiseLinear saturation(double gain, double bound);
/// λ = 0 for |y| ≤ width, λ = −gain (|y| − width) sign y beyond; gain = ∞ keeps y in the zone.
[[nodiscard]] PiecewiseLinear dead_zone(double width, double gain);
/// λ = 0 for |y| < width, λ = −bound sign y for |y| > width.
[[nodiscard]] PiecewiseLinear relay_with_dead_zone(double width, double bound);
/// Zener diode (F:F034): y the current, λ = v the voltage, −y ∈ N_[0, Vz](v) with resistances in
/// both directions: v = Vz − reverse · y for y < 0 and v = −forward · y for y > 0.
[[nodiscard]] PiecewiseLinear zener(double voltage, double reverse = 0, double forward = 0);
/// λ = −Σ_j slopes_j max(0, y − breaks_j), breaks rising; the sums of the first slopes must be ≥ 0
/// (PL:B10).
[[nodiscard]] PiecewiseLinear hinge_sum(const Values& slopes, const Values& breaks);

// Texts of fields that are no numbers, for describe().
inline void validate(const Rows&) {}
[[nodiscard]] std::string describe(const Rows& matrix);
[[nodiscard]] std::string describe(const Set& set);

/// The laws: a closed set. A law missing from a std::visit is a compile error.
using Law = std::variant<Equality, Complementarity, NewtonImpact, Relay, Coulomb, EllipticCoulomb,
                         RollingCoulomb, Tresca, PoissonCoulomb, Spring, CompliantContact,
                         ElasticPlastic, PiecewiseLinear, NormalCone, SpinningCoulomb>;

}  // namespace saltus
