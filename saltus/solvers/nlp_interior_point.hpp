#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Primal–dual interior point (S:NLP-11) for min f, g ≥ 0, h = 0: NcpInteriorPoint on the KKT
/// conditions as a mixed complementarity problem in (z, μ, λ) with slacks w of the inequalities,
///
///     ∇f − ∇gᵀλ − ∇hᵀμ = 0,    h = 0,    g = w,    λ∘w = σμ̄ ↓ 0,    λ, w > 0.
///
/// The guess need not be feasible. Proved for convex problems with a strictly feasible point (the
/// KKT map is then monotone); elsewhere it finds KKT points or ends `stalled`, for nothing keeps
/// the Hessian definite. Second derivatives are used. Dense: O((n + m + p)³) per step. Stops when
/// residual(problem, point) ≤ tolerance · max(1, ‖∇f(0)‖∞). [El-Bakry, Tapia, Tsuchiya & Zhang
/// 1996]
struct NlpInteriorPoint {
  static constexpr std::string_view name = "NlpInteriorPoint";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 300;  ///< Newton steps; usually 10 to 40
  double sigma = 0.1;        ///< centring, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖∇f(0)‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"sigma", "centring", Range{0, 0.9, true}}, s.sigma);
  }
};

[[nodiscard]] SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpInteriorPoint&,
                                Workspace&);

}  // namespace saltus
