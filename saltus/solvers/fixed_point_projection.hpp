#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/step_rule.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Projection methods for block forms of any mix of sets, on the variational inequality of the
/// map F(r) = W r + q + g(W r + q) (FS:FS-13, S:FC-24, S:B13):
///
///     r̄ = P_K(r − ρ F(r)),    r ← r̄                        fixed point (FS:FS-40, S:FC-25)
///     r̄ = P_K(r − ρ F(r)),    r ← P_K(r − ρ F(r̄))           extragradient (S:FC-26)
///
/// ρ by `step`. Names in the literature: FP-DS is the fixed point with FixedStep (Uzawa's method of
/// De Saxcé and Feng, AC:BP-14), FP-VI-UPK and EG-VI-UPK use AdaptiveStep, FP-VI-UPTS and
/// EG-VI-UPTS its second ratio. The fixed point converges for strongly monotone, the extragradient
/// for pseudo-monotone F; Coulomb friction is neither, yet with AdaptiveStep no divergence is
/// known. Slow on ill-conditioned problems and at high accuracy. A fixed point costs one product
/// with W per trial, the extragradient one more. Stops when residual(problem, r) ≤ tolerance ·
/// max(1, ‖q‖∞). [De Saxcé & Feng 1991] [Khobotov 1987] [Acary, Brémond & Huber 2018]
struct FixedPointProjection {
  static constexpr std::string_view name = "FixedPointProjection";
  static constexpr std::string_view when =
      "friction at low accuracy, asymmetric or rank-deficient W; never diverges, slow";
  static constexpr std::string_view paper = "De Saxcé & Feng 1991; Khobotov 1987";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-3 to 1e-6
  int max_iterations = 20000;  ///< projections, pairs with the extragradient
  StepRule step = AdaptiveStep{};
  bool extragradient = false;  ///< correct each step by a second projection
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"step", "rule of the step length"}, s.step);
    visit(Field{"extragradient", "correct by a second projection", unit_interval}, s.extragradient);
  }
};

/// Hyperplane projection for block forms (S:FC-27a, S:VI-17): y = P_K(r − τF(r)); the first
/// x = r + 2⁻ⁱ(y − r) with F(x)·(r − y) ≥ (σ/τ)‖r − y‖² gives a hyperplane between r and the
/// solutions, and
///
///     r ← P_K(r − F(x)·(r − x)/‖F(x)‖² F(x)).
///
/// Needs continuity and pseudo-monotonicity only. Sublinear where F ≠ 0 at the solution, that is as
/// soon as a contact opens or slides: some 1e-2 after 20 000 steps. `stalled` if no x separates.
/// Stops as above. [Konnov 1993] [Solodov & Svaiter 1999]
struct HyperplaneProjection {
  static constexpr std::string_view name = "HyperplaneProjection";
  static constexpr std::string_view when = "comparison: needs no Lipschitz constant, very slow";
  static constexpr std::string_view paper = "Solodov & Svaiter 1999";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-2 to 1e-4
  int max_iterations = 20000;  ///< steps of two projections
  double tau = 1;              ///< step of the first projection
  double sigma = 0.5;          ///< in (0, 1)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps of two projections", positive}, s.max_iterations);
    visit(Field{"tau", "step of the first projection", positive}, s.tau);
    visit(Field{"sigma", "separation asked for", Range{0, 1, true}}, s.sigma);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const FixedPointProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const FixedPointProjection&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const HyperplaneProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const HyperplaneProjection&, Workspace&);

}  // namespace saltus
