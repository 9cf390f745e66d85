#pragma once

#include "apps/python_script.hpp"
#include "saltus/problems/friction_contact.hpp"

#include <filesystem>
#include <optional>

namespace saltus {

/// What a solver of SICONOS answered.
struct SiconosAnswer {
  std::string reason =
      {};         ///< why there is none: "time limit", "crash: …", "refused: …"; else nothing
  Vector r = {};  ///< also what it had reached at the time limit
  double seconds = inf;  ///< of the call of its driver
  long iterations = 0;
  bool converged = false;  ///< it says so
};

/// SICONOS in a process of its own, which gives each solve a process again; the script is
/// benchmarks/peers/siconos/friction.py.
class Siconos {
 public:
  /// Throws Error if it is not installed.
  Siconos();
  ~Siconos();
  Siconos(const Siconos&) = delete;
  Siconos& operator=(const Siconos&) = delete;

  [[nodiscard]] const std::string& version() const { return version_; }
  /// The solvers for contacts of so many rows.
  [[nodiscard]] std::vector<std::string> solvers(Index dimension, bool rolling);
  /// The problem of the next solves. Returns nothing, or why it cannot take it.
  [[nodiscard]] std::string read(const FrictionContact& problem);
  [[nodiscard]] SiconosAnswer solve(const std::string& solver, double tolerance, double seconds);

 private:
  void start();
  void stop();
  [[nodiscard]] std::optional<std::string> ask(const std::string& request);

  pid_t process_ = 0;
  File requests_, answers_, complaints_;
  std::filesystem::path data_;  // the problem, a temporary file
  std::string version_;
};

}  // namespace saltus
