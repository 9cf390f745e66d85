#include "saltus/solvers/coulomb_cascade.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/body_recovery.hpp"
#include "saltus/solvers/bounded_cells.hpp"
#include "saltus/solvers/contact_islands.hpp"
#include "saltus/solvers/coulomb_judgement.hpp"
#include "saltus/solvers/coulomb_stages.hpp"
#include "saltus/solvers/friction_existence.hpp"
#include "saltus/solvers/nsgs.hpp"

#include <Eigen/SparseCore>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace saltus {

namespace {

constexpr double loosest = 1e-3;   // tolerance of an island, however little it adds to the error
constexpr Index searchable = 900;  // rows of a reduced form that is searched for a proof
constexpr int first_budget = 300;  // of an island, before it is known to matter
constexpr int slight_budget = 20;  // of one that hardly adds to the error
constexpr int most_corrections = 5;
constexpr double fewer_rows = 0.75;    // rows of W over velocities that are touched
constexpr Index worth_threads = 3000;  // rows of a problem that is worth them
constexpr Index worth_sharing = 1000;  // blocks of an island that threads share

/// Runs the cascade from r; r is overwritten. A proof of infeasibility is left in `work`. The
/// status is that of the system.
template <class Form>
Outcome run_cascade(const Form& problem, CoulombSystem& system, VectorRef r,
                    const CoulombCascade& options, Workspace& work) {
  work.certificate.resize(0);
  if (system.norm_q() == 0) {
    r.setZero();
    return {SolveStatus::converged, 0};
  }
  CoulombBest best;
  best.y = r.allFinite() ? system.to_scaled(r) : Vector::Zero(3 * system.cells());
  constexpr bool reduced = std::is_same_v<Form, BlockForm>;
  const auto proves = [&](const Vector& y) {
    if (reduced && r.size() > searchable) return false;
    system.to_problem(y, r);
    const std::optional<Vector> proof = friction_infeasibility(problem, r);
    if (proof) work.certificate = *proof;
    return proof.has_value();
  };
  CoulombStages stages(system, options, {proves, reduced});
  stages.run(best);
  system.to_problem(best.y, r);
  const SolveStatus status = work.certificate.size() > 0       ? SolveStatus::infeasible
                             : best.error <= options.tolerance ? SolveStatus::converged
                                                               : SolveStatus::max_iterations;
  return {status, stages.iterations()};
}

CoulombCascade halved(CoulombCascade options) {
  options.tolerance /= 2;
  return options;
}

/// run(options) adds to the attempt, judge() says what r is worth; both again with half the
/// tolerance where rounding alone keeps from it.
template <class Run, class Judge>
void run_judged(const CoulombCascade& options, Attempt& attempt, const Run& run,
                const Judge& judge) {
  run(options);
  attempt.judged = judge();
  if (attempt.status != SolveStatus::converged || !attempt.judged->nearly(options.tolerance))
    return;
  run(halved(options));
  attempt.judged = judge();
}

template <class Form>
bool treatable(const Form& problem, Index rows_of(const Form&, Index)) {
  for (std::size_t b = 0; b < problem.K.size(); ++b) {
    const auto block = static_cast<Index>(b);
    if (!CoulombSystem::can_treat(problem.K, block, rows_of(problem, block))) return false;
  }
  return true;
}

Index rows_of(const BlockForm& problem, Index block) { return problem.W.row_size(block); }
Index rows_of(const GlobalBlockForm& problem, Index block) { return problem.sizes[block]; }

/// M couples more rows than a body has, and there are fewer contact rows than velocities.
bool worth_reducing(const GlobalBlockForm& problem) {
  return problem.M.nonZeros() > 24 * problem.M.rows() && problem.H.cols() < problem.M.rows();
}

/// Rigid bodies with so few contacts that W is the smaller matrix: loose piles.
bool few_contacts(const GlobalBlockForm& problem) {
  return static_cast<double>(problem.H.cols()) < fewer_rows * static_cast<double>(problem.M.rows());
}

/// r = 0 is a solution: all contacts open.
bool opens(const BlockForm& problem, double tolerance) {
  return problem.q.norm() > 0 &&
         friction_errors(problem, Vector::Zero(problem.q.size())).worst() <= tolerance;
}

/// The dynamics of a problem that is not solved as it is.
class Dynamics {
 public:
  Dynamics(const GlobalBlockForm& problem, int threads)
      : team_(std::max(problem.M.rows(), problem.H.cols()) > worth_threads ? threads : 1) {}

