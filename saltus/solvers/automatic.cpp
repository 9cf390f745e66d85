#include "saltus/solvers/automatic.hpp"

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/contact_modes.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "saltus/solvers/equilibration.hpp"
#include "saltus/solvers/faceted_friction.hpp"
#include "saltus/solvers/infeasibility.hpp"
#include "saltus/solvers/keller.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/mehrotra.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/psor.hpp"
#include "saltus/solvers/revised_lemke.hpp"
#include "saltus/solvers/tableau.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr Index tiny_limit = 16;    // Lemke at once, unless there is a guess
constexpr Index small_limit = 128;  // Lemke before the interior point
constexpr Index middle_limit = 64;  // an exchange costs little against a pivot of Lemke above
constexpr int few_exchanges = 4, some_exchanges = 12, many_exchanges = 50;
constexpr int interval_exchanges = 15;       // end in 10 or cycle
constexpr int interior_iterations = 60;      // usually 8 to 30
constexpr int few_pivots = 20;               // of Lemke, times n + 10; usually n/2 to 3 n are made
constexpr Index tableau_limit = 1000;        // dense, O(n²) per pivot
constexpr Index sparse_pivot_limit = 20000;  // sparse factors
constexpr Index certificate_limit = 2000;
constexpr Index scaled_limit = 300;
constexpr unsigned scaled_trials = 8;
constexpr int warm_sweeps = 20;
constexpr int few_factorisations = 150;  // of the cascade, before the cases of the law
constexpr Index planar_limit = 300;      // rows that Lemke's method on a tableau may have
constexpr int enumeration_limit = 12;    // 4096 bases

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

bool has_intervals(LcpView) { return false; }
bool has_intervals(const Mlcp&) { return false; }
bool has_intervals(const BlockForm& problem) {
  return std::any_of(problem.K.begin(), problem.K.end(),
                     [](const BlockSet& set) { return std::holds_alternative<Interval>(set); });
}

/// The buffers of BlockPivoting, which serves the next solve that has a guess: a problem of a size
/// that was solved before allocates nothing.
void reserve_pivoting(const BlockSparse& W, Workspace& work) {
  const Index n = W.rows();
  if (static_cast<Index>(work.in_set.size()) >= n) return;
  work.state.resize(static_cast<std::size_t>(n));
  work.in_set.resize(static_cast<std::size_t>(n));
  for (Buffer* buffer : {&work.iterate, &work.rhs, &work.center, &work.velocity})
    static_cast<void>(buffer->get(n));
  work.factor.analyse(W);
}

/// What most problems need. Small dense ones get a short try, because Lemke is quick there, unless
/// intervals lengthen its tableau.
template <class Problem>
SolveReport first_attempt(const Problem& problem, const BlockSparse& W, VectorRef z,
                          double tolerance, Workspace& work) {
  const Index n = z.size();
  const bool dense = n <= middle_limit || 4 * W.nonzeros() >= n * n;
  BlockPivoting pivoting{.tolerance = tolerance, .max_iterations = many_exchanges};
  if (n <= small_limit && has_intervals(problem)) {
    pivoting.max_iterations += static_cast<int>(n);
  } else if (has_intervals(problem)) {
    pivoting.max_iterations = pivoting.patience = interval_exchanges;
  } else if (n <= tiny_limit && z.isZero(0)) {
    reserve_pivoting(W, work);
    return solve(problem, z, Lemke{.tolerance = tolerance}, work);
  } else if (n <= small_limit && dense) {
    pivoting.max_iterations = n <= middle_limit ? few_exchanges : some_exchanges;
    pivoting.proximal = false;
  }
  return solve(problem, z, pivoting, work);
}

