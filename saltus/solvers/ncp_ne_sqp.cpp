#include "saltus/solvers/ncp_ne_sqp.hpp"

#include "saltus/solvers/automatic.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The rows of ∇F where H_i = F_i, of the identity elsewhere.
Matrix rows(const Mcp& problem, const Vector& z, const Vector& F, const Vector& H) {
  Matrix A(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, A);
  for (Index i = 0; i < problem.n; ++i)
    if (H[i] != F[i]) A.row(i) = Vector::Unit(problem.n, i).transpose();
  return A;
}

/// argmin ½‖H + A d‖², lower ≤ z + d ≤ upper.
Vector direction(const Mcp& problem, const Vector& z, const Vector& H, const Matrix& A,
                 Workspace& work) {
  BlockForm form{BlockSparse::dense(A.transpose() * A, 1), A.transpose() * H, {}};
  for (Index i = 0; i < problem.n; ++i)
    form.K.push_back(Interval{problem.lower[i] - z[i], problem.upper[i] - z[i]});
  Vector d = Vector::Zero(problem.n);
  static_cast<void>(solve(form, d, Automatic{.tolerance = 1e-12}, work));
  return d.cwiseMax(problem.lower - z).cwiseMin(problem.upper - z);
}

/// Armijo's test on θ along d; false if 1e-12 is still too long.
bool search(const Mcp& problem, Vector& z, const Vector& d, double theta, double slope) {
  for (double t = 1; t > 1e-12; t /= 2) {
    const Vector trial = z + t * d, F = evaluate(problem.F, trial);
    if (!F.allFinite()) continue;
    if (natural_map(problem, trial, F).squaredNorm() / 2 <= theta + t * slope) {
      z = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpNeSqp& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = Vector(z).cwiseMax(problem.lower).cwiseMin(problem.upper);
  double error = residual(problem, x);
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Vector F = evaluate(problem.F, x), H = natural_map(problem, x, F);
    const Matrix A = rows(problem, x, F, H);
    if (!A.allFinite()) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    ++outcome.iterations;
    const Vector d = direction(problem, x, H, A, work);
    const double slope = H.dot(A * d);
    if (!(slope < 0) || !search(problem, x, d, H.squaredNorm() / 2, options.sigma * slope)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    error = residual(problem, x);
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
