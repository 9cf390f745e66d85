#pragma once

#include "saltus/integrators/energy_balance.hpp"
#include "saltus/integrators/momentum_balance.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

#include <string>

namespace saltus {

/// Why a run ended.
enum class RunEnd {
  not_run,
  reached_end,  ///< at the time asked for
  stopped,      ///< a stop condition held
  step_failed,  ///< a step failed: see `last`; what was recorded is kept
  interrupted   ///< an exception of the user's code ended it
};

[[nodiscard]] std::string_view name(RunEnd end);

/// What happened in a run, summed over its steps.
struct RunReport {
  RunEnd end = RunEnd::not_run;
  long steps = 0;
  double end_time = 0;    ///< time reached
  long active_steps = 0;  ///< steps with a one-step problem
  long solver_iterations = 0;
  long factorisations = 0;  ///< by the solver
  long newton_iterations = 0;
  long unsolved_steps = 0;  ///< accepted although the solver failed (only if asked for)
  long rejected_steps = 0;  ///< repeated with a shorter step (adaptive steps)
  double shortest_step = 0, longest_step = 0;  ///< [s] (adaptive steps)
  double worst_residual = 0;                   ///< largest residual of a one-step problem
  double seconds = 0;                          ///< wall time of the run
  StepTimes times;                             ///< where it went (if profiled)
  double recording_seconds = 0;                ///< recording and observers (if profiled)
  EnergyBalance energy = {};                   ///< where the energy went
  MomentumBalance momentum = {};               ///< where the momentum went
  StepReport last;                             ///< the last step

  /// The run did what was asked: it reached the end or a stop condition, every step solved.
  [[nodiscard]] bool ok() const {
    return (end == RunEnd::reached_end || end == RunEnd::stopped) && unsolved_steps == 0;
  }
  /// One sentence: how the run ended and, if it failed, at which time and why.
  [[nodiscard]] std::string message() const;
};

}  // namespace saltus
