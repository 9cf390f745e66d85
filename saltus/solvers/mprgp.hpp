#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Modified proportioning with reduced gradient projections (FS:FS-106h) for convex quadratic
/// programs over products of bounds, disks and cones,
///
///     min θ(r) = ½ rᵀW r + rᵀq,  r ∈ K,    u = W r + q.
///
/// Pieces of r inside of their set are free, the others at the boundary. With φ = u on the free
/// pieces, 0 on the others, and β = (r − P_K(r − ᾱ u))/ᾱ on the others, 0 on the free ones, a step
/// is
///
///   if ‖β‖² ≤ Γ² φ̃·φ (φ̃ = (r − P_K(r − ᾱφ))/ᾱ)  conjugate gradients on the free pieces; a step
///       that would leave K ends at its boundary, from where r ← P_K(r − ᾱφ),
///   else    r ← P_K(r − ᾱ u) on the pieces at the boundary,
///
/// with ᾱ = `step`/λ_max(W). Finds the face in finitely many steps if no piece is degenerate, then
/// is conjugate gradients; along curved boundaries it moves by gradient projections. One product
/// with W per step, nothing is factorised. Needs W symmetric (`nonconvex` if not) and positive
/// semi-definite; `stalled` if θ falls for ever. Friction cones are taken without the shift g(u)
/// (associated friction), as by ConvexProjectedGradient; Error for elliptic and rolling cones. The
/// solver for Tresca friction, the sub-problems of TrescaFixedPoint, Panagiotopoulos and Aclm.
/// Stops when the natural map of the program is ≤ tolerance · max(1, ‖q‖∞). [Dostál & Schöberl
/// 2005] [Kučera 2008] [Bouchala, Dostál, Kozubek, Pospíšil & Vodstrčil 2014]
struct Mprgp {
  static constexpr std::string_view name = "Mprgp";
  static constexpr std::string_view when =
      "Tresca and associated friction, bounds; symmetric W, products only; faster than gradients";
  static constexpr std::string_view paper = "Dostál & Schöberl 2005";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 20000;  ///< products with W
  double gamma = 1;            ///< Γ > 0, balance between the two parts; nominal 1
  double step = 1.5;           ///< ᾱ λ_max(W), in (0, 2); nominal 1 to 1.9
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "products with W", positive}, s.max_iterations);
    visit(Field{"gamma", "balance of face and boundary", positive}, s.gamma);
    visit(Field{"step", "of the gradient projections, over 1/λ_max(W)", Range{0, 1.99, true}},
          s.step);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Mprgp&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Mprgp&,
                                Workspace&);

}  // namespace saltus
