#include "saltus/solvers/coulomb_interior_point.hpp"

#include "saltus/solvers/conic_step.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

class InteriorPath {
 public:
  explicit InteriorPath(CoulombSystem& system) : s_(system), at_(system) {
    for (Index c = 0; c < at_.n; ++c)
      if (!at_.free(c)) at_.x.segment<3>(3 * c) << 1, 0.1, 0.1;
    at_.y = at_.x;
    s_.dynamics(at_.y, at_.v);
  }

  void run(int budget, double stop, CoulombBest& best) {
    const int first = s_.factorisations();
    double own = inf;
    for (int idle = 0; s_.factorisations() - first < budget;) {
      if (!at_.residuals()) return;
      const double e = s_.error(at_.y);
      best.offer(at_.y, e);
      if (e < stop) return;
      idle = e < 0.9 * own ? 0 : idle + 1;
      own = std::min(own, e);
      if (idle > 15) return;
      if (!at_.factorise(delta_)) {
        delta_ = std::max(10 * delta_, 1e-6);
        if (delta_ > 1e3) return;
        continue;
      }
      const double a = mehrotra_step();
      if (!std::isfinite(a)) return;
      at_.v += a * at_.dv;
      at_.x += a * at_.dx;
      at_.y += a * at_.dy;
      last_step_ = a;
      update_delta(a);
    }
  }

 private:
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
    double after = 0;
    for (Index c = 0; c < at_.n; ++c)
      if (!at_.free(c))
        after += (at_.x.segment<3>(3 * c) + a * at_.dx.segment<3>(3 * c))
                     .dot(at_.y.segment<3>(3 * c) + a * at_.dy.segment<3>(3 * c));
    const double ratio = after / at_.cones / at_.mean;
    const double lag = std::sqrt(at_.scaled_squares / (at_.mean * at_.cones));
    double centring = std::clamp(ratio * ratio, 1e-3, 0.9);
    if (last_step_ < 0.1) centring = std::max(centring, 0.8);
    if (lag > 1)
      centring = 1;
    else if (lag > 0.3)
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

void coulomb_interior_point(CoulombSystem& system, int budget, double stop, CoulombBest& best) {
  InteriorPath(system).run(budget, stop, best);
}

}  // namespace saltus
