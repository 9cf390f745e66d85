#include "saltus/solvers/block_pivoting.hpp"

#include "saltus/solvers/dense_kernels.hpp"
#include "saltus/solvers/tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

enum State : std::uint8_t { at_lower = 0, is_free = 1, at_upper = 2 };

/// The box problem for W + shift I and q − shift·center, and the iterate.
struct Pivoting {
  const BoxView& box;
  double shift;
  double* center;
  double* r;
  double* u;
  std::uint8_t* state;
  Index n;

  void evaluate() const {
    if (box.W.block_rows() == 1 && box.W.blocks() == 1) {
      multiply_columns();
    } else {
      box.W.multiply(Eigen::Map<const Vector>(r, n), Eigen::Map<Vector>(u, n));
      for (Index i = 0; i < n; ++i) u[i] += box.q[i];
    }
    if (shift != 0)
      for (Index i = 0; i < n; ++i) u[i] += shift * (r[i] - center[i]);
  }
  /// u = W r + q for one dense block, by the columns with r_j ≠ 0
  void multiply_columns() const {
    for (Index i = 0; i < n; ++i) u[i] = box.q[i];
    for (Index j = 0; j < n; ++j)
      if (r[j] != 0) kernels::subtract_multiple(n, -r[j], box.W.value(0) + j * n, u);
  }
  /// r_i at its bound, 0 if free
  [[nodiscard]] double at_bound(Index i) const {
    return state[i] == at_lower ? box.lower[i] : state[i] == at_upper ? box.upper[i] : 0.0;
  }
};

/// W_FF by the factorisation of the workspace.
class Basis {
 public:
  Basis(const BlockSparse& W, Workspace& work) : W_(W), work_(work) {
    work.factor.analyse(W);
    work.in_set.resize(static_cast<std::size_t>(W.rows()));
  }
  bool factorise(const Pivoting& p) {
    for (Index i = 0; i < p.n; ++i) work_.in_set[i] = p.state[i] == is_free ? 1 : 0;
    return work_.factor.factorise(W_, work_.in_set, p.shift);
  }
  void solve(double* x) { work_.factor.solve(x); }

 private:
  const BlockSparse& W_;
  Workspace& work_;
};

/// Predicts the set from a guess: the sign pattern of r − u / W_ii against the bounds. In doubt (u
/// = 0 at a bound) a row is free: resting contacts are.
void predict(const Pivoting& p) {
  const BlockSparse& W = p.box.W;
  double size = 0;
  for (Index i = 0; i < p.n; ++i) size = std::max(size, std::abs(p.u[i]));
  const double zero = 1e-12 * size;
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index k = W.diagonal(b), rows = W.row_size(b);
    for (Index c = 0; c < rows; ++c) {
      const Index i = W.row_offset(b) + c;
      const double d = (k < 0 ? 0.0 : W.value(k)[c * rows + c]) + p.shift;
      const double x = p.r[i] - (d > 0 ? p.u[i] / d : p.u[i]);
      const bool below = x <= p.box.lower[i] && p.u[i] > zero;
      const bool above = x >= p.box.upper[i] && p.u[i] < -zero;
      p.state[i] = below ? at_lower : above ? at_upper : is_free;
    }
  }
}

/// Solves for the current set: r at the bounds outside F, u_F = 0. False if W_FF is singular.
bool solve_basis(const Pivoting& p, Basis& basis, double* rhs) {
  if (!basis.factorise(p)) return false;
  bool moved = false;
  for (Index i = 0; i < p.n; ++i) {
    p.r[i] = p.at_bound(i);
    moved = moved || p.r[i] != 0;
  }
  if (moved) p.evaluate();
  for (Index i = 0; i < p.n; ++i) {
    const double shifted = p.box.q[i] - (p.shift != 0 ? p.shift * p.center[i] : 0.0);
    rhs[i] = p.state[i] == is_free ? -(moved ? p.u[i] : shifted) : p.r[i];
  }
  basis.solve(rhs);
  for (Index i = 0; i < p.n; ++i)
    if (p.state[i] == is_free) p.r[i] = rhs[i];
  p.evaluate();
  return true;
}

/// Rows of the wrong sign, and by how much at most.
struct Wrong {
  Index count = 0, first = -1;
  double amount = 0;
};

/// State row i should go to; unchanged if its sign is right up to rounding.
std::uint8_t wanted(const Pivoting& p, Index i, double zero_r, double zero_u) {
  const double lower = p.box.lower[i], upper = p.box.upper[i];
  if (p.state[i] == is_free)
    return p.r[i] < lower - zero_r ? at_lower : p.r[i] > upper + zero_r ? at_upper : is_free;
  if (lower == upper) return p.state[i];
  const double push = p.state[i] == at_lower ? p.u[i] : -p.u[i];
  return push < -zero_u ? is_free : static_cast<State>(p.state[i]);
}

double amount(const Pivoting& p, Index i) {
  if (p.state[i] != is_free) return std::abs(p.u[i]);
  return std::max(p.box.lower[i] - p.r[i], p.r[i] - p.box.upper[i]);
}

Wrong find_wrong(const Pivoting& p, double zero_r, double zero_u) {
  Wrong wrong;
  for (Index i = 0; i < p.n; ++i)
    if (wanted(p, i, zero_r, zero_u) != p.state[i]) {
      if (wrong.count++ == 0) wrong.first = i;
      wrong.amount = std::max(wrong.amount, amount(p, i));
    }
  return wrong;
}

