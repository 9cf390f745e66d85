#pragma once

#include "saltus/simulation/simulation.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace saltus {

/// What becomes of the one-step problems of a simulation.
struct DumpOptions {
  std::filesystem::path folder;
  std::string title = "model";  ///< begin of the file names
  int every = 1;                ///< each every-th step
  Index smallest = 1;           ///< contacts that a problem must have
};

/// How many problems were written.
struct DumpCount {
  long files = 0;
  long skipped = 0;  ///< that FCLib cannot hold: contacts of different kinds in one problem
};

/// Writes the one-step problems with friction of a simulation as FCLib files
///     title-nc-<contacts>-<step>.hdf5
/// with the guess from which the solver started and its solution: the global form if the step was
/// solved in it, the reduced one otherwise. Makes the folder. The count grows while the simulation
/// runs. Throws Error if the folder cannot be written or an option is out of range.
[[nodiscard]] std::shared_ptr<const DumpCount> dump_problems(Simulation& simulation,
                                                             const DumpOptions& options);

}  // namespace saltus
