#pragma once

#include "saltus/solvers/nonsmooth_newton.hpp"
#include "saltus/solvers/nsgs.hpp"

namespace saltus {

// Rules for the proximal parameter α.

/// An inner success divides α by `down`, a failure multiplies it by `up` (FS:FS-84).
struct SuccessDriven {
  static constexpr std::string_view name = "SuccessDriven";
  double down = 10;  ///< > 1; nominal 10
  double up = 5;     ///< > 1; nominal 5
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"down", "divisor after a success", Range{1, inf, true}}, s.down);
    visit(Field{"up", "factor after a failure", Range{1, inf, true}}, s.up);
  }
};
/// α = σ · residual^ν (FS:FS-83).
struct ErrorDriven {
  static constexpr std::string_view name = "ErrorDriven";
  double sigma = 1;  ///< σ > 0
  double nu = 1;     ///< ν > 0
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"sigma", "factor", positive}, s.sigma);
    visit(Field{"nu", "exponent of the residual", positive}, s.nu);
  }
};

using AlphaRule = std::variant<SuccessDriven, ErrorDriven>;
using ProximalInner = std::variant<NonsmoothNewton, Nsgs>;

/// Proximal point algorithm for block forms (FS:B.8, FS:FS-80a, FS:FS-80b, FS:FS-81): z_k solves
///
///     u = (W + α I) z + q − α r_k,    −(u + g(u)) ∈ N_K(z),                                (1)
///
/// by `inner` to a tenth of the current residual, r_{k+1} = (1 − ω) r_k + ω z_k (FS:FS-82). At the
/// limit (1) is the problem itself; its matrix is definite however deficient W is, so that Newton's
/// method has regular systems: PPA-NSN-AC-GP solves rigid-body problems at 1e-8 that its inner
/// method cannot start on. `stalled` if 15 outer iterations do not lower the best residual by a
/// percent. On problems of full rank it only slows down. A failed inner solve is undone unless it
/// lowered the residual. α is in the units of W. Stops when residual(problem, r) ≤ tolerance ·
/// max(1, ‖q‖∞). [Rockafellar 1976] [Acary, Brémond & Huber 2018]
struct FrictionProximalPoint {
  static constexpr std::string_view name = "FrictionProximalPoint";
  static constexpr std::string_view when =
      "friction of rigid bodies with more contacts than degrees of freedom, high accuracy";
  static constexpr std::string_view paper = "Rockafellar 1976";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 200;  ///< outer iterations
  ProximalInner inner = NonsmoothNewton{.max_iterations = 30, .line_search = GoldsteinPrice{}};
  double alpha = 1;                  ///< first α > 0; 1e3 for hard hyperstatic problems
  AlphaRule rule = SuccessDriven{};  ///< of the next α
  double omega = 1;                  ///< relaxation, 0 < ω < 2
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "outer iterations", positive}, s.max_iterations);
    visit(Field{"inner", "solver of the regularised problems"}, s.inner);
    visit(Field{"alpha", "first proximal parameter", positive}, s.alpha);
    visit(Field{"rule", "of the next proximal parameter"}, s.rule);
    visit(Field{"omega", "relaxation", Range{0, 2, true}}, s.omega);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const FrictionProximalPoint&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const FrictionProximalPoint&, Workspace&);

}  // namespace saltus
