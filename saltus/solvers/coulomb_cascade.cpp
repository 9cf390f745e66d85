#include "saltus/solvers/coulomb_cascade.hpp"

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/bounded_cells.hpp"
#include "saltus/solvers/contact_islands.hpp"
#include "saltus/solvers/coulomb_path.hpp"
#include "saltus/solvers/coulomb_sweeps.hpp"
#include "saltus/solvers/friction_existence.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/proximal_newton.hpp"

#include <Eigen/Sparse>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace saltus {

namespace {

constexpr double hand_over = 1e-6;   // where an interior point gives way to proximal Newton
constexpr double polishable = 1e-3;  // error below which proximal Newton may start
constexpr double largest_self_stress = 1e4;
constexpr double settled = 1e-8;       // later stages only run above it
constexpr double suspicious = 1e-4;    // error that a solvable problem rarely keeps
constexpr Index searchable = 1500;     // rows of a reduced form that is searched for a proof
constexpr int first_budget = 300;      // of an island, before it is known to matter
constexpr int slight_budget = 20;      // of one that hardly adds to the error
constexpr Index worth_threads = 3000;  // rows of a problem whose islands are shared out
constexpr int first_sweeps = 20;
constexpr double near_rest = 1e-2;  // error of a convex problem whose slip may converge
constexpr double slip_rate = 0.7;   // of convergence that is worth another one
constexpr int most_slips = 6;
constexpr int first_path = 300, jumps_budget = 1000, path_budget = 5000;
constexpr double loose = 1e-5;        // tolerance that sweeps may reach where the path does not end
constexpr int longest_creep = 16000;  // sweeps between two attempts of proximal Newton
constexpr double far = 1e3;  // error, in tolerances, that the first sweeps hardly ever bring down
constexpr int usual_factorisations = 20;  // of the interior point and its polish

class Cascade {
 public:
  /// `hopeless` looks for a proof that there is no solution, given the best y.
  Cascade(CoulombSystem& system, const CoulombCascade& options,
          std::function<bool(const Vector&)> hopeless)
      : s_(system),
        tolerance_(options.tolerance),
        budget_(options.budget),
        hopeless_(std::move(hopeless)) {}

  void run(CoulombBest& best) {
    best.error = s_.error(best.y);
    const Vector zero = Vector::Zero(best.y.size());
    best.offer(zero, s_.error(zero));
    if (reached(best)) return;
    sweep(best);
    if (reached(best)) return;
    if (best.error < polishable) polish({tolerance_, 40, 100}, best);
    if (reached(best)) return;
    interior(best);
    if (reached(best)) return;
    if (best.error > suspicious && hopeless_(best.y)) return;
    if (best.error >= settled) rest(best);
    if (reached(best)) return;
    creep(best);
    if (reached(best)) return;
    if (best.error >= settled) paths(best);
    if (reached(best)) return;
    last_digits(best);
  }

  [[nodiscard]] int iterations() const { return sweeps_ + s_.factorisations(); }

 private:
  [[nodiscard]] int left() const { return budget_ - s_.factorisations(); }
  [[nodiscard]] bool reached(const CoulombBest& best) const {
    return best.error <= tolerance_ || left() <= 0;
  }

  void sweep(CoulombBest& best) {
    if (best.error > far * tolerance_) s_.begin_analysis();
    CoulombSweeps sweeps;
    if (!sweeps.prepare(s_)) return;
    const double size = static_cast<double>(s_.unknowns() + 3 * s_.cells());
    const auto price = [&] { return usual_factorisations * (s_.factor_flops() + 400.0 * size); };
    sweeps_ += sweeps.run(tolerance_, price, first_sweeps, best);
  }

  void polish(ProximalNewtonPlan plan, CoulombBest& best) {
    plan.budget = std::min(plan.budget, left());
    proximal_newton(s_, plan, best);
  }

  /// An interior point from its own start, then proximal Newton from where it ended.
  void interior(CoulombBest& best) {
    CoulombBest own;
    own.y = best.y;
    coulomb_interior_point(s_, std::min(60, left()), hand_over, own);
    if (own.error > tolerance_) polish({tolerance_, 40, 100}, own);
    best.offer(own.y, own.error);
  }

