#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Gradient projection with Bertsekas' generalised Armijo rule (S:NLP-08, S:NLP-09) for min f over
/// z ∈ X:
///
///     z(α) = P_X(z − α ∇f(z)),    α = s, sβ, sβ², … until f(z) − f(z(α)) ≥ σ ∇f(z)·(z − z(α)).
///
/// No Lipschitz constant is needed; linear rate. With `newton`, for X a box: z(α) = P(z − αp) with
/// p_i = ∂_i f on I⁺ = {i within ε of a bound that −∇f pushes it to}, and ∇²f_JJ p_J = ∇f_J on the
/// others, ∇²f_JJ shifted if it is not positive definite; the test then asks for σ (α Σ_J ∂_j f p_j
/// + Σ_I⁺ ∂_i f (z_i − z_i(α))). Finds the active bounds in finitely many steps and is Newton's
/// method afterwards; O(n³) per step. Error if X is not a box. Stationary points; minima if f is
/// convex. Stops when residual(problem, z) ≤ tolerance · max(1, ‖∇f(P_X(0))‖∞). [Bertsekas 1976]
/// [Bertsekas 1982]
struct NlpGradientProjection {
  static constexpr std::string_view name = "NlpGradientProjection";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-8
  int max_iterations = 10000;  ///< steps
  double step = 1;             ///< first trial s; 1 with `newton`
  double shrink = 0.5;         ///< β, in (0, 0.9]
  double sigma = 1e-4;         ///< decrease asked for, in (0, ½)
  bool newton = false;         ///< second-order scaling, boxes only
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"step", "first trial", positive}, s.step);
    visit(Field{"shrink", "factor between trials", Range{0, 0.9, true}}, s.shrink);
    visit(Field{"sigma", "decrease asked for", Range{0, 0.5, true}}, s.sigma);
    visit(Field{"newton", "second-order scaling", unit_interval}, s.newton);
  }
};

[[nodiscard]] SolveReport solve(const SetNlp& problem, VectorRef z, const NlpGradientProjection&,
                                Workspace&);

/// Rosen's gradient projection (S:NLP-10) for min f with affine g ≥ 0, h = 0, from a feasible point
/// (Error otherwise): with N the gradients of h and of the active g, the direction lies in their
/// tangent space,
///
///     d = −∇f + Nᵀ(λ, μ),    (λ, μ) = least-squares solution of Nᵀ(λ, μ) = ∇f,
///
/// and the step is Armijo's, no longer than to the next face. Where d vanishes, the row with the
/// most negative λ leaves; none: a KKT point. Not to be confused with z ← z + αP_X(−∇f), which does
/// not converge. One row changes at a time and the rate is linear: small problems. [Rosen 1960]
struct NlpRosen {
  static constexpr std::string_view name = "NlpRosen";
  double tolerance = 1e-6;  ///< residual(problem, point) ≤ tolerance · max(1, ‖∇f(0)‖∞)
  int max_iterations = 10000;  ///< steps
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpRosen&, Workspace&);

}  // namespace saltus
