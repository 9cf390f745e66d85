#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

StepWorkspace::StepWorkspace() = default;
StepWorkspace::~StepWorkspace() = default;
StepWorkspace::StepWorkspace(StepWorkspace&&) noexcept = default;
StepWorkspace& StepWorkspace::operator=(StepWorkspace&&) noexcept = default;

bool StepWorkspace::continues(const State& state) const {
  return steps > 1 && state.q == q_left && state.v == v_left;
}

void StepWorkspace::remember(const State& state) {
  q_left = state.q;
  v_left = state.v;
}

}  // namespace saltus
