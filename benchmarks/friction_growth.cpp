/// Cost of the friction solver on piles of rigid bodies.
///
///     saltus-bench-friction-growth growth spheres|boxes BODIES STEPS
///         lets a pile fall for STEPS steps (Gauss-Seidel to 1e-3) and come to rest (to 1e-8, at
///         most 2 STEPS steps), makes two steps by the default solver to 1e-8, the second from the
///         reactions of the first, and solves its one-step problem again from zero, with all
///         threads; also with one, unless that would take minutes. Times one sweep and one
///         factorisation of that problem on one thread.
///     saltus-bench-friction-growth warm spheres|boxes BODIES FALL STEPS
///         lets a pile fall for FALL steps, then for STEPS steps solves every one-step problem
///         twice to 1e-8: from the reactions of the step before, matched by contact keys, and from
///         zero
///
/// One line of CSV with a header.
#include "saltus/base/stopwatch.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/coulomb_sweeps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace saltus;

namespace {

/// Eight layers at most: piles of different size settle in the same time and differ in width only.
Model make_pile(const std::string& kind, int count) {
  const double side = std::max(std::cbrt(count), std::sqrt(count / 8.0));
  const mechanics::PileOptions options{.count = count,
                                       .columns = static_cast<int>(std::ceil(side))};
  if (kind == "spheres") return mechanics::PileOfSpheres{options}.model();
  if (kind == "boxes") return mechanics::PileOfBoxes{options}.model();
  fail("kind is '{}', expected spheres or boxes", kind);
}

constexpr double growth_step = 5e-3;
constexpr int falling_sweeps = 50;  // a step that resists is taken as it is
constexpr int resting_sweeps = 300;
constexpr double still = 1e-6;     // residual that sweeps reach once the pile is at rest,
constexpr int still_steps = 10;    // this often in a row
constexpr double long_solve = 60;  // seconds; not repeated
constexpr int most_factorisations = 1000;

struct Solved {
  SolveReport report;
  double seconds = 0;
};

Solved solve_from(const GlobalBlockForm& problem, Vector r, int threads = 0) {
  Workspace work;
  Vector v(problem.f.size());
  const Stopwatch clock;
  const SolveReport report =
      solve(problem, v, r, CoulombCascade{.budget = most_factorisations, .threads = threads}, work);
  return {report, clock.seconds()};
}

void run(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = sim.advance();
    if (!report.done())
      std::fprintf(stderr, "step %d: %s, residual %g\n", k,
                   std::string(name(report.status)).c_str(), report.solve.residual);
  }
}

/// A pile whose steps may be solved by one algorithm after the other. A new Simulation with its
/// state would not do: contacts at rest are told from open ones by the load of the step before.
class Pile {
 public:
  Pile(const std::string& kind, int count) : model_(make_pile(kind, count)) {
    prepare(model_, scheme_, work_);
    work_.accept_unsolved = true;
    work_.observe_problem = [this](const OneStepProblem& seen) {
      report_ = seen.report;
      if (seen.global != nullptr) last_ = *seen.global;
    };
  }

  const SolveReport& advance(const Algorithm& solver) {
    scheme_.solver = solver;
    (void)step(model_, state_, growth_step, scheme_, work_);
    return report_;
  }

  /// Until the pile is still; the number of steps.
  int rest(int most) {
    int steps = 0;
    for (int calm = 0; steps < most && calm < still_steps; ++steps) {
      const Nsgs sweeps{.tolerance = 1e-8, .max_iterations = resting_sweeps};
      calm = advance(sweeps).residual <= still ? calm + 1 : 0;
    }
    return steps;
  }

  /// The last problem in global form.
  [[nodiscard]] const GlobalBlockForm& last() const { return last_; }

 private:
  Model model_;
  State state_ = model_.initial_state();
  MoreauJean scheme_;
  StepWorkspace work_;
  SolveReport report_;
  GlobalBlockForm last_;
};

/// Seconds of one sweep and of one factorisation, on one thread.
struct Parts {
  double sweep = 0, factorisation = 0;
};

