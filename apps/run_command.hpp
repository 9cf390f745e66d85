#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace saltus {

/// What `saltus run` was asked for; what is not given comes from the model.
struct RunRequest {
  std::string model;
  std::vector<std::string> settings;  ///< "name=value"
  std::optional<double> step, time, theta, gamma, tolerance, adaptive;
  std::optional<std::string> solver, scheme;
  std::optional<int> every;
  std::filesystem::path output = "out";
  std::filesystem::path dump = {};  ///< folder for the one-step problems; empty: none
  int dump_every = 1;
  bool plot = true;
  bool progress = false;
  bool quiet = false;
};

/// Simulates a built-in model and writes its files. Returns the exit code: 0, or 1 if a step failed
/// (the files then hold what was recorded). Throws Error on a mistake in the request, before
/// anything is run or written.
int run(const RunRequest& request);

/// Draws the picture of a trajectory file. Returns the exit code.
int plot(const std::filesystem::path& file, const std::filesystem::path& png);

}  // namespace saltus
