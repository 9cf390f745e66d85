#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/contact_equations.hpp"
#include "saltus/solvers/newton_line_search.hpp"
#include "saltus/solvers/newton_linear.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

// Rules for the scalings ρ_N, ρ_T of the equations.

/// PerContactRho, but SpectralRho for the natural map.
struct DefaultRho {
  static constexpr std::string_view name = "DefaultRho";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// One given number (FS:FS-58a): the worst choice unless W is of the order of 1.
struct FixedRho {
  static constexpr std::string_view name = "FixedRho";
  double rho = 1;  ///< ρ_N = ρ_T = ρ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"rho", "scaling of every contact", positive}, s.rho);
  }
};
/// 1/‖W‖∞ (FS:FS-58b).
struct NormRho {
  static constexpr std::string_view name = "NormRho";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// 1/λ_max(W), by power iterations (FS:FS-58c).
struct SpectralRho {
  static constexpr std::string_view name = "SpectralRho";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// ρ_N = 1/W_NN, ρ_T = 1/λ_max(W_TT) of each contact (FS:FS-58d), or with `conservative`
/// ρ_T = λ_min(W_TT)/λ_max(W_TT)² (FS:FS-58e).
struct PerContactRho {
  static constexpr std::string_view name = "PerContactRho";
  bool conservative = false;  ///< the smaller ρ_T
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"conservative", "the smaller tangential scaling", unit_interval}, s.conservative);
  }
};

/// PerContactRho at first, then adapted in the loop (FS:FS-58f): after each step
/// ρ ← (ρ ρ_s)^½ with the secant ρ_s = ‖Δr‖/‖Δu‖ of the normal and of the tangential parts of the
/// contact, kept within a factor `range` of the first.
struct AdaptiveRho {
  static constexpr std::string_view name = "AdaptiveRho";
  double range = 100;  ///< ρ/ρ₀ stays in [1/range, range]; nominal 10 to 1000
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"range", "largest factor of change", Range{1, inf, false}}, s.range);
  }
};

using RhoRule =
    std::variant<DefaultRho, FixedRho, NormRho, SpectralRho, PerContactRho, AdaptiveRho>;

/// Nonsmooth Newton method for contact with friction (FS:B.3, S:FC-18, S:B12), and any other sets:
/// G(r) = 0 with the equations of contact_equations.hpp per contact, u = W r + q eliminated,
///
///     (∂G/∂r + ∂G/∂u W) d = −G,    r ← r + t d,    t by `line_search`.                     (1)
///
/// or, on the global form, both v and r as unknowns (S:FC-19a),
///
///     [M  −H; ∂G/∂u Hᵀ  ∂G/∂r] (dv, dr) = −(M v − H r − f, G),                             (2)
///
/// which keeps the sparsity of M and H where W would fill (W of the rules for ρ is then taken with
/// the diagonal of M; no AdaptiveRho). Rows of scalar sets take r − P(r − ρu), or the function of
/// Fischer and Burmeister with ConeFischerBurmeister. `start_projections` steps of the
/// extragradient method come first (100: NSN-AC-HYBRID, FS:FS-56). The NormalMap has the unknown x
/// with r = P_K(x), V an element of the Jacobian of P_K: ∂G/∂u W V + ∂G/∂x in the place of (1)
/// (FS:FS-16). The smoothed functions are driven to their limit (FS:FS-25). The systems are solved
/// by `linear`: sparse LU, or Krylov methods with an incomplete one (S:FC-19c).
///
/// Names of the literature: NSN-NM, NSN-AC, NSN-JM, NSN-FB by the equation, -GP and -A by the line
/// search (FS:FS-50b, FS:FS-50c, FS:FS-52, FS:FS-53, FS:FS-54b, FS:FS-54c, FS:FS-55b, FS:FS-55c).
/// Quadratic near solutions where all elements of the generalised Jacobian are regular; W of full
/// rank is needed for that: deformable bodies. For rigid bodies with more contact rows than degrees
/// of freedom (1) is soon singular (FS:V10) and the method stops with `numerical_error`, never with
/// a wrong answer; FrictionProximalPoint around it helps. Cost per iteration: one sparse LU with
/// the pattern of W, or of (2). Stops when residual(problem, r) ≤ tolerance · max(1, ‖q‖∞); a zero
/// of G that is no solution (another law, FS:FS-106c) is `stalled`. [Alart & Curnier
/// 1991] [Christensen & Pang 1998] [Acary, Brémond & Huber 2018]
struct NonsmoothNewton {
  static constexpr std::string_view name = "NonsmoothNewton";
  static constexpr std::string_view when =
      "friction of deformable bodies (W of full rank) at high accuracy";
  static constexpr std::string_view paper = "Alart & Curnier 1991";
  double tolerance = 1e-8;                    ///< relative, see above; nominal 1e-8 to 1e-12
  int max_iterations = 100;                   ///< Newton steps, usually 5 to 30
  ContactEquation equation = AlartCurnier{};  ///< G
  RhoRule rho = DefaultRho{};                 ///< scalings
  LineSearch line_search = FullStep{};        ///< t
  int start_projections = 0;                  ///< extragradient steps before the first Newton step
  NewtonLinearSolver linear = DirectLu{};     ///< of the systems (1), (2)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"equation", "equations of a contact"}, s.equation);
    visit(Field{"rho", "scalings of the equations"}, s.rho);
    visit(Field{"line_search", "step length"}, s.line_search);
    visit(Field{"start_projections", "extragradient steps before", non_negative},
          s.start_projections);
    visit(Field{"linear", "solver of the linear systems"}, s.linear);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const NonsmoothNewton&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const NonsmoothNewton&,
                                Workspace&);
/// By (2). Incoming r is the initial guess, v is computed from it.
[[nodiscard]] SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                                const NonsmoothNewton&, Workspace&);
[[nodiscard]] SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                                const NonsmoothNewton&, Workspace&);

}  // namespace saltus
