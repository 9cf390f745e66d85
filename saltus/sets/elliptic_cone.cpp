#include "saltus/sets/elliptic_cone.hpp"

#include "saltus/base/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

using Pair = std::array<double, 2>;

Pair coefficients(const EllipticCone& K) { return {K.mu_1, K.mu_2}; }

double product(double mu, double t) { return t == 0 ? 0 : mu * t; }
double ratio(double t, double mu) { return t == 0 ? 0 : t / mu; }

bool inside(const Pair& mu, ConstVectorRef x) {
  return std::hypot(ratio(x[1], mu[0]), ratio(x[2], mu[1])) <= x[0];
}
bool polar(const Pair& mu, ConstVectorRef x) {
  return std::hypot(product(mu[0], x[1]), product(mu[1], x[2])) <= -x[0];
}

/// The solution beside the cone; `active` if x is not only moved along a bound or free tangent.
struct Root {
  double n = 0;         ///< n'
  Pair d{}, e{};        ///< d_i and e_i = μ_i t_i/d_i, a unit vector if active; 0 for μ_i = ∞
  bool active = false;  ///< n' solves the equation; otherwise n' = max(n, 0)
};

void evaluate(const Pair& mu, ConstVectorRef x, Root& z) {
  for (int i = 0; i < 2; ++i) {
    z.d[i] = mu[i] == inf ? 1 : (1 + mu[i] * mu[i]) * z.n - x[0];
    z.e[i] = mu[i] == inf || mu[i] * x[i + 1] == 0 ? 0 : mu[i] * x[i + 1] / z.d[i];
  }
}

Root solve_secular(const Pair& mu, ConstVectorRef x) {
  Root z;
  z.n = std::max(x[0], 0.0);
  for (int i = 0; i < 2; ++i)  // each term alone is at most 1 at the root
    if (mu[i] != inf)
      z.n = std::max(z.n, (mu[i] * std::abs(x[i + 1]) + x[0]) / (1 + mu[i] * mu[i]));
  evaluate(mu, x, z);
  z.active = z.n > std::max(x[0], 0.0) || std::hypot(z.e[0], z.e[1]) > 1;
  constexpr int enough = 100;  // quadratic convergence: about 6 steps
  for (int k = 0; k < enough; ++k) {
    const double length = std::hypot(z.e[0], z.e[1]);
    if (!(length > 1)) break;
    double slope = 0;  // −½ d(length²)/dn'
    for (int i = 0; i < 2; ++i)
      if (z.e[i] != 0) slope += z.e[i] * z.e[i] * (1 + mu[i] * mu[i]) / z.d[i];
    const double next = z.n + (length - 1) * length * length / slope;
    if (!(next > z.n)) break;
    z.n = next;
    evaluate(mu, x, z);
  }
  return z;
}

}  // namespace

void validate(const EllipticCone& K) {
  require(K.mu_1 >= 0, "EllipticCone: mu_1 is {}, expected >= 0", K.mu_1);
  require(K.mu_2 >= 0, "EllipticCone: mu_2 is {}, expected >= 0", K.mu_2);
}

void check_dimension(const EllipticCone&, Index n) {
  require(n == 3, "EllipticCone: x has size {}, expected 3 (normal, two tangents)", n);
}

void project(const EllipticCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(EllipticCone::name, x.size(), p.size());
  const Pair mu = coefficients(K);
  if (inside(mu, x)) {
    p = x;
  } else if (polar(mu, x)) {
    p.setZero();
  } else {
    const Root z = solve_secular(mu, x);
    for (Index i = 0; i < 2; ++i) p[i + 1] = mu[i] == inf ? x[i + 1] : mu[i] * z.n * z.e[i];
    p[0] = x.hasNaN() ? std::nan("") : z.n;
  }
}

void project_polar(const EllipticCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(EllipticCone::name, x.size(), p.size());
  const Eigen::Vector3d opposite = -x;
  project(dual(K), opposite, p);
  p = -p;
}

double distance(const EllipticCone& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  Eigen::Vector3d p;
  project_polar(K, x, p);
  return p.norm();
}

double support(const EllipticCone& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  Eigen::Vector3d p;
  project(K, d, p);
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return p.norm() <= roundings * d.norm() ? 0 : inf;
}

void projection_jacobian(const EllipticCone& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(EllipticCone::name, x.size(), J);
  const Pair mu = coefficients(K);
  J.setZero();
  const bool in = inside(mu, x);
  if (in || polar(mu, x)) {
    J(0, 0) = in ? 1 : 0;
    for (Index i = 0; i < 2; ++i) J(i + 1, i + 1) = mu[i] == inf || (in && mu[i] > 0) ? 1 : 0;
    return;
  }
  const Root z = solve_secular(mu, x);
  J(0, 0) = x[0] >= 0 ? 1 : 0;
  if (z.active) {
    double over = 0, slope = 0;
    for (Index i = 0; i < 2; ++i) {
      over += z.e[i] == 0 ? 0 : z.e[i] * z.e[i] / z.d[i];
      slope += z.e[i] == 0 ? 0 : z.e[i] * z.e[i] * (1 + mu[i] * mu[i]) / z.d[i];
    }
    J(0, 0) = over / slope;
    for (Index i = 0; i < 2; ++i) J(0, i + 1) = z.e[i] == 0 ? 0 : z.e[i] * mu[i] / (z.d[i] * slope);
  }
  for (Index i = 0; i < 2; ++i) {
    if (mu[i] == inf) {
      J(i + 1, i + 1) = 1;
      continue;
    }
    // t' = μ n' e,  de = (μ dt − e ((1 + μ²) dn' − dn))/d
    const double weight = mu[i] == 0 ? 0 : mu[i] * z.n / z.d[i];
    if (z.active)
      for (Index j = 0; j < 3; ++j)
        J(i + 1, j) = mu[i] * z.e[i] * J(0, j) -
                      weight * z.e[i] * ((1 + mu[i] * mu[i]) * J(0, j) - (j == 0 ? 1 : 0));
    J(i + 1, i + 1) += weight * mu[i];
  }
}

}  // namespace saltus
