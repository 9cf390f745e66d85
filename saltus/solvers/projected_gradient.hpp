#pragma once

#include "saltus/solvers/projected_path.hpp"

namespace saltus {

/// Gradient projection (S:LCP-23a, S:QP-15) for the box problem with symmetric W, which is the
/// optimality condition of  min ½ zᵀ W z + qᵀ z,  lower ≤ z ≤ upper:
///
///     z⁺ = P_[lower, upper](z − α u),    u = W z + q.
///
/// `search` finds α: by sufficient decrease, the first trial being the step of Barzilai and Borwein
/// (sᵀs / sᵀWs of the last step s), or as the exact Cauchy point. Converges for W positive
/// semi-definite if the problem is solvable, linearly if it is positive definite; finds a solution
/// also for indefinite W if the objective is bounded below. One or a few products with W per step.
/// An asymmetric W, or an objective that falls for ever along a negative curvature, ends in
/// `nonconvex`. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Goldstein 1964]
/// [Levitin & Polyak 1966] [Barzilai & Borwein 1988] [Birgin, Martínez & Raydan 2000]
struct GradientProjection {
  static constexpr std::string_view name = "GradientProjection";
  static constexpr std::string_view when = "large symmetric problems, low accuracy";
  static constexpr std::string_view paper = "Calamai & More 1987";
  double tolerance = 1e-8;                   ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;                ///< steps
  StepSearch search = SufficientDecrease{};  ///< choice of α
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"search", "choice of the step length"}, s.search);
  }
};

/// Gradient projection with conjugate gradients (S:QP-16, S:B3) for the box problem with symmetric
/// positive (semi-)definite W. Each iteration
///
///   (a) projects gradient steps (search_path) until the set of rows at their bounds settles or the
///   decrease falls below ν₁ times the best one so far,
///
///   (b) runs conjugate gradients on the free rows until the decrease falls below ν₂ times the
///   best,
///
///   (c) moves along that direction by a projected search (S:QP-17); while every bound that is met
///   pushes the right way, (b) goes on with the accuracy of the solution.
///
/// Finds the set in finitely many iterations if no row is degenerate, then is conjugate gradients:
/// O(√κ) products with W. Nothing is factorised: for large, moderately conditioned problems. An
/// asymmetric W or an objective that falls for ever along a negative curvature ends in `nonconvex`,
/// along a zero curvature in `stalled`. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞).
/// [Moré & Toraldo 1991]
struct Gpcg {
  static constexpr std::string_view name = "Gpcg";
  static constexpr std::string_view when =
      "large symmetric positive semi-definite problems with bounds, without factorisation";
  static constexpr std::string_view paper = "More & Toraldo 1991";
  double tolerance = 1e-8;    ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 1000;  ///< rounds of (a), (b), (c)
  double nu1 = 0.25;          ///< end of (a), nominal 0.25
  double nu2 = 0.1;           ///< end of (b), nominal 0.1
  double mu = 0.1;            ///< sufficient decrease, 0 < μ < ½; nominal 0.1
  bool jacobi = false;        ///< conjugate gradients preconditioned by the diagonal of W
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "rounds", positive}, s.max_iterations);
    visit(Field{"nu1", "end of the gradient projections", Range{0, 1, true}}, s.nu1);
    visit(Field{"nu2", "end of the conjugate gradients", Range{0, 1, true}}, s.nu2);
    visit(Field{"mu", "share of the predicted decrease", Range{0, 0.5, true}}, s.mu);
    visit(Field{"jacobi", "preconditioning by the diagonal", unit_interval}, s.jacobi);
  }
};

/// Accelerated projection in two phases (S:LCP-23b) for the box problem with symmetric positive
/// definite W: each iteration
///
///   (a) a symmetric pair of projected sweeps (SymmetricPsor) finds the rows at their bounds,
///
///   (b) conjugate gradients on the other rows, then a projected search along the result.
///
/// Sweeps settle the set of bounds faster than gradients where the diagonal of W varies; (b)
/// removes their slow tail. With `jacobi` it is Mittelmann's acceleration of frictionless contact
/// (S:FC-37), alone or as the normal problem of Panagiotopoulos. The objective falls in both
/// phases. An asymmetric W or a negative W_ii ends in `nonconvex`, a zero W_ii in
/// `numerical_error`. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Mittelmann 1981]
/// [Kočvara & Zowe 1994]
struct TwoPhaseProjection {
  static constexpr std::string_view name = "TwoPhaseProjection";
  static constexpr std::string_view when =
      "symmetric positive definite matrices with an uneven diagonal";
  static constexpr std::string_view paper = "Kocvara & Zowe 1994";
  double tolerance = 1e-8;    ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 1000;  ///< rounds of (a), (b)
  double omega = 1;           ///< relaxation of the sweeps, 0 < ω < 2
  double nu2 = 0.1;           ///< end of the conjugate gradients, nominal 0.1
  double mu = 0.1;            ///< sufficient decrease, 0 < μ < ½; nominal 0.1
  bool jacobi = false;        ///< conjugate gradients preconditioned by the diagonal of W
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "rounds", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation of the sweeps", Range{0, 2, true}}, s.omega);
    visit(Field{"nu2", "end of the conjugate gradients", Range{0, 1, true}}, s.nu2);
    visit(Field{"mu", "share of the predicted decrease", Range{0, 0.5, true}}, s.mu);
    visit(Field{"jacobi", "preconditioning by the diagonal", unit_interval}, s.jacobi);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const GradientProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const GradientProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Gpcg&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Gpcg&, Workspace&);
[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const TwoPhaseProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const TwoPhaseProjection&,
                                Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const GradientProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Gpcg&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const TwoPhaseProjection&,
                                Workspace&);

}  // namespace saltus
