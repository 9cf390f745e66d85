#include "saltus/simulation/accounts.hpp"

#include "saltus/base/overloaded.hpp"

namespace saltus {

namespace {

/// How the scheme weighs forces; nothing for the schemes of first-order inclusions.
std::optional<ForceWeights> weights_of(const Scheme& scheme) {
  using Weights = std::optional<ForceWeights>;
  return std::visit(
      Overloaded{[](const MoreauJean& s) -> Weights { return ForceWeights{.theta = s.theta}; },
                 [](const StewartTrinkle& s) -> Weights { return ForceWeights{.theta = s.theta}; },
                 [](const AnitescuPotra& s) -> Weights { return ForceWeights{.theta = s.theta}; },
                 [](const PaoliSchatzman&) -> Weights { return ForceWeights{.middle = true}; },
                 [](const GeneralizedAlpha& s) -> Weights {
                   return ForceWeights{.alpha = coefficients(s.coefficients)};
                 },
                 [](const auto&) -> Weights { return std::nullopt; }},
      scheme);
}

}  // namespace

void Accounts::start(const Model& model, const State& state, const Scheme& scheme,
                     const StepWorkspace& work) {
  energy = {};
  momentum = {};
  if (!weights_of(scheme)) return;
  start_energy(model, state, energy, energy_buffers);
  start_momentum(model, state, work, momentum, momentum_buffers);
}

void Accounts::add(const Model& model, const State& state, double h, const Scheme& scheme,
                   const StepWorkspace& work) {
  if (!energy.known) return;
  add_energy(model, state, work, energy, energy_buffers);
  add_momentum(model, state, h, *weights_of(scheme), work, momentum, momentum_buffers);
}

}  // namespace saltus
