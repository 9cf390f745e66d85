#include "saltus/sets/rolling_cone.hpp"

#include "saltus/base/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

/// P_K(sign x) in the coordinates (n, ‖t‖, ‖m‖).
struct Piece {
  double a = 0, b = 0;                 ///< ‖t‖, ‖m‖
  double n = 0;                        ///< n'
  double alpha = 0, beta = 0;          ///< (a − μ n')₊, (b − μ_R n')₊
  bool slides = false, rolls = false;  ///< the bound on t, on m holds with equality
  enum { inside, polar, beside } region = inside;
};

Piece locate(const RollingCone& K, ConstVectorRef x, double sign) {
  const Index k = (x.size() - 1) / 2;
  const double n = sign * x[0], mu = K.mu, mu_r = K.mu_rolling;
  Piece z;
  z.a = x.segment(1, k).norm();
  z.b = x.tail(k).norm();
  if (x.hasNaN()) {
    z.n = z.alpha = z.beta = std::nan("");
    z.slides = z.rolls = true;
    z.region = Piece::beside;
    return z;
  }
  if (n + mu * z.a + mu_r * z.b <= 0) {
    z.region = Piece::polar;
    z.alpha = z.a;
    z.beta = z.b;
    z.slides = z.rolls = true;
    return z;
  }
  // Drop the bounds that are slack: first with both, then with the one that binds longer.
  z.slides = z.a > mu * n;
  z.rolls = z.b > mu_r * n;
  if (z.slides && !(z.a * (1 + mu_r * mu_r) > mu * (n + mu_r * z.b)) && z.rolls) z.slides = false;
  if (z.rolls && !(z.b * (1 + mu * mu) > mu_r * (n + mu * z.a)) && z.slides) z.rolls = false;
  const double stiffness = 1 + (z.slides ? mu * mu : 0) + (z.rolls ? mu_r * mu_r : 0);
  z.n = (n + (z.slides ? mu * z.a : 0) + (z.rolls ? mu_r * z.b : 0)) / stiffness;
  if (z.slides)
    z.alpha =
        (z.a * (z.rolls ? 1 + mu_r * mu_r : 1) - mu * (n + (z.rolls ? mu_r * z.b : 0))) / stiffness;
  if (z.rolls)
    z.beta =
        (z.b * (z.slides ? 1 + mu * mu : 1) - mu_r * (n + (z.slides ? mu * z.a : 0))) / stiffness;
  z.region = z.slides || z.rolls ? Piece::beside : Piece::inside;
  return z;
}

/// p = the point of K below sign·x, times sign.
void project_signed(const RollingCone& K, ConstVectorRef x, double sign, VectorRef p) {
  const Piece z = locate(K, x, sign);
  const Index k = (x.size() - 1) / 2;
  if (z.region == Piece::inside) {
    p = x;
  } else if (z.region == Piece::polar) {
    p.setZero();
  } else {
    p[0] = sign * z.n;
    p.segment(1, k) = (z.slides ? K.mu * z.n / z.a : 1.0) * x.segment(1, k);
    p.tail(k) = (z.rolls ? K.mu_rolling * z.n / z.b : 1.0) * x.tail(k);
  }
}

/// p = x minus that point.
void polar_signed(const RollingCone& K, ConstVectorRef x, double sign, VectorRef p) {
  const Piece z = locate(K, x, sign);
  const Index k = (x.size() - 1) / 2;
  if (z.region == Piece::inside) {
    p.setZero();
  } else if (z.region == Piece::polar) {
    p = x;
  } else {
    p[0] = -sign * (K.mu * z.alpha + K.mu_rolling * z.beta);
    p.segment(1, k) = (z.slides ? z.alpha / z.a : 0.0) * x.segment(1, k);
    p.tail(k) = (z.rolls ? z.beta / z.b : 0.0) * x.tail(k);
  }
}

/// ‖x − P(x)‖ and ‖P(x)‖.
struct Lengths {
  double outside, inside;
};

Lengths lengths(const RollingCone& K, ConstVectorRef x, double sign) {
  const Piece z = locate(K, x, sign);
  if (z.region == Piece::inside) return {0, x.norm()};
  if (z.region == Piece::polar) return {x.norm(), 0};
  const double a = z.slides ? K.mu * z.n : z.a, b = z.rolls ? K.mu_rolling * z.n : z.b;
  const double normal = K.mu * z.alpha + K.mu_rolling * z.beta;
  return {std::hypot(normal, z.alpha, z.beta), std::hypot(z.n, a, b)};
}