  /// Loose tolerances: sweeps come nearer slowly, but through any number of folds.
  void creep(CoulombBest& best) {
    CoulombSweeps sweeps;
    if (tolerance_ < loose || best.error > 10 * tolerance_ || !sweeps.prepare(s_)) return;
    CoulombBest swept = best;
    for (int more = 1000; more <= longest_creep && !reached(best); more *= 2) {
      sweeps_ += sweeps.run(
          tolerance_, [] { return 0.0; }, more, swept);
      best.offer(swept.y, swept.error);
      if (reached(best)) return;
      CoulombBest own = swept;
      polish({tolerance_, 20, 100}, own);
      best.offer(own.y, own.error);
    }
  }

  /// Bodies at rest: little slides, and the slip of convex problems converges.
  void rest(CoulombBest& best) {
    SlipFixedPoint slips(s_);
    double before = inf;
    for (int k = 0; k < most_slips; ++k) {
      CoulombBest own;
      own.y = best.y;
      const double change = slips.step(left(), own);
      const bool worth = own.error < near_rest && change <= slip_rate * before;
      before = change;
      if (own.error < polishable) polish({tolerance_, 60, 10}, own);
      best.offer(own.y, own.error);
      if (!worth || reached(best)) return;
    }
  }

  /// The path: through its folds, then with jumps, then further through its folds; at last with the
  /// other slip.
  void paths(CoulombBest& best) {
    const auto ended = [&] { return reached(best) || best.error < settled; };
    CoulombPath through(s_);
    follow(through, first_path, best);
    if (ended()) return;
    CoulombPath jumping(s_, Slip::kinked, Fold::jump);
    follow(jumping, jumps_budget, best);
    if (ended()) return;
    follow(through, path_budget - first_path, best);
    if (ended()) return;
    CoulombPath smooth(s_, Slip::smooth);
    follow(smooth, path_budget, best);
  }

  /// A path, and proximal Newton from wherever it may do.
  void follow(CoulombPath& path, int most, CoulombBest& best) {
    const int end = s_.factorisations() + most;
    for (const double stop : {1e-4, 1e-6, 1e-7, 1e-8, 1e-9}) {
      CoulombBest own;
      own.y = best.y;
      const int budget = std::min(end - s_.factorisations(), left());
      const bool ended = budget <= 0 || !path.run(budget, stop, own);
      if (own.error < polishable) polish({tolerance_, 40, 100}, own);
      best.offer(own.y, own.error);
      if (ended || reached(best)) return;
    }
  }

  void last_digits(CoulombBest& best) {
    for (const ProximalNewtonPlan plan :
         {ProximalNewtonPlan{tolerance_, 200, 100}, ProximalNewtonPlan{tolerance_, 40, 1e7},
          ProximalNewtonPlan{tolerance_, 30, 1e3}, ProximalNewtonPlan{tolerance_, 40, 1e2, false},
          ProximalNewtonPlan{tolerance_, 30, 1e5}, ProximalNewtonPlan{tolerance_, 40, 10, false}})
      if (!reached(best) && best.error < settled) polish(plan, best);
  }

  CoulombSystem& s_;
  double tolerance_;
  int budget_;
  std::function<bool(const Vector&)> hopeless_;
  int sweeps_ = 0;
};

/// Runs the cascade from r; r is overwritten. A proof of infeasibility is left in `work`.
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
  const auto hopeless = [&](const Vector& y) {
    if (std::is_same_v<Form, BlockForm> && r.size() > searchable) return false;
    system.to_problem(y, r);
    const std::optional<Vector> proof = friction_infeasibility(problem, r);
    if (proof) work.certificate = *proof;
    return proof.has_value();
  };
  Cascade cascade(system, options, hopeless);
  cascade.run(best);
  system.to_problem(best.y, r);
  const bool proved = work.certificate.size() > 0;
  return {proved ? SolveStatus::infeasible : SolveStatus::max_iterations, cascade.iterations()};
}

