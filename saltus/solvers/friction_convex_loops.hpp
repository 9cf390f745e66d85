#pragma once

#include "saltus/solvers/convex_projected_gradient.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/mprgp.hpp"
#include "saltus/solvers/nsgs.hpp"

namespace saltus {

// Contact with friction as a sequence of convex problems, each solved by `inner` to a tenth of the
// current residual. For W symmetric the sub-problems are quadratic programs. All three treat
// friction cones of any size and leave the other sets as they are; Error for elliptic and rolling
// cones. They stop when residual(problem, r) ≤ tolerance · max(1, ‖q‖∞), and `stalled` when ten
// sub-problems do not lower the best residual by a percent.

using ConvexInner = std::variant<Nsgs, FixedPointProjection, ConvexProjectedGradient, Mprgp>;

/// Fixed point on the friction threshold (FS:FS-28, FS:B.11, S:FC-28, S:FC-29a, S:B14): Tresca
/// friction with the thresholds of the last normal forces,
///
///     θ = μ r_N,    r ← argmin ½ rᵀW r + rᵀq over {r_N ≥ 0, ‖r_T‖ ≤ θ}.
///
/// From r = 0 the first problem is the frictionless one. Converges for moderate μ. The literature's
/// names are TRESCA-NSGS-FP-VI-UPK, -FP-VI-UPK, -EG-VI-UPK, -CONVEXQP-PG by `inner` (FS:FS-94,
/// FS:FS-95, FS:FS-96, FS:FS-97); in the plane, where the sets are boxes, with Nsgs also FPMI
/// (FS:FS-105a, S:FC-29c). [Panagiotopoulos 1975] [Haslinger 1983]
struct TrescaFixedPoint {
  static constexpr std::string_view name = "TrescaFixedPoint";
  static constexpr std::string_view when = "friction by quadratic programs; rigid bodies, slow";
  static constexpr std::string_view paper = "Haslinger 1983";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 200;  ///< sub-problems
  ConvexInner inner = Nsgs{.local = LocalVi{}};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sub-problems", positive}, s.max_iterations);
    visit(Field{"inner", "solver of the sub-problems"}, s.inner);
  }
};

/// Convex sub-problems with the shift frozen (FS:FS-29, FS:B.12), ACLM:
///
///     s = g(u),    r ← argmin ½ rᵀW r + rᵀ(q + s) over K,    u = W r + q.
///
/// One sliding contact with W = I converges at the rate μ²/(1 + μ²). The literature's names:
/// ACLM-NSGS-FP-VI-UPK, -FP-VI-UPK, -EG-VI-UPK, -CONVEXQP-PG by `inner` (FS:FS-98, FS:FS-99,
/// FS:FS-100, FS:FS-101). [Acary, Cadoux, Lemaréchal & Malick 2011]
struct Aclm {
  static constexpr std::string_view name = "Aclm";
  static constexpr std::string_view when =
      "friction by second-order cone programs; large coefficients, few sliding contacts";
  static constexpr std::string_view paper = "Acary, Cadoux, Lemaréchal & Malick 2011";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 200;  ///< sub-problems
  ConvexInner inner = Nsgs{.local = LocalVi{}};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sub-problems", positive}, s.max_iterations);
    visit(Field{"inner", "solver of the sub-problems"}, s.inner);
  }
};

/// The convex relaxation alone (FS:FS-102, FS:FS-106b): one solve of the Aclm problem with s = 0,
/// SOCLCP. Solves a different law, associated friction, in which sliding contacts open; the report
/// judges it by the law of the problem and says `stalled` where they differ. For comparison, as a
/// start for others, and for problems whose sets are second-order cones already.
struct SoclcpRelaxation {
  static constexpr std::string_view name = "SoclcpRelaxation";
  static constexpr std::string_view when = "associated friction; a start for other methods";
  static constexpr std::string_view paper = "Acary, Brémond & Huber 2018";
  double tolerance = 1e-8;  ///< relative, see above
  ConvexInner inner = Nsgs{.local = LocalVi{}};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"inner", "solver of the convex problem"}, s.inner);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const TrescaFixedPoint&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const TrescaFixedPoint&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Aclm&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Aclm&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const SoclcpRelaxation&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const SoclcpRelaxation&, Workspace&);

}  // namespace saltus
