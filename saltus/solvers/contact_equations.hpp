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

/// ρ(u + g(u)) + x − P_K(x), u = W P_K(x) + q: the normal map (FS:FS-16). The unknown is x, a point
/// outside of K in general; the reaction is r = P_K(x), at a solution x = r − ρ(u + g(u)). For any
/// set; one ρ. [Robinson 1992]
struct NormalMap {
  static constexpr std::string_view name = "NormalMap";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// r − P_{K,R}(r − R⁻¹(u + g(u))), R = diag(1/ρ_N, 1/ρ_T, …), with the projection in the metric of
/// R: the skewed natural map (FS:FS-17), see skewed_projection.hpp. For any set; ρ_N and ρ_T both
/// count, for ρ_N = ρ_T it is the NaturalMap.
struct SkewedNaturalMap {
  static constexpr std::string_view name = "SkewedNaturalMap";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

// Smoothed functions of the second-order cone (FS:FS-25), in the coordinates in which K is the cone
// L = {‖x_T‖ ≤ x_N}: x = m (r_N, r_i/μ_i), y = ρ/m (u_N + g_ε(u), μ_i u_i), m = max μ_i, with the
// shift g_ε = s²/(s² + δ²)^½, s = ‖(μ_i u_i)‖, δ = m ε/ρ. For ε > 0 they have derivatives
// everywhere; for ε = 0 their zeros are the solutions. NonsmoothNewton starts with ε = `smoothing`
// times the size max ρ‖q‖ of an impulse and goes on with ε ← reduction · ε whenever ‖G‖∞ ≤ ε: a
// path that ends in the solution, along which W may be singular. At ε the pairs of force and
// velocity have a product of ε² instead of 0. In contact_function `smoothing` is ε itself. Friction
// cones, elliptic ones and second-order cones with μ > 0; half lines and intervals with
// (a)₊ ≈ (a + (a² + 4ε²)^½)/2; the natural map otherwise.

/// x + y − (x² + y² + 2ε²e)^½ in the Jordan algebra of L. [Fukushima, Luo & Tseng 2001]
struct SmoothedFischerBurmeister {
  static constexpr std::string_view name = "SmoothedFischerBurmeister";
  double smoothing = 0.1;  ///< first ε, relative; nominal 0.01 to 1
  double reduction = 0.1;  ///< of ε, in (0, 1); nominal 0.1
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"smoothing", "first smoothing, relative", non_negative}, s.smoothing);
    visit(Field{"reduction", "of the smoothing", Range{0, 0.9, true}}, s.reduction);
  }
};
/// x − P_ε(x − y), P_ε(z) = (z + (z² + 4ε²e)^½)/2. [Chen & Harker 1993] [Hayashi, Yamashita &
/// Fukushima 2005]
struct SmoothedNaturalMap {
  static constexpr std::string_view name = "SmoothedNaturalMap";
  double smoothing = 0.1;  ///< first ε, relative; nominal 0.01 to 1
  double reduction = 0.1;  ///< of ε, in (0, 1); nominal 0.1
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"smoothing", "first smoothing, relative", non_negative}, s.smoothing);
    visit(Field{"reduction", "of the smoothing", Range{0, 0.9, true}}, s.reduction);
  }
};

using ContactEquation =
    std::variant<AlartCurnier, JeanMoreau, NaturalMap, ConeFischerBurmeister, HueberStadlerWohlmuth,
                 XuewenSohWanji, SlidingAngle, RegularisedCoulomb, NormalMap, SkewedNaturalMap,
                 SmoothedFischerBurmeister, SmoothedNaturalMap>;
extern template void validate(const ContactEquation&);  // compiled once, in contact_equations.cpp

/// Scalings of one contact.
struct ContactScaling {
  double normal = 1, tangent = 1;
};

/// G of `size` rows, and unless they are null ∂G/∂u and ∂G/∂r, size × size by columns. Blocks other
/// than FrictionCone take the natural map with the smaller ρ unless said otherwise above;
/// SecondOrderCone has its own ConeFischerBurmeister. For the NormalMap r is x, and ∂G/∂r = I − V
/// with V an element of the Jacobian of P_K. The set must not be one that works row by row. No
/// allocation.
void contact_function(const ContactEquation& equation, const BlockSet& K, Index size,
                      const double* u, const double* r, const ContactScaling& rho, double* G,
                      double* by_u, double* by_r);

/// One row of a scalar set: r − P(r − ρu), for 0 ≤ u ⟂ r ≥ 0 with ConeFischerBurmeister the
/// function of Fischer and Burmeister, and what the NormalMap and the smoothed functions make of
/// it.
struct RowFunction {
  double G, by_u, by_r;
};
[[nodiscard]] RowFunction row_function(const ContactEquation& equation, const BlockSet& K, double u,
                                       double r, double rho);

/// Where a smoothed equation keeps its ε; null for the others.
[[nodiscard]] double* driven_smoothing(ContactEquation& equation);
/// The rule of the smoothed functions for the next ε, ‖G‖∞ being `size`; true if it changed.
bool drive_smoothing(ContactEquation& equation, double size);

/// 1/W_NN and 1/λ_max(W_TT) of a diagonal block (FS:FS-58d), or with `conservative`
/// λ_min(W_TT)/λ_max(W_TT)² for the tangent (FS:FS-58e); 1 where that is not positive.
[[nodiscard]] ContactScaling contact_scaling(Index size, const double* block, bool conservative);

}  // namespace saltus
