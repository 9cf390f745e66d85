#pragma once

#include "saltus/problems/avi.hpp"
#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

// Projection methods for 0 ∈ F(z) + N_X(z): only F and P_X are called, no Jacobian, O(n) beside
// them. Linear rates at best. All stop when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞).
// "Self-adaptive" means, with z̄ = P_X(z − γF(z)): halve γ while γ‖F(z) − F(z̄)‖ > 0.9‖z − z̄‖,
// multiply it by 1.5 after a step where the left side is below 0.3‖z − z̄‖ (S:B10).

/// Basic projection with a fixed step (S:VI-12): z ← P_X(z − γF(z)). Converges for F strongly
/// monotone (modulus m, Lipschitz L) if γ < 2m/L², not for merely monotone F (S:V-22).
struct ViFixedPoint {
  static constexpr std::string_view name = "ViFixedPoint";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 10000;  ///< projections
  double gamma = 1;            ///< step γ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "projections", positive}, s.max_iterations);
    visit(Field{"gamma", "step", positive}, s.gamma);
  }
};

/// Projection with diminishing steps, like the subgradient method (S:VI-16):
///
///     z ← P_X(z − γ_k F(z) / max(1, ‖F(z)‖)),    γ_k = γ / (k + 1)^power,    k = 0, 1, …
///
/// Σ γ_k = ∞, Σ γ_k² < ∞ for ½ < power ≤ 1: converges without any Lipschitz constant if F is
/// bounded on bounded sets and F(z)·(z − z*) > 0 off the solutions z* (strictly or strongly
/// monotone F; not for the rotation of S:V-22). Slow: for modulus m the error is of order
/// exp(−mγ k^(1−power) / (1 − power)). [Golshtein & Tretyakov 1996]
struct ViDiminishingStep {
  static constexpr std::string_view name = "ViDiminishingStep";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4
  int max_iterations = 50000;  ///< projections
  double gamma = 1;            ///< first step γ
  double power = 0.6;          ///< decay of the steps, in (½, 1]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "projections", positive}, s.max_iterations);
    visit(Field{"gamma", "first step", positive}, s.gamma);
    visit(Field{"power", "decay of the steps", Range{0.5, 1, true}}, s.power);
  }
};

/// Variable-step projection for co-coercive F (S:VI-13): as above, with γ halved until
/// γ ≤ 1.8 c, c = (F(z) − F(z̄))·(z − z̄) / ‖F(z) − F(z̄)‖² the local co-coercivity, multiplied by 1.5
/// after a step where γ < 0.6 c. `stalled` where F is not co-coercive (γ → 0). [Marcotte & Wu 1995]
struct ViVariableStep {
  static constexpr std::string_view name = "ViVariableStep";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 10000;  ///< steps
  double gamma = 1;            ///< first step γ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"gamma", "first step", positive}, s.gamma);
  }
};

/// Extragradient method (S:VI-14): z̄ = P_X(z − γF(z)), z ← P_X(z − γF(z̄)). Converges for monotone
/// (pseudo-monotone) Lipschitz F if γ < 1/L; self-adaptive unless switched off. [Korpelevich 1976]
/// [Khobotov 1987]
struct ViExtragradient {
  static constexpr std::string_view name = "ViExtragradient";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 20000;  ///< steps of two projections
  double gamma = 1;            ///< first step γ
  bool adaptive = true;        ///< self-adaptive γ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps of two projections", positive}, s.max_iterations);
    visit(Field{"gamma", "first step", positive}, s.gamma);
    visit(Field{"adaptive", "adapt the step", unit_interval}, s.adaptive);
  }
};

/// Solodov–Tseng method (S:VI-15) with P = I and T = I − γF:
///
///     z ← z − τ [T(z) − T(z̄)],    z̄ = P_X(z − γF(z)),
///     τ = θ (z − z̄)·(T(z) − T(z̄)) / ‖T(z) − T(z̄)‖²,
///
/// one projection per step, self-adaptive γ < 1/L. The iterates may leave X; the answer is P_X of
/// the last. Converges for monotone F and 0 < θ < 2. [Solodov & Tseng 1996]
struct ViSolodovTseng {
  static constexpr std::string_view name = "ViSolodovTseng";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 20000;  ///< projections
  double gamma = 1;            ///< first step γ
  double theta = 1.5;          ///< relaxation, in (0, 2)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "projections", positive}, s.max_iterations);
    visit(Field{"gamma", "first step", positive}, s.gamma);
    visit(Field{"theta", "relaxation", Range{0, 2, true}}, s.theta);
  }
};

/// Hyperplane projection (S:VI-17): y = P_X(z − τF(z)); the first x = z + 2⁻ⁱ(y − z) with
/// F(x)·(z − y) ≥ (σ/τ)‖z − y‖² gives the hyperplane {w : F(x)·(w − x) = 0}, which separates z from
/// the solutions;
///
///     z ← P_X(z − F(x)·(z − x)/‖F(x)‖² F(x)).
///
/// Needs only continuity and pseudo-monotonicity; the distance to every solution falls in each
/// step. The step is of the order ‖z − y‖²/‖F‖: linear rate where F = 0 at the solution (S:V-22),
/// else sublinear, some 1e-2 after 20 000 steps. [Konnov 1993] [Solodov & Svaiter 1999]
struct ViHyperplane {
  static constexpr std::string_view name = "ViHyperplane";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 20000;  ///< steps of two projections
  double tau = 1;              ///< step of the first projection
  double sigma = 0.5;          ///< in (0, 1)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps of two projections", positive}, s.max_iterations);
    visit(Field{"tau", "step of the first projection", positive}, s.tau);
    visit(Field{"sigma", "separation asked for", Range{0, 1, true}}, s.sigma);
  }
};

/// Splitting with projection for the affine VI (S:VI-18): M = B + C with B = strict lower block
/// triangle + diag(λ_f/ω) over the factors X_f of X (rows if X is a box),
///
///     z_f ← P_{X_f}(z_f − (ω/λ_f) u_f),    u = M z + q with the latest values, λ_f = ‖M_ff‖₂.
///
/// On a box this is PSOR. Converges for symmetric positive semi-definite M and 0 < ω < 2; no proof
/// otherwise. A zero block M_ff ends in `numerical_error`. [Tseng 1991]
struct AviSplitting {
  static constexpr std::string_view name = "AviSplitting";
  double tolerance = 1e-8;     ///< residual(problem, z) ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 20000;  ///< sweeps
  double omega = 1;            ///< relaxation, in (0, 2)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 2, true}}, s.omega);
  }
};

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViFixedPoint&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViDiminishingStep&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViVariableStep&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViExtragradient&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViSolodovTseng&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViHyperplane&, Workspace&);
[[nodiscard]] SolveReport solve(const Avi& problem, VectorRef z, const AviSplitting&, Workspace&);

}  // namespace saltus
