// The optimal climb to a ceiling. Pontryagin's conditions of a control problem with a state
// constraint are a complementarity system of relative degree four; its multiplier has an atom where
// the ceiling is reached. (F:F214)

#include "saltus/integrators/emts.hpp"

#include <cmath>

using namespace saltus;

int main() {
  // minimise ∫ ½u² − ρ x dt,  ẍ = u,  x ≤ l,  x(0) = 0, ẋ(0) = v.
  // With z = l − x: z⁗ = λ − ρ, 0 ≤ z, and (z, ż, z̈, z⃛) = (l − x, −ẋ, −u, −u̇).
  const double rho = 2, l = 1, v = 1, end = 3, h = 1e-3;
  // Until the ceiling is reached at t₁, smoothly: z = α s³ − ρ s⁴/24, s = t₁ − t.
  double t1 = 3 * l / v;
  for (int k = 0; k < 50; ++k)
    t1 += (3 * l / t1 - rho * t1 * t1 * t1 / 24 - v) / (3 * l / (t1 * t1) + rho * t1 * t1 / 8);
  const double alpha = (l + rho * std::pow(t1, 4) / 24) / std::pow(t1, 3);
  const Values start{l, -v, 6 * alpha * t1 - rho * t1 * t1 / 2, -6 * alpha + rho * t1};

  Lcs system{.A = Matrix::Zero(4, 4),
             .B = {{0}, {0}, {0}, {1}},
             .C = {{1, 0, 0, 0}},
             .a = {0, 0, 0, -rho}};
  system.A.topRightCorner(3, 3).setIdentity();
  const EmtsRun run = simulate(system, start, h, end);

  double error = 0;
  for (Index k = 0; k < run.t.size(); ++k) {
    const double s = std::max(0.0, t1 - run.t[k]);
    error = std::max(error, std::abs(run.x(2, k) - (6 * alpha * s - rho * s * s / 2)));
  }
  const double atom = run.impulses[0].sum(), density = run.density(0, run.t.size() - 1);
  fmt::print(
      "ceiling at {:.4f}; λ has the atom {:.6f} there (exact {:.6f}) and the density {:.6f} "
      "after it\nlargest error of the control {:.2e}\n",
      t1, atom, 6 * alpha, density, error);
  // The atom is found a step or so off, while z⃛ changes by ρh per step. Backward Euler takes u
  // over the step from its end: an error of h |u̇|, with |u̇| ≤ 6α.
  return run.done() && std::abs(atom - 6 * alpha) < 2 * rho * h &&
                 std::abs(density - rho) < 1e-12 && error < h * 6 * alpha * 2 &&
                 run.x.col(run.t.size() - 1).isZero(0)
             ? 0
             : 1;
}
