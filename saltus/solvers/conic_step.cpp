#include "saltus/solvers/conic_step.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace saltus {

namespace {

constexpr double free_shift = 1e-9;  // proximal term of bilateral rows, in units of W_ii = 1

/// u_N of x
double normal_velocity(const double* x, Slip slip, double frozen) {
  if (slip == Slip::frozen) return x[0] - frozen;
  return slip == Slip::smooth ? lorentz::det(x) / x[0] : x[0] - lorentz::tangent(x);
}

/// The first row of G, the derivative of x_N by u; the others are those of I.
std::array<double, 3> normal_row(const double* x, Slip slip) {
  if (slip == Slip::frozen) return {1, 0, 0};
  if (slip == Slip::smooth) {
    const double a = x[1] / x[0], b = x[2] / x[0], f = 1 / (1 + a * a + b * b);
    return {f, 2 * a * f, 2 * b * f};
  }
  const double t = lorentz::tangent(x);
  return t > 0 ? std::array{1.0, x[1] / t, x[2] / t} : std::array{1.0, 0.0, 0.0};
}

}  // namespace

ConicStep::ConicStep(CoulombSystem& system, Slip slip)
    : s(system),
      n(system.cells()),
      scaling(system.cells()),
      cones(static_cast<double>(system.conic_cells())),
      slip_(slip),
      A_(9 * system.cells()),
      B_(9 * system.cells()),
      BA_(9 * system.cells()) {
  x = y = lambda = rp = c = dx = dy = Vector::Zero(3 * n);
  product_ = square_ = frozen_slip = Vector::Zero(n);
}

