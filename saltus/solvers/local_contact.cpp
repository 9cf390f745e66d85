#include "saltus/solvers/local_contact.hpp"

#include "saltus/problems/rows.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <array>
#include <cmath>

namespace saltus {

template void validate(const LocalSolver&);

namespace {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
/// No heap: the storage is on the stack.
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_piece, max_piece>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_piece, 1>;

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

/// Alart–Curnier equations of one contact in space and a Clarke element of them (S:B12,
/// corrected).
struct SpaceEquations {
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
bool newton(const SpaceEquations& equations, Vec3& r, const LocalNewton& options) {
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
  const SpaceEquations equations{block, constant, mu, 1 / block(0, 0),
                                 2 / (block(1, 1) + block(2, 2))};
  Vec3 guess = out;
  if (!(guess[0] > 0)) guess = Vec3(-q[0] / block(0, 0), 0, 0);
  if (!newton(equations, guess, options)) return false;
  // the equations hold up to rounding; put r on the cone exactly
  project(FrictionCone{mu}, guess, out);
  return true;
}

/// Slip with the velocity u_T = −a r_T, for the root a.
Vec3 slip(const Mat3& W, const Vec3& q, double a) {
  const Eigen::Matrix2d A =
      W.bottomRightCorner<2, 2>() - W.block<2, 1>(1, 0) * W.block<1, 2>(0, 1) / W(0, 0);
  const Eigen::Vector2d b = W.block<2, 1>(1, 0) * q[0] / W(0, 0) - q.tail<2>();
  const Eigen::Matrix2d shifted = A + a * Eigen::Matrix2d::Identity();
  Vec3 r;
  r.tail<2>() = shifted.inverse() * b;
  r[0] = -(q[0] + W.block<1, 2>(0, 1).dot(r.tail<2>())) / W(0, 0);
  return r;
}

/// Coefficients c₀ + c₁ a + … + c₄ a⁴ of μ²(q_N det + W_NT adj)² − W_NN²‖adj‖², det = det(A + a I)
/// of degree 2 and adj = adj(A + a I) b of degree 1.
std::array<double, 5> slip_quartic(const Mat3& W, const Vec3& q, double mu) {
  const Eigen::Matrix2d A =
      W.bottomRightCorner<2, 2>() - W.block<2, 1>(1, 0) * W.block<1, 2>(0, 1) / W(0, 0);
  const Eigen::Vector2d b = W.block<2, 1>(1, 0) * q[0] / W(0, 0) - q.tail<2>();
  Eigen::Matrix2d adjugate;
  adjugate << A(1, 1), -A(0, 1), -A(1, 0), A(0, 0);
  const Eigen::Vector2d adj0 = adjugate * b, adj1 = b;
  const Eigen::RowVector2d Wnt = W.block<1, 2>(0, 1);
  const double e0 = mu * (q[0] * A.determinant() + Wnt.dot(adj0));
  const double e1 = mu * (q[0] * A.trace() + Wnt.dot(adj1));
  const double e2 = mu * q[0], n = W(0, 0) * W(0, 0);
  return {e0 * e0 - n * adj0.squaredNorm(), 2 * e0 * e1 - 2 * n * adj0.dot(adj1),
          e1 * e1 + 2 * e0 * e2 - n * adj1.squaredNorm(), 2 * e1 * e2, e2 * e2};
}

/// A root found as an eigenvalue, improved by Newton's method.
double polish(const std::array<double, 5>& c, double a) {
  for (int k = 0; k < 3; ++k) {
    const double value = c[0] + a * (c[1] + a * (c[2] + a * (c[3] + a * c[4])));
    const double slope = c[1] + a * (2 * c[2] + a * (3 * c[3] + a * 4 * c[4]));
    if (slope == 0 || !std::isfinite(value / slope)) break;
    a -= value / slope;
  }
  return a;
}

/// FS:B.7. False if no mode fits.
bool solve_space_exactly(const double* block, const double* constant, double mu, double* out) {
  const Mat3 W = Eigen::Map<const Mat3>(block);
  const Vec3 q = Eigen::Map<const Vec3>(constant);
  Eigen::Map<Vec3> r(out);
  if (q[0] >= 0) {
    r.setZero();
    return true;
  }
  if (!(W(0, 0) > 0)) return false;
  const Vec3 stick = -W.partialPivLu().solve(q);
  if (stick.allFinite() && stick.tail<2>().norm() <= mu * stick[0]) {
    r = stick;
    return true;
  }
  if (mu == 0) {
    r = Vec3(-q[0] / W(0, 0), 0, 0);
    return true;
  }
  const std::array<double, 5> c = slip_quartic(W, q, mu);
  Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
  companion.diagonal<-1>().setOnes();
  for (int i = 0; i < 4; ++i) companion(i, 3) = -c[i] / c[4];
  if (!companion.allFinite()) return false;
  const Eigen::Vector4cd roots =
      Eigen::EigenSolver<Eigen::Matrix4d>(companion, false).eigenvalues();
  const BlockSet K = FrictionCone{mu};
  double best = inf;
  for (int i = 0; i < 4; ++i) {
    if (std::abs(roots[i].imag()) > 1e-6 * std::abs(roots[i]) || !(roots[i].real() > 0)) continue;
    const double a = polish(c, roots[i].real());
    const Vec3 candidate = slip(W, q, a), u = W * candidate + q;
    if (!candidate.allFinite() || candidate[0] < 0) continue;
    const double error = squared_natural_map(K, 3, candidate.data(), u.data());
    if (error >= best) continue;
    best = error;
    r = candidate;
  }
  if (best == inf) return false;
  const Vec3 on_cone = r;
  project(FrictionCone{mu}, on_cone, r);
  return true;
}

/// u = W r + q and F = u + g(u)
void evaluate(const BlockSet& K, const SmallMatrix& W, const SmallVector& q, ConstVectorRef r,
              VectorRef F) {
  F.noalias() = W * r;
  F += q;
  F[0] += shift(K, q.size(), F.data());
}

}  // namespace

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalVi& options) {
  const SmallMatrix block = Eigen::Map<const Matrix>(W, size, size);
  const SmallVector constant = Eigen::Map<const Vector>(q, size);
  const double norm = block.norm(), scale = norm > 0 ? 1 / norm : 1;
  SmallVector z = Eigen::Map<const Vector>(r, size), F(size), trial(size), trial_F(size);
  const auto map = [&](ConstVectorRef x, VectorRef value) {
    evaluate(K, block, constant, x, value);
  };
  const auto set = [&](VectorRef x) { project(K, x, x); };
  double rho = 0;
  bool solved = false;
  map(z, F);
  for (int k = 0; k < options.max_iterations && !solved; ++k) {
    double ratio = 0;
    if (const auto* fixed = std::get_if<FixedStep>(&options.step)) {
      rho = fixed->rho * scale;
      trial = z - rho * F;
      set(trial);
      map(trial, trial_F);
    } else {
      AdaptiveStep rule = std::get<AdaptiveStep>(options.step);
      rule.rho *= scale;
      if (k == 0) rho = rule.rho;
      ratio = find_step(rule, map, set, z, F, rho, trial, trial_F);
      if (ratio < 0) break;
    }
    const double used = rho;
    if (const auto* rule = std::get_if<AdaptiveStep>(&options.step)) grow_step(*rule, ratio, rho);
    solved = (z - trial).norm() <= options.tolerance * trial.norm();
    if (options.extragradient && !solved) {
      z -= used * trial_F;
      set(z);
      map(z, F);
    } else {
      z = trial;
      F = trial_F;
    }
  }
  if (!z.allFinite()) return false;
  Eigen::Map<Vector>(r, size) = z;
  return solved;
}

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalNonsmoothNewton& options) {
  const SmallMatrix block = Eigen::Map<const Matrix>(W, size, size);
  const SmallVector constant = Eigen::Map<const Vector>(q, size);
  const ContactScaling rho = contact_scaling(size, W, false);
  ContactEquation equation = options.equation;
  const bool normal = std::holds_alternative<NormalMap>(equation);
  double* epsilon = driven_smoothing(equation);
  if (epsilon != nullptr) *epsilon *= rho.normal * constant.lpNorm<Eigen::Infinity>();
  SmallVector z = Eigen::Map<const Vector>(r, size), u(size), G(size), point(size), force(size);
  SmallMatrix A(size, size), B(size, size);
  const auto value = [&](const SmallVector& x) {
    force = x;
    if (normal) project(K, x, force);
    u = block * force + constant;
    contact_function(equation, K, size, u.data(), x.data(), rho, G.data(), nullptr, nullptr);
    return G.squaredNorm() / 2;
  };
  double merit = value(z);
  for (int k = 0; k <= options.max_iterations; ++k) {
    if (!std::isfinite(merit)) break;
    const double limit = options.tolerance * (z.norm() + rho.normal * constant.norm());
    if (std::sqrt(2 * merit) <= limit && (epsilon == nullptr || *epsilon <= limit)) {
      Eigen::Map<Vector> out(r, size);
      project(K, z, out);
      return true;
    }
    if (k == options.max_iterations) break;
    contact_function(equation, K, size, u.data(), z.data(), rho, G.data(), A.data(), B.data());
    SmallMatrix slope = A * block;
    if (normal) slope -= (slope * B).eval();  // V = I − ∂G/∂x
    slope += B;
    const SmallVector step = -slope.partialPivLu().solve(G).eval();
    if (!step.allFinite()) break;
    const double t = find_length(options.line_search, merit, [&](double length) {
      point = z + length * step;
      return value(point);
    });
    z += t * step;
    merit = value(z);
    if (drive_smoothing(equation, G.lpNorm<Eigen::Infinity>())) merit = value(z);
  }
  return solve_contact(K, size, W, q, r, LocalVi{});
}

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalProjection& options) {
  std::array<double, max_piece> u, x, p;
  double norm = 0;
  for (Index i = 0; i < size * size; ++i) norm += W[i] * W[i];
  const double rho = norm > 0 ? 1 / std::sqrt(norm) : 1;
  for (int k = 0; k < options.max_iterations; ++k) {
    double step = 0, length = 0;
    for (Index i = 0; i < size; ++i) {
      u[i] = q[i];
      for (Index j = 0; j < size; ++j) u[i] += W[j * size + i] * r[j];
      x[i] = r[i] - rho * u[i];
    }
    x[0] -= rho * shift(K, size, u.data());
    project(K, Eigen::Map<const Vector>(x.data(), size), Eigen::Map<Vector>(p.data(), size));
    for (Index i = 0; i < size; ++i) {
      step = std::max(step, std::abs(p[i] - r[i]));
      length = std::max(length, std::abs(p[i]));
      r[i] = p[i];
    }
    if (step <= options.tolerance * length) return true;
  }
  return false;
}

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalNewton& options) {
  const auto* cone = std::get_if<FrictionCone>(&K);
  if (cone == nullptr || size > 3) return solve_contact(K, size, W, q, r, LocalVi{});
  if (size == 2 && solve_plane(W, q, cone->mu, r)) return true;
  if (size == 3 && solve_space(W, q, cone->mu, r, options)) return true;
  return solve_contact(K, size, W, q, r, LocalProjection{});
}

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalExact&) {
  const auto* cone = std::get_if<FrictionCone>(&K);
  if (cone != nullptr && size == 2 && solve_plane(W, q, cone->mu, r)) return true;
  if (cone != nullptr && size == 3 && solve_space_exactly(W, q, cone->mu, r)) return true;
  return solve_contact(K, size, W, q, r, LocalVi{});
}

bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalDisk&) {
  const auto* cone = std::get_if<FrictionCone>(&K);
  if (cone == nullptr) return solve_contact(K, size, W, q, r, LocalVi{});
  Eigen::Map<Vector> out(r, size);
  if (q[0] >= 0) {
    out.setZero();
    return true;
  }
  const SmallMatrix block = Eigen::Map<const Matrix>(W, size, size);
  const SmallVector stick = -block.partialPivLu().solve(Eigen::Map<const Vector>(q, size)).eval();
  if (!stick.allFinite()) return solve_contact(K, size, W, q, r, LocalVi{});
  out = stick;
  out[0] = std::max(stick[0], 0.0);
  const double radius = cone->mu * out[0], length = out.tail(size - 1).norm();
  if (length > radius) out.tail(size - 1) *= radius / length;
  return true;
}

}  // namespace saltus
