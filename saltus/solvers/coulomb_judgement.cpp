#include "saltus/solvers/coulomb_judgement.hpp"

#include <cmath>

namespace saltus {

Judgement judge(const GlobalBlockForm& problem, MassFactor& mass, ThreadTeam& team,
                std::optional<double> limit, VectorRef v, ConstVectorRef r) {
  Judgement result;
  const auto part = [&](Index i, ThreadTeam& own) {
    const auto solve_with_mass = [&](ConstVectorRef b) {
      Vector x;
      mass.solve(b, x, own);
      return x;
    };
    if (i == 0) {
      result.errors = friction_errors(problem, r, solve_with_mass, limit);
    } else {
      v = solve_with_mass(problem.H * r + problem.f);
      result.residual = residual(problem, v, r);
    }
  };
  if (mass.small_blocks()) {
    team.for_each(2, [&](Index i, int) {
      ThreadTeam alone(1);
      part(i, alone);
    });
  } else {
    part(0, team);
    part(1, team);
  }
  return result;
}

Judgement judge(const BlockForm& problem, ThreadTeam& team, std::optional<double> limit,
                ConstVectorRef r) {
  Judgement result;
  team.for_each(2, [&](Index i, int) {
    if (i == 0)
      result.errors = friction_errors(problem, r, limit);
    else
      result.residual = residual(problem, r);
  });
  return result;
}

SolveReport finish(const Attempt& attempt, const Judgement& judged, double tolerance,
                   const Stopwatch& clock) {
  SolveStatus status = attempt.status;
  if (judged.errors.worst() <= tolerance && judged.errors.trusted())
    status = SolveStatus::converged;
  else if (status == SolveStatus::converged)
    status = SolveStatus::max_iterations;
  if (!std::isfinite(judged.residual)) status = SolveStatus::numerical_error;
  return {status, attempt.iterations, judged.residual, clock.seconds(), attempt.factorisations};
}

}  // namespace saltus
