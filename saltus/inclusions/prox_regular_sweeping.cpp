#include "saltus/inclusions/prox_regular_sweeping.hpp"

#include "saltus/inclusions/complementarity.hpp"

#include <cmath>

namespace saltus {

namespace {

/// c(t), or zero.
Vector center_at(const ProxRegularSweeping& process, double t) {
  Vector c = Vector::Zero(process.x0.size());
  if (process.center) process.center(t, c);
  return c;
}

}  // namespace

Model ProxRegularSweeping::model() const {
  validate(set, x0.size());
  const ProxRegularSweeping self = *this;
  NonlinearLcs system{.x0 = x0, .pairs = constraints(set), .f = f};
  system.g = [self](double t, ConstVectorRef x, MatrixRef push) {
    Matrix slope(push.cols(), push.rows());
    evaluate_slope(self.set, x - center_at(self, t), slope);
    push = slope.transpose();
  };
  system.h = [self](double t, ConstVectorRef x, VectorRef gap) {
    evaluate(self.set, x - center_at(self, t), gap);
  };
  return system.model();
}

CatchingUpRun ProxRegularSweeping::run(double h, double end) const {
  const Index n = x0.size();
  validate(set, n);
  require(h > 0 && end >= h, "ProxRegularSweeping: step {} and end {}, expected 0 < step ≤ end", h,
          end);
  const double r = prox_regularity(set);
  const Index steps = std::llround(end / h);
  CatchingUpRun result{.t = Vector::LinSpaced(steps + 1, 0, h * double(steps)),
                       .x = Matrix::Zero(n, steps + 1)};
  Vector before = center_at(*this, 0), place = x0 - before, next(n), force = Vector::Zero(n);
  result.last = project(set, place, next);
  require((next - place).norm() < r,
          "ProxRegularSweeping: x0 lies {} outside of the set, which has one nearest point within "
          "{} only",
          (next - place).norm(), r);
  require(result.last.converged(), "ProxRegularSweeping: no nearest point of x0 was found: {}",
          name(result.last.status));
  place = next;
  result.x.col(0) = before + place;
  for (Index k = 0; k < steps; ++k) {
    if (f) f(result.t[k], result.x.col(k), force);
    const Vector after = center_at(*this, result.t[k + 1]), move = h * force - (after - before);
    result.longest = std::max(result.longest, move.norm());
    require(move.norm() < r,
            "ProxRegularSweeping: the step of {} from t = {} moves the state by {} against the "
            "set, which has one nearest point within {} only: take steps below {}",
            h, result.t[k], move.norm(), r, h * r / move.norm());
    result.last = project(set, place + move, next);
    if (!result.last.converged()) {  // keep what was done
      result.t.conservativeResize(k + 1);
      result.x.conservativeResize(Eigen::NoChange, k + 1);
      break;
    }
    place = next;
    before = after;
    result.x.col(k + 1) = before + place;
  }
  return result;
}

}  // namespace saltus
