#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace saltus {

/// What `saltus circuit` was asked for; what is not given comes from the netlist.
struct CircuitRequest {
  std::filesystem::path file;
  std::optional<double> step, until, theta, accuracy;
  int every = 1;
  std::vector<std::filesystem::path> outputs = {};  ///< *.csv or *.h5
  bool plot = false;
  bool json = false;
  bool quiet = false;
};

/// Simulates a netlist, prints its measurements, writes its files. Returns the exit code: 0, or 1
/// if a step failed. Throws Error on a mistake in the netlist or the request.
int simulate_circuit(const CircuitRequest& request);

}  // namespace saltus
