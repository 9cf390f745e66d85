#pragma once

#include "saltus/integrators/one_step.hpp"

namespace saltus {

/// One implicit stage of a scheme for first-order models: backward Euler over h from x to time t,
///     E (X − x) = h [f(t, X) + B λ],   y = h(X, t) + D λ,   the law between y and λ.
/// X is left in work.w, λ in work.r. The iterations are added to `report`; false if it failed.
[[nodiscard]] bool implicit_stage(const Model& model, const State& state, const Vector& x, double t,
                                  double h, const Algorithm& solver, StepWorkspace& work,
                                  StepReport& report);

/// Throws Error unless every system of the model is of first order; `who` begins the text.
void require_first_order(const Model& model, std::string_view who);

/// prepare_step(), and no memory of steps. Throws Error unless the model is of first order.
void prepare_inclusion(const Model& model, const Algorithm& solver, std::string_view who,
                       StepWorkspace& work);

/// Ends a step: x_next at t + h; `rate` is ẋ there, for the schemes that ask for it.
void finish_inclusion(State& state, double h, const Vector& x_next, StepWorkspace& work);

}  // namespace saltus
