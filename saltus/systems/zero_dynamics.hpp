#pragma once

#include "saltus/systems/lcs.hpp"

namespace saltus {

/// The canonical form with zero dynamics of a linear complementarity system (F:F199, F:B13,
/// F:C0-29, TI:TI-141), for D = 0 and any vector relative degree r_i ≥ 1. In the coordinates
///     z = W x + s,   z = (w, ẇ, ẅ, …, ξ):
///     ż_i = z_{i+1} for i < r,   ż_r = d·z + c_r + Δ λ,   ξ̇ = A_ξ ξ + B_ξ w + c_ξ.            (1)
/// Derivatives come first, all outputs with at least i derivatives in the i-th group; row(output,
/// i) says where. The rows of W are C_j A^i and n − Σ r_j rows N with N B = 0 and N A = A_ξ N + B_ξ
/// C, so that neither λ nor a jump of ẇ, ẅ, … enters ξ̇: with N₀ a basis of the vectors normal to B
/// and to the lower rows of the chains, N₀ A = A_ξ N₀ + Σ P_i z_i, and N = N₀ + Σ K_i C A^(i−1)
/// with
///     K_r = 0,   K_{i−1} = A_ξ K_i − P_i   (i = r, …, 2),   B_ξ = P_1 − A_ξ K_1.
/// Needs no controllability. N₀ is in echelon form: where possible ξ are single states.
/// [Sannuti 1983] [Acary, Brogliato & Goeleven 2008]
struct ZeroDynamicsForm {
  std::vector<Index> degrees = {};  ///< r_j of each output
  Matrix W = {}, inverse = {};      ///< z = W x + shift, x = W⁻¹ (z − shift)
  Vector shift = {};                ///< s; zero without inputs
  Matrix A = {};                    ///< W A W⁻¹
  Vector c = {};                    ///< constant term of ż; zero in the rows i < r
  Matrix decoupling = {};           ///< Δ = C A^(r−1) B
  Matrix A_xi = {}, B_xi = {};      ///< zero dynamics ξ̇ = A_ξ ξ + B_ξ w (+ c_ξ)
  Index chains = 0;                 ///< ρ = Σ r_j: entries of z before ξ

  [[nodiscard]] Index size() const { return W.rows(); }
  [[nodiscard]] Index outputs() const { return static_cast<Index>(degrees.size()); }
  /// Where the derivative of order i (0 … r−1) of an output stands in z.
  [[nodiscard]] Index row(Index output, Index derivative) const;
  [[nodiscard]] Vector to_canonical(ConstVectorRef x) const { return W * x + shift; }
  [[nodiscard]] Vector from_canonical(ConstVectorRef z) const { return inverse * (z - shift); }
};

/// Throws Error if D ≠ 0, if there is no vector relative degree, or if an r_j is 0.
[[nodiscard]] ZeroDynamicsForm zero_dynamics_form(const Lcs& system);

}  // namespace saltus