  [[nodiscard]] bool load(const Eigen::SparseMatrix<double>& M) {
    return mass_.factorise(M, team_);
  }
  [[nodiscard]] Vector solve(ConstVectorRef b) {
    b_ = b;
    Vector x;
    mass_.solve(b_, x, team_);
    return x;
  }
  [[nodiscard]] MassFactor& factor() { return mass_; }
  [[nodiscard]] ThreadTeam& team() { return team_; }
  /// W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w; false if M is singular.
  [[nodiscard]] bool reduce(const GlobalBlockForm& problem, BlockForm& reduced) {
    Eigen::SparseMatrix<double> W;
    const bool reducible = worth_reducing(problem)
                               ? mass_.reduce(problem.M, padded(problem.H, problem.sizes), W, team_)
                               : mass_.reduce(problem.M, problem.H, W, team_);
    if (!reducible) return false;
    reduced = {BlockSparse::sparse(W, problem.sizes, problem.sizes),
               problem.H.transpose() * solve(problem.f) + problem.w, problem.K};
    return true;
  }

 private:
  ThreadTeam team_;
  MassFactor mass_;
  Vector b_;
};

/// Through the reduced form.
SolveReport solve_reduced(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  Dynamics mass(problem, options.threads);
  BlockForm reduced;
  if (!mass.reduce(problem, reduced))
    return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  Attempt attempt;
  const auto run = [&](const CoulombCascade& plan) {
    const SolveReport report = solve(reduced, r, plan, work);
    attempt.add(report.status, report.iterations, report.factorisations);
    if (report.status == SolveStatus::infeasible && !proves_infeasible(problem, work.certificate)) {
      attempt.status = SolveStatus::max_iterations;
      work.certificate.resize(0);
    }
  };
  run_judged(options, attempt, run,
             [&] { return judge(problem, mass.factor(), mass.team(), {}, v, r); });
  return finish(attempt, *attempt.judged, options.tolerance, clock);
}

/// On the bodies recovered from W = Gᵀ G + E, if there are any: all stages, and as long as E r
/// keeps r from being a solution, again with q + E r.
Attempt solve_lifted(const BlockForm& problem, VectorRef r, const CoulombCascade& options,
                     ThreadTeam& team, Workspace& work) {
  Attempt attempt;
  const std::optional<Eigen::SparseMatrix<double>> bodies = recover_bodies(problem.W, team);
  if (!bodies) return attempt;
  const Eigen::SparseMatrix<double>& G = *bodies;
  GlobalBlockForm lifted{.H = G, .f = Vector::Zero(G.rows()), .w = problem.q, .K = problem.K};
  lifted.M.resize(G.rows(), G.rows());
  lifted.M.setIdentity();
  for (Index b = 0; b < problem.W.block_rows(); ++b) lifted.sizes.push_back(rows_of(problem, b));
  CoulombSystem system(options.threads);
  if (!system.load(lifted)) return attempt;
  const auto hold = [&](double epsilon) -> LinearSolve {  // W (W + ε)⁻² = Gᵀ (G Gᵀ + ε)⁻² G
    const LinearSolve once = system.hold(epsilon);
    if (!once) return {};
    return [&G, once](ConstVectorRef q) -> Vector { return G.transpose() * once(once(G * q)); };
  };
  // ρ₀ counts rows, of W or of G, over the same squares
  const double measure = static_cast<double>(G.cols()) / static_cast<double>(G.rows());
  system.limit_self_stress([&] {
    const double held = held_self_stress(problem, hold);
    attempt.limit = self_stress_limit(held);
    return self_stress_limit(measure * held);
  });
  Vector defect = Vector::Zero(r.size()), next(r.size());
  CoulombCascade plan = options;
  for (int k = 0; k < most_corrections; ++k) {
    const Outcome own = run_cascade(lifted, system, r, plan, work);
    attempt.iterations += own.iterations;
    attempt.factorisations = system.factorisations();
    if (own.status == SolveStatus::infeasible && proves_infeasible(problem, work.certificate))
      attempt.status = own.status;
    if (own.status != SolveStatus::converged) break;
    const Judgement judged = judge(problem, team, attempt.limit, r);
    if (judged.errors.worst() <= options.tolerance) {
      attempt.status = own.status;
      attempt.judged = judged;
      break;
    }
    if (judged.nearly(options.tolerance)) plan = halved(options);
    problem.W.multiply(r, next);
    next.noalias() -= G.transpose() * (G * r);
    system.add_to_velocity(next - defect);
    defect = next;
  }
  return attempt;
}

/// Options for the cells of a problem: their loads add to the constant term, to which a tolerance
/// is relative, and the errors are judged on the problem itself.
CoulombCascade for_cells(const CoulombCascade& options, double constant, double with_loads) {
  CoulombCascade stricter = options;
  if (with_loads > constant) stricter.tolerance *= constant / with_loads;
  stricter.tolerance *= 0.5;
  return stricter;
}

/// Bounded forces as contacts under a constant load; the errors are those of the given problem.
SolveReport solve_bounded(const BlockForm& problem, VectorRef r, const CoulombCascade& options,
                          Workspace& work, const Stopwatch& clock) {
  BoundedCells cells;
  const BlockForm converted = cells.convert(problem);
  Vector y = cells.to_cells(r);
  const SolveReport report =
      solve(converted, y, for_cells(options, problem.q.norm(), converted.q.norm()), work);
  cells.to_problem(y, r);
  return finish({report.status, report.iterations, report.factorisations},
                {friction_errors(problem, r), residual(problem, r)}, options.tolerance, clock);
}

SolveReport solve_bounded(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  Dynamics mass(problem, options.threads);
  if (!mass.load(problem.M)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  BoundedCells cells;
  const Vector q = problem.H.transpose() * mass.solve(problem.f) + problem.w;
  const GlobalBlockForm converted = cells.convert(problem, q);
  const Index n = problem.M.rows(), loads = converted.M.rows() - n;
  const Vector sinking =
      converted.f.tail(loads).cwiseQuotient(Vector(converted.M.diagonal()).tail(loads));
  Vector y = cells.to_cells(r), velocity(converted.M.rows());
  const SolveReport report =
      solve(converted, velocity, y,
            for_cells(options, q.norm(), std::hypot(q.norm(), sinking.norm())), work);
  cells.to_problem(y, r);
  v = velocity.head(v.size());
  const auto solve_with_mass = [&](ConstVectorRef b) { return mass.solve(b); };
  return finish({report.status, report.iterations, report.factorisations},
                {friction_errors(problem, r, solve_with_mass), residual(problem, v, r)},
                options.tolerance, clock);
}

/// The tolerance of an island with ‖q_i‖ = own: errors of ‖q_i‖ t_i each, t_i as below, add up to
/// less than ‖q‖ t, since Σ ‖q_i‖² t_i² ≤ 0.49 t² Σ ‖q_i‖² + t² ‖q‖²/2.
double island_tolerance(double tolerance, double all, double own, Index islands) {
  const double even = all / (std::sqrt(2.0 * static_cast<double>(islands)) * own);
  return std::min(loosest, tolerance * std::max(0.7, even));
}

/// The islands, by solve_part(problem, r, options, work): large ones one after the other by all
/// threads, the others shared out among them if there is enough to do. Those that resist are tried
/// at length only if the whole is not within tolerance with what they came to, errors(r) say. A
/// proof of infeasibility of one is one of the whole.
template <class Form, class SolvePart, class Errors>
Attempt run_islands(const Form& problem, const ContactIslands& islands, ThreadTeam& team,
                    ConstVectorRef q, VectorRef r, const CoulombCascade& options, Workspace& work,
                    const SolvePart& solve_part, const Errors& errors) {
  const Index count = islands.count();
  std::vector<Workspace> works(static_cast<std::size_t>(team.size()));
  std::vector<SolveReport> reports(static_cast<std::size_t>(count));
  std::vector<Vector> proofs(reports.size());
  const double size = q.norm();
  std::vector<Index> order(reports.size());  // large ones first, so that none is waited for
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return islands.size(a) > islands.size(b); });
  Attempt all{.status = SolveStatus::converged};
  const auto solve_island = [&](Index k, int budget, int threads, int thread) {
    Vector own = islands.gather(r, k);
    CoulombCascade plan = options;
    plan.threads = threads;
    plan.tolerance = island_tolerance(options.tolerance, size, islands.gather(q, k).norm(), count);
    plan.budget = plan.tolerance < loosest ? budget : std::min(budget, slight_budget);
    reports[k] = solve_part(islands.part(problem, k), own, plan, works[thread]);
    if (reports[k].status == SolveStatus::infeasible) proofs[k] = works[thread].certificate;
    islands.scatter(own, k, r);
  };
  const auto attempt = [&](int budget) {
    const auto left = static_cast<Index>(order.size());
    Index large = 0;
    while (large < left && islands.size(order[large]) >= worth_sharing) ++large;
    for (Index i = 0; i < large; ++i) solve_island(order[i], budget, options.threads, 0);
    team.for_each(left - large,
                  [&](Index i, int thread) { solve_island(order[large + i], budget, 1, thread); });
    for (const Index k : order) {
      all.iterations += reports[k].iterations;
      all.factorisations += reports[k].factorisations;
    }
    std::erase_if(order, [&](Index k) { return reports[k].status != SolveStatus::max_iterations; });
  };
  attempt(std::min(options.budget, first_budget));
  if (!order.empty() && options.budget > first_budget && errors(r).worst() > options.tolerance)
    attempt(options.budget);
  work.certificate.resize(0);
  for (Index k = 0; k < count; ++k) {
    if (all.status == SolveStatus::infeasible) continue;
    if (!reports[k].converged()) all.status = reports[k].status;
    if (proofs[k].size() == 0) continue;
    work.certificate.setZero(r.size());
    islands.scatter(proofs[k], k, work.certificate);
  }
  return all;
}

