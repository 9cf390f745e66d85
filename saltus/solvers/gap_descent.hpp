#pragma once

#include "saltus/problems/gap_functions.hpp"
#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Descent on the regularised gap (S:VI-20), inside X:
///
///     d = y_α(z) − z,    z ← z + t d,    t = 1, ½, … until G_α(z + td) ≤ G_α(z) − σ t ‖d‖²;
///
/// no Jacobian is needed. d descends if F is strongly monotone (∇G_α·d ≤ −m‖d‖², m its modulus);
/// for merely monotone F α is halved when the search fails, down to 1e-6 of its start. Linear rate.
/// Stops when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Fukushima 1992] [Zhu &
/// Marcotte 1993]
struct RegularisedGapDescent {
  static constexpr std::string_view name = "RegularisedGapDescent";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 10000;  ///< steps
  double alpha = 1;            ///< first α; of the order of ‖∇F‖
  double sigma = 1e-4;         ///< decrease asked for, in (0, 1)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"alpha", "regularisation of the gap", positive}, s.alpha);
    visit(Field{"sigma", "decrease asked for", Range{0, 1, true}}, s.sigma);
  }
};

/// Unconstrained descent on the D-gap (S:VI-21) G_α − G_β, 0 < α < β: the BFGS method with Armijo's
/// line search and restarts along −∇. Stationary points solve the VI if ∇F is positive definite
/// (box X: a P-matrix); others are reported `stalled`. O(n²) per step besides F and ∇F. Stops as
/// above. [Peng 1997] [Yamashita, Taji & Fukushima 1997]
struct DGapDescent {
  static constexpr std::string_view name = "DGapDescent";
  double tolerance = 1e-8;    ///< relative, as above
  int max_iterations = 2000;  ///< steps
  double alpha = 0.5;         ///< α
  double beta = 2;            ///< β > α
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"alpha", "of the first gap", positive}, s.alpha);
    visit(Field{"beta", "of the second gap, larger than alpha", positive}, s.beta);
  }
};

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const RegularisedGapDescent&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const DGapDescent&, Workspace&);

}  // namespace saltus
