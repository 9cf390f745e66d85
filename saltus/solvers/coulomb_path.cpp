#include "saltus/solvers/coulomb_path.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double neighbourhood = 0.9;  // distance from the curve of a point that may go on
constexpr double stride = 0.9;         // of the worst cell, in the local norm
constexpr double longest_log = 1.5;    // change of log t, in strides
constexpr double least_reach = 0.1, most_reach = 1.5;
constexpr double inside = 0.9;  // part of the way to the boundary of the cones
constexpr int most_retreats = 8;
constexpr double depth = 0.6;    // of a jump, in log t
constexpr double arrived = 0.5;  // distance from the path at which a jump ends
constexpr double first_delta = 1e-4, most_delta = 1e6;
constexpr double longest_flow = 2;  // step of the worst cell while jumping
constexpr int patience = 150;       // steps of a jump at one t
constexpr double least_log = -30;   // no digits are left below

}  // namespace

CoulombPath::CoulombPath(CoulombSystem& system, Slip slip, Fold fold)
    : s_(system), at_(system, slip), fold_(fold) {
  begin();
}

/// x ∘ y = e, off the axis, where ‖x_T‖ is smooth.
void CoulombPath::begin() {
  for (Index c = 0; c < at_.n; ++c) {
    if (at_.free(c)) continue;
    double *x = &at_.x[3 * c], *y = &at_.y[3 * c];
    x[0] = 1;
    x[1] = x[2] = 0.1;
    const double det = lorentz::det(x);
    y[0] = x[0] / det;
    y[1] = y[2] = -x[1] / det;
  }
  s_.dynamics(at_.y, at_.v);
  zero_ = Vector::Zero(at_.v.size());
  if (at_.residuals()) r0_ = at_.rp;
}

/// The largest of ‖λ∘λ − t e‖/t and ‖T(r_p − t r₀)‖/√t over the cells; at_.rp is r_p − t r₀.
double CoulombPath::distance() const {
  return -s_.team().minimum(at_.n, [&](Index c) {
    if (at_.free(c)) return 0.0;
    double square[3], r[3];
    lorentz::product(&at_.lambda[3 * c], &at_.lambda[3 * c], square);
    square[0] -= t_;
    lorentz::apply(at_.scaling[c], &at_.rp[3 * c], r);
    return -std::sqrt(std::max(lorentz::dot(square, square) / (t_ * t_), lorentz::dot(r, r) / t_));
  });
}

/// Newton's step to the curve at this t, then the tangent.
void CoulombPath::directions() {
  at_.aim(t_, 0, inf);
  at_.solve(at_.rd, at_.rp);
  cx_ = at_.dx;
  cy_ = at_.dy;
  cv_ = at_.dv;
  const double e[3] = {t_, 0, 0};
  s_.team().for_range(at_.n, [&](Index c) {
    if (!at_.free(c)) lorentz::divide(&at_.lambda[3 * c], e, &at_.c[3 * c]);
  });
  aim_ = -t_ * r0_;
  at_.solve(zero_, aim_);
}

/// Σ (T dx·T dx' + T⁻¹ dy·T⁻¹ dy')/t
double CoulombPath::inner(const Vector& ax, const Vector& ay, const Vector& bx,
                          const Vector& by) const {
  return s_.team().sum(at_.n, [&](Index c) {
    if (at_.free(c)) return 0.0;
    double a[3], b[3];
    lorentz::apply(at_.scaling[c], &ax[3 * c], a);
    lorentz::apply(at_.scaling[c], &bx[3 * c], b);
    const double product = lorentz::dot(a, b);
    lorentz::apply_inverse(at_.scaling[c], &ay[3 * c], a);
    lorentz::apply_inverse(at_.scaling[c], &by[3 * c], b);
    return (product + lorentz::dot(a, b)) / t_;
  });
}

/// The local norm of the cell that moves most.
double CoulombPath::largest(const Vector& ax, const Vector& ay) const {
  return -s_.team().minimum(at_.n, [&](Index c) {
    if (at_.free(c)) return 0.0;
    double a[3], b[3];
    lorentz::apply(at_.scaling[c], &ax[3 * c], a);
    lorentz::apply_inverse(at_.scaling[c], &ay[3 * c], b);
    return -std::sqrt((lorentz::dot(a, a) + lorentz::dot(b, b)) / t_);
  });
}

