#include "saltus/solvers/psor.hpp"

#include <cmath>

namespace saltus {

namespace {

bool zero_pivot(const BlockSparse& W, double rho) {
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index c = 0, n = W.row_size(b); c < n; ++c)
      if ((W.diagonal(b) < 0 ? 0.0 : W.value(W.diagonal(b))[c * n + c]) + rho == 0) return true;
  return false;
}

/// One sweep; returns ‖z − P(z − u)‖∞ with the values met on the way.
double sweep(const BoxView& box, double* z, double* u, const Psor& options) {
  const BlockSparse& W = box.W;
  const Eigen::Map<const Vector> all(z, box.size());
  double worst = 0;
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index first = W.row_offset(b), rows = W.row_size(b), k = W.diagonal(b);
    W.multiply_row(b, all, Eigen::Map<Vector>(u, rows));
    for (Index c = 0; c < rows; ++c) {
      const Index i = first + c;
      const double* column = k < 0 ? nullptr : W.value(k) + c * rows;
      const double ui = u[c] + box.q[i], old = z[i];
      const auto clamp = [&](double x) {
        return std::min(std::max(x, box.lower[i]), box.upper[i]);
      };
      worst = std::max(worst, std::abs(old - clamp(old - ui)));
      z[i] = clamp(old - options.omega * ui / ((column ? column[c] : 0.0) + options.rho));
      const double step = z[i] - old;
      if (column != nullptr && step != 0)
        for (Index r = c + 1; r < rows; ++r) u[r] += column[r] * step;
    }
  }
  return worst;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Psor& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  const BoxView box = as_box(problem, z, Psor::name, work);
  const double limit = threshold(options.tolerance, box.q);
  double* u = work.velocity.get(box.size());
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, z);
  if (error > limit && zero_pivot(box.W, options.rho))
    return judge({SolveStatus::numerical_error, 0}, error, limit, clock);
  for (Index i = 0; i < box.size(); ++i)
    if (!std::isfinite(z[i])) z[i] = 0;
  while (!(error <= limit) && outcome.iterations < options.max_iterations) {
    const double met = sweep(box, z.data(), u, options);
    ++outcome.iterations;
    if (!std::isfinite(met)) break;
    const bool last = outcome.iterations == options.max_iterations;
    if (outcome.iterations <= 50 || met <= 10 * limit || last) error = residual(problem, z);
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Psor& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Psor& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Psor& options, Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
