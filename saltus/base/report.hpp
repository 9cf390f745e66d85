#pragma once

#include <limits>
#include <string_view>

namespace saltus {

inline constexpr double inf = std::numeric_limits<double>::infinity();

/// What became of a solve. Every algorithm answers with one of these; `converged` always means that
/// the residual computed by `problems/` is below the tolerance.
enum class SolveStatus {
  not_run,         ///< solve was never called
  converged,       ///< residual(problem, solution) ≤ tolerance
  max_iterations,  ///< budget used up; raise max_iterations, or use a faster algorithm
  stalled,         ///< no more progress: cycling, a secondary ray, a step that vanishes
  infeasible,      ///< proved to have no solution; the workspace holds the certificate
  unbounded,  ///< proved to have no minimum: the certificate is a direction of descent for ever
  nonconvex,  ///< the algorithm is for convex problems and this one is not
  numerical_error,  ///< singular factor, NaN or overflow; check the data and its scaling
  stopped           ///< an observer or the caller asked to stop
};

[[nodiscard]] std::string_view name(SolveStatus status);

/// What happened in a solve: the same type, and the same measure, for every algorithm.
struct SolveReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  double residual = inf;   ///< residual(problem, solution), absolute; see the problem's header
  double seconds = 0;      ///< wall time inside solve
  int factorisations = 0;  ///< of sparse matrices, where the algorithm counts them
  [[nodiscard]] bool converged() const { return status == SolveStatus::converged; }
};

}  // namespace saltus
