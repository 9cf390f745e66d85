#pragma once

#include "saltus/circuits/circuit.hpp"
#include "saltus/simulation/descriptor_run.hpp"

#include <optional>

namespace saltus {

/// How a circuit is run; what is not given comes from .tran and .options.
struct CircuitOptions {
  std::optional<double> step = {};   ///< fixed steps of at most this length [s]
  std::optional<double> until = {};  ///< end [s]
  std::optional<double> theta = {};  ///< 1/2 … 1
  /// Error of a step, in parts of full scale, by which its length is chosen; then `step` or that of
  /// .tran is the distance of the instants recorded. 0: fixed steps. Without it 1e-3, and fixed
  /// steps if a longest step or theta is given.
  std::optional<double> accuracy = {};
  int every = 1;  ///< record each every-th fixed step, and the last
};

struct MeasuredValue {
  std::string name, kind;
  double value = 0;  ///< NaN if the run ended before the window of the measurement
};

/// A circuit over time: the probes are the columns of trajectory.x.
struct CircuitResult {
  Trajectory trajectory;
  std::vector<MeasuredValue> measures;
  std::vector<std::string> remarks;  ///< on loops and cutsets, on jumps at the start
  std::string failure;               ///< why the run ended early; empty if it did not
  Index unknowns = 0,
        bounded = 0;  ///< of the one-step problem: all, and diodes, relays, ends of transistors
};

/// Modified nodal analysis, a consistent start (circuits/mna.hpp, simulation/descriptor_run.hpp),
/// and the run that .tran asks for. Throws Error if the circuit is wrong or .tran is missing and
/// the options do not tell.
[[nodiscard]] CircuitResult run_circuit(const circuits::Circuit& circuit,
                                        const CircuitOptions& options = {});

}  // namespace saltus
