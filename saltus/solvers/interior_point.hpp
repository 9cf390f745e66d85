#pragma once

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Generic primal–dual interior point (S:LCP-32) for u = W z + q, −u_i ∈ N_[l_i, u_i](z_i), and for
/// horizontal LCPs: Newton's direction for x ∘ s = σ μ 1 with constant σ, μ = xᵀs/m over the m
/// pairs of slacks x and multipliers s,
///
///     (W + diag(s/x)) dz = −(1 − σ) r + (σ μ 1 − x ∘ s)/x,    r = W z + q − s,
///
/// and the step α = min(1, fraction · the longest step that keeps x, s > 0). One factorisation per
/// iteration: dense LU, or sparse LDLᵀ (symmetric W) or KLU. σ = 0 affine, σ = 1 centring. Theory:
/// monotone problems with a strictly feasible point. A strictly feasible guess is used, else the
/// start is x ∘ s = κ² 1. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Kojima,
/// Megiddo, Noma & Yoshise 1991] (S:B8)
struct InteriorPoint {
  static constexpr std::string_view name = "InteriorPoint";
  static constexpr std::string_view when =
      "reference: the generic primal-dual method on monotone problems";
  static constexpr std::string_view paper = "Wright 1997";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 300;  ///< factorisations
  double sigma = 0.1;        ///< centring, in [0, 1]; 0.05 to 0.3
  double fraction = 0.99;    ///< of the step to the boundary, in (0, 1]
  bool purify = true;        ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"sigma", "centring", unit_interval}, s.sigma);
    visit(Field{"fraction", "of the step to the boundary", Range{0, 1, true}}, s.fraction);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

/// Potential reduction (S:LCP-33): the same directions with σ = m/(m + ν), ν = √m · nu, and the
/// step that least leaves of the potential of Tanabe, Todd and Ye,
///
///     φ = (m + ν) log xᵀs − Σ log x_k s_k,
///
/// over a geometric scan of (0, longest step). [Kojima, Mizuno & Yoshise 1991]
struct PotentialReduction {
  static constexpr std::string_view name = "PotentialReduction";
  static constexpr std::string_view when = "reference: potential reduction on monotone problems";
  static constexpr std::string_view paper = "Kojima, Mizuno & Yoshise 1991";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 500;  ///< factorisations
  double nu = 10;            ///< weight of xᵀs in units of √m; 1 is the theory, 10 is faster
  bool purify = true;        ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"nu", "weight of the gap in units of √m", positive}, s.nu);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const InteriorPoint&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const InteriorPoint&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const InteriorPoint&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const InteriorPoint&, Workspace&);

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const PotentialReduction&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const PotentialReduction&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const PotentialReduction&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const PotentialReduction&, Workspace&);

}  // namespace saltus
