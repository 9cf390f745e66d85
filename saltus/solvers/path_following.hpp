#pragma once

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

// Path-following interior points for u = W z + q, −u_i ∈ N_[l_i, u_i](z_i), and for horizontal
// LCPs. All take Newton directions towards the central path x ∘ s = σ μ 1, the linear equations
// shrinking in proportion to μ, and keep the iterates in a neighbourhood of the path,
//
//     N₂(θ) = {‖x ∘ s − μ 1‖₂ ≤ θ μ},    N₋∞(ε) = {x_k s_k ≥ ε μ},    μ = xᵀs/m.
//
// A strictly feasible guess in the neighbourhood is used; otherwise the start is x ∘ s = κ² 1 with
// equations that do not hold yet. Polynomial for monotone problems from a feasible start. Stop when
// residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Kojima, Mizuno & Yoshise 1989] [Wright 1997]

/// Short steps (S:LCP-34): σ = 1 − theta/√m, α = 1, iterates in N₂(theta). From an infeasible start
/// α is halved until the iterate is in the neighbourhood. O(√m log 1/tolerance) iterations: of
/// interest for its proof, not for speed.
struct ShortStep {
  static constexpr std::string_view name = "ShortStep";
  static constexpr std::string_view when = "reference: best proven number of iterations";
  static constexpr std::string_view paper = "Kojima, Mizuno & Yoshise 1989";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 10000;  ///< factorisations
  double theta = 0.4;          ///< size of the neighbourhood, in (0, 0.5]
  bool purify = true;          ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"theta", "size of the neighbourhood", Range{0, 0.5, true}}, s.theta);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

/// Mizuno, Todd and Ye (S:LCP-35): a predictor, σ = 0, as far as N₂(outer) allows, then a
/// corrector, σ = 1, α = 1, back into N₂(inner). Two factorisations per iteration; μ falls
/// quadratically near a strictly complementary solution. [Mizuno, Todd & Ye 1993]
struct PredictorCorrector {
  static constexpr std::string_view name = "PredictorCorrector";
  static constexpr std::string_view when = "reference: proven quadratic convergence";
  static constexpr std::string_view paper = "Mizuno, Todd & Ye 1993";
  double tolerance = 1e-8;    ///< relative, see above
  int max_iterations = 1000;  ///< predictor–corrector pairs
  double inner = 0.25;        ///< θ₁ < θ₂
  double outer = 0.5;         ///< θ₂, in (0, 0.5]
  bool purify = true;         ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "predictor–corrector pairs", positive}, s.max_iterations);
    visit(Field{"inner", "neighbourhood after the corrector", Range{0, 0.5, true}}, s.inner);
    visit(Field{"outer", "neighbourhood after the predictor", Range{0, 0.5, true}}, s.outer);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

/// Long steps (S:LCP-36): σ in [sigma_min, sigma_max], smaller after long steps, σ = 1 − α_last
/// clipped; α = 1, halved until the iterate is in N₋∞(epsilon).
struct LongStep {
  static constexpr std::string_view name = "LongStep";
  static constexpr std::string_view when = "monotone problems, wide neighbourhood";
  static constexpr std::string_view paper = "Wright 1997";
  double tolerance = 1e-8;    ///< relative, see above
  int max_iterations = 1000;  ///< factorisations
  double epsilon = 1e-3;      ///< size of the neighbourhood, in (0, 1]
  double sigma_min = 0.1;     ///< least centring, in (0, 1]
  double sigma_max = 0.5;     ///< most centring, in (0, 1]
  bool purify = true;         ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"epsilon", "size of the neighbourhood", Range{0, 1, true}}, s.epsilon);
    visit(Field{"sigma_min", "least centring", Range{0, 1, true}}, s.sigma_min);
    visit(Field{"sigma_max", "most centring", Range{0, 1, true}}, s.sigma_max);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const ShortStep&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const ShortStep&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const ShortStep&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const ShortStep&, Workspace&);

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const PredictorCorrector&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const PredictorCorrector&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const PredictorCorrector&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const PredictorCorrector&, Workspace&);

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const LongStep&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const LongStep&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const LongStep&, Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const LongStep&, Workspace&);

}  // namespace saltus
