#include "saltus/solvers/nsgs.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/problems/rows.hpp"
#include "saltus/solvers/block_iteration.hpp"
#include "saltus/solvers/dense_lu.hpp"

#include <algorithm>
#include <array>
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
      const Index rows = row_by_row(problem.K[b]) ? n : 1;
      for (Index i = 0; i < rows; ++i)
        if (!(D[i * n + i] > 0)) return false;
    }
  }
  return true;
}

/// Row by row within the block; u is kept up to date.
void solve_rows(const BlockSparse& W, Index b, double lower, double upper, double factor, double* u,
                double* r) {
  const Index n = W.row_size(b);
  const double* column = W.value(W.diagonal(b));
  for (Index i = 0; i < n; ++i, column += n) {
    const double old = r[i];
    r[i] = std::min(std::max(old - factor * u[i] / column[i], lower), upper);
    const double step = r[i] - old;
    if (step != 0)
      for (Index j = 0; j < n; ++j) u[j] += column[j] * step;
  }
}

void solve_reals(const BlockSparse& W, Index b, double factor, double* u, double* r,
                 Workspace& work) {
  const Index n = W.row_size(b);
  const double* lu = work.block_factor.get(0) + work.block_factor_begin[b];
  lu_solve(n, lu, work.block_pivots.data() + W.row_offset(b), u);
  for (Index i = 0; i < n; ++i) r[i] -= factor * u[i];
}

/// The own part of the block, with W_bb divided by the factor of over-relaxation.
void solve_own(const BlockSparse& W, Index b, const BlockSet& K, const LocalSolver& local,
               double factor, double* u, double* r) {
  const Index n = W.row_size(b);
  const double* D = W.value(W.diagonal(b));
  std::array<double, max_piece * max_piece> scaled;
  if (factor != 1) {
    for (Index i = 0; i < n * n; ++i) scaled[i] = D[i] / factor;
    D = scaled.data();
  }
  for (Index j = 0; j < n; ++j)  // u becomes the constant term of the contact
    for (Index i = 0; i < n; ++i) u[i] -= D[j * n + i] * r[j];
  std::visit([&](const auto& solver) { solve_contact(K, n, D, u, r, solver); }, local);
}

void relax_block(const BlockForm& problem, Index b, VectorRef r, const Nsgs& options,
                 const LocalSolver& local, Workspace& work) {
  const BlockSparse& W = problem.W;
  const Index first = W.row_offset(b), n = W.row_size(b);
  const double factor = options.over_relaxation;
  double* u = work.block_velocity.get(2 * n);
  double* old = u + n;
  double* rb = r.data() + first;
  W.multiply_row(b, r, Eigen::Map<Vector>(u, n));
  for (Index i = 0; i < n; ++i) {
    u[i] += problem.q[first + i];
    old[i] = rb[i];
  }
  const BlockSet& K = problem.K[b];
  std::visit(
      Overloaded{[&](const Reals&) { solve_reals(W, b, factor, u, rb, work); },
                 [&](const NonNegative&) { solve_rows(W, b, 0, inf, factor, u, rb); },
                 [&](const Interval& I) { solve_rows(W, b, I.lower, I.upper, factor, u, rb); },
                 [&](const auto&) { solve_own(W, b, K, local, factor, u, rb); }},
      K);
  if (options.omega != 1)
    for (Index i = 0; i < n; ++i) rb[i] = old[i] + options.omega * (rb[i] - old[i]);
}

/// The blocks in the order of the sweeps.
class Order {
 public:
  Order(const SweepOrder& order, Index blocks, std::vector<Index>& storage)
      : again_(std::holds_alternative<ShuffledEverySweep>(order)), list_(storage) {
    list_.resize(static_cast<std::size_t>(blocks));
    for (Index b = 0; b < blocks; ++b) list_[b] = b;
    if (const auto* once = std::get_if<ShuffledOnce>(&order)) reshuffle(once->seed);
    if (const auto* every = std::get_if<ShuffledEverySweep>(&order)) reshuffle(every->seed);
  }
  void next_sweep() {
    if (again_) shuffle(list_, state_);
  }
  [[nodiscard]] const std::vector<Index>& list() const { return list_; }

 private:
  void reshuffle(int seed) {
    state_ = static_cast<std::uint64_t>(seed);
    shuffle(list_, state_);
  }
  bool again_;
  std::uint64_t state_ = 0;
  std::vector<Index>& list_;
};

/// The local solver with its tolerance relative to r raised to a tenth of the error.
void adapt(LocalSolver& local, const LocalSolver& given, double error, double size) {
  std::visit(
      [&]<class L>(L& held) {
        if constexpr (requires { held.tolerance; })
          held.tolerance = std::max(std::get<L>(given).tolerance,
                                    std::min(1e-2, error / (10 * std::max(size, 1e-300))));
      },
      local);
}

/// The sweeps after which the residual is worth its price.
class TestPlan {
 public:
  TestPlan(const Nsgs& options, ConstVectorRef r, Buffer& storage)
      : cheap_(options.cheap_test),
        step_(options.tolerance),
        old_(cheap_ ? storage.get(r.size()) : nullptr, cheap_ ? r.size() : 0) {
    if (cheap_) old_ = r;
  }
  [[nodiscard]] bool due(ConstVectorRef r, int sweep) {
    if (!cheap_) return sweep <= 10 || sweep % 5 == 0;
    const double step = cheap_error(r, old_);
    old_ = r;
    return !(step > step_);
  }
  /// The residual was share⁻¹ times what it may be.
  void too_early(double share) { step_ = std::max(least, step_ * std::clamp(share, 0.1, 0.5)); }

 private:
  static constexpr double least = 1e-14;  // what roundings alone may step
  bool cheap_;
  double step_;
  Eigen::Map<Vector> old_;
};

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Nsgs& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Nsgs::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit) return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  if (!prepare(problem, work))
    return judge({SolveStatus::numerical_error, 0}, residual(problem, r), limit, clock);
  Order order(options.order, problem.W.block_rows(), work.friction.order);
  LocalSolver local = options.local;
  TestPlan tests(options, r, work.iterate);
  while (!(error <= limit) && outcome.iterations < options.max_iterations) {
    if (options.adaptive_local) adapt(local, options.local, error, r.norm());
    for (const Index b : order.list()) relax_block(problem, b, r, options, local, work);
    order.next_sweep();
    ++outcome.iterations;
    if (tests.due(r, outcome.iterations) || outcome.iterations == options.max_iterations) {
      error = residual(problem, r);
      if (error == inf) break;
      if (error > limit) tests.too_early(limit / error);
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
