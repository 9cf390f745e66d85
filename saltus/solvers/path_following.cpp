#include "saltus/solvers/path_following.hpp"

#include "saltus/solvers/interior_point_core.hpp"

#include <cmath>

namespace saltus {

namespace {

/// Halves α from 1 until `inside(α)`; 0 after 50 halvings.
template <class Inside>
double halve(Inside&& inside) {
  double alpha = 1;
  for (int k = 0; k < 50; ++k, alpha *= 0.5)
    if (inside(alpha)) return alpha;
  return 0;
}

struct ShortSteps {
  explicit ShortSteps(const ShortStep& options) : theta(options.theta) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace& v) const { return in_narrow(v, 0, theta); }
  template <class System>
  double iterate(System& system) const {
    centred_direction(system, 1 - theta / std::sqrt(static_cast<double>(system.v.x.size())));
    const double alpha = halve([&](double a) { return in_narrow(system.v, a, theta); });
    system.advance(alpha);
    return alpha;
  }
  double theta;
};

struct PredictCorrect {
  explicit PredictCorrect(const PredictorCorrector& options)
      : inner(options.inner), outer(options.outer) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace& v) const { return in_narrow(v, 0, inner); }
  template <class System>
  double iterate(System& system) const {
    centred_direction(system, 0);
    const double alpha = longest(system.v);
    system.advance(alpha);
    if (!system.factorise()) return 0;
    centred_direction(system, 1);
    system.advance(halve([&](double a) { return in_narrow(system.v, a, inner); }));
    return alpha;
  }
  /// Longest step inside N₂(outer), to a part in a thousand, by bisection.
  [[nodiscard]] double longest(const InteriorWorkspace& v) const {
    double inside = 0, outside = 1;
    if (in_narrow(v, 1, outer)) return 1;
    for (int k = 0; k < 60 && outside - inside > 1e-3 * outside; ++k) {
      const double middle = 0.5 * (inside + outside);
      (in_narrow(v, middle, outer) ? inside : outside) = middle;
    }
    // an affine step that ends on the boundary: the last thousandth is the whole progress
    for (int k = 0; k < 60 && inside > 0.9; ++k) {
      const double middle = 0.5 * (inside + outside);
      if (outside - inside <= 1e-3 * (1 - inside)) break;
      (in_narrow(v, middle, outer) ? inside : outside) = middle;
    }
    return inside;
  }
  double inner, outer;
};

struct LongSteps {
  explicit LongSteps(const LongStep& options) : o(options) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace& v) const { return in_wide(v, 0, o.epsilon); }
  template <class System>
  double iterate(System& system) {
    const double sigma = std::clamp(1 - last, o.sigma_min, o.sigma_max);
    centred_direction(system, sigma);
    last = halve([&](double a) { return in_wide(system.v, a, o.epsilon); });
    system.advance(last);
    return last;
  }
  LongStep o;
  double last = 0.5;
};

template <class Method, class Options, class Problem, class Point>
SolveReport run(const Problem& problem, Point&& point, const Options& options, Workspace& work) {
  require_valid(options);
  return run_interior(problem, point, Method(options),
                      {options.tolerance, options.max_iterations, options.purify}, Options::name,
                      work);
}

template <class Problem, class Point>
SolveReport start(const Problem& problem, Point&& point, const ShortStep& options,
                  Workspace& work) {
  return run<ShortSteps>(problem, point, options, work);
}
template <class Problem, class Point>
SolveReport start(const Problem& problem, Point&& point, const PredictorCorrector& options,
                  Workspace& work) {
  require(options.inner < options.outer,
          "PredictorCorrector: inner is {}, expected less than outer {}", options.inner,
          options.outer);
  return run<PredictCorrect>(problem, point, options, work);
}
template <class Problem, class Point>
SolveReport start(const Problem& problem, Point&& point, const LongStep& options, Workspace& work) {
  require(options.sigma_min <= options.sigma_max,
          "LongStep: sigma_min is {}, expected at most sigma_max {}", options.sigma_min,
          options.sigma_max);
  return run<LongSteps>(problem, point, options, work);
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const ShortStep& options, Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const ShortStep& options, Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const ShortStep& options,
                  Workspace& work) {
  return start(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point, const ShortStep& options,
                  Workspace& work) {
  return start(problem, point, options, work);
}

SolveReport solve(LcpView problem, VectorRef z, const PredictorCorrector& options,
                  Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const PredictorCorrector& options,
                  Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const PredictorCorrector& options,
                  Workspace& work) {
  return start(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                  const PredictorCorrector& options, Workspace& work) {
  return start(problem, point, options, work);
}

SolveReport solve(LcpView problem, VectorRef z, const LongStep& options, Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const LongStep& options, Workspace& work) {
  return start(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const LongStep& options, Workspace& work) {
  return start(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point, const LongStep& options,
                  Workspace& work) {
  return start(problem, point, options, work);
}

}  // namespace saltus