/// One step of iterative refinement on the final set.
void refine(const Pivoting& p, Basis& basis, double* rhs) {
  for (Index i = 0; i < p.n; ++i) rhs[i] = p.state[i] == is_free ? -p.u[i] : 0.0;
  basis.solve(rhs);
  for (Index i = 0; i < p.n; ++i)
    if (p.state[i] == is_free) p.r[i] += rhs[i];
}

struct Limits {
  int patience;
  Index iterations;
  double threshold;  // of the residual
};

/// Exchanges until no sign is wrong. Adds to `count`.
SolveStatus exchange(const Pivoting& p, Basis& basis, double* rhs, const Limits& limits,
                     double largest, int& count) {
  Index best = p.n + 1;
  int left = limits.patience;
  for (;;) {
    if (!solve_basis(p, basis, rhs)) return SolveStatus::numerical_error;
    double size_r = 0, size_q = 0;
    for (Index i = 0; i < p.n; ++i) {
      size_r = std::max(size_r, std::abs(p.r[i]));
      size_q = std::max(size_q, std::abs(p.box.q[i]));
    }
    if (!std::isfinite(size_r)) return SolveStatus::numerical_error;
    // a few hundred roundings of the terms of r and u
    const double zero_r = 1e-13 * size_r, zero_u = 1e-13 * (size_q + largest * size_r);
    const Wrong wrong = find_wrong(p, zero_r, zero_u);
    if (wrong.count == 0) {
      refine(p, basis, rhs);
      return SolveStatus::converged;
    }
    if (count >= limits.iterations) return SolveStatus::max_iterations;
    ++count;
    if (wrong.count < best) {
      best = wrong.count;
      left = limits.patience;
    } else if (left >= 0 && --left < 0 && infeasible_row(p.box)) {
      return SolveStatus::infeasible;
    }
    // signs that stay wrong by less than the tolerance are rounding on a degenerate problem
    if (left < 0 && wrong.amount <= 0.1 * limits.threshold) return SolveStatus::stalled;
    if (left < 0) {
      p.state[wrong.first] = wanted(p, wrong.first, zero_r, zero_u);
    } else {
      for (Index i = 0; i < p.n; ++i) p.state[i] = wanted(p, i, zero_r, zero_u);
    }
  }
}

void clamp(const BoxView& box, double* r) {
  for (Index i = 0; i < box.size(); ++i)
    r[i] = std::min(std::max(r[i], box.lower[i]), box.upper[i]);
}

/// Proximal points: r ← solution for W + εI, q − ε r, until the step no longer matters.
SolveStatus proximal(Pivoting p, Basis& basis, double* rhs, const Limits& limits, double largest,
                     int& count) {
  p.shift = 1e-7 * largest;
  double last = inf;
  for (int k = 0; k < 60; ++k) {
    std::copy(p.r, p.r + p.n, p.center);
    if (k == 0) {
      p.evaluate();
      predict(p);
    }
    const SolveStatus status = exchange(p, basis, rhs, limits, largest, count);
    if (status != SolveStatus::converged) return status;
    clamp(p.box, p.r);
    double step = 0;  // shift · step bounds the residual of the unshifted problem
    for (Index i = 0; i < p.n; ++i) step = std::max(step, std::abs(p.r[i] - p.center[i]));
    if (p.shift * step <= 1e-3 * limits.threshold) return SolveStatus::converged;
    if (k > 10 && step > 0.9 * last) return SolveStatus::stalled;
    last = step;
  }
  return SolveStatus::stalled;
}

double largest_entry(const BlockSparse& W) {
  double largest = 0;
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      const Index count = W.row_size(i) * W.column_size(W.column(k));
      for (Index e = 0; e < count; ++e) largest = std::max(largest, std::abs(W.value(k)[e]));
    }
  return largest;
}

/// `accept` tells whether z solves the problem.
template <class Accept>
Outcome block_pivoting(const BoxView& box, VectorRef z, const BlockPivoting& options,
                       double threshold, Accept&& accept, Workspace& work) {
  const Index n = box.size();
  work.state.resize(static_cast<std::size_t>(n));
  double* guess = work.iterate.get(n);
  double* rhs = work.rhs.get(n);
  const Pivoting p{box, 0.0, work.center.get(n), z.data(), work.velocity.get(n), work.state.data(),
                   n};
  const Limits limits{options.patience, pivot_limit(options.max_iterations, n), threshold};
  for (Index i = 0; i < n; ++i)
    if (!std::isfinite(z[i])) z[i] = 0;
  clamp(box, z.data());
  std::copy(z.data(), z.data() + n, guess);
  p.evaluate();
  predict(p);
  const double largest = largest_entry(box.W);
  Basis basis(box.W, work);
  Outcome outcome;
  outcome.status = exchange(p, basis, rhs, limits, largest, outcome.iterations);
  clamp(box, z.data());
  if (outcome.status == SolveStatus::max_iterations || outcome.status == SolveStatus::infeasible ||
      !options.proximal || accept())
    return outcome;
  std::copy(guess, guess + n, z.data());
  outcome.status = proximal(p, basis, rhs, limits, largest, outcome.iterations);
  clamp(box, z.data());
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const BlockPivoting& options,
                      Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  const BoxView box = as_box(problem, z, BlockPivoting::name, work);
  const double limit = threshold(options.tolerance, box.q);
  const auto accept = [&] { return residual(problem, z) <= limit; };
  const Outcome outcome = block_pivoting(box, z, options, limit, accept, work);
  const SolveReport report = judge(outcome, residual(problem, z), limit, clock);
  if (!report.converged() && infeasible_row(box, work))
    return {SolveStatus::infeasible, report.iterations, report.residual, report.seconds};
  return report;
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const BlockPivoting& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const BlockPivoting& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const BlockPivoting& options,
                  Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
