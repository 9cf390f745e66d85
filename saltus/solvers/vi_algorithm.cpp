#include "saltus/solvers/vi_algorithm.hpp"

namespace saltus {

namespace {

/// The report of a converted problem, judged by the residual of the problem itself.
template <class Problem, class Converted, class Options>
SolveReport solve_converted(const Problem& problem, const Converted& converted, VectorRef z,
                            const Options& options, Workspace& work) {
  const Stopwatch clock;
  const SolveReport report = solve(converted, z, options, work);
  return judge({report.status, report.iterations}, residual(problem, z),
               threshold(options.tolerance, converted), clock);
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpAlgorithm& algorithm, Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, z, options, work); },
                    algorithm);
}

SolveReport solve(const Ncp& problem, VectorRef z, const NcpAlgorithm& algorithm, Workspace& work) {
  const Mcp converted = to_mcp(problem);
  return std::visit(
      [&](const auto& options) { return solve_converted(problem, converted, z, options, work); },
      algorithm);
}

SolveReport solve(const Vi& problem, VectorRef z, const ViAlgorithm& algorithm, Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, z, options, work); },
                    algorithm);
}

SolveReport solve(const Avi& problem, VectorRef z, const ViAlgorithm& algorithm, Workspace& work) {
  const Vi converted = to_vi(problem);
  return std::visit(
      [&](const auto& options) { return solve_converted(problem, converted, z, options, work); },
      algorithm);
}

SolveReport solve(const Soclcp& problem, VectorRef z, const ViAlgorithm& algorithm,
                  Workspace& work) {
  return solve(to_avi(problem), z, algorithm, work);
}

SolveReport solve(const Soclcp& problem, VectorRef z, const AviSplitting& options,
                  Workspace& work) {
  return solve(to_avi(problem), z, options, work);
}

}  // namespace saltus
