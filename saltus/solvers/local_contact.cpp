#include "saltus/solvers/local_contact.hpp"

#include "saltus/problems/rows.hpp"

#include <Eigen/LU>

#include <array>
#include <cmath>

namespace saltus {

namespace {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// S:FC-32, corrected as in the card: open, stick, slip towards −t or +t.
bool solve_plane(const double* W, const double* q, double mu, double* r) {
  const double nn = W[0], tn = W[1], nt = W[2], tt = W[3];
  const auto set = [&](double n, double t) {
    r[0] = n;
    r[1] = t;
    return true;
  };
  if (q[0] >= 0) return set(0, 0);
  const double determinant = nn * tt - nt * tn;
  if (determinant > 0) {
    const double n = (nt * q[1] - tt * q[0]) / determinant;
    const double t = (tn * q[0] - nn * q[1]) / determinant;
    if (std::abs(t) <= mu * n) return set(n, t);
  }
  for (const double side : {-1.0, 1.0}) {  // r_T = side μ r_N needs side u_T ≤ 0
    const double stiffness = nn + side * mu * nt;
    if (!(stiffness > 0)) continue;
    const double n = -q[0] / stiffness;
    if (side * (q[1] + (tn + side * mu * tt) * n) <= 0) return set(n, side * mu * n);
  }
  return false;
}

/// Alart–Curnier equations of one contact in space and a Clarke element of them (card B12,
/// corrected).
struct AlartCurnier {
  Mat3 W;
  Vec3 q;
  double mu, rho_n, rho_t;

  [[nodiscard]] Vec3 value(const Vec3& r, Mat3* J) const {
    const Vec3 u = W * r + q;
    const double xn = r[0] - rho_n * u[0];
    const Eigen::Vector2d xt = r.tail<2>() - rho_t * u.tail<2>();
    const double radius = mu * std::max(0.0, xn), length = xt.norm();
    Vec3 F = r;
    Mat3 A = Mat3::Zero(), B = Mat3::Identity();  // dF = A du + B dr
    if (xn > 0) {
      F[0] -= xn;
      A(0, 0) = rho_n;
      B(0, 0) = 0;
    }
    if (length <= radius) {
      F.tail<2>() -= xt;
      A.bottomRightCorner<2, 2>() = rho_t * Eigen::Matrix2d::Identity();
      B.bottomRightCorner<2, 2>().setZero();
    } else {
      const Eigen::Vector2d d = xt / length;
      F.tail<2>() -= radius * d;
      const Eigen::Matrix2d turn =
          (radius / length) * (Eigen::Matrix2d::Identity() - d * d.transpose());
      A.bottomRightCorner<2, 2>() = rho_t * turn;
      B.bottomRightCorner<2, 2>() -= turn;
      if (xn > 0) {
        B.block<2, 1>(1, 0) = -mu * d;
        A.block<2, 1>(1, 0) = mu * rho_n * d;
      }
    }
    if (J != nullptr) *J = A * W + B;
    return F;
  }
};

/// Damped Newton on the equations; true at the tolerance.
bool newton(const AlartCurnier& equations, Vec3& r, const LocalNewton& options) {
  Mat3 J;
  Vec3 F = equations.value(r, &J);
  for (int k = 0; k <= options.max_iterations; ++k) {
    const double scale = r.norm() + equations.rho_n * equations.q.norm();
    if (F.norm() <= options.tolerance * scale) return true;
    if (k == options.max_iterations) break;
    const Vec3 step = -J.partialPivLu().solve(F);
    if (!step.allFinite()) return false;
    double length = 1;
    Vec3 trial = r + step;
    Vec3 next = equations.value(trial, nullptr);
    // ½‖F‖² must drop by the fraction 2σ·length, σ = 1e-4
    while (next.squaredNorm() > (1 - 2e-4 * length) * F.squaredNorm() && length > 1e-3) {
      length /= 2;
      trial = r + length * step;
      next = equations.value(trial, nullptr);
    }
    if (!(next.squaredNorm() < F.squaredNorm()))
      return F.norm() <= 10 * options.tolerance * scale;  // rounding stops the descent
    r = trial;
    F = equations.value(r, &J);
  }
  return false;
}

bool solve_space(const double* W, const double* q, double mu, double* r,
                 const LocalNewton& options) {
  if (q[0] >= 0) {
    r[0] = r[1] = r[2] = 0;
    return true;
  }
  const Eigen::Map<const Mat3> block(W);
  const Eigen::Map<const Vec3> constant(q);
  Eigen::Map<Vec3> out(r);
  Mat3 inverse;
  bool invertible = false;
  block.computeInverseWithCheck(inverse, invertible, 1e-14 * std::pow(block.norm(), 3));
  if (invertible) {
    const Vec3 stick = -inverse * constant;
    if (stick.tail<2>().norm() <= mu * stick[0]) {
      out = stick;
      return true;
    }
  }
  if (!(block(0, 0) > 0) || !(block(1, 1) + block(2, 2) > 0)) return false;
  const AlartCurnier equations{block, constant, mu, 1 / block(0, 0),
                               2 / (block(1, 1) + block(2, 2))};
  Vec3 guess = out;
  if (!(guess[0] > 0)) guess = Vec3(-q[0] / block(0, 0), 0, 0);
  if (!newton(equations, guess, options)) return false;
  // the equations hold up to rounding; put r on the cone exactly
  project(FrictionCone{mu}, guess, out);
  return true;
}

}  // namespace

bool solve_contact(Index size, const double* W, const double* q, double mu, double* r,
                   const LocalProjection& options) {
  std::array<double, max_piece> x, p;
  double norm = 0;
  for (Index i = 0; i < size * size; ++i) norm += W[i] * W[i];
  const double rho = norm > 0 ? 1 / std::sqrt(norm) : 1;
  for (int k = 0; k < options.max_iterations; ++k) {
    double slip = 0, step = 0, length = 0;
    for (Index i = 0; i < size; ++i) {
      double u = q[i];
      for (Index j = 0; j < size; ++j) u += W[j * size + i] * r[j];
      x[i] = r[i] - rho * u;
      if (i > 0) slip += u * u;
    }
    x[0] -= rho * mu * std::sqrt(slip);
    project(FrictionCone{mu}, Eigen::Map<const Vector>(x.data(), size),
            Eigen::Map<Vector>(p.data(), size));
    for (Index i = 0; i < size; ++i) {
      step = std::max(step, std::abs(p[i] - r[i]));
      length = std::max(length, std::abs(p[i]));
      r[i] = p[i];
    }
    if (step <= options.tolerance * length) return true;
  }
  return false;
}

bool solve_contact(Index size, const double* W, const double* q, double mu, double* r,
                   const LocalNewton& options) {
  if (size == 2 && solve_plane(W, q, mu, r)) return true;
  if (size == 3 && solve_space(W, q, mu, r, options)) return true;
  return solve_contact(size, W, q, mu, r, LocalProjection{});
}

}  // namespace saltus
