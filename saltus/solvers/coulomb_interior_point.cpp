#include "saltus/solvers/coulomb_interior_point.hpp"

#include "saltus/solvers/lorentz.hpp"

#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr double free_shift = 1e-9;  // proximal term of bilateral rows, in units of W_ii = 1

class InteriorPath {
 public:
  InteriorPath(CoulombSystem& system, Centring centring)
      : s_(system),
        centring_(centring),
        n_(system.cells()),
        scaling_(system.cells()),
        A_(9 * system.cells()),
        B_(9 * system.cells()),
        BA_(9 * system.cells()) {
    x_.resize(3 * n_);
    for (Index c = 0; c < n_; ++c) x_.segment<3>(3 * c) << 1, 0.1, 0.1;
    y_ = x_;
    for (Index c = 0; c < n_; ++c)
      if (free(c)) {
        x_.segment<3>(3 * c).setZero();
        y_.segment<3>(3 * c).setZero();
      }
    s_.dynamics(y_, v_);
    product_ = square_ = Vector::Zero(n_);
    lambda_ = rp_ = c_ = dx_ = dy_ = Vector::Zero(3 * n_);
  }

  void run(int budget, double stop, CoulombBest& best) {
    const int first = s_.factorisations();
    double own = inf;
    for (int idle = 0; s_.factorisations() - first < budget;) {
      if (!residuals()) return;
      const double e = s_.error(y_);
      best.offer(y_, e);
      if (e < stop) return;
      idle = e < 0.9 * own ? 0 : idle + 1;
      own = std::min(own, e);
      if (idle > 15 && centring_ == Centring::guarded) return;
      if (centring_ != Centring::guarded) update_sigma();
      if (!factorise()) {
        delta_ = std::max(10 * delta_, 1e-6);
        if (delta_ > 1e3) return;
        continue;
      }
      const double a = centring_ == Centring::guarded ? mehrotra_step() : strict_step();
      if (!std::isfinite(a)) return;
      v_ += a * dv_;
      x_ += a * dx_;
      y_ += a * dy_;
      last_step_ = a;
      if (centring_ != Centring::picard) update_delta(a);
    }
  }

 private:
  [[nodiscard]] bool free(Index c) const { return s_.kind(c) == CoulombSystem::Kind::free; }
  [[nodiscard]] bool slips(Index c) const {
    return s_.kind(c) == CoulombSystem::Kind::coulomb && centring_ != Centring::picard;
  }

  /// r_d, r_p, λ, the mean product and the scaled residual; false once a pair has left the cone.
  bool residuals() {
    s_.right_transposed(v_, u_);
    u_ += s_.w();
    s_.left(y_, rd_);
    rd_ += s_.f();
    rd_.noalias() -= s_.M() * v_;
    s_.team().for_range(n_, [&](Index c) {
      product_[c] = square_[c] = 0;
      double* rp = &rp_[3 * c];
      std::copy(&u_[3 * c], &u_[3 * c] + 3, rp);
      if (free(c)) return;
      const double* x = &x_[3 * c];
      if (!lorentz::scaling(x, &y_[3 * c], scaling_[c])) {
        product_[c] = std::numeric_limits<double>::quiet_NaN();
        return;
      }
      const bool coulomb = s_.kind(c) == CoulombSystem::Kind::coulomb;
      rp[0] -= !coulomb                        ? x[0]
               : centring_ == Centring::picard ? lorentz::det(x) / x[0]
                                               : x[0] - lorentz::tangent(x);
      rp[1] -= x[1];
      rp[2] -= x[2];
      lorentz::apply(scaling_[c], x, &lambda_[3 * c]);
      product_[c] = lorentz::dot(x, &y_[3 * c]);
      double t[3];
      lorentz::apply(scaling_[c], rp, t);
      square_[c] = lorentz::dot(t, t);
    });
    const double product = s_.team().sum(n_, [&](Index c) { return product_[c]; });
    const double squares = s_.team().sum(n_, [&](Index c) { return square_[c]; });
    cones_ = static_cast<double>(s_.conic_cells());
    mean_ = product / cones_;
    scaled_squares_ = squares;
    lag_ = std::sqrt(squares / product);
    return std::isfinite(product) && product > 0;
  }

