#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

#include <cmath>

namespace saltus {

// Small operations on box problems u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i), and the loop that
// the iterative solvers share.

[[nodiscard]] inline double clamp(const BoxView& box, Index i, double x) {
  return std::min(std::max(x, box.lower[i]), box.upper[i]);
}

/// u = W z + q
inline void evaluate(const BoxView& box, const double* z, double* u) {
  Eigen::Map<Vector> out(u, box.size());
  box.W.multiply(Eigen::Map<const Vector>(z, box.size()), out);
  out += box.q;
}

/// ‖z − P(z − u)‖∞
[[nodiscard]] inline double natural_map(const BoxView& box, const double* z, const double* u) {
  double worst = 0;
  for (Index i = 0; i < box.size(); ++i)
    worst = std::max(worst, std::abs(z[i] - clamp(box, i, z[i] - u[i])));
  return worst;
}

/// Calls visit(i, W_ii) for every row; a diagonal that is not stored is 0.
template <class Visit>
void visit_diagonal(const BlockSparse& W, Visit&& visit) {
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index c = 0, n = W.row_size(b), k = W.diagonal(b); c < n; ++c)
      visit(W.row_offset(b) + c, k < 0 ? 0.0 : W.value(k)[c * n + c]);
}

/// What one iteration has to say.
struct Progress {
  SolveStatus status = SolveStatus::not_run;  ///< not_run: go on; else the reason to stop
  double met = 0;  ///< ‖z − P(z − u)‖∞ met on the way, or 0 if unknown
};

/// The loop of the iterative solvers. `Method` is made from (box, options, threshold, work) and has
/// `Progress step(double* z)`. The start is clamped into the box (NaN becomes 0). The residual is
/// asked for after each of the first 50 iterations, later only when the one met on the way is
/// close, for it costs a product with W.
template <class Method, class Problem, class Options>
SolveReport solve_by_iteration(const Problem& problem, VectorRef z, const Options& options,
                               Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  const BoxView box = as_box(problem, z, Options::name, work);
  const double limit = threshold(options.tolerance, box.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, z);
  if (error <= limit) return judge(outcome, error, limit, clock);
  for (Index i = 0; i < box.size(); ++i) z[i] = clamp(box, i, std::isfinite(z[i]) ? z[i] : 0.0);
  error = residual(problem, z);
  Method method(box, options, limit, work);
  while (!(error <= limit) && outcome.iterations < options.max_iterations) {
    const Progress progress = method.step(z.data());
    if (progress.status != SolveStatus::not_run) {
      outcome.status = progress.status;
      break;
    }
    ++outcome.iterations;
    const bool last = outcome.iterations == options.max_iterations;
    if (outcome.iterations <= 50 || progress.met <= 10 * limit || last)
      error = residual(problem, z);
    if (!std::isfinite(progress.met) || !std::isfinite(error)) break;
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
