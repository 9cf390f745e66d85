#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace saltus::lorentz {

// The Lorentz cone of R³, L = {(n, t) : ‖t‖ ≤ n}, its Jordan algebra (FS:FS-23)
//
//     x ∘ y = (x·y, y_N x_T + x_N y_T),    det x = x_N² − ‖x_T‖²,
//
// and the scaling of Nesterov and Todd, in closed form on plain arrays of 3; 3×3 matrices by rows.
// Contacts with one tangent and scalar complementarity rows are contacts whose other tangents are
// zero.

inline double dot(const double* x, const double* y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// ‖x_T‖
inline double tangent(const double* x) {
  const double square = x[1] * x[1] + x[2] * x[2];
  // a square that neither overflows nor loses digits; std::hypot takes many times as long
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(x[1], x[2]);
}

/// (x_N − ‖x_T‖)(x_N + ‖x_T‖): one cancellation less than the difference of squares.
inline double det(const double* x) {
  const double t = tangent(x);
  return (x[0] - t) * (x[0] + t);
}

/// z = x ∘ y
inline void product(const double* x, const double* y, double* z) {
  const double n = dot(x, y), t1 = y[0] * x[1] + x[0] * y[1], t2 = y[0] * x[2] + x[0] * y[2];
  z[0] = n;
  z[1] = t1;
  z[2] = t2;
}

/// The z with x ∘ z = y.
inline void divide(const double* x, const double* y, double* z) {
  const double n = (x[0] * y[0] - x[1] * y[1] - x[2] * y[2]) / det(x);
  const double t1 = (y[1] - n * x[1]) / x[0], t2 = (y[2] - n * x[2]) / x[0];
  z[0] = n;
  z[1] = t1;
  z[2] = t2;
}

/// p = P_L(x); p may be x.
inline void project(const double* x, double* p) {
  const double n = x[0], t = tangent(x);
  if (t <= n) {
    std::copy(x, x + 3, p);
  } else if (t <= -n) {
    std::fill(p, p + 3, 0.0);
  } else {
    const double half = 0.5 * (n + t), s = half / t;
    p[0] = half;
    p[1] = s * x[1];
    p[2] = s * x[2];
  }
}

/// A Clarke element of P_L at x.
inline void projection_jacobian(const double* x, double* J) {
  const double n = x[0], t = tangent(x);
  std::fill(J, J + 9, 0.0);
  if (t <= n) {
    J[0] = J[4] = J[8] = 1;
  } else if (t > -n) {
    const double e1 = x[1] / t, e2 = x[2] / t, s = 0.5 * (1 + n / t), d = 0.5 - s;
    J[0] = 0.5;
    J[1] = J[3] = 0.5 * e1;
    J[2] = J[6] = 0.5 * e2;
    J[4] = s + d * e1 * e1;
    J[5] = J[7] = d * e1 * e2;
    J[8] = s + d * e2 * e2;
  }
}

/// The pair inside the cone with y − x = z, x ∘ y = σ e: as σ → 0, y tends to P_L(z) and x to
/// P_L(−z). Its eigenvalues are those of z, λ, raised to (λ + √(λ² + 4σ))/2. On the axis of the
/// cone both stay there.
inline void split(const double* z, double sigma, double* x, double* y) {
  const double t = tangent(z), e1 = t > 0 ? z[1] / t : 0, e2 = t > 0 ? z[2] / t : 0;
  const auto raised = [sigma](double value) {
    const double root = std::sqrt(value * value + 4 * sigma);
    return value > 0 ? 0.5 * (value + root) : 2 * sigma / (root - value);
  };
  const double high = raised(z[0] + t), low = raised(z[0] - t);
  const auto put = [&](double a, double b, double* p) {
    p[0] = 0.5 * (a + b);
    p[1] = 0.5 * (a - b) * e1;
    p[2] = 0.5 * (a - b) * e2;
  };
  put(high, low, y);
  put(sigma / high, sigma / low, x);
}

/// The largest a with x + a d ∈ L, for x inside.
inline double max_step(const double* x, const double* d) {
  const double xx = det(x), xd = x[0] * d[0] - x[1] * d[1] - x[2] * d[2];
  const double dd = det(d), root = std::sqrt(std::max(0.0, xd * xd - dd * xx));
  double a = std::numeric_limits<double>::infinity();
  if (dd < 0)
    a = xd > 0 ? (xd + root) / -dd : xx / (root - xd);
  else if (xd < 0 && xd * xd >= dd * xx)
    a = xx / (root - xd);
  if (d[0] < 0) a = std::min(a, -x[0] / d[0]);
  return a;
}

/// The symmetric T with T x = T⁻¹ y:  T = β(2 v vᵀ − J),  T² = β²(2 w wᵀ − J),  J = diag(1, −1,
/// −1).
struct Scaling {
  std::array<double, 3> w, v;
  double beta;
};

/// False unless x and y are inside the cone.
inline bool scaling(const double* x, const double* y, Scaling& s) {
  const double dx = det(x), dy = det(y);
  if (!(dx > 0) || !(dy > 0) || !(x[0] > 0) || !(y[0] > 0)) return false;
  const double rx = 1 / std::sqrt(dx), ry = 1 / std::sqrt(dy);
  const double half = 0.5 / std::sqrt(0.5 * (1 + dot(x, y) * rx * ry));
  s.w = {half * (y[0] * ry + x[0] * rx), half * (y[1] * ry - x[1] * rx),
         half * (y[2] * ry - x[2] * rx)};
  s.beta = std::sqrt(std::sqrt(dy / dx));
  const double c = 1 / std::sqrt(2 * (s.w[0] + 1));
  s.v = {(s.w[0] + 1) * c, s.w[1] * c, s.w[2] * c};
  return true;
}

/// z = T x
inline void apply(const Scaling& s, const double* x, double* z) {
  const double a = 2 * dot(s.v.data(), x), n = x[0], t1 = x[1], t2 = x[2];
  z[0] = s.beta * (a * s.v[0] - n);
  z[1] = s.beta * (a * s.v[1] + t1);
  z[2] = s.beta * (a * s.v[2] + t2);
}

/// z = T⁻¹ x
inline void apply_inverse(const Scaling& s, const double* x, double* z) {
  const double a = 2 * (s.v[0] * x[0] - s.v[1] * x[1] - s.v[2] * x[2]), b = 1 / s.beta;
  const double n = x[0], t1 = x[1], t2 = x[2];
  z[0] = b * (a * s.v[0] - n);
  z[1] = b * (t1 - a * s.v[1]);
  z[2] = b * (t2 - a * s.v[2]);
}

/// A = T²
inline void square(const Scaling& s, double* A) {
  const double b = s.beta * s.beta;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A[3 * i + j] = 2 * b * s.w[i] * s.w[j];
  A[0] -= b;
  A[4] += b;
  A[8] += b;
}

/// A ← A G, G = [1 θ eᵀ; 0 I] with e = x_T/‖x_T‖: the derivative of (x_N + θ‖x_T‖, x_T).
inline void times_shift(double* A, const double* x, double theta) {
  const double t = tangent(x);
  if (!(t > 0)) return;
  const double e1 = theta * x[1] / t, e2 = theta * x[2] / t;
  for (int i = 0; i < 3; ++i) {
    A[3 * i + 1] += A[3 * i] * e1;
    A[3 * i + 2] += A[3 * i] * e2;
  }
}

/// y = A x
inline void multiply(const double* A, const double* x, double* y) {
  const double n = x[0], t1 = x[1], t2 = x[2];
  for (int i = 0; i < 3; ++i) y[i] = A[3 * i] * n + A[3 * i + 1] * t1 + A[3 * i + 2] * t2;
}

/// C = A B; C is neither.
inline void multiply_matrix(const double* A, const double* B, double* C) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/// B = A⁻¹; false if the determinant is zero or not finite.
inline bool invert(const double* A, double* B) {
  const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8];
  const double c2 = A[3] * A[7] - A[4] * A[6], d = A[0] * c0 + A[1] * c1 + A[2] * c2;
  if (d == 0 || !std::isfinite(d)) return false;
  const std::array<double, 9> C = {c0, A[2] * A[7] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
                                   c1, A[0] * A[8] - A[2] * A[6], A[2] * A[3] - A[0] * A[5],
                                   c2, A[1] * A[6] - A[0] * A[7], A[0] * A[4] - A[1] * A[3]};
  for (int k = 0; k < 9; ++k) B[k] = C[k] / d;
  return true;
}

}  // namespace saltus::lorentz
