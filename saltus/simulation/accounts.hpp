#pragma once

#include "saltus/integrators/scheme.hpp"
#include "saltus/simulation/run_report.hpp"

namespace saltus {

/// The accounts of energy and momentum of a run, kept step by step. A copy is an account on trial:
/// steps that are not accepted are forgotten with it.
struct Accounts {
  EnergyBalance energy = {};
  MomentumBalance momentum = {};
  EnergyWorkspace energy_buffers = {};
  MomentumWorkspace momentum_buffers = {};

  /// Begins at a state, if the scheme is one of mechanics: steps that leave velocities and
  /// percussions.
  void start(const Model& model, const State& state, const Scheme& scheme,
             const StepWorkspace& work);
  /// Adds the step of length h that led to `state` and left its percussions in `work`.
  void add(const Model& model, const State& state, double h, const Scheme& scheme,
           const StepWorkspace& work);
};

}  // namespace saltus
