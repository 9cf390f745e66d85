#pragma once

#include "saltus/problems/block_form.hpp"

#include <optional>

namespace saltus {

/// Piecewise linear change ψ(s) of friction with the slip speed s ≥ 0, ψ(0) = 0, through the points
/// (speeds_j, values_j) and with the slope `after` beyond the last. Stribeck friction falls,
/// ψ ≤ 0; viscous friction rises. Without points and slope there is none.
struct SlipGraph {
  std::vector<double> speeds = {};  ///< 0 < s₁ < s₂ < …
  std::vector<double> values = {};  ///< ψ(s_j): of the coefficient for contacts, else an impulse
  double after = 0;                 ///< slope beyond the last point
};
/// ψ(|u|) sign u
[[nodiscard]] double slip_change(const SlipGraph& graph, double u);

/// Contacts in the plane with friction that depends on the slip speed (S:FC-09b): u = W r + q, on
/// blocks with a graph
///
///     FrictionCone{μ}, 2 rows   0 ≤ u_N ⟂ r_N ≥ 0,  |r_T| ≤ μ r_N if u_T = 0, else
///                               r_T = −sign(u_T) (μ + ψ(|u_T|)) r_N                        (1)
///     Interval{−b, b}, 1 row    |r| ≤ b if u = 0, else r = −sign(u) (b + ψ(|u|))
///
/// and on the others the law of the block form: plane friction cones and scalar sets. A set-valued
/// graph of one variable that consists of straight pieces: with hinges h_j = (±u − s_j)₊,
///
///     r = r̃ − c₀ u − Σ c_j (h_j⁺ − h_j⁻),    0 ≤ h_j^± ⟂ h_j^± ∓ u + s_j ≥ 0,
///
/// c_j the changes of slope of ψ at s_j (s₀ = 0) and r̃ the part without ψ, it is a complementarity
/// problem if the normal impulses in (1) are known. Where ψ falls there may be several solutions.
struct PiecewiseFriction {
  BlockForm form;
  std::vector<SlipGraph> graphs = {};  ///< one per block
};

/// ‖r̃ − P_K(r̃ − (u + g(u)))‖₂ with r̃ = r plus the change by slip: zero exactly at solutions,
/// infinite if anything is NaN.
[[nodiscard]] double residual(const PiecewiseFriction& problem, ConstVectorRef r);
/// Throws Error on graphs that are none or stand on other blocks, and on wrong block forms.
void validate(const PiecewiseFriction& problem);

/// (1) with the normal impulses of the changes by slip held at those of `r`, as a block form of
/// plane friction cones and half lines in z = (r̃, h): its complementarity problem is that of
/// FacetedFriction. Dense.
struct SlipHinges {
  BlockForm form;
  Matrix of_z;  ///< r = of_z z + constant
  Vector constant;
};
/// Nothing if I + W C, C = diag(c₀), is singular.
[[nodiscard]] std::optional<SlipHinges> with_hinges(const PiecewiseFriction& problem,
                                                    ConstVectorRef r);

}  // namespace saltus