/// The errors computed by problems/ decide; the report holds the natural residual.
SolveReport finish(Outcome outcome, int factorisations, const FrictionErrors& errors,
                   double tolerance, double residual, const Stopwatch& clock) {
  const bool converged = errors.worst() <= tolerance && errors.self_stress <= largest_self_stress;
  if (converged)
    outcome.status = SolveStatus::converged;
  else if (outcome.status == SolveStatus::converged)
    outcome.status = SolveStatus::max_iterations;
  if (!std::isfinite(residual)) outcome.status = SolveStatus::numerical_error;
  return {outcome.status, outcome.iterations, residual, clock.seconds(), factorisations};
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

/// r = 0 is a solution: all contacts open.
bool opens(const BlockForm& problem, double tolerance) {
  return problem.q.norm() > 0 &&
         friction_errors(problem, Vector::Zero(problem.q.size())).worst() <= tolerance;
}

/// The factors of the mass matrix of deformable bodies.
class MassFactor {
 public:
  explicit MassFactor(int threads) : team_(threads) {}

  [[nodiscard]] bool load(const Eigen::SparseMatrix<double>& M) { return lu_.factorise(M, team_); }
  [[nodiscard]] Vector solve(ConstVectorRef b) {
    b_ = b;
    Vector x;
    lu_.solve(b_, x, team_);
    return x;
  }
  /// W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w
  [[nodiscard]] BlockForm reduce(const GlobalBlockForm& problem) {
    const Index rows = problem.H.cols();
    const Eigen::SparseMatrix<double> transposed = problem.H.transpose();
    Matrix W(rows, rows);
    for (Index j = 0; j < rows; ++j) W.col(j) = transposed * solve(Vector(problem.H.col(j)));
    return {BlockSparse::sparse(W.sparseView(), problem.sizes, problem.sizes),
            transposed * solve(problem.f) + problem.w, problem.K};
  }

 private:
  ThreadTeam team_;
  SparseLu lu_;
  Vector b_;
};

/// Through the reduced form.
SolveReport solve_reduced(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  MassFactor mass(options.threads);
  if (!mass.load(problem.M)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  const SolveReport report = solve(mass.reduce(problem), r, options, work);
  const auto solve_with_mass = [&](ConstVectorRef b) { return mass.solve(b); };
  v = mass.solve(problem.H * r + problem.f);
  return finish({report.status, report.iterations}, report.factorisations,
                friction_errors(problem, r, solve_with_mass), options.tolerance,
                residual(problem, v, r), clock);
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
  return finish({report.status, report.iterations}, report.factorisations,
                friction_errors(problem, r), options.tolerance, residual(problem, r), clock);
}

SolveReport solve_bounded(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  MassFactor mass(options.threads);
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
  return finish({report.status, report.iterations}, report.factorisations,
                friction_errors(problem, r, solve_with_mass), options.tolerance,
                residual(problem, v, r), clock);
}

/// The tolerance of an island with ‖q_i‖ = own: errors of ‖q_i‖ t_i each, t_i as below, add up to
/// less than ‖q‖ t, since Σ ‖q_i‖² t_i² ≤ 0.49 t² Σ ‖q_i‖² + t² ‖q‖²/2.
double island_tolerance(double tolerance, double all, double own, Index islands) {
  const double even = all / (std::sqrt(2.0 * static_cast<double>(islands)) * own);
  return std::min(polishable, tolerance * std::max(0.7, even));
}

/// What the islands of a problem came to.
struct IslandsReport {
  Outcome outcome = {SolveStatus::converged, 0};
  int factorisations = 0;
};

/// The islands, by solve_part(problem, r, options, work), shared out among the threads if there is
/// enough to do. Those that resist are tried at length only if the whole is not within tolerance
/// with what they came to, errors(r) say. A proof of infeasibility of one is one of the whole.
template <class Form, class SolvePart, class Errors>
IslandsReport run_islands(const Form& problem, const ContactIslands& islands, ConstVectorRef q,
                          VectorRef r, const CoulombCascade& options, Workspace& work,
                          const SolvePart& solve_part, const Errors& errors) {
  const Index count = islands.count();
  ThreadTeam team(r.size() > worth_threads ? options.threads : 1);
  std::vector<Workspace> works(static_cast<std::size_t>(team.size()));
  std::vector<SolveReport> reports(static_cast<std::size_t>(count));
  std::vector<Vector> proofs(reports.size());
  const double size = q.norm();
  std::vector<Index> order(reports.size());  // large ones first, so that none is waited for
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return islands.size(a) > islands.size(b); });
  IslandsReport all;
  const auto attempt = [&](int budget) {
    team.for_each(static_cast<Index>(order.size()), [&](Index i, int thread) {
      const Index k = order[i];
      Vector own = islands.gather(r, k);
      CoulombCascade plan = options;
      plan.threads = 1;
      plan.tolerance =
          island_tolerance(options.tolerance, size, islands.gather(q, k).norm(), count);
      plan.budget = plan.tolerance < polishable ? budget : std::min(budget, slight_budget);
      reports[k] = solve_part(islands.part(problem, k), own, plan, works[thread]);
      if (reports[k].status == SolveStatus::infeasible) proofs[k] = works[thread].certificate;
      islands.scatter(own, k, r);
    });
    for (const Index k : order) {
      all.outcome.iterations += reports[k].iterations;
      all.factorisations += reports[k].factorisations;
    }
    std::erase_if(order, [&](Index k) { return reports[k].status != SolveStatus::max_iterations; });
  };
  attempt(std::min(options.budget, first_budget));
  if (!order.empty() && options.budget > first_budget && errors(r).worst() > options.tolerance)
    attempt(options.budget);
  work.certificate.resize(0);
  for (Index k = 0; k < count; ++k) {
    if (all.outcome.status == SolveStatus::infeasible) continue;
    if (!reports[k].converged()) all.outcome.status = reports[k].status;
    if (proofs[k].size() == 0) continue;
    work.certificate.setZero(r.size());
    islands.scatter(proofs[k], k, work.certificate);
  }
  return all;
}

