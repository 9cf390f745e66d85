#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/mass_factor.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/thread_team.hpp"

#include <optional>

namespace saltus {

/// What problems/ makes of r: its errors, and the residual of (v, r) with the v that r leads to.
struct Judgement {
  FrictionErrors errors;
  double residual = inf;

  /// So close that the rounding of another order of operations can make the difference.
  [[nodiscard]] bool nearly(double tolerance) const {
    return errors.worst() > tolerance && errors.worst() <= 2 * tolerance;
  }
};

/// Sets v to the velocity that r leads to. Both parts at a time if the blocks of M let two threads
/// solve with it.
[[nodiscard]] Judgement judge(const GlobalBlockForm& problem, MassFactor& mass, ThreadTeam& team,
                              std::optional<double> limit, VectorRef v, ConstVectorRef r);
/// One thread each, if there are two.
[[nodiscard]] Judgement judge(const BlockForm& problem, ThreadTeam& team,
                              std::optional<double> limit, ConstVectorRef r);

/// What a way to a solution came to.
struct Attempt {
  SolveStatus status = SolveStatus::max_iterations;
  int iterations = 0, factorisations = 0;
  std::optional<double> limit = {};  ///< of self-stress, where it was asked for
  std::optional<Judgement> judged = {};

  /// Another part of the way, and its end.
  void add(SolveStatus end, int more_iterations, int more_factorisations) {
    status = end;
    iterations += more_iterations;
    factorisations += more_factorisations;
  }
};

/// The errors computed by problems/ decide; the report holds the natural residual.
[[nodiscard]] SolveReport finish(const Attempt& attempt, const Judgement& judged, double tolerance,
                                 const Stopwatch& clock);

}  // namespace saltus
