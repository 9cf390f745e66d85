#include "saltus/solvers/nsgs.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/problems/rows.hpp"
#include "saltus/solvers/dense_lu.hpp"

#include <cmath>

namespace saltus {

namespace {

/// Factorises the Reals blocks and looks for blocks that cannot be solved. False if there is one.
bool prepare(const BlockForm& problem, Workspace& work) {
  const BlockSparse& W = problem.W;
  Index scalars = 0, largest = 0;
  work.block_factor_begin.assign(static_cast<std::size_t>(W.block_rows()), -1);
  for (Index b = 0; b < W.block_rows(); ++b) {
    largest = std::max(largest, W.row_size(b));
    if (!std::holds_alternative<Reals>(problem.K[b])) continue;
    work.block_factor_begin[b] = scalars;
    scalars += W.row_size(b) * W.row_size(b);
  }
  double* factors = work.block_factor.get(scalars);
  work.block_pivots.resize(static_cast<std::size_t>(W.rows()));
  static_cast<void>(work.block_velocity.get(2 * largest));
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index k = W.diagonal(b), n = W.row_size(b);
    if (k < 0) return false;
    const double* D = W.value(k);
    if (std::holds_alternative<Reals>(problem.K[b])) {
      double* lu = factors + work.block_factor_begin[b];
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) lu[i * n + j] = D[j * n + i];
      if (!lu_factorise(n, lu, work.block_pivots.data() + W.row_offset(b))) return false;
    } else {
      const Index rows = std::holds_alternative<FrictionCone>(problem.K[b]) ? 1 : n;
      for (Index i = 0; i < rows; ++i)
        if (!(D[i * n + i] > 0)) return false;
    }
  }
  return true;
}

/// Row by row within the block; u is kept up to date.
void solve_rows(const BlockSparse& W, Index b, double lower, double upper, double* u, double* r) {
  const Index n = W.row_size(b);
  const double* column = W.value(W.diagonal(b));
  for (Index i = 0; i < n; ++i, column += n) {
    const double old = r[i];
    r[i] = std::min(std::max(old - u[i] / column[i], lower), upper);
    const double step = r[i] - old;
    if (step != 0)
      for (Index j = 0; j < n; ++j) u[j] += column[j] * step;
  }
}

void solve_reals(const BlockSparse& W, Index b, double* u, double* r, Workspace& work) {
  const Index n = W.row_size(b);
  const double* lu = work.block_factor.get(0) + work.block_factor_begin[b];
  lu_solve(n, lu, work.block_pivots.data() + W.row_offset(b), u);
  for (Index i = 0; i < n; ++i) r[i] -= u[i];
}

void solve_cone(const BlockSparse& W, Index b, double mu, const LocalSolver& local, double* u,
                double* r) {
  const Index n = W.row_size(b);
  const double* D = W.value(W.diagonal(b));
  for (Index j = 0; j < n; ++j)  // u becomes the constant term of the contact
    for (Index i = 0; i < n; ++i) u[i] -= D[j * n + i] * r[j];
  std::visit([&](const auto& solver) { solve_contact(n, D, u, mu, r, solver); }, local);
}

void sweep(const BlockForm& problem, VectorRef r, const Nsgs& options, Workspace& work) {
  const BlockSparse& W = problem.W;
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index first = W.row_offset(b), n = W.row_size(b);
    double* u = work.block_velocity.get(2 * n);
    double* old = u + n;
    double* rb = r.data() + first;
    W.multiply_row(b, r, Eigen::Map<Vector>(u, n));
    for (Index i = 0; i < n; ++i) {
      u[i] += problem.q[first + i];
      old[i] = rb[i];
    }
    std::visit(
        Overloaded{[&](const Reals&) { solve_reals(W, b, u, rb, work); },
                   [&](const NonNegative&) { solve_rows(W, b, 0, inf, u, rb); },
                   [&](const Interval& K) { solve_rows(W, b, K.lower, K.upper, u, rb); },
                   [&](const FrictionCone& K) { solve_cone(W, b, K.mu, options.local, u, rb); }},
        problem.K[b]);
    if (options.omega != 1)
      for (Index i = 0; i < n; ++i) rb[i] = old[i] + options.omega * (rb[i] - old[i]);
  }
}

/// The guess may lie outside the sets; the local solvers expect a point inside.
void project_guess(const BlockForm& problem, VectorRef r) {
  for (Index i = 0; i < r.size(); ++i)
    if (!std::isfinite(r[i])) r[i] = 0;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    auto part = r.segment(problem.W.row_offset(b), problem.W.row_size(b));
    std::visit([&](const auto& K) { project(K, part, part); }, problem.K[b]);
  }
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Nsgs& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  std::visit([](const auto& local) { require_valid(local); }, options.local);
  const BlockSparse& W = problem.W;
  require(
      r.size() == problem.q.size() && W.rows() == r.size() && W.cols() == r.size() &&
          static_cast<Index>(problem.K.size()) == W.block_rows(),
      "Nsgs: the matrix is {}x{} with {} block rows, q has size {}, the initial guess {}, {} sets",
      W.rows(), W.cols(), W.block_rows(), problem.q.size(), r.size(), problem.K.size());
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit) return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  if (!prepare(problem, work))
    return judge({SolveStatus::numerical_error, 0}, residual(problem, r), limit, clock);
  while (!(error <= limit) && outcome.iterations < options.max_iterations) {
    sweep(problem, r, options, work);
    ++outcome.iterations;
    if (outcome.iterations <= 10 || outcome.iterations % 5 == 0 ||
        outcome.iterations == options.max_iterations) {
      error = residual(problem, r);
      if (error == inf) break;
    }
  }
  return judge(outcome, error, limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Nsgs& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