template <class Problem>
SolveReport cascade(const Problem& problem, const BlockSparse& W, VectorRef z,
                    const Automatic& options, Workspace& work) {
  require_valid(options);
  const Index n = z.size();
  const double tolerance = options.tolerance;
  const SolveReport first = first_attempt(problem, W, z, tolerance, work);
  if (first.converged()) return first;
  SolveReport total;
  if (finished(first, total, z, work)) return total;
  const auto attempt = [&](const auto& algorithm) {
    return finished(solve(problem, z, algorithm, work), total, z, work);
  };
  const Mehrotra interior{.tolerance = tolerance, .max_iterations = interior_iterations};
  if (n > small_limit && attempt(interior)) return total;
  const bool sparse = prefers_revised_lemke(as_box(problem, z, Automatic::name, work));
  const int pivots = n <= small_limit ? 0 : few_pivots * (static_cast<int>(n) + 10);
  const Lemke lemke{.tolerance = tolerance, .max_iterations = pivots};
  if (n <= (sparse ? sparse_pivot_limit : tableau_limit) && attempt(lemke)) return total;
  const BlockPivoting pivoting{.tolerance = tolerance, .max_iterations = static_cast<int>(n) + 50};
  if (n <= small_limit && (attempt(pivoting) || attempt(interior))) return total;
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

bool ended(const SolveReport& report) {
  return report.converged() || report.status == SolveStatus::infeasible;
}

/// Friction in the plane, on cones of two rows.
bool planar(const BlockForm& problem) {
  for (std::size_t b = 0; b < problem.K.size(); ++b)
    if (!row_by_row(problem.K[b]) && (!std::holds_alternative<FrictionCone>(problem.K[b]) ||
                                      problem.W.row_size(static_cast<Index>(b)) != 2))
      return false;
  return problem.q.size() <= planar_limit;
}

/// max(e₁, e₂) of a reaction to be trusted, otherwise infinite.
double trusted_error(const BlockForm& problem, ConstVectorRef r) {
  const FrictionErrors errors = friction_errors(problem, r);
  return errors.trusted() ? errors.worst() : inf;
}

/// What iterations left short of the tolerance: in the plane the law is a linear complementarity
/// problem, and few contacts have few cases. Keeps the best point.
void by_cases(const BlockForm& problem, VectorRef r, double tolerance, SolveReport& report,
              Workspace& work) {
  const Stopwatch clock;
  double least = trusted_error(problem, r);
  const auto attempt = [&](const auto& solve_from) {
    Vector trial = r;
    report.iterations += solve_from(trial).iterations;
    const double error = trusted_error(problem, trial);
    if (error < least) r = trial;
    least = std::min(least, error);
  };
  if (planar(problem))
    attempt([&](Vector& trial) {
      return solve(problem, trial, FacetedFriction{.tolerance = tolerance}, work);
    });
  if (least > tolerance && suits_contact_modes(problem))
    attempt(
        [&](Vector& trial) { return solve(problem, trial, ContactModes{.tolerance = tolerance}); });
  if (least <= tolerance) report.status = SolveStatus::converged;
  report.residual = residual(problem, r);
  report.seconds += clock.seconds();
}

void add(const SolveReport& before, SolveReport& report) {
  report.iterations += before.iterations;
  report.factorisations += before.factorisations;
  report.seconds += before.seconds;
}

/// The cascade, `run(budget, report)`, and the cases of the law, `cases(report)`, before and after
/// its long stages.
template <class Run, class Cases>
SolveReport cascade_and_cases(bool few, const Run& run, const Cases& cases) {
  SolveReport first;
  if (few) {
    first = run(few_factorisations);
    if (!ended(first)) cases(first);
    if (ended(first)) return first;
  }
  SolveReport report = run(CoulombCascade{}.budget);
  if (!ended(report)) cases(report);
  add(first, report);
  return report;
}

/// From a guess: a few sweeps, which allocate nothing, if rounding cannot hide the velocities in
/// the reactions. Then CoulombCascade and the cases of the law.
SolveReport with_friction(const BlockForm& problem, VectorRef r, const Automatic& options,
                          Workspace& work) {
  require_valid(options);
  const double size = problem.q.norm(), target = options.tolerance * size;
  SolveReport first;
  if (size > 0 && r.allFinite() && !r.isZero(0)) {
    const double unit = std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
    first =
        solve(problem, r, Nsgs{.tolerance = target / unit, .max_iterations = warm_sweeps}, work);
    if (first.converged() && 1e-15 * r.norm() <= target) return first;
  }
  SolveReport report = cascade_and_cases(
      suits_contact_modes(problem),
      [&](int budget) {
        return solve(problem, r, CoulombCascade{.tolerance = options.tolerance, .budget = budget},
                     work);
      },
      [&](SolveReport& so_far) { by_cases(problem, r, options.tolerance, so_far, work); });
  add(first, report);
  return report;
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
  return with_friction(problem, r, options, work);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Automatic& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
