#include "saltus/simulation/run_report.hpp"

#include <fmt/format.h>

namespace saltus {

std::string_view name(RunEnd end) {
  switch (end) {
    case RunEnd::not_run:
      return "not run";
    case RunEnd::reached_end:
      return "reached the end";
    case RunEnd::stopped:
      return "stopped";
    case RunEnd::step_failed:
      return "a step failed";
    case RunEnd::interrupted:
      return "interrupted";
  }
  return "unknown";
}

std::string RunReport::message() const {
  if (end == RunEnd::not_run) return "not run";
  std::string text = fmt::format("{} at t = {:.9g} after {} steps", name(end), end_time, steps);
  if (end == RunEnd::step_failed) text += fmt::format(": {}", name(last.status));
  if (end == RunEnd::step_failed && last.status == StepStatus::solver_failed)
    text +=
        fmt::format(" ({}, residual {:.3g} after {} iterations, {} rows)", name(last.solve.status),
                    last.solve.residual, last.solve.iterations, last.active_rows);
  if (end == RunEnd::step_failed && last.status == StepStatus::newton_failed)
    text += fmt::format(" (residual {:.3g} after {} iterations)", last.newton_residual,
                        last.newton_iterations);
  if (unsolved_steps > 0) text += fmt::format("; {} steps accepted unsolved", unsolved_steps);
  return text;
}

}  // namespace saltus
