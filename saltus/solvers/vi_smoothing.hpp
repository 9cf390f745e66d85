#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Smoothing method (S:VI-24a) for VI: the natural map with a smoothed projection,
///
///     Φ_ε(z) = z − P_ε(z − F(z)),    P_ε → P_X as ε → 0,
///
/// by Newton's method as in Smoothing, its counterpart for boxes. With p_ε(s) = (s + √(s² +
/// 4ε²))/2 in place of max(s, 0), per factor of X:
///
///     bounds            P_ε(x)_i = x_i + p_ε(lower_i − x_i) − p_ε(x_i − upper_i)
///     ball, disk        center + (ρ + p_ε(−R − ρ) − p_ε(ρ − R)) y/ρ,    y = x − center, ρ = ‖y‖
///     friction cone     (n', t') = a (μ² p₁ + p₂, μ (p₂ − p₁) t/‖t‖),    a = 1/(1 + μ²),
///                       p₁ = p_ε(n − ‖t‖/μ),  p₂ = p_ε(n + μ‖t‖)    (0 < μ < ∞)
///
/// Other sets keep their projection and one element of its generalised Jacobian. Monotone F: the
/// Newton matrix is regular for every ε > 0. A singular one is shifted. Dense: O(n³) per step.
/// Stops when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Chen & Mangasarian 1996]
/// [Fukushima, Luo & Tseng 2002]
struct ViSmoothing {
  static constexpr std::string_view name = "ViSmoothing";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 300;  ///< Newton steps; usually 10 to 30
  double epsilon = 1;        ///< first ε, in the units of z and F; 0.1 to 10
  double shrink = 0.1;       ///< factor of ε, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"epsilon", "first smoothing parameter", positive}, s.epsilon);
    visit(Field{"shrink", "factor of epsilon", Range{0, 0.9, true}}, s.shrink);
  }
};

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViSmoothing&, Workspace&);

/// p = P_ε(x) and its symmetric derivative J, as above; ε > 0.
void smoothed_projection(const Set& X, ConstVectorRef x, double epsilon, VectorRef p, MatrixRef J);

}  // namespace saltus
