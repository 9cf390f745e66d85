#include "saltus/solvers/coulomb_interior_point.hpp"

#include "saltus/solvers/conic_step.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double small_lag = 0.1;
constexpr double quick = 0.5;         // of the error before: worth another iteration
constexpr double convex_mean = 1e-7;  // x·y at which a convex problem counts as solved
constexpr int convex_budget = 60;

class InteriorPath {
 public:
  explicit InteriorPath(CoulombSystem& system, Slip slip = Slip::kinked)
      : s_(system), at_(system, slip) {
    for (Index c = 0; c < at_.n; ++c)
      if (!at_.free(c)) at_.x.segment<3>(3 * c) << 1, 0.1, 0.1;
    at_.y = at_.x;
    s_.dynamics(at_.y, at_.v);
  }

  /// Starts near y instead.
  void begin_near(const Vector& y, double sigma) {
    s_.dynamics(y, at_.v);
    s_.right_transposed(at_.v, at_.dx);
    for (Index c = 0; c < at_.n; ++c) {
      if (at_.free(c)) {
        at_.y.segment<3>(3 * c) = y.segment<3>(3 * c);
        continue;
      }
      Eigen::Vector3d u = at_.dx.segment<3>(3 * c) + s_.w().segment<3>(3 * c);
      if (at_.slips(c)) u[0] += lorentz::tangent(u.data());
      const Eigen::Vector3d z = y.segment<3>(3 * c) - u;
      lorentz::split(z.data(), sigma, &at_.x[3 * c], &at_.y[3 * c]);
    }
    s_.dynamics(at_.y, at_.v);
  }

  void run(int budget, double stop, double tolerance, CoulombBest& best) {
    const int first = s_.factorisations();
    double own = inf, last = inf;
    for (int idle = 0; s_.factorisations() - first < budget;) {
      if (!at_.residuals()) return;
      const double e = s_.error(at_.y);
      best.offer(at_.y, e);
      if (e < stop && (e <= tolerance || e > quick * last)) return;
      last = e;
      idle = e < 0.9 * own ? 0 : idle + 1;
      own = std::min(own, e);
      if (idle > 15) return;
      if (!advance()) return;
    }
  }

  /// Until the mean of x·y and the residuals are small; false if it does not arrive.
  bool converge(double mean, int budget) {
    const int end = s_.factorisations() + budget;
    while (s_.factorisations() < end) {
      if (!at_.residuals()) return false;
      if (at_.mean < mean && lag() < small_lag) return true;
      if (!advance()) return false;
    }
    return false;
  }

  [[nodiscard]] ConicStep& point() { return at_; }

 private:
  [[nodiscard]] double lag() const {
    return std::sqrt(at_.scaled_squares / (at_.mean * at_.cones));
  }

  /// One iteration; false if it cannot go on.
  bool advance() {
    if (!at_.factorise(delta_)) {
      delta_ = std::max(10 * delta_, 1e-6);
      return delta_ <= 1e3;
    }
    const double a = mehrotra_step();
    if (!std::isfinite(a)) return false;
    at_.move(a);
    last_step_ = a;
    update_delta(a);
    return true;
  }

  void update_delta(double a) {
    if (a < 0.15)
      delta_ = std::max(8 * delta_, 1e-4);
    else if (a < 0.4)
      delta_ = std::max(2 * delta_, 1e-5);
    else if (a > 0.8)
      delta_ = delta_ > 1e-8 ? delta_ / 5 : 0;
  }

  double mehrotra_step() {
    at_.c = -at_.lambda;
    at_.solve(at_.rd, at_.rp, false);
    const double a = std::min(1.0, at_.longest_step());
    const double ratio = at_.mean_after(a) / at_.mean;
    double centring = std::clamp(ratio * ratio, 1e-3, 0.9);
    if (last_step_ < 0.1) centring = std::max(centring, 0.8);
    if (lag() > 1)
      centring = 1;
    else if (lag() > 0.3)
      centring = std::max(centring, 0.3);
    at_.aim(centring * at_.mean, a < 0.5 ? a * a : 1, 10 * at_.mean);
    at_.solve(at_.rd, at_.rp);
    return std::min(1.0, 0.995 * at_.longest_step());
  }

  CoulombSystem& s_;
  ConicStep at_;
  double delta_ = 0, last_step_ = 1;
};

}  // namespace

void coulomb_interior_point(CoulombSystem& system, int budget, double stop, CoulombBest& best,
                            double tolerance, double sigma) {
  InteriorPath path(system);
  if (sigma > 0) path.begin_near(best.y, sigma);
  path.run(budget, stop, tolerance, best);
}

double SlipFixedPoint::step(int budget, CoulombBest& best) {
  InteriorPath path(s_, Slip::frozen);
  ConicStep& at = path.point();
  at.frozen_slip = slip_;
  if (!path.converge(convex_mean, std::min(convex_budget, budget))) return inf;
  best.offer(at.y, s_.error(at.y));
  double square = 0;
  for (Index c = 0; c < at.n; ++c) {
    const double slip = at.slips(c) ? lorentz::tangent(&at.x[3 * c]) : 0;
    square += (slip - slip_[c]) * (slip - slip_[c]);
    slip_[c] = slip;
  }
  return std::sqrt(square);
}

}  // namespace saltus
