#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/interior_point.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/mehrotra.hpp"

#include <Eigen/SparseCore>

namespace saltus {

using FacetInner = std::variant<Lemke, Mehrotra, InteriorPoint>;

/// Friction cones replaced by polyhedral ones: a linear complementarity problem, solved by `inner`
/// (S:FC-14, FS:FS-106a). Directions at the angles 2πj/ω, j = 0 … ω − 1.
///
/// Inner approximation (S:FC-12), r_T = D β with the directions as vertices:
///
///     0 ≤ r_N ⟂ u_N ≥ 0,   0 ≤ β ⟂ Dᵀu_T + λ ≥ 0,   0 ≤ λ ⟂ μ r_N − Σβ ≥ 0.
///
/// Outer approximation (S:FC-10, S:FC-11), the directions c_i as normals of the facets:
///
///     −u_T = Σ κ_i c_i,    0 ≤ κ_i ⟂ σ_i = μ r_N − c_i·r_T ≥ 0,
///
/// in the unknowns r_N, σ of two facets, κ of the others. In the plane both have two facets and are
/// exact (S:FC-09a). In space the answer obeys another law: the friction force sits on vertices and
/// edges of the polygon, its direction is wrong by up to π/ω (S:V-25, S:V-26). The report judges it
/// by the law of the problem: `stalled` with the true residual unless the contacts open, stick, or
/// slide where both laws agree. The matrix of the inner one is copositive, which Lemke solves for W
/// positive definite (S:V-29). Scalar sets stay as they are; Error for cones that are not friction
/// cones of 2 or 3 rows. Dense for Lemke: for small problems. [Klarbring 1986] [Al-Fahed,
/// Stavroulakis & Panagiotopoulos 1991] [Stewart & Trinkle 1996]
struct FacetedFriction {
  static constexpr std::string_view name = "FacetedFriction";
  static constexpr std::string_view when =
      "friction in the plane, exactly; in space an approximation, for comparison";
  static constexpr std::string_view paper = "Stewart & Trinkle 1996";
  double tolerance = 1e-8;     ///< relative, on the residual of the problem itself
  int facets = 8;              ///< ω ≥ 3, of a contact in space
  bool outer = false;          ///< outer instead of inner approximation
  FacetInner inner = Lemke{};  ///< solver of the linear complementarity problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"facets", "of a contact in space", Range{3, 1000, false}}, s.facets);
    visit(Field{"outer", "outer approximation", unit_interval}, s.outer);
    visit(Field{"inner", "solver of the LCP"}, s.inner);
  }
};

/// The linear complementarity problem of a faceted cone: w = M z + q in scalar sets, r = expand z.
struct FacetedProblem {
  BlockForm form;
  Eigen::SparseMatrix<double> expand;
};
[[nodiscard]] FacetedProblem inner_facets(const BlockForm& problem, int facets);
[[nodiscard]] FacetedProblem outer_facets(const BlockForm& problem, int facets);
/// The same with the first direction at `angle` instead of 0.
[[nodiscard]] FacetedProblem outer_facets(const BlockForm& problem, int facets, double angle);

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const FacetedFriction&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const FacetedFriction&,
                                Workspace&);

/// Throws Error, naming the algorithm, unless every set is a friction cone of 2 or 3 rows or works
/// row by row.
void require_coulomb(const BlockForm& problem, std::string_view algorithm);

}  // namespace saltus
