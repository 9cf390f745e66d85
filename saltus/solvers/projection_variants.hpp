#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/step_rule.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

// Projection methods for block forms of any mix of sets, on the map F(r) = W r + q + g(W r + q), as
// FixedPointProjection but with other steps. All stop when residual(problem, r) ≤ tolerance ·
// max(1, ‖q‖∞).

/// Spectral projected gradients (FS:FS-106e): r ← P_K(r − ρ F(r)) with the step of Barzilai and
/// Borwein from the last change s of r and y of F,
///
///     ρ = s·s/s·y  and  ρ = s·y/y·y  in turn,    ρ = ‖s‖/‖y‖ where s·y ≤ 0.
///
/// The natural map does not fall from step to step. If `patience` steps in a row are not better
/// than nine tenths of the best, the method goes back to the best point and takes as many steps of
/// the fixed point with AdaptiveStep from there: it is no less robust than that one. One product
/// with W per step; fewer steps than the fixed point by a factor that grows with the condition of
/// W. [Barzilai & Borwein 1988] [Birgin, Martínez & Raydan
/// 2000]
struct SpectralProjection {
  static constexpr std::string_view name = "SpectralProjection";
  static constexpr std::string_view when =
      "friction at medium accuracy by products with W alone; faster than the fixed point";
  static constexpr std::string_view paper = "Barzilai & Borwein 1988";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-3 to 1e-8
  int max_iterations = 20000;  ///< steps
  int patience = 30;           ///< steps without progress; nominal 10 to 100
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"patience", "steps without progress before safe ones", positive}, s.patience);
  }
};

/// He's prediction and correction (FS:FS-106i): with the prediction r̄ = P_K(r − ρ F(r)), ρ by
/// `step` such that ρ‖F(r) − F(r̄)‖ ≤ L‖r − r̄‖,
///
///     d = (r − r̄) − ρ(F(r) − F(r̄)),    α = (r − r̄)·d/‖d‖²,
///     r ← r − γ α d                      contraction
///     r ← P_K(r − γ α ρ F(r̄))            `projected`
///
/// α is the best step of those along which the distance to the solutions is known to fall; the
/// extragradient method takes α γ = 1. For monotone F both contract; Coulomb friction is not
/// monotone. One more product with W than the fixed point. [He 1997] [He & Liao 2002]
struct PredictionCorrection {
  static constexpr std::string_view name = "PredictionCorrection";
  static constexpr std::string_view when =
      "friction at low accuracy, unsymmetric W; longer steps than the extragradient method";
  static constexpr std::string_view paper = "He & Liao 2002";
  double tolerance = 1e-8;         ///< relative, see above; nominal 1e-3 to 1e-6
  int max_iterations = 20000;      ///< steps
  StepRule step = AdaptiveStep{};  ///< of the prediction
  double gamma = 1.8;              ///< γ in (0, 2); nominal 1.5 to 1.95
  bool projected = true;           ///< correct by a projection
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"step", "rule of the prediction"}, s.step);
    visit(Field{"gamma", "relaxation of the correction", Range{0, 1.99, true}}, s.gamma);
    visit(Field{"projected", "correct by a projection", unit_interval}, s.projected);
  }
};

/// Skewed projections (FS:FS-17): r ← P_{K,R}(r − R⁻¹F(r)), R = D/ρ, with the projection in the
/// metric of R and D = diag(W_NN, λ_max(W_TT), …) of each contact (W_ii on rows of scalar sets): a
/// step length for every contact and one more for its tangent, ρ common by `step` with the norms of
/// D. For R = I/ρ it is the fixed point. With `extragradient` each step is corrected by a second
/// projection. Pays where the diagonal blocks of W differ: light beside heavy bodies, levers.
struct SkewedProjection {
  static constexpr std::string_view name = "SkewedProjection";
  static constexpr std::string_view when =
      "friction at low accuracy, contacts of very different masses";
  static constexpr std::string_view paper = "Acary, Brémond & Huber 2018";
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

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const SpectralProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const SpectralProjection&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const PredictionCorrection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const PredictionCorrection&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const SkewedProjection&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const SkewedProjection&, Workspace&);

}  // namespace saltus
