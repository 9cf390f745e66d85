#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/problems/mcp.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Glocker's smooth nonlinear complementarity problem (S:FC-17, S:B11): three half planes
/// e_i at 30°, 150°, 270° around the disk, and the disk itself,
///
///     −u_T = Σ κ_i e_i + 2 κ_D r_T,    0 ≤ κ_i ⟂ σ_i = μ r_N − e_i·r_T ≥ 0,
///     0 ≤ κ_D ⟂ μ² r_N² − ‖r_T‖² ≥ 0,    0 ≤ r_N ⟂ u_N ≥ 0,
///
/// five unknowns (r_N, σ₁, σ₂, κ₃, κ_D) per contact, continuously differentiable, solved by the
/// semismooth Newton method NcpNewton. Dense: O(n³) per iteration, for small problems. In the plane
/// the cone is polyhedral and κ_D drops out. A contact with r_N = 0 has a degenerate disk
/// condition: slow there. [Glocker 1999]
struct GlockerNcp {
  static constexpr std::string_view name = "GlockerNcp";
  static constexpr std::string_view when = "small problems in space; a smooth exact formulation";
  static constexpr std::string_view paper = "Glocker 1999";
  double tolerance = 1e-8;   ///< relative, on the residual of the problem itself
  int max_iterations = 100;  ///< Newton steps
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
  }
};

/// The law as a mixed complementarity problem in (r, κ), κ = ‖u_T‖ (S:FC-16):
///
///     0 ≤ r_N ⟂ u_N ≥ 0,    κ r_T + ‖r_T‖ u_T = 0,    0 ≤ κ ⟂ μ r_N − ‖r_T‖ ≥ 0,
///
/// by NcpNewton. Not differentiable at r_T = 0, where the middle equation says nothing: false
/// solutions with r_T = 0, κ = 0 and any u_T exist, and the report tells them by the residual of
/// the problem (`stalled`). The start is moved off r_T = 0. For comparison. [Pang & Trinkle 1996]
struct DirectMcp {
  static constexpr std::string_view name = "DirectMcp";
  static constexpr std::string_view when = "comparison: the law of friction without a cone";
  static constexpr std::string_view paper = "Pang & Trinkle 1996";
  double tolerance = 1e-8;   ///< relative, on the residual of the problem itself
  int max_iterations = 100;  ///< Newton steps
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
  }
};

/// The formulations: z of the problem, r = expand z (GlockerNcp) or the head of z (DirectMcp).
struct FrictionMcp {
  Mcp mcp;
  Matrix expand;
};
[[nodiscard]] FrictionMcp glocker_ncp(const BlockForm& problem);
[[nodiscard]] FrictionMcp direct_mcp(const BlockForm& problem);

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const GlockerNcp&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const GlockerNcp&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const DirectMcp&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const DirectMcp&,
                                Workspace&);

}  // namespace saltus
