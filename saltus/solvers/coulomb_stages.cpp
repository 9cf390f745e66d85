#include "saltus/solvers/coulomb_stages.hpp"

#include "saltus/solvers/coulomb_path.hpp"

#include <algorithm>

namespace saltus {

namespace {

constexpr double hand_over = 1e-6;      // where an interior point gives way to proximal Newton
constexpr double polishable = 1e-3;     // error below which proximal Newton may start
constexpr double nearly_solved = 1e-4;  // of sweeps from afar: it is sooner than interior points
constexpr double settled = 1e-8;        // later stages only run above it
constexpr double roundings = 100;       // error, in tolerances, that may be all that keeps from it
constexpr double near_end = 1e-6;       // error that other penalties may bring down
constexpr double suspicious = 1e-4;     // error that a solvable problem rarely keeps
constexpr int first_sweeps = 20, trial_sweeps = 10;
constexpr double near_rest = 1e-2;  // error of a convex problem whose slip may converge
constexpr double slip_rate = 0.7;   // of convergence that is worth another one
constexpr int most_slips = 6;
constexpr int first_path = 300, jumps_budget = 1000, path_budget = 5000;
constexpr double loose = 1e-5;        // tolerance that sweeps may reach where the path does not end
constexpr int longest_creep = 16000;  // sweeps between two attempts of proximal Newton
constexpr double far = 1e3;  // error, in tolerances, that the first sweeps hardly ever bring down
constexpr int usual_factorisations = 12;  // of the interior point and its polish

}  // namespace

void CoulombStages::run(CoulombBest& best) {
  best.error = s_.error(best.y);
  if (!best.y.isZero(0)) {
    const Vector zero = Vector::Zero(best.y.size());
    const double from_zero = s_.error(zero);
    warm_ = best.error < from_zero;
    best.offer(zero, from_zero);
  }
  if (reached(best)) return;
  const double enough = best.error < polishable ? polishable : nearly_solved;
  sweep(best);
  if (reached(best)) return;
  if (best.error < enough) polish({tolerance_, 40, 100}, best);
  if (reached(best)) return;
  interior(best);
  if (reached(best)) return;
  if (!search_.dear && hopeless(best)) return;
  if (best.error >= settled) rest(best);
  if (reached(best)) return;
  creep(price(first_path), best);
  if (reached(best)) return;
  if (best.error >= settled) paths(best);
  if (reached(best)) return;
  last_digits(best);
}

bool CoulombStages::hopeless(const CoulombBest& best) const {
  return best.error > suspicious && search_.proves(best.y);
}

void CoulombStages::sweep(CoulombBest& best) {
  if (!sweeping_.prepare(s_)) return;
  if (best.error > far * tolerance_) s_.begin_analysis();
  const SweepPlan plan = warm_ ? SweepPlan{tolerance_, first_sweeps, first_sweeps, nearly_solved}
                               : SweepPlan{tolerance_, first_sweeps, trial_sweeps};
  sweeps_ += sweeping_.run(
      plan, [&] { return price(usual_factorisations); }, best);
  s_.pause_analysis();
}

/// Operations of iterations with a factorisation each.
double CoulombStages::price(int factorisations) {
  const auto size = static_cast<double>(s_.unknowns() + 3 * s_.cells());
  return factorisations * (s_.factor_flops() + 400.0 * size);
}

void CoulombStages::polish(ProximalNewtonPlan plan, CoulombBest& best) {
  plan.budget = std::min(plan.budget, left());
  proximal_newton(s_, plan, best);
}

/// An interior point from its own start or near a warm one, then proximal Newton from where it
/// ended.
void CoulombStages::interior(CoulombBest& best) {
  CoulombBest own;
  own.y = best.y;
  coulomb_interior_point(s_, std::min(60, left()), std::max(hand_over, tolerance_), own, tolerance_,
                         warm_ ? best.error : 0);
  if (own.error > tolerance_) polish({tolerance_, 40, 1e3}, own);
  best.offer(own.y, own.error);
}

/// Loose tolerances: sweeps come nearer slowly, but through any number of folds. Once, and not
/// where all of them would cost more than `limit`.
void CoulombStages::creep(double limit, CoulombBest& best) {
  if (crept_ || tolerance_ < loose || best.error > 10 * tolerance_ || !sweeping_.prepare(s_) ||
      2.0 * longest_creep * sweeping_.cost() > limit)
    return;
  crept_ = true;
  CoulombBest swept = best;
  for (int more = 1000; more <= longest_creep && !reached(best); more *= 2) {
    sweeps_ += sweeping_.run(
        {tolerance_, more, more}, [] { return 0.0; }, swept);
    best.offer(swept.y, swept.error);
    if (reached(best)) return;
    CoulombBest own = swept;
    polish({tolerance_, 20, 100}, own);
    best.offer(own.y, own.error);
  }
}

/// Bodies at rest: little slides, and the slip of convex problems converges.
void CoulombStages::rest(CoulombBest& best) {
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
void CoulombStages::paths(CoulombBest& best) {
  const double enough = std::min(settled, roundings * tolerance_);
  const auto ended = [&] { return reached(best) || best.error < enough; };
  CoulombPath through(s_);
  follow(through, first_path, best);
  if (ended() || (search_.dear && hopeless(best))) return;
  last_digits(best);
  if (ended()) return;
  creep(inf, best);
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
void CoulombStages::follow(CoulombPath& path, int most, CoulombBest& best) {
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

void CoulombStages::last_digits(CoulombBest& best) {
  for (const ProximalNewtonPlan plan :
       {ProximalNewtonPlan{tolerance_, 200, 100}, ProximalNewtonPlan{tolerance_, 40, 1e7},
        ProximalNewtonPlan{tolerance_, 30, 1e3}, ProximalNewtonPlan{tolerance_, 40, 1e2, false},
        ProximalNewtonPlan{tolerance_, 30, 1e5}, ProximalNewtonPlan{tolerance_, 40, 10, false}})
    if (!reached(best) && best.error < near_end) polish(plan, best);
}

}  // namespace saltus
