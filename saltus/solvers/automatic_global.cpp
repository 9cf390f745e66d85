#include "saltus/solvers/automatic_global.hpp"

#include "saltus/solvers/contact_modes.hpp"
#include "saltus/solvers/contact_polish.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"

#include <algorithm>

namespace saltus {

namespace {

constexpr int few_factorisations = 150;  // before the reduced form is tried
constexpr Index polished_rows = 60;      // that a dense factorisation takes as long as a sparse one
constexpr double polished = 1e-13;       // error that leaves no digits open

bool ended(const SolveReport& report) {
  return report.converged() || report.status == SolveStatus::infeasible ||
         report.status == SolveStatus::numerical_error;
}

/// The last digits of a solution: by bodies, or densely where that does not get there with few
/// rows. What does not reach them is kept if the residual is no larger.
void polish_solution(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                     SolveReport& report) {
  const Stopwatch clock;
  const Vector before = r;
  const double reached = polish(problem, v, r);
  if (reached > polished && suits_contact_modes(problem.K, problem.sizes, polished_rows)) {
    static_cast<void>(solve(reduce(problem), r, ContactModes{.tolerance = 1e-16, .trials = 1}));
    v = velocity(problem, r);
  }
  double after = residual(problem, v, r);
  if (reached > polished && after > report.residual) {
    r = before;
    v = velocity(problem, r);
    after = report.residual;
  }
  report.residual = after;
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
  if (report.converged()) polish_solution(problem, v, r, report);
  return report;
}

}  // namespace saltus
