#include "saltus/integrators/two_surfaces.hpp"

#include "saltus/solvers/workspace.hpp"

#include <cmath>

namespace saltus {

namespace {

/// α of the regions (+,−), (−,−), (−,+), (+,+).
std::array<double, 4> shares(double s1, double s2) {
  const double p1 = (1 + s1) / 2, m1 = (1 - s1) / 2, p2 = (1 + s2) / 2, m2 = (1 - s2) / 2;
  return {p1 * m2, m1 * m2, m1 * p2, p1 * p2};
}

}  // namespace

void TwoSurfaceSystem::check() const {
  require(x0.size() > 0, "TwoSurfaceSystem: x0 is empty");
  require(static_cast<bool>(surfaces), "TwoSurfaceSystem: the surfaces are missing");
  for (std::size_t i = 0; i < 4; ++i)
    require(static_cast<bool>(fields[i]), "TwoSurfaceSystem: field {} of 4 is missing", i);
}

Vector TwoSurfaceSystem::rate(double t, ConstVectorRef x, double s1, double s2) const {
  const auto alpha = shares(s1, s2);
  Vector sum = Vector::Zero(x.size()), f(x.size());
  for (std::size_t i = 0; i < 4; ++i) {
    fields[i](t, x, f);
    sum += alpha[i] * f;
  }
  return sum;
}

SolveReport TwoSurfaceSystem::sliding(double t, ConstVectorRef x, VectorRef s,
                                      const NcpAlgorithm& solver) const {
  check();
  Matrix normals(2, x.size());
  central_differences(surfaces, x, normals);
  Matrix rates(2, 4);  // of both surfaces for each field
  Vector f(x.size());
  for (std::size_t i = 0; i < 4; ++i) {
    fields[i](t, x, f);
    rates.col(static_cast<Index>(i)) = normals * f;
  }
  const Mcp problem{.n = 2,
                    .F =
                        [&](ConstVectorRef z, VectorRef F) {
                          const auto alpha = shares(z[0], z[1]);
                          F = -rates * Eigen::Map<const Eigen::Vector4d>(alpha.data());
                        },
                    .lower = Vector::Constant(2, -1),
                    .upper = Vector::Ones(2)};
  Workspace work;
  return solve(problem, s, solver, work);
}

Mcp step_problem(const TwoSurfaceSystem& system, double t_next, ConstVectorRef x, double h) {
  const Index n = x.size();
  Mcp problem{
      .n = n + 2, .lower = Vector::Constant(n + 2, -inf), .upper = Vector::Constant(n + 2, inf)};
  problem.lower.tail(2).setConstant(-1);
  problem.upper.tail(2).setOnes();
  problem.F = [&system, t_next, from = Vector(x), h, n](ConstVectorRef z, VectorRef F) {
    F.head(n) = z.head(n) - from - h * system.rate(t_next, z.head(n), z[n], z[n + 1]);
    system.surfaces(z.head(n), F.tail(2));
    F.tail(2) *= -1;
  };
  return problem;
}

TwoSurfaceRun simulate(const TwoSurfaceSystem& system, double h, double end,
                       const TwoSurfaceEuler& scheme) {
  system.check();
  validate(scheme);
  require(h > 0 && end >= h,
          "simulate(TwoSurfaceSystem): step {} and end {}, expected 0 < step ≤ end", h, end);
  const Index n = system.x0.size(), steps = std::llround(end / h);
  TwoSurfaceRun run{.t = Vector::LinSpaced(steps + 1, 0, h * double(steps)),
                    .x = Matrix::Zero(n, steps + 1),
                    .s = Matrix::Zero(2, steps + 1)};
  run.x.col(0) = system.x0;
  run.last.status = SolveStatus::converged;
  Workspace work;
  Vector z = Vector::Zero(n + 2);
  z.head(n) = system.x0;
  for (Index k = 1; k <= steps; ++k) {
    const Mcp problem = step_problem(system, run.t[k], run.x.col(k - 1), h);
    run.last = solve(problem, z, scheme.solver, work);
    if (!run.last.converged()) {  // keep what was done
      run.t.conservativeResize(k);
      for (Matrix* table : {&run.x, &run.s}) table->conservativeResize(Eigen::NoChange, k);
      break;
    }
    run.x.col(k) = z.head(n);
    run.s.col(k) = z.tail(2);
  }
  return run;
}

}  // namespace saltus
