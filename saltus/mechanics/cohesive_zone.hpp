#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"

#include <string_view>

namespace saltus::mechanics {

/// Cohesive zone with adhesion β ∈ [0, 1] that damage reduces (F:F171, F:B26, h(β) = β). The
/// interface pulls with
///     R_N = −β² c_N g,   R_T = −β² c_T g_T
/// beside the contact law, which holds for R̃ = R + β² c g: a contact of its own in the model. With
/// G = c_N g² + c_T |g_T|² the adhesion obeys
///     β̇ = −[(w − β G + k Δβ)⁻ / b]^(1/p),   for b = 0:  β falls so that β G ≤ w + k Δβ
/// and never grows (F:C0-26): a broken interface, β = 0, is a plain contact. It is elastic until G
/// = w; tearing it off without viscosity takes the work w.
///
/// β is a discrete parameter z of the system that the interface pulls at; after each step
///     sim.set_parameters(system, {zone.adhesion(β, g, g_T, h)})
struct CohesiveZone {
  static constexpr std::string_view name = "CohesiveZone";
  double c_N = 1;  ///< stiffness in the normal direction [N/m]
  double c_T = 0;  ///< along the tangent [N/m]
  double w = 1;    ///< energy of decohesion [J]
  double b = 0;    ///< viscosity of the damage [J sᵖ]
  double p = 1;    ///< exponent of the damage rate
  double k = 0;    ///< weight of the gradient of β along an interface [J m²]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"c_N", "stiffness in the normal direction [N/m]", positive}, s.c_N);
    visit(Field{"c_T", "stiffness along the tangent [N/m]", non_negative}, s.c_T);
    visit(Field{"w", "energy of decohesion [J]", positive}, s.w);
    visit(Field{"b", "viscosity of the damage [J s^p]", non_negative}, s.b);
    visit(Field{"p", "exponent of the damage rate", positive}, s.p);
    visit(Field{"k", "weight of the gradient of beta along an interface [J m^2]", non_negative},
          s.k);
  }

  /// β at the end of a step h [s] with the opening g ≥ 0 (a penetration counts as 0) and the slip
  /// g_T there [m], by the implicit Euler method: exact for b = 0. One point has Δβ = 0.
  [[nodiscard]] double adhesion(double beta, double g, double g_T, double h) const;
  /// The same for points along an interface, `spacing` [m] apart, with no flux of β at its ends.
  [[nodiscard]] Vector adhesion_along(ConstVectorRef beta, ConstVectorRef g, ConstVectorRef g_T,
                                      double spacing, double h) const;
  /// R_N [N]; 0 for a closed contact.
  [[nodiscard]] double normal_force(double beta, double g) const {
    return g > 0 ? -beta * beta * c_N * g : 0;
  }
  /// R_T [N]
  [[nodiscard]] double tangential_force(double beta, double g_T) const {
    return -beta * beta * c_T * g_T;
  }
  /// Energy held by the interface, ½ β² G [J].
  [[nodiscard]] double energy(double beta, double g, double g_T) const;
};

}  // namespace saltus::mechanics
