#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/problems/block_form.hpp"

#include <variant>

namespace saltus {

// Equations G(u, r) = 0 of one contact, u = (u_N, u_T), whose zeros are the solutions of the
// contact law, and an element of their generalised Jacobian (FS:FS-61, FS:B.3). ρ_N, ρ_T > 0 are
// scalings. With x_N = r_N − ρ_N u_N, x_T = r_T − ρ_T u_T, D(c) the ball of radius c:

/// r − P_K(r − ρ(u + g(u)))  (FS:FS-15, FS:FS-50a, S:FC-36, S:B16). For any set; one ρ.
struct NaturalMap {
  static constexpr std::string_view name = "NaturalMap";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// r_N − (x_N)₊,  r_T − P_D(μ(x_N)₊)(x_T)  (FS:FS-19, FS:FS-51, S:FC-18). [Alart & Curnier 1991]
struct AlartCurnier {
  static constexpr std::string_view name = "AlartCurnier";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// r_N − (x_N)₊,  r_T − P_D(μ(r_N)₊)(x_T)  (FS:FS-18, FS:FS-54a, S:FC-20). [Christensen & Pang
/// 1998] [Jean & Moreau 1987]
struct JeanMoreau {
  static constexpr std::string_view name = "JeanMoreau";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// x + y − (x² + y²)^½ in the Jordan algebra of the second-order cone, x = (μ r_N, r_T),
/// y = (u_N/μ + ‖u_T‖, u_T) (FS:FS-24, FS:FS-55a); without friction the scalar function of (u_N,
/// r_N) and r_T = 0. No scaling. [Fukushima, Luo & Tseng 2001]
struct ConeFischerBurmeister {
  static constexpr std::string_view name = "ConeFischerBurmeister";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// r_N − (x_N)₊,  max(μ x_N, ‖x_T‖) r_T − μ(x_N)₊ x_T  (FS:FS-21, FS:FS-57). In the Jacobian r_T is
/// cut back to the disk, the modification that keeps the matrix regular far from the solution.
/// [Hüeber, Stadler & Wohlmuth 2008]
struct HueberStadlerWohlmuth {
  static constexpr std::string_view name = "HueberStadlerWohlmuth";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// min(u_N, r_N),  min(‖u_T‖, μ r_N − ‖r_T‖),  |u₁ r₂ − u₂ r₁| + max(0, u₁ r₁)  (FS:FS-20,
/// S:FC-23). Contacts in space only; the zeros include u₁ = r₁ = 0, u₂ r₂ > 0, which is no
/// solution. [Xuewen, Soh & Wanji 2000]
struct XuewenSohWanji {
  static constexpr std::string_view name = "XuewenSohWanji";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// The plane problem in the sliding direction t = x_T/‖x_T‖ (S:FC-22),
///
///     r_N − (x_N)₊,   r_T·t − min(μ(x_N)₊, x_T·t),   ρ_T u_T × t,
///
/// with the plus function (a)₊ ≈ (a + (a² + 4ε²)^½)/2, ε the `smoothing`. In the plane there is no
/// third equation. The zeros for ε > 0 are solutions up to ε. [Park & Kwak 1994] [Leung, Chen &
/// Chen 1998]
struct SlidingAngle {
  static constexpr std::string_view name = "SlidingAngle";
  double smoothing = 0;  ///< ε ≥ 0, of the size of an impulse; nominal 0 (exact)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"smoothing", "of the plus function, an impulse", non_negative}, s.smoothing);
  }
};
/// r_N − (x_N)₊,  r_T + μ(r_N)₊ u_T/(‖u_T‖² + ε²)^½: friction as a smooth function of the slip,
/// another law, in which a contact that should stick creeps at the speed ε‖r_T‖/(μr_N) or more
/// (FS:FS-106c). Its zeros are judged by Coulomb's law: `stalled` unless ε is below the tolerance.
struct RegularisedCoulomb {
  static constexpr std::string_view name = "RegularisedCoulomb";
  double epsilon = 1e-3;  ///< ε > 0, a speed; nominal 1e-4 to 1e-2 of the speeds of interest
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"epsilon", "speed below which friction is linear", positive}, s.epsilon);
  }
};

using ContactEquation =
    std::variant<AlartCurnier, JeanMoreau, NaturalMap, ConeFischerBurmeister, HueberStadlerWohlmuth,
                 XuewenSohWanji, SlidingAngle, RegularisedCoulomb>;

/// Scalings of one contact.
struct ContactScaling {
  double normal = 1, tangent = 1;
};

/// G of `size` rows, and unless they are null ∂G/∂u and ∂G/∂r, size × size by columns. Blocks other
/// than FrictionCone take the natural map with the smaller ρ; SecondOrderCone has its own
/// ConeFischerBurmeister. The set must not be one that works row by row. No allocation.
void contact_function(const ContactEquation& equation, const BlockSet& K, Index size,
                      const double* u, const double* r, const ContactScaling& rho, double* G,
                      double* by_u, double* by_r);

/// One row of a scalar set: r − P(r − ρu), for 0 ≤ u ⟂ r ≥ 0 with ConeFischerBurmeister the
/// function of Fischer and Burmeister.
struct RowFunction {
  double G, by_u, by_r;
};
[[nodiscard]] RowFunction row_function(const ContactEquation& equation, const BlockSet& K, double u,
                                       double r, double rho);

/// 1/W_NN and 1/λ_max(W_TT) of a diagonal block (FS:FS-58d), or with `conservative`
/// λ_min(W_TT)/λ_max(W_TT)² for the tangent (FS:FS-58e); 1 where that is not positive.
[[nodiscard]] ContactScaling contact_scaling(Index size, const double* block, bool conservative);

}  // namespace saltus
