#pragma once

#include "saltus/algebra/types.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace saltus {

/// What `saltus bench friction` was asked for.
struct BenchRequest {
  std::vector<std::filesystem::path> places;    ///< folders and files
  std::vector<std::string> solvers{"default"};  ///< names, acronyms, "default" or "all"
  std::vector<double> tolerances{1e-4, 1e-8, 1e-12};
  double time_limit = 10;          ///< of one solve [s]
  std::string against;             ///< "siconos", or nothing
  std::vector<std::string> peers;  ///< of its solvers these only; none: all
  double patience = 0;             ///< ends solvers of SICONOS so many times slower; 0: never
  Index sample = 0;                ///< files at most; 0: all
  int jobs = 1;                    ///< files at the same time
  std::filesystem::path output = "out/bench/friction";
  bool plot = true;
  bool progress = false;
};

/// Solves every contact problem below the places with every solver, each solve in a process of its
/// own, and writes results.csv, index.html and the performance profiles into the folder, a summary
/// to the standard output stream. Returns the exit code 0: a problem that is not solved is a
/// result. Throws Error on a mistake in the request, before anything is solved.
int bench_friction(const BenchRequest& request);

}  // namespace saltus
