#include "saltus/solvers/mehrotra.hpp"

#include "saltus/solvers/interior_point_core.hpp"

#include <cmath>

namespace saltus {

namespace {

struct Method {
  explicit Method(double fraction) : fraction_(fraction) {}
  [[nodiscard]] bool accepts(const InteriorWorkspace&) const { return false; }
  template <class System>
  double iterate(System& system) const {
    InteriorWorkspace& v = system.v;
    const double mu = central_mu(system.v);
    centred_direction(system, 0);
    const double ratio = mu > 0 ? central_mu(system.v, longest_step(system.v, 1)) / mu : 0;
    const double sigma = ratio * ratio * ratio;
    v.affine_x = v.dx;
    v.affine_s = v.ds;
    v.rc = sigma * mu - v.x.array() * v.s.array() - v.affine_x.array() * v.affine_s.array();
    system.direction(1);
    double alpha = step(v);
    if (alpha < 0.1) {
      v.affine_x = v.dx;
      v.affine_s = v.ds;
      v.best = v.dz;
      centred_direction(system, 0.5);
      if (const double centred = step(v); centred > alpha) {
        alpha = centred;
      } else {
        v.dx = v.affine_x;
        v.ds = v.affine_s;
        v.dz = v.best;
      }
    }
    system.advance(alpha);
    return alpha;
  }
  [[nodiscard]] double step(const InteriorWorkspace& v) const {
    return std::min(1.0, fraction_ * longest_step(v, 2));
  }

 private:
  double fraction_;
};

template <class Problem, class Point>
SolveReport run(const Problem& problem, Point&& point, const Mehrotra& options, Workspace& work) {
  require_valid(options);
  return run_interior(problem, point, Method(options.fraction),
                      {options.tolerance, options.max_iterations, options.purify}, Mehrotra::name,
                      work);
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Mehrotra& options, Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Mehrotra& options, Workspace& work) {
  return run(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Mehrotra& options, Workspace& work) {
  return run(problem, r, options, work);
}
SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point, const Mehrotra& options,
                  Workspace& work) {
  return run(problem, point, options, work);
}

}  // namespace saltus
