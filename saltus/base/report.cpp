#include "saltus/base/report.hpp"

namespace saltus {

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::not_run:
      return "not run";
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::max_iterations:
      return "max iterations";
    case SolveStatus::stalled:
      return "stalled";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::unbounded:
      return "unbounded";
    case SolveStatus::nonconvex:
      return "not convex";
    case SolveStatus::numerical_error:
      return "numerical error";
    case SolveStatus::stopped:
      return "stopped";
  }
  return "unknown";
}

}  // namespace saltus