/// The sign of the change of t that leads on.
double CoulombPath::orient() {
  const int sign = s_.determinant_sign();
  if (orientation_ == 0) orientation_ = last_sign_ = sign;
  if (fold_ == Fold::follow) folds_ += sign != last_sign_;
  last_sign_ = sign;
  return -sign * orientation_;
}

void CoulombPath::keep() {
  last_x_ = at_.x;
  last_y_ = at_.y;
  last_v_ = at_.v;
  last_log_t_ = log_t_;
}

void CoulombPath::step(double forward, bool near) {
  directions();
  const double along =
      -inner(cx_, cy_, at_.dx, at_.dy) / (inner(at_.dx, at_.dy, at_.dx, at_.dy) + 1);
  cx_ += along * at_.dx;
  cy_ += along * at_.dy;
  cv_ += along * at_.dv;
  const double a = std::min(1.0, inside * at_.longest_step(cx_, cy_));
  double length = 0;
  px_ = a * cx_;
  py_ = a * cy_;
  if (near) {
    length = reach_ * stride / std::max(largest(at_.dx, at_.dy), 1 / longest_log);
    for (int k = 0; k < 20; ++k, length *= 0.7) {
      px_ = a * cx_ + forward * length * at_.dx;
      py_ = a * cy_ + forward * length * at_.dy;
      if (inside * at_.longest_step(px_, py_) >= 1) break;
    }
    reach_ = std::min(1.3 * reach_, most_reach);
  } else {
    reach_ = std::max(0.7 * reach_, least_reach);
  }
  keep();
  at_.x += px_;
  at_.y += py_;
  at_.v += a * cv_ + forward * length * at_.dv;
  log_t_ += a * along + forward * length;
}

/// Back to where the last step came from, to take a shorter one.
bool CoulombPath::retreat() {
  if (last_x_.size() == 0 || ++retreats_ > most_retreats) return false;
  at_.x = last_x_;
  at_.y = last_y_;
  at_.v = last_v_;
  log_t_ = last_log_t_;
  reach_ *= 0.3;
  return true;
}

/// The sign of det K is wrong: begins a jump, or makes its steps shorter.
void CoulombPath::lean() {
  if (jumping_) {
    delta_ *= 8;
    return;
  }
  ++folds_;
  jumping_ = true;
  flowed_ = 0;
  delta_ = first_delta;
  log_t_ = std::min(log_t_, last_log_t_) - depth;
}

/// One step of the flow at fixed t.
void CoulombPath::flow() {
  if (++flowed_ % patience == 0) {
    log_t_ += depth;
    return;
  }
  at_.aim(t_, 0, inf);
  at_.solve(at_.rd, at_.rp);
  const double a =
      std::min({1.0, inside * at_.longest_step(), longest_flow / largest(at_.dx, at_.dy)});
  keep();
  at_.move(a);
  if (a > 0.5)
    delta_ *= 0.3;
  else if (a < 0.1)
    delta_ *= 2;
}

bool CoulombPath::run(int budget, double stop, CoulombBest& best) {
  const int end = s_.factorisations() + budget;
  while (s_.factorisations() < end) {
    if (!at_.residuals()) {
      if (!retreat()) return false;
      continue;
    }
    const double e = s_.error(at_.y);
    best.offer(at_.y, e);
    if (e < stop) return true;
    t_ = std::exp(log_t_);
    at_.rp -= t_ * r0_;
    const double off = distance();
    if (jumping_ && off < arrived && delta_ <= first_delta) {
      jumping_ = false;
      delta_ = 0;
    }
    const bool out = log_t_ > 1 || (fold_ == Fold::jump && log_t_ < least_log);
    if (out || delta_ > most_delta || !at_.factorise(delta_)) return false;
    const double forward = orient();
    if (fold_ == Fold::jump && forward > 0)
      lean();
    else if (jumping_)
      flow();
    else
      step(forward, off < neighbourhood);
  }
  return true;
}

}  // namespace saltus
