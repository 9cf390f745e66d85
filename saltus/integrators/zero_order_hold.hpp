#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Exact discretisation of linear first-order models with multipliers held over the step
/// (TI:TI-079): sampled control by a relay, the exact flow between,
///     x⁺ = x + Γ [A x + b(t + h/2) + B λ],   Γ = ∫₀ʰ e^(E⁻¹A s) ds E⁻¹,   the law at y⁺ = C x⁺ + …
/// λ is implicit: on a sliding surface y = 0 holds exactly at every sample and λ is the equivalent
/// control of the sampled system. Exact for constant b, of order 2 in b(t) otherwise, and of order
/// 1 in the multiplier. Linear time-invariant systems and relations only.
struct ZeroOrderHold {
  static constexpr std::string_view name = "ZeroOrderHold";
  Algorithm solver = Automatic{};  ///< of the one-step problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
  }
};

void prepare(const Model& model, const ZeroOrderHold& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const ZeroOrderHold& scheme, StepWorkspace& work);

}  // namespace saltus
