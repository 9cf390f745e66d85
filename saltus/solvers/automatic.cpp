#include "saltus/solvers/automatic.hpp"

#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "saltus/solvers/equilibration.hpp"
#include "saltus/solvers/infeasibility.hpp"
#include "saltus/solvers/keller.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/psor.hpp"
#include "saltus/solvers/revised_lemke.hpp"
#include "saltus/solvers/tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr Index tableau_limit = 1000;        // dense, O(n²) per pivot
constexpr Index sparse_pivot_limit = 20000;  // sparse factors
constexpr Index certificate_limit = 2000;
constexpr Index scaled_limit = 300;
constexpr unsigned scaled_trials = 8;
constexpr int enumeration_limit = 12;  // 4096 bases

/// 0 if no diagonal entry is zero, otherwise the mean |W_ii| or 1.
double proximal_shift(const BlockSparse& W) {
  double sum = 0;
  bool zero = false;
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index c = 0, n = W.row_size(b); c < n; ++c) {
      const double d = W.diagonal(b) < 0 ? 0.0 : W.value(W.diagonal(b))[c * n + c];
      zero = zero || !(d > 0);
      sum += std::abs(d);
    }
  if (!zero) return 0;
  return sum > 0 ? sum / static_cast<double>(W.rows()) : 1;
}

/// Keeps the better of the point in z and the one in work.best; true if the cascade may stop.
bool finished(const SolveReport& attempt, SolveReport& total, VectorRef z, Workspace& work) {
  total.status = attempt.status;
  total.iterations += attempt.iterations;
  total.seconds += attempt.seconds;
  if (attempt.residual <= total.residual) {
    total.residual = attempt.residual;
    work.best = z;
  } else {
    z = work.best;
  }
  return attempt.converged() || attempt.status == SolveStatus::infeasible;
}

/// Lemke on sparse factors, rows and columns scaled, judged on the problem itself.
template <class Problem>
SolveReport solve_equilibrated(const Problem& problem, const Equilibrated& scaled, VectorRef z,
                               double tolerance, Workspace& work) {
  const Stopwatch clock;
  const Index n = z.size();
  const Vector q = scaled.form.q.cwiseQuotient(scaled.row);
  Vector x = z.cwiseQuotient(scaled.column);
  const BoxView box = as_box(scaled.form, x, Automatic::name, work);
  const Outcome outcome = revised_lemke(box, x, pivot_limit(0, n), work);
  work.certificate.resize(0);
  z = scaled.column.cwiseProduct(x);
  return judge(outcome, residual(problem, z), threshold(tolerance, q), clock);
}

/// A proof that there is no feasible point ends the cascade.
template <class Problem>
bool infeasible(const Problem& problem, VectorRef z, SolveReport& total, Workspace& work) {
  const Stopwatch clock;
  const bool proved = certify_infeasible(as_box(problem, z, Automatic::name, work), work);
  if (proved) total.status = SolveStatus::infeasible;
  total.seconds += clock.seconds();
  return proved;
}

template <class Problem>
SolveReport cascade(const Problem& problem, const BlockSparse& W, VectorRef z,
                    const Automatic& options, Workspace& work) {
  require_valid(options);
  const Index n = z.size();
  const double tolerance = options.tolerance;
  const BlockPivoting pivoting{.tolerance = tolerance, .max_iterations = static_cast<int>(n) + 50};
  const SolveReport first = solve(problem, z, pivoting, work);
  if (first.converged()) return first;
  SolveReport total;
  if (finished(first, total, z, work)) return total;
  const auto attempt = [&](const auto& algorithm) {
    return finished(solve(problem, z, algorithm, work), total, z, work);
  };
  const bool sparse = prefers_revised_lemke(as_box(problem, z, Automatic::name, work));
  if (n <= (sparse ? sparse_pivot_limit : tableau_limit) && attempt(Lemke{.tolerance = tolerance}))
    return total;
  if (n <= tableau_limit && attempt(Keller{.tolerance = tolerance})) return total;
  if (n <= certificate_limit && infeasible(problem, z, total, work)) return total;
  if (n <= (sparse ? certificate_limit : scaled_limit)) {
    Equilibrated scaled = equilibrate(as_box(problem, z, Automatic::name, work));
    for (unsigned trial = 0; trial < scaled_trials; ++trial) {
      if (trial > 0) vary_rows(scaled, trial);
      const SolveReport report = solve_equilibrated(problem, scaled, z, tolerance, work);
      if (finished(report, total, z, work)) return total;
    }
  }
  if (attempt(Psor{.tolerance = tolerance, .rho = proximal_shift(W)})) return total;
  if (n <= enumeration_limit)
    static_cast<void>(attempt(Enumeration{.tolerance = tolerance, .max_size = enumeration_limit}));
  return total;
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Automatic& options, Workspace& work) {
  return cascade(problem, problem.M, z, options, work);
}

SolveReport solve(const Mlcp& problem, VectorRef z, const Automatic& options, Workspace& work) {
  return cascade(problem, problem.M, z, options, work);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const Automatic& options,
                  Workspace& work) {
  if (!has_friction(problem)) return cascade(problem, problem.W, r, options, work);
  return solve(problem, r, Nsgs{.tolerance = options.tolerance, .max_iterations = 10000}, work);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Automatic& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
