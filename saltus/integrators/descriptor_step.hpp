#pragma once

#include "saltus/integrators/descriptor_stage.hpp"

namespace saltus {

/// θ-method for descriptor systems w = E ż + G z + s(t), −w ∈ N_K(z) (TI:TI-086): with e = E z and
/// g = G z + s at the beginning of the step,
///
///     differential rows   w = (E z⁺ − e)/h + θ (G z⁺ + s(t⁺)) + (1 − θ) g                   (1)
///     algebraic rows      w = G z⁺ + s(t⁺)
///     −w ∈ N_K(z⁺),
///
/// a sparse mixed complementarity problem in all unknowns: nothing is eliminated, so loops of
/// capacitors and voltage sources and cutsets of inductors and current sources (index 2) need no
/// other treatment: charges and fluxes e are what is carried over. With θ = 1 a jump of e is the
/// one that is least in the energy norm, as for all backward Euler methods [Frasca et al. 2010].
///
/// Switches: the step is solved with the switches as they are; those whose control at t⁺ asks for
/// it then change, once each, and the step is solved again. Clocked switches look at the control at
/// the beginning of the step.
struct DescriptorTheta {
  static constexpr std::string_view name = "DescriptorTheta";
  double theta = 1;  ///< 1: first order, damps; ½: second order between commutations
  bool damp = true;  ///< with θ < 1: steps that commute are repeated with θ = 1
  ModePivoting solver = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness", Range{0.5, 1}}, s.theta);
    visit(Field{"damp", "steps that commute are repeated with theta = 1"}, s.damp);
    visit(Field{"solver", "of the one-step problem"}, s.solver);
  }
};

/// A consistent state at t0 from the charges and fluxes system.initial: two steps of length `h`,
/// much shorter than all that follows, of the θ = 1 method. What the initial values lack in
/// consistency becomes a jump of the charges and fluxes, the least one.
[[nodiscard]] StepReport start_descriptor(const Descriptor& system, double t0, double h,
                                          const DescriptorTheta& scheme, DescriptorState& state,
                                          DescriptorWorkspace& work);

/// The state at rest for s(t0): (1) without the rate. Inductors are shorts, capacitors open.
[[nodiscard]] StepReport operating_point(const Descriptor& system, double t0,
                                         const DescriptorTheta& scheme, DescriptorState& state,
                                         DescriptorWorkspace& work);

/// One step to t + h. The state is not changed if it fails.
[[nodiscard]] StepReport step(const Descriptor& system, DescriptorState& state, double h,
                              const DescriptorTheta& scheme, DescriptorWorkspace& work);

}  // namespace saltus