SolveReport solve_islands(const BlockForm& problem, const ContactIslands& islands, VectorRef r,
                          const CoulombCascade& options, Workspace& work, const Stopwatch& clock) {
  const auto errors = [&](ConstVectorRef at) { return friction_errors(problem, at); };
  const IslandsReport all = run_islands(
      problem, islands, problem.q, r, options, work,
      [](const BlockForm& part, Vector& own, const CoulombCascade& plan, Workspace& buffers) {
        return solve(part, own, plan, buffers);
      },
      errors);
  return finish(all.outcome, all.factorisations, errors(r), options.tolerance, residual(problem, r),
                clock);
}

SolveReport solve_islands(const GlobalBlockForm& problem, const ContactIslands& islands,
                          VectorRef v, VectorRef r, const CoulombCascade& options, Workspace& work,
                          const Stopwatch& clock) {
  MassFactor mass(1);
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
    return finish({}, 0, errors(r), options.tolerance, residual(problem, v, r), clock);
  }
  const IslandsReport all = run_islands(
      problem, islands, q, r, options, work,
      [](const GlobalBlockForm& part, Vector& own, const CoulombCascade& plan, Workspace& buffers) {
        Vector velocity(part.f.size());
        return solve(part, velocity, own, plan, buffers);
      },
      errors);
  v = mass.solve(problem.H * r + problem.f);
  return finish(all.outcome, all.factorisations, errors(r), options.tolerance,
                residual(problem, v, r), clock);
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const CoulombCascade& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  if (opens(problem, options.tolerance)) {
    r.setZero();
    return finish({}, 0, friction_errors(problem, r), options.tolerance, residual(problem, r),
                  clock);
  }
  if (BoundedCells::present(problem.K)) return solve_bounded(problem, r, options, work, clock);
  CoulombSystem system(options.threads);
  if (!treatable<BlockForm>(problem, rows_of))
    return solve(problem, r, Nsgs{.tolerance = options.tolerance, .max_iterations = 10000}, work);
  if (const ContactIslands islands(problem); islands.worth_splitting())
    return solve_islands(problem, islands, r, options, work, clock);
  if (!system.load(problem)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  const Outcome outcome = run_cascade(problem, system, r, options, work);
  return finish(outcome, system.factorisations(), friction_errors(problem, r), options.tolerance,
                residual(problem, r), clock);
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
  CoulombSystem system(options.threads);
  if (!system.load(problem)) return {SolveStatus::numerical_error, 0, inf, clock.seconds()};
  const Outcome outcome = run_cascade(problem, system, r, options, work);
  const auto solve_with_mass = [&](ConstVectorRef b) { return system.solve_mass(b); };
  const FrictionErrors errors = friction_errors(problem, r, solve_with_mass);
  v = system.solve_mass(problem.H * r + problem.f);
  return finish(outcome, system.factorisations(), errors, options.tolerance,
                residual(problem, v, r), clock);
}

SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                  const CoulombCascade& options, Workspace& work) {
  return solve(to_global_block_form(problem), v, r, options, work);
}

}  // namespace saltus
