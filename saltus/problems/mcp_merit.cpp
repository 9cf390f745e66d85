#include "saltus/problems/mcp_merit.hpp"

#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

namespace {

/// a + b − √(a² + b²) without cancellation.
double psi(double a, double b) {
  const double rho = std::hypot(a, b), sum = a + b;
  return sum > 0 ? 2 * a / (sum + rho) * b : sum - rho;
}

double psi(double a, double b, double lambda) {
  return lambda * psi(a, b) + (1 - lambda) * std::max(a, 0.0) * std::max(b, 0.0);
}

struct Slope {
  double a, b;
};

/// (∂ψ_λ/∂a, ∂ψ_λ/∂b); at (0, 0) the limit along (da, db).
Slope slope(double a, double b, double da, double db, double lambda) {
  double x = a, y = b, rho = std::hypot(a, b);
  if (rho == 0) x = da, y = db, rho = std::hypot(da, db);
  if (rho == 0) x = y = std::sqrt(0.5), rho = 1;
  return {lambda * (1 - x / rho) + (a > 0 ? (1 - lambda) * std::max(b, 0.0) : 0.0),
          lambda * (1 - y / rho) + (b > 0 ? (1 - lambda) * std::max(a, 0.0) : 0.0)};
}

/// dΦ_i = a dz_i + b dF_i, `dF` = directional derivative of F_i along (1 … 1).
Slope row_slope(double z, double F, double lower, double upper, double dF, double lambda) {
  if (lower == -inf && upper == inf) return {0, 1};
  if (upper == inf) return slope(z - lower, F, 1, dF, lambda);
  if (lower == -inf) {
    return slope(upper - z, -F, -1, -dF, lambda);
  }
  const Slope inner = slope(upper - z, -F, -1, -dF, 1);
  const double middle = -psi(upper - z, -F), d_middle = inner.a + inner.b * dF;
  const Slope outer = slope(z - lower, middle, 1, d_middle, lambda);
  return {outer.a + outer.b * inner.a, outer.b * inner.b};
}

}  // namespace

void fischer_map(const Mcp& problem, ConstVectorRef z, ConstVectorRef F, double lambda,
                 VectorRef phi) {
  for (Index i = 0; i < problem.n; ++i) {
    const double l = problem.lower[i], u = problem.upper[i];
    if (l == -inf && u == inf)
      phi[i] = F[i];
    else if (u == inf)
      phi[i] = psi(z[i] - l, F[i], lambda);
    else if (l == -inf)
      phi[i] = -psi(u - z[i], -F[i], lambda);
    else
      phi[i] = psi(z[i] - l, -psi(u - z[i], -F[i]), lambda);
  }
}

void fischer_jacobian(const Mcp& problem, ConstVectorRef z, ConstVectorRef F, ConstMatrixRef J,
                      double lambda, MatrixRef H) {
  for (Index i = 0; i < problem.n; ++i) {
    const Slope s =
        row_slope(z[i], F[i], problem.lower[i], problem.upper[i], J.row(i).sum(), lambda);
    H.row(i) = s.b * J.row(i);
    H(i, i) += s.a;
  }
}

double fischer_burmeister_merit(const Mcp& problem, ConstVectorRef z) {
  validate(problem);
  require(z.size() == problem.n, "fischer_burmeister_merit: z has size {}, the problem {}",
          z.size(), problem.n);
  Vector phi(problem.n);
  fischer_map(problem, z, evaluate(problem.F, z), 1, phi);
  return phi.allFinite() ? phi.squaredNorm() / 2 : inf;
}

}  // namespace saltus
