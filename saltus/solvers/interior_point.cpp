#include "saltus/solvers/interior_point.hpp"

#include "saltus/solvers/interior_point_core.hpp"

#include <cmath>

namespace saltus {

namespace {

struct ConstantCentring {
  explicit ConstantCentring(const InteriorPoint& options)
      : sigma(options.sigma), fraction(options.fraction) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace&) const { return true; }
  template <class System>
  double iterate(System& system) const {
    centred_direction(system, sigma);
    const double alpha = std::min(1.0, fraction * longest_step(system.v, 2));
    system.advance(alpha);
    return alpha;
  }
  double sigma, fraction;
};

struct LeastPotential {
  explicit LeastPotential(const PotentialReduction& options) : nu(options.nu) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace&) const { return true; }
  template <class System>
  double iterate(System& system) const {
    const auto m = static_cast<double>(system.v.x.size());
    const double weight = std::sqrt(m) * nu;
    centred_direction(system, m / (m + weight));
    const double longest = longest_step(system.v, 1 / 0.9995);
    double best = 0, least = inf;
    for (double rest = 5e-4; rest < 1; rest *= 1.5) {  // α = (1 − rest) · longest
      const double alpha = (1 - rest) * longest;
      if (const double value = potential(system.v, alpha, m + weight); value < least) {
        least = value;
        best = alpha;
      }
    }
    system.advance(best);
    return best;
  }
  /// φ after a step α
  [[nodiscard]] static double potential(const InteriorWorkspace& v, double alpha, double exponent) {
    double logs = 0;
    for (Index k = 0; k < v.x.size(); ++k)
      logs += std::log((v.x[k] + alpha * v.dx[k]) * (v.s[k] + alpha * v.ds[k]));
    return exponent * std::log(central_mu(v, alpha)) - logs;
  }
  double nu;
};

template <class Problem, class Point>
SolveReport run(const Problem& problem, Point&& point, const InteriorPoint& options,
                Workspace& work) {
  require_valid(options);
  return run_interior(problem, point, ConstantCentring(options),
                      {options.tolerance, options.max_iterations, options.purify},
                      InteriorPoint::name, work);
}
template <class Problem, class Point>
SolveReport run(const Problem& problem, Point&& point, const PotentialReduction& options,
                Workspace& work) {
  require_valid(options);
  return run_interior(problem, point, LeastPotential(options),
                      {options.tolerance, options.max_iterations, options.purify},
                      PotentialReduction::name, work);
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const InteriorPoint& options, Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const InteriorPoint& options, Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const InteriorPoint& options,
                  Workspace& work) {
  return run(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                  const InteriorPoint& options, Workspace& work) {
  return run(problem, point, options, work);
}

SolveReport solve(LcpView problem, VectorRef z, const PotentialReduction& options,
                  Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const PotentialReduction& options,
                  Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const PotentialReduction& options,
                  Workspace& work) {
  return run(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                  const PotentialReduction& options, Workspace& work) {
  return run(problem, point, options, work);
}

}  // namespace saltus