Parts time_parts(const GlobalBlockForm& problem) {
  CoulombSystem system(1);
  CoulombSweeps sweeps;
  require(system.load(problem) && sweeps.prepare(system), "the problem cannot be swept");
  CoulombBest best;
  best.y = Vector::Zero(3 * system.cells());
  best.error = system.error(best.y);
  constexpr int most = 100, factorisations = 5;
  Parts parts;
  Stopwatch clock;
  const int swept = sweeps.run(
      {0, most, most}, [] { return 0.0; }, best);
  parts.sweep = clock.lap() / swept;
  std::vector<double> identity(static_cast<std::size_t>(9 * system.cells()), 0.0);
  for (std::size_t i = 0; i < identity.size(); i += 9)
    identity[i] = identity[i + 4] = identity[i + 8] = 1;
  for (int k = -1; k < factorisations; ++k) {  // the first analyses the pattern
    require(system.factorise(identity), "K(I) is singular");
    if (k < 0) clock.lap();
  }
  parts.factorisation = clock.lap() / factorisations;
  return parts;
}

void growth(const std::string& kind, int count, int steps) {
  const Stopwatch clock;
  Pile pile(kind, count);
  for (int k = 0; k < steps; ++k)
    pile.advance(Nsgs{.tolerance = 1e-3, .max_iterations = falling_sweeps});
  const int rested = pile.rest(2 * steps);
  const double settling_seconds = clock.seconds();
  const CoulombCascade accurate{.budget = most_factorisations};
  pile.advance(accurate);
  const SolveReport warm = pile.advance(accurate);
  const GlobalBlockForm& last = pile.last();
  const Vector zero = Vector::Zero(last.w.size());
  const Solved cold = solve_from(last, zero);
  const double alone = cold.seconds > long_solve ? std::nan("") : solve_from(last, zero, 1).seconds;
  const Parts parts = time_parts(last);
  std::printf(
      "kind,bodies,contacts,unknowns,steps,settling_s,cold_s,cold_factorisations,cold_iterations,"
      "cold_converged,one_thread_s,warm_s,warm_factorisations,warm_iterations,warm_converged,"
      "sweep_s,factorisation_s\n");
  std::printf("%s,%d,%zu,%td,%d,%.3f,%.4f,%d,%d,%d,%.4f,%.4f,%d,%d,%d,%.6f,%.6f\n", kind.c_str(),
              count, last.K.size(), last.f.size(), steps + rested, settling_seconds, cold.seconds,
              cold.report.factorisations, cold.report.iterations, cold.report.converged(), alone,
              warm.seconds, warm.factorisations, warm.iterations, warm.converged(), parts.sweep,
              parts.factorisation);
}

void warm(const std::string& kind, int count, int fall, int steps) {
  Simulation sim(make_pile(kind, count), {}, {.step = 2e-3, .accept_unsolved = true});
  run(sim, fall);
  long problems = 0, contacts = 0, unsolved = 0;
  long warm_factorisations = 0, cold_factorisations = 0, warm_iterations = 0, cold_iterations = 0;
  double warm_seconds = 0, cold_seconds = 0;
  sim.observe_problems([&](const OneStepProblem& seen) {
    if (seen.global == nullptr) return;
    const Solved cold = solve_from(*seen.global, Vector::Zero(seen.r.size()));
    ++problems;
    contacts += static_cast<long>(seen.global->K.size());
    unsolved += !seen.report.converged() || !cold.report.converged();
    warm_factorisations += seen.report.factorisations;
    cold_factorisations += cold.report.factorisations;
    warm_iterations += seen.report.iterations;
    cold_iterations += cold.report.iterations;
    warm_seconds += seen.report.seconds;
    cold_seconds += cold.report.seconds;
  });
  run(sim, steps);
  std::printf(
      "kind,bodies,problems,mean_contacts,unsolved,warm_factorisations,cold_factorisations,"
      "warm_iterations,cold_iterations,warm_s,cold_s\n");
  std::printf("%s,%d,%ld,%.1f,%ld,%ld,%ld,%ld,%ld,%.3f,%.3f\n", kind.c_str(), count, problems,
              problems > 0 ? static_cast<double>(contacts) / static_cast<double>(problems) : 0.0,
              unsolved, warm_factorisations, cold_factorisations, warm_iterations, cold_iterations,
              warm_seconds, cold_seconds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string mode = argc > 1 ? argv[1] : "";
    require(
        (mode == "growth" && argc == 5) || (mode == "warm" && argc == 6),
        "usage: {0} growth spheres|boxes BODIES STEPS\n       {0} warm spheres|boxes BODIES FALL "
        "STEPS",
        argv[0]);
    const int count = std::atoi(argv[3]), first = std::atoi(argv[4]);
    require(count > 0 && first > 0, "BODIES and STEPS must be positive");
    if (mode == "growth")
      growth(argv[2], count, first);
    else
      warm(argv[2], count, first, std::atoi(argv[5]));
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
