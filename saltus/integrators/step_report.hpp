#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

namespace saltus {

/// What happened to a step.
enum class StepStatus {
  done,              ///< the state was advanced
  solver_failed,     ///< the one-step problem was not solved: see `solve`
  newton_failed,     ///< Newton's method did not reach its tolerance: shorten the step
  singular_matrix,   ///< M + hθC + h²θ²K is singular
  not_finite,        ///< the new state, or a force, is NaN or infinite
  projection_failed  ///< the positions could not be projected on their constraints
};

[[nodiscard]] std::string_view name(StepStatus status);

struct StepReport {
  StepStatus status = StepStatus::done;
  Index active_rows = 0;          ///< rows of the one-step problem
  int newton_iterations = 0;      ///< 1 for a time-invariant model
  double newton_residual = 0;     ///< as compared with newton_tolerance
  SolveReport solve;              ///< last one-step solve; not_run if nothing was active
  int solver_iterations = 0;      ///< over all Newton iterations
  int factorisations = 0;         ///< by the solver, over all Newton iterations
  int projection_iterations = 0;  ///< of the projection of the positions
  double violation = 0;           ///< of the positions that it left
  [[nodiscard]] bool done() const { return status == StepStatus::done; }
};

}  // namespace saltus