  /// Strict centring: σ falls once the point is near the path, faster the fewer iterations it took.
  void update_sigma() {
    if (sigma_ < 0) sigma_ = mean_;
    const double squares = s_.team().sum(n_, [&](Index c) {
      if (free(c)) return 0.0;
      double square[3];
      lorentz::product(&lambda_[3 * c], &lambda_[3 * c], square);
      square[0] -= sigma_;
      return lorentz::dot(square, square);
    });
    const double centrality = std::sqrt(squares / cones_) / sigma_;
    const bool near = std::max(centrality, std::sqrt(scaled_squares_ / (sigma_ * cones_))) < 0.3;
    ++at_sigma_;
    if (centring_ == Centring::picard) {
      if (!near && at_sigma_ <= 3) return;
      sigma_ *= 0.5;
    } else {
      if (!near) return;
      const double power = at_sigma_ <= 1 ? 2 : at_sigma_ <= 3 ? 1.3 : at_sigma_ > 5 ? 0.6 : 1;
      tau_ = std::clamp(std::pow(tau_, power), 1e-3, 0.7);
      sigma_ *= tau_;
    }
    at_sigma_ = 0;
  }

  void update_delta(double a) {
    if (a < 0.15)
      delta_ = std::max(8 * delta_, 1e-4);
    else if (a < 0.4)
      delta_ = std::max(2 * delta_, 1e-5);
    else if (a > 0.8)
      delta_ = delta_ > 1e-8 ? delta_ / 5 : 0;
  }

  /// K(B A)
  bool factorise() {
    const double singular = s_.team().sum(n_, [&](Index c) {
      double *A = &A_[9 * c], *B = &B_[9 * c], *BA = &BA_[9 * c];
      std::fill(B, B + 9, 0.0);
      B[0] = B[4] = B[8] = 1;
      if (free(c)) {
        for (int k = 0; k < 9; ++k) A[k] = BA[k] = B[k] / free_shift;
        return 0.0;
      }
      lorentz::square(scaling_[c], A);
      if (slips(c)) lorentz::times_shift(A, &x_[3 * c], 1);
      if (delta_ > 0) {
        double I[9];
        for (int k = 0; k < 9; ++k) I[k] = B[k] + delta_ * A[k];
        if (!lorentz::invert(I, B)) return 1.0;
        lorentz::multiply_matrix(B, A, BA);
      } else {
        std::copy(A, A + 9, BA);
      }
      return 0.0;
    });
    return singular == 0 && s_.factorise(BA_);
  }

  /// dy ← dy − B A Rᵀ d
  void reduce_dy(const Vector& d) {
    s_.right_transposed(d, hd_);
    s_.team().for_range(n_, [&](Index c) {
      double t[3];
      lorentz::multiply(&BA_[9 * c], &hd_[3 * c], t);
      for (Index k = 0; k < 3; ++k) dy_[3 * c + k] -= t[k];
    });
  }

  /// (dv, dx, dy) for T dx + T⁻¹ dy = c. Refined, at most twice, the equations of motion hold to
  /// rounding however large A is.
  void solve(bool refined = true) {
    s_.team().for_range(n_, [&](Index c) {
      double t[3] = {0, 0, 0}, a[3];
      if (!free(c)) lorentz::apply(scaling_[c], &c_[3 * c], t);
      lorentz::multiply(&A_[9 * c], &rp_[3 * c], a);
      for (int k = 0; k < 3; ++k) t[k] -= a[k];
      lorentz::multiply(&B_[9 * c], t, &dy_[3 * c]);
    });
    s_.left(dy_, b_);
    b_ += rd_;
    s_.solve(b_, dv_);
    reduce_dy(dv_);
    for (int repeat = 0; refined && repeat < 2; ++repeat) {
      s_.left(dy_, b_);
      b_ += rd_;
      const double size = b_.lpNorm<Eigen::Infinity>();
      b_.noalias() -= s_.M() * dv_;
      if (b_.lpNorm<Eigen::Infinity>() <= 1e-14 * size) break;
      s_.solve(b_, ddv_);
      dv_ += ddv_;
      reduce_dy(ddv_);
    }
    s_.right_transposed(dv_, hd_);
    s_.team().for_range(n_, [&](Index c) {
      double* dx = &dx_[3 * c];
      if (free(c)) return;
      for (Index k = 0; k < 3; ++k)
        dx[k] = hd_[3 * c + k] + rp_[3 * c + k] + delta_ * dy_[3 * c + k];
      const double* x = &x_[3 * c];
      const double t = lorentz::tangent(x);
      if (slips(c) && t > 0) dx[0] += (x[1] * dx[1] + x[2] * dx[2]) / t;
    });
  }

