#pragma once

#include "saltus/circuits/circuit.hpp"
#include "saltus/systems/descriptor.hpp"

#include <array>

namespace saltus::circuits {

/// A circuit as a descriptor system, with the probes as combinations of its unknowns.
struct CircuitSystem {
  /// The voltage of a capacitor or the current of an inductor before the start.
  struct Start {
    DescriptorProbe probe;
    double value = 0;
  };
  Descriptor system;
  std::vector<DescriptorProbe> probes;    ///< those of the circuit; without .probe all nodes
  std::vector<DescriptorProbe> measured;  ///< one for each measurement of the circuit
  std::vector<Start> starts;              ///< of all capacitors and inductors
  std::vector<std::string> remarks;       ///< see check_topology
};

/// Modified nodal analysis with all branch currents kept [Ho, Ruehli, Brennan 1975] (F:F044):
/// unknowns z = (node voltages, currents of all devices but resistors and current sources, internal
/// voltages of Zener diodes, amplifiers and transistors), rows
///
///     node          Σ currents that leave it = 0
///     capacitor     i/C − v̇ = 0          (multiplied by h in a step: a resistance h/C)
///     inductor      L i̇ + Σ M i̇_k − v = 0
///     source        V(t) − v = 0
///     diode         0 ≤ i ⟂ V_f + R_on i − v ≥ 0
///     Zener diode   u + R_on i − v = 0,   i ∈ N_[−V_z, V_f](u)
///     switch        R_on i − v = 0 closed,   i = 0 open (a conductance 1/R_off beside it)
///     amplifier     u − v(out) = 0,   v₊ − v₋ ∈ N_[low, high](u);   without rails v₊ = v₋
///     transistor    each end: z = f(x),   x = σ (v_G − v_end) − |V_T|   (HingeRows; hinge j of f
///                   stands for 0 ≤ λ_j ⟂ λ_j − (x − a_j) ≥ 0,   f(x) = Σ s_j λ_j)
///
/// The signs make the matrix of a step positive semidefinite for circuits of R, L, C, diodes,
/// switches, transformers and independent sources. Throws Error if check_topology does, or if a
/// name that is referred to does not exist or has no current.
///
/// With θ = 1 the currents of capacitors that nobody asks for need not be unknowns: unless
/// `capacitor_currents`, C v̇ goes into the rows of the nodes.
[[nodiscard]] CircuitSystem assemble(const Circuit& circuit, bool capacitor_currents = true);

/// Hinges of the piecewise-linear square f(x) = Σ s_j max(x − a_j, 0) ≈ max(x, 0)² (PL:C-05).
inline constexpr std::array<double, 5> mos_slopes{0.09, 0.224055, 0.466367, 1.160648, 2.88659};
inline constexpr std::array<double, 5> mos_breaks{0, 0.1, 0.2487, 0.6185, 1.5383};
[[nodiscard]] double mos_square(double x);

}  // namespace saltus::circuits