bool ConicStep::residuals() {
  s.right_transposed(v, u_);
  s.left(y, s.f(), rd);
  s.subtract_momentum(v, rd);
  s.team().for_range(n, [&](Index i) {
    product_[i] = square_[i] = 0;
    double* r = &rp[3 * i];
    for (Index k = 0; k < 3; ++k) r[k] = u_[3 * i + k] + s.w()[3 * i + k];
    if (free(i)) return;
    const double* xi = &x[3 * i];
    if (!lorentz::scaling(xi, &y[3 * i], scaling[i])) {
      product_[i] = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    r[0] -= slips(i) ? normal_velocity(xi, slip_, frozen_slip[i]) : xi[0];
    r[1] -= xi[1];
    r[2] -= xi[2];
    lorentz::apply(scaling[i], xi, &lambda[3 * i]);
    product_[i] = lorentz::dot(xi, &y[3 * i]);
    double t[3];
    lorentz::apply(scaling[i], r, t);
    square_[i] = lorentz::dot(t, t);
  });
  const double product = s.team().sum(n, [&](Index i) { return product_[i]; });
  scaled_squares = s.team().sum(n, [&](Index i) { return square_[i]; });
  mean = product / cones;
  return std::isfinite(product) && product > 0;
}

bool ConicStep::factorise(double delta) {
  delta_ = delta;
  const double singular = s.team().sum(n, [&](Index i) {
    double *A = &A_[9 * i], *B = &B_[9 * i], *BA = &BA_[9 * i];
    std::fill(B, B + 9, 0.0);
    B[0] = B[4] = B[8] = 1;
    if (free(i)) {
      for (int k = 0; k < 9; ++k) A[k] = BA[k] = B[k] / free_shift;
      return 0.0;
    }
    lorentz::square(scaling[i], A);
    if (slips(i)) {
      const auto [g0, g1, g2] = normal_row(&x[3 * i], slip_);
      for (int k = 0; k < 9; k += 3) {
        A[k + 1] += A[k] * g1;
        A[k + 2] += A[k] * g2;
        A[k] *= g0;
      }
    }
    if (delta > 0) {
      double I[9];
      for (int k = 0; k < 9; ++k) I[k] = B[k] + delta * A[k];
      if (!lorentz::invert(I, B)) return 1.0;
      lorentz::multiply_matrix(B, A, BA);
    } else {
      std::copy(A, A + 9, BA);
    }
    return 0.0;
  });
  return singular == 0 && s.factorise(BA_);
}

void ConicStep::aim(double sigma, double k, double limit) {
  s.team().for_range(n, [&](Index i) {
    if (free(i)) return;
    double p[3], q[3], product[3] = {0, 0, 0};
    if (k > 0) {
      lorentz::apply(scaling[i], &dx[3 * i], p);
      lorentz::apply_inverse(scaling[i], &dy[3 * i], q);
      lorentz::product(p, q, product);
    }
    const double largest =
        std::max({std::abs(product[0]), std::abs(product[1]), std::abs(product[2])});
    const double cut = largest > limit ? limit / largest : 1;
    for (double& value : product) value *= -k * cut;
    product[0] += sigma;
    lorentz::divide(&lambda[3 * i], product, &c[3 * i]);
    for (Index j = 3 * i; j < 3 * i + 3; ++j) c[j] -= lambda[j];
  });
}

/// dy ← dy − B A Rᵀ d
void ConicStep::reduce_dy(const Vector& d) {
  s.right_transposed(d, hd_);
  s.team().for_range(n, [&](Index i) {
    double t[3];
    lorentz::multiply(&BA_[9 * i], &hd_[3 * i], t);
    for (Index k = 0; k < 3; ++k) dy[3 * i + k] -= t[k];
  });
}

void ConicStep::solve(const Vector& motion, const Vector& kinematics, bool refined) {
  s.team().for_range(n, [&](Index i) {
    double t[3] = {0, 0, 0}, a[3];
    if (!free(i)) lorentz::apply(scaling[i], &c[3 * i], t);
    lorentz::multiply(&A_[9 * i], &kinematics[3 * i], a);
    for (int k = 0; k < 3; ++k) t[k] -= a[k];
    lorentz::multiply(&B_[9 * i], t, &dy[3 * i]);
  });
  s.left(dy, motion, b_);
  s.solve(b_, dv);
  reduce_dy(dv);
  for (int repeat = 0; refined && repeat < 2; ++repeat) {
    s.left(dy, motion, b_);
    const double size = b_.lpNorm<Eigen::Infinity>();
    s.subtract_momentum(dv, b_);
    if (b_.lpNorm<Eigen::Infinity>() <= 1e-14 * size) break;
    s.solve(b_, ddv_);
    dv += ddv_;
    reduce_dy(ddv_);
  }
  s.right_transposed(dv, hd_);
  s.team().for_range(n, [&](Index i) {
    if (free(i)) return;
    double* d = &dx[3 * i];
    for (Index k = 0; k < 3; ++k)
      d[k] = hd_[3 * i + k] + kinematics[3 * i + k] + delta_ * dy[3 * i + k];
    if (!slips(i)) return;
    const auto [g0, g1, g2] = normal_row(&x[3 * i], slip_);
    d[0] = g0 * d[0] + g1 * d[1] + g2 * d[2];
  });
}

double ConicStep::longest_step(const Vector& along_x, const Vector& along_y) const {
  return s.team().minimum(n, [&](Index i) {
    return free(i) ? inf
                   : std::min(lorentz::max_step(&x[3 * i], &along_x[3 * i]),
                              lorentz::max_step(&y[3 * i], &along_y[3 * i]));
  });
}

double ConicStep::mean_after(double a) {
  s.team().for_range(n, [&](Index i) {
    const auto at = [&](const Vector& from, const Vector& along) {
      return from.segment<3>(3 * i) + a * along.segment<3>(3 * i);
    };
    product_[i] = free(i) ? 0 : at(x, dx).dot(at(y, dy));
  });
  return std::accumulate(product_.begin(), product_.end(), 0.0) / cones;
}

void ConicStep::move(double a) {
  s.team().for_slices(v.size(), [&](Index first, Index length) {
    v.segment(first, length) += a * dv.segment(first, length);
  });
  s.team().for_slices(x.size(), [&](Index first, Index length) {
    x.segment(first, length) += a * dx.segment(first, length);
    y.segment(first, length) += a * dy.segment(first, length);
  });
}

}  // namespace saltus
