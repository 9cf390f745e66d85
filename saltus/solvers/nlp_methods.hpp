#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

// Methods for the nonlinear program min f, g ≥ 0, h = 0. The point goes in as the guess and comes
// out with its multipliers. All stop when residual(problem, point) ≤ tolerance · max(1, ‖∇f(0)‖∞)
// (factor 1 if ∇f(0) is not finite), and find KKT points: minima if the problem is convex.
// `iterations` counts Newton steps.

/// Exterior penalty (S:NLP-02): minimise f + (1/2ε)(‖h‖² + ‖max(0, −g)‖²) for ε ↓ 0, warm-started;
/// the error is of order ε and the Hessian of order 1/ε. [Courant 1943]
struct NlpPenalty {
  static constexpr std::string_view name = "NlpPenalty";
  double tolerance = 1e-6;    ///< relative, see above; nominal 1e-4 to 1e-7
  int max_iterations = 1000;  ///< Newton steps in all
  double epsilon = 1;         ///< first ε
  double shrink = 0.1;        ///< factor of ε, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps in all", positive}, s.max_iterations);
    visit(Field{"epsilon", "first penalty parameter", positive}, s.epsilon);
    visit(Field{"shrink", "factor of epsilon", Range{0, 0.9, true}}, s.shrink);
  }
};

/// Logarithmic barrier (S:NLP-03): minimise f − ε Σ log g_i (+ (1/2ε)‖h‖²) for ε ↓ 0 from a point
/// with g > 0 (Error otherwise); the iterates stay inside. [Fiacco & McCormick 1968]
struct NlpBarrier {
  static constexpr std::string_view name = "NlpBarrier";
  double tolerance = 1e-6;    ///< relative, see above; nominal 1e-4 to 1e-8
  int max_iterations = 1000;  ///< Newton steps in all
  double epsilon = 1;         ///< first ε
  double shrink = 0.1;        ///< factor of ε, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps in all", positive}, s.max_iterations);
    visit(Field{"epsilon", "first barrier parameter", positive}, s.epsilon);
    visit(Field{"shrink", "factor of epsilon", Range{0, 0.9, true}}, s.shrink);
  }
};

/// Multiplier method (S:NLP-04, S:B4): minimise the augmented Lagrangian, then λ ← max(0, λ −
/// σg), μ ← μ − σh; σ is raised tenfold when the infeasibility falls by less than 4. Exact for
/// finite σ. [Hestenes 1969] [Powell 1969] [Conn, Gould & Toint 1991]
struct NlpAugmentedLagrangian {
  static constexpr std::string_view name = "NlpAugmentedLagrangian";
  double tolerance = 1e-8;    ///< relative, see above
  int max_iterations = 1000;  ///< Newton steps in all
  double sigma = 10;          ///< first σ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps in all", positive}, s.max_iterations);
    visit(Field{"sigma", "first penalty parameter", positive}, s.sigma);
  }
};

/// Sequential quadratic programming (S:NLP-05, S:NLP-06, S:NLP-07): d and the next multipliers
/// solve
///
///     min ½dᵀWd + ∇f·d   subject to   h + ∇h d = 0,  g + ∇g d ≥ 0,
///
/// with equalities alone as the linear system [W −∇hᵀ; ∇h 0][d; μ⁺] = [−∇f; −h], else as the mixed
/// LCP of its KKT conditions, by Lemke. W is the Hessian of the Lagrangian, or with `bfgs` Powell's
/// damped BFGS matrix. With `line_search` the step is halved on the merit function f + ν(‖h‖₁ +
/// ‖max(0, −g)‖₁), ν > multipliers, and W is shifted where it is not positive definite on the
/// tangent space; without it full steps are taken: quadratic near a solution that satisfies
/// LICQ and the second-order condition. [Wilson 1963] [Powell 1978]
struct NlpSqp {
  static constexpr std::string_view name = "NlpSqp";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 200;  ///< quadratic programs
  bool line_search = true;   ///< see above
  bool bfgs = false;         ///< no second derivatives
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "quadratic programs", positive}, s.max_iterations);
    visit(Field{"line_search", "halve steps on the merit function", unit_interval}, s.line_search);
    visit(Field{"bfgs", "quasi-Newton Hessian", unit_interval}, s.bfgs);
  }
};

[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpPenalty&, Workspace&);
[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpBarrier&, Workspace&);
[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpAugmentedLagrangian&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpSqp&, Workspace&);

}  // namespace saltus