  [[nodiscard]] double longest_step() const {
    return s_.team().minimum(n_, [&](Index c) {
      return free(c) ? inf
                     : std::min(lorentz::max_step(&x_[3 * c], &dx_[3 * c]),
                                lorentz::max_step(&y_[3 * c], &dy_[3 * c]));
    });
  }

  /// c = λ \ (σ e − k (T dx)∘(T⁻¹ dy)) − λ, the product cut to `limit` per cell.
  void correct(double sigma, double k, double limit) {
    s_.team().for_range(n_, [&](Index c) {
      if (free(c)) return;
      double p[3], q[3], product[3] = {0, 0, 0};
      if (k > 0) {
        lorentz::apply(scaling_[c], &dx_[3 * c], p);
        lorentz::apply_inverse(scaling_[c], &dy_[3 * c], q);
        lorentz::product(p, q, product);
      }
      const double largest =
          std::max({std::abs(product[0]), std::abs(product[1]), std::abs(product[2])});
      const double cut = largest > limit ? limit / largest : 1;
      for (double& value : product) value *= -k * cut;
      product[0] += sigma;
      lorentz::divide(&lambda_[3 * c], product, &c_[3 * c]);
      for (Index i = 0; i < 3; ++i) c_[3 * c + i] -= lambda_[3 * c + i];
    });
  }

  double mehrotra_step() {
    c_ = -lambda_;
    solve(false);
    const double a = std::min(1.0, longest_step());
    double after = 0;
    for (Index c = 0; c < n_; ++c)
      if (!free(c))
        after += (x_.segment<3>(3 * c) + a * dx_.segment<3>(3 * c))
                     .dot(y_.segment<3>(3 * c) + a * dy_.segment<3>(3 * c));
    const double ratio = after / cones_ / mean_;
    double centring = std::clamp(ratio * ratio, 1e-3, 0.9);
    if (last_step_ < 0.1) centring = std::max(centring, 0.8);
    if (lag_ > 1)
      centring = 1;
    else if (lag_ > 0.3)
      centring = std::max(centring, 0.3);
    correct(centring * mean_, a < 0.5 ? a * a : 1, 10 * mean_);
    solve();
    return std::min(1.0, 0.995 * longest_step());
  }

  double strict_step() {
    correct(sigma_, 0, inf);
    solve();
    double a = longest_step();
    const Vector dv = dv_, dx = dx_, dy = dy_;
    correct(sigma_, 1, inf);
    solve();
    const double corrected = longest_step();
    if (corrected >= a || 0.95 * corrected >= 1) {
      a = corrected;
    } else {
      dv_ = dv;
      dx_ = dx;
      dy_ = dy;
    }
    return std::min(1.0, 0.95 * a);
  }

  CoulombSystem& s_;
  Centring centring_;
  Index n_;
  std::vector<lorentz::Scaling> scaling_;
  std::vector<double> A_, B_, BA_;
  Vector product_, square_;  // of each cell
  Vector x_, y_, v_, u_, rd_, rp_, lambda_, c_, dv_, dx_, dy_, ddv_, hd_, b_;
  double cones_ = 0, mean_ = 0, lag_ = 0, scaled_squares_ = 0;
  double delta_ = 0, last_step_ = 1, sigma_ = -1, tau_ = 0.1;
  int at_sigma_ = 0;
};

}  // namespace

void coulomb_interior_point(CoulombSystem& system, Centring centring, int budget, double stop,
                            CoulombBest& best) {
  InteriorPath(system, centring).run(budget, stop, best);
}

}  // namespace saltus
