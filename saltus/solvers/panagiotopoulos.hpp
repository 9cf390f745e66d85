#pragma once

#include "saltus/solvers/convex_projected_gradient.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/mprgp.hpp"
#include "saltus/solvers/projected_gradient.hpp"
#include "saltus/solvers/psor.hpp"

namespace saltus {

using NormalSolver = std::variant<Psor, ConvexProjectedGradient, Mprgp, Gpcg, TwoPhaseProjection>;
using TangentSolver = std::variant<FixedPointProjection, ConvexProjectedGradient, Mprgp>;

/// Panagiotopoulos' alternation between two convex problems (FS:FS-27, FS:B.10):
///
///     normal    min ½ r_NᵀW_NN r_N + r_Nᵀ(q_N + W_NT r_T),    r_N ≥ 0                       (1)
///     tangent   min ½ r_TᵀW_TT r_T + r_Tᵀ(q_T + W_TN r_N),    ‖r_T‖ ≤ μ r_N                 (2)
///
/// each to a tenth of the current residual. (1) by Gauss–Seidel with clipping (Psor, FS:FS-104),
/// projected gradients, or conjugate gradients on the faces (Mprgp, Gpcg, TwoPhaseProjection:
/// FS:FS-106h, S:FC-37), (2) by projections or Mprgp. Blocks of scalar sets belong to (1); elliptic
/// and rolling cones and cylinders are refused by an Error. Two-block Gauss–Seidel: converges for
/// small μ W_NT. The literature's names: PANA-PGS-FP-VI-UPK, PANA-PGS-EG-VI-UPK,
/// PANA-PGS-CONVEXQP-PG, PANA-CONVEXQP-PG (FS:FS-90, FS:FS-91, FS:FS-92, FS:FS-93); in the plane
/// FPMII (FS:FS-105b). `stalled` if 20 pairs do not lower the best residual by a percent. Stops
/// when residual(problem, r) ≤ tolerance · max(1, ‖q‖∞). [Panagiotopoulos 1975]
struct Panagiotopoulos {
  static constexpr std::string_view name = "Panagiotopoulos";
  static constexpr std::string_view when = "small friction coefficients; comparison";
  static constexpr std::string_view paper = "Panagiotopoulos 1975";
  double tolerance = 1e-8;                                               ///< relative, see above
  int max_iterations = 500;                                              ///< pairs of sub-problems
  NormalSolver normal = Psor{.max_iterations = 1000};                    ///< of (1)
  TangentSolver tangent = FixedPointProjection{.max_iterations = 1000};  ///< of (2)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pairs of sub-problems", positive}, s.max_iterations);
    visit(Field{"normal", "solver of the normal problem"}, s.normal);
    visit(Field{"tangent", "solver of the tangential problem"}, s.tangent);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Panagiotopoulos&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Panagiotopoulos&,
                                Workspace&);

}  // namespace saltus