double support_of_length(double outside, double length) {
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return outside <= roundings * length ? 0 : inf;
}

/// The rows of t (first = 1) or m in J: t' = μ n' ε with ε = t/a.
void bound_rows(double mu, double a, double n, Index first, ConstVectorRef x, MatrixRef J) {
  const Index k = (x.size() - 1) / 2, size = x.size();
  for (Index i = first; i < first + k; ++i) {
    const double epsilon = a > 0 ? x[i] / a : 0;
    for (Index j = 0; j < size; ++j) J(i, j) = mu * epsilon * J(0, j);
    if (!(a > 0)) continue;
    for (Index j = first; j < first + k; ++j)
      J(i, j) += mu * n / a * ((i == j ? 1 : 0) - epsilon * x[j] / a);
  }
}

void jacobian_signed(const RollingCone& K, ConstVectorRef x, double sign, MatrixRef J) {
  const Index k = (x.size() - 1) / 2;
  const Piece z = locate(K, x, sign);
  J.setZero();
  if (z.region == Piece::polar) return;
  J.setIdentity();
  // A bound with coefficient 0 has no inner side.
  const bool slides = z.slides || K.mu == 0, rolls = z.rolls || K.mu_rolling == 0;
  const double stiffness =
      1 + (slides ? K.mu * K.mu : 0) + (rolls ? K.mu_rolling * K.mu_rolling : 0);
  J(0, 0) = 1 / stiffness;
  for (Index j = 1; j <= k; ++j) {
    if (slides && z.a > 0) J(0, j) = sign * K.mu * x[j] / z.a / stiffness;
    if (rolls && z.b > 0) J(0, j + k) = sign * K.mu_rolling * x[j + k] / z.b / stiffness;
  }
  // with x → sign x, ε changes its sign and so does every use of it: J(0, ·) carries the sign once
  if (slides) bound_rows(sign * K.mu, z.a, sign * z.n, 1, x, J);
  if (rolls) bound_rows(sign * K.mu_rolling, z.b, sign * z.n, 1 + k, x, J);
}

void check(std::string_view name, double mu, double mu_rolling) {
  require(std::isfinite(mu) && mu >= 0, "{}: mu is {}, expected finite and >= 0", name, mu);
  require(std::isfinite(mu_rolling) && mu_rolling >= 0,
          "{}: mu_rolling is {}, expected finite and >= 0", name, mu_rolling);
}

void check_size(std::string_view name, Index n) {
  require(n >= 3 && n % 2 == 1,
          "{}: x has size {}, expected 3 or 5 (normal, tangents, as many rolling components)", name,
          n);
}

}  // namespace

void validate(const RollingCone& K) { check(RollingCone::name, K.mu, K.mu_rolling); }
void validate(const RollingDualCone& K) { check(RollingDualCone::name, K.mu, K.mu_rolling); }

void check_dimension(const RollingCone&, Index n) { check_size(RollingCone::name, n); }
void check_dimension(const RollingDualCone&, Index n) { check_size(RollingDualCone::name, n); }

void project(const RollingCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(RollingCone::name, x.size(), p.size());
  project_signed(K, x, 1, p);
}

void project(const RollingDualCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(RollingDualCone::name, x.size(), p.size());
  polar_signed(dual(K), x, -1, p);
}

void project_polar(const RollingCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(RollingCone::name, x.size(), p.size());
  polar_signed(K, x, 1, p);
}

void project_polar(const RollingDualCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(RollingDualCone::name, x.size(), p.size());
  project_signed(dual(K), x, -1, p);
}

double distance(const RollingCone& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  return lengths(K, x, 1).outside;
}

double distance(const RollingDualCone& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  return lengths(dual(K), x, -1).inside;
}

double support(const RollingCone& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  return support_of_length(lengths(K, d, 1).inside, d.norm());
}

double support(const RollingDualCone& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  return support_of_length(lengths(dual(K), d, -1).outside, d.norm());
}

void projection_jacobian(const RollingCone& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(RollingCone::name, x.size(), J);
  jacobian_signed(K, x, 1, J);
}

void projection_jacobian(const RollingDualCone& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(RollingDualCone::name, x.size(), J);
  jacobian_signed(dual(K), x, -1, J);
  J = -J;
  J.diagonal().array() += 1;
}

}  // namespace saltus
