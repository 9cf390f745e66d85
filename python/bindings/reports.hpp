#pragma once

#include "saltus/base/report.hpp"

#include "arrays.hpp"

#include <string>

namespace saltus::python {

/// The Python class SolveReport: the report and what else there is to know of a solve.
struct Outcome {
  SolveReport report = {};
  Vector certificate = {};  ///< of an answer infeasible or unbounded; empty if there is none
  std::string solver = {};  ///< name of the algorithm that was asked
  double tolerance = 0;     ///< it was given
};

}  // namespace saltus::python
