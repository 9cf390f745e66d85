#include "saltus/integrators/step_report.hpp"

namespace saltus {

std::string_view name(StepStatus status) {
  switch (status) {
    case StepStatus::done:
      return "done";
    case StepStatus::solver_failed:
      return "the one-step problem was not solved";
    case StepStatus::newton_failed:
      return "Newton's method did not converge";
    case StepStatus::singular_matrix:
      return "the iteration matrix M + hθC + h²θ²K is singular";
    case StepStatus::not_finite:
      return "the new state is not finite";
    case StepStatus::projection_failed:
      return "the positions could not be projected on their constraints";
  }
  return "unknown";
}

}  // namespace saltus
