#include "saltus/solvers/automatic_global.hpp"

#include "saltus/solvers/contact_modes.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"

#include <algorithm>

namespace saltus {

namespace {

constexpr int few_factorisations = 150;  // before the reduced form is tried
constexpr Index polished_rows = 60;      // that a dense factorisation takes as long as a sparse one

bool ended(const SolveReport& report) {
  return report.converged() || report.status == SolveStatus::infeasible ||
         report.status == SolveStatus::numerical_error;
}

/// The last digits: Newton's method with the modes of a solution, kept if it reduces the error.
void polish(const GlobalBlockForm& problem, VectorRef v, VectorRef r, SolveReport& report) {
  const Stopwatch clock;
  static_cast<void>(solve(reduce(problem), r, ContactModes{.tolerance = 1e-16, .trials = 1}));
  v = velocity(problem, r);
  report.residual = residual(problem, v, r);
  report.seconds += clock.seconds();
}

SolveReport cascade_and_cases(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                              const Automatic& options, Workspace& work) {
  CoulombCascade cascade{.tolerance = options.tolerance};
  const bool few = suits_contact_modes(problem.K, problem.sizes);
  if (few) cascade.budget = few_factorisations;
  SolveReport report = solve(problem, v, r, cascade, work);
  if (!few || ended(report)) return report;
  const SolveReport first = report;
  report = solve(reduce(problem), r, options, work);
  report.iterations += first.iterations;
  report.factorisations += first.factorisations;
  report.seconds += first.seconds;
  v = velocity(problem, r);
  report.residual = residual(problem, v, r);
  return report;
}

}  // namespace

SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                  const Automatic& options, Workspace& work) {
  require_valid(options);
  SolveReport report = cascade_and_cases(problem, v, r, options, work);
  if (report.converged() && suits_contact_modes(problem.K, problem.sizes, polished_rows))
    polish(problem, v, r, report);
  return report;
}

}  // namespace saltus
