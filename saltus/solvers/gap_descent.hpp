#pragma once

#include "saltus/problems/gap_functions.hpp"
#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Descent on the gap function (S:VI-19) for compact X, products of bounded boxes, balls and disks
/// (Error otherwise): y solves the linear program of G(z) = max {F(z)·(z − y) : y ∈ X},
///
///     d = y − z,    z ← z + t d,    t = 1, ½, … until G(z + td) ≤ (1 − σt) G(z).
///
/// For monotone F the slope of G along d is at most −G(z) where y is unique; at points with several
/// y the search may fail, which is reported `stalled`. No projection and no Jacobian. Exact steps
/// to a vertex of X; otherwise sublinear, as every method that moves towards vertices. Stops when
/// residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Marcotte & Dussault 1987]
struct GapDescent {
  static constexpr std::string_view name = "GapDescent";
  double tolerance = 1e-8;  ///< relative, see above; nominal 1e-3 unless the solution is a vertex
  int max_iterations = 10000;  ///< linear programs
  double sigma = 1e-4;         ///< decrease asked for, in (0, 1)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "linear programs", positive}, s.max_iterations);
    visit(Field{"sigma", "decrease asked for", Range{0, 1, true}}, s.sigma);
  }
};

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

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const GapDescent&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const RegularisedGapDescent&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const DGapDescent&, Workspace&);

}  // namespace saltus