SolveReport solve_islands(const BlockForm& problem, const ContactIslands& islands, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  ThreadTeam team(r.size() > worth_threads ? options.threads : 1);
  const auto errors = [&](ConstVectorRef at) { return friction_errors(problem, at); };
  const Attempt all = run_islands(
      problem, islands, team, problem.q, r, options, work,
      [](const BlockForm& part, Vector& own, const CoulombCascade& plan, Workspace& buffers) {
        return solve(part, own, plan, buffers);
      },
      errors);
  return finish(all, {errors(r), residual(problem, r)}, options.tolerance, clock);
}

SolveReport solve_islands(const GlobalBlockForm& problem, const ContactIslands& islands,
                          VectorRef v, VectorRef r, const CoulombCascade& options, Workspace& work,
                          const Stopwatch& clock) {
  Dynamics mass(problem, options.threads);
  if (!mass.load(problem.M)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  const Vector q = problem.H.transpose() * mass.solve(problem.f) + problem.w;
  const auto solve_with_mass = [&](ConstVectorRef b) { return mass.solve(b); };
  const auto errors = [&](ConstVectorRef at) {
    return friction_errors(problem, at, solve_with_mass);
  };
  const Vector zero = Vector::Zero(r.size());
  if (errors(zero).worst() <= options.tolerance) {  // all contacts open
    r.setZero();
    v = mass.solve(problem.f);
    return finish({}, {errors(r), residual(problem, v, r)}, options.tolerance, clock);
  }
  const Attempt all = run_islands(
      problem, islands, mass.team(), q, r, options, work,
      [](const GlobalBlockForm& part, Vector& own, const CoulombCascade& plan, Workspace& buffers) {
        Vector velocity(part.f.size());
        return solve(part, velocity, own, plan, buffers);
      },
      errors);
  return finish(all, judge(problem, mass.factor(), mass.team(), {}, v, r), options.tolerance,
                clock);
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const CoulombCascade& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  if (opens(problem, options.tolerance)) {
    r.setZero();
    return finish({}, {friction_errors(problem, r), residual(problem, r)}, options.tolerance,
                  clock);
  }
  if (BoundedCells::present(problem.K)) return solve_bounded(problem, r, options, work, clock);
  if (!treatable<BlockForm>(problem, rows_of))
    return solve(problem, r, Nsgs{.tolerance = options.tolerance, .max_iterations = 10000}, work);
  if (const ContactIslands islands(problem); islands.worth_splitting())
    return solve_islands(problem, islands, r, options, work, clock);
  ThreadTeam team(r.size() > worth_threads ? options.threads : 1);
  Attempt attempt = solve_lifted(problem, r, options, team, work);
  if (attempt.status == SolveStatus::max_iterations && attempt.factorisations < options.budget) {
    CoulombCascade rest = options;
    rest.budget -= attempt.factorisations;
    CoulombSystem system(options.threads);
    if (!system.load(problem)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
    system.limit_self_stress([&] {
      return attempt.limit ? *attempt.limit : self_stress_limit(held_self_stress(problem));
    });
    const auto run = [&](const CoulombCascade& plan) {
      const Outcome own = run_cascade(problem, system, r, plan, work);
      attempt.add(own.status, own.iterations, 0);
    };
    run_judged(rest, attempt, run,
               [&] { return judge(problem, team, system.self_stress_limit(), r); });
    attempt.factorisations += system.factorisations();
  }
  if (!attempt.judged) attempt.judged = judge(problem, team, attempt.limit, r);
  return finish(attempt, *attempt.judged, options.tolerance, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const CoulombCascade& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                  const CoulombCascade& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  if (BoundedCells::present(problem.K)) return solve_bounded(problem, v, r, options, work, clock);
  if (worth_reducing(problem) || !treatable<GlobalBlockForm>(problem, rows_of))
    return solve_reduced(problem, v, r, options, work, clock);
  if (const ContactIslands islands(problem); islands.worth_splitting())
    return solve_islands(problem, islands, v, r, options, work, clock);
  if (few_contacts(problem)) return solve_reduced(problem, v, r, options, work, clock);
  CoulombSystem system(options.threads);
  if (!system.load(problem)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  const auto solve_with_mass = [&](ConstVectorRef b) { return system.solve_mass(b); };
  const auto hold = [&](double epsilon) { return system.hold(epsilon); };
  system.limit_self_stress([&] { return self_stress_limit(problem, solve_with_mass, hold); });
  Attempt attempt;
  const auto run = [&](const CoulombCascade& plan) {
    const Outcome own = run_cascade(problem, system, r, plan, work);
    attempt.add(own.status, own.iterations, 0);
  };
  run_judged(options, attempt, run, [&] {
    return judge(problem, system.mass(), system.team(), system.self_stress_limit(), v, r);
  });
  attempt.factorisations = system.factorisations();
  return finish(attempt, *attempt.judged, options.tolerance, clock);
}

SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                  const CoulombCascade& options, Workspace& work) {
  return solve(to_global_block_form(problem), v, r, options, work);
}

}  // namespace saltus
