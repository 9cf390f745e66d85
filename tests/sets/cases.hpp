#pragma once

#include "saltus/sets/set.hpp"

#include <Eigen/LU>

#include <cctype>
#include <cmath>
#include <functional>
#include <numbers>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace saltus::cases {

using Random = std::mt19937;

inline Vector gaussian(Index n, Random& random, double scale = 1) {
  std::normal_distribution<double> normal(0, scale);
  Vector v(n);
  for (Index i = 0; i < n; ++i) v[i] = normal(random);
  return v;
}

inline double uniform(double lower, double upper, Random& random) {
  return std::uniform_real_distribution<double>(lower, upper)(random);
}

inline Matrix gaussian_matrix(Index rows, Index cols, Random& random) {
  Matrix A(rows, cols);
  for (Index j = 0; j < cols; ++j) A.col(j) = gaussian(rows, random);
  return A;
}

/// A set, its dimension, a source of its points that does not use `project`, and points on kinks of
/// its projection.
struct Case {
  std::string name;
  Set set;
  Index dimension;
  std::function<Vector(Random&)> point;
  std::vector<Vector> kinks;
};

/// The name with letters and digits only, as GoogleTest wants it.
inline std::string test_name(const Case& c) {
  std::string id = c.name;
  for (char& letter : id)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return id;
}

inline void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

inline Vector clipped(Vector v, double lower, double upper) {
  for (double& value : v) value = std::min(std::max(value, lower), upper);
  return v;
}

/// A point of the centred ball, radius included.
inline Vector in_ball(Index n, double radius, Random& random) {
  const Vector v = gaussian(n, random);
  return uniform(0, 1, random) * radius / v.norm() * v;
}

inline Vector in_friction_cone(Index n, double mu, Random& random) {
  Vector v(n);
  v[0] = std::abs(gaussian(1, random, 2)[0]);
  v.tail(n - 1) = std::isinf(mu) ? gaussian(n - 1, random) : in_ball(n - 1, mu * v[0], random);
  return v;
}

/// Generators of the cone inscribed in FrictionCone{mu} in R³ with `facets` facets.
inline Matrix faceted_generators(double mu, Index facets) {
  Matrix G(3, facets);
  for (Index j = 0; j < facets; ++j) {
    const double angle =
        2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(facets);
    G.col(j) << 1, mu * std::cos(angle), mu * std::sin(angle);
  }
  return G;
}

inline Case friction_cone(double mu, Index n) {
  Vector ray = Vector::Zero(n), polar_ray = Vector::Zero(n);
  ray << 1, Vector::Constant(n - 1, std::isinf(mu) ? 0 : mu / std::sqrt(double(n - 1)));
  if (std::isinf(mu)) ray[0] = 0, ray[1] = 1;
  polar_ray << -std::min(mu, 1.0), Vector::Constant(n - 1, std::min(1 / mu, 1.0));
  return {fmt::format("FrictionCone mu={} n={}", mu, n),
          FrictionCone{mu},
          n,
          [=](Random& r) { return in_friction_cone(n, mu, r); },
          {Vector::Zero(n), ray, 3 * ray, polar_ray}};
}

inline Case second_order_cone(double mu, Index n) {
  Case c = friction_cone(mu, n);
  return {fmt::format("SecondOrderCone mu={} n={}", mu, n), SecondOrderCone{mu}, n, c.point,
          c.kinks};
}

inline Case elliptic_cone(double mu_1, double mu_2) {  // AC:BP-10, AC:BP-15
  // e in the unit disk gives t in the section of height n; a free tangent is e itself
  const auto point = [=](double n, double e_1, double e_2) -> Vector {
    return Values{n, std::isinf(mu_1) ? e_1 : n * mu_1 * e_1,
                  std::isinf(mu_2) ? e_2 : n * mu_2 * e_2};
  };
  return {fmt::format("EllipticCone mu={} {}", mu_1, mu_2),
          EllipticCone{mu_1, mu_2},
          3,
          [=](Random& r) -> Vector {
            const Vector e = in_ball(2, 1, r);
            return point(std::abs(gaussian(1, r, 2)[0]), e[0], e[1]);
          },
          {Vector::Zero(3), point(1, 0.6, 0.8), point(2, -1, 0)}};
}

inline Vector in_rolling_cone(Index n, double mu, double mu_rolling, Random& random) {
  const Index k = (n - 1) / 2;
  Vector v(n);
  v[0] = std::abs(gaussian(1, random, 2)[0]);
  v.segment(1, k) = in_ball(k, mu * v[0], random);
  v.tail(k) = in_ball(k, mu_rolling * v[0], random);
  return v;
}

inline Case rolling_cone(double mu, double mu_rolling, Index n) {
  const Index k = (n - 1) / 2;
  Vector edge = Vector::Zero(n), slide = Vector::Zero(n);
  edge[0] = slide[0] = 1;
  edge[1] = slide[1] = mu;
  edge[k + 1] = mu_rolling;
  return {fmt::format("RollingCone mu={} {} n={}", mu, mu_rolling, n),
          RollingCone{mu, mu_rolling},
          n,
          [=](Random& r) { return in_rolling_cone(n, mu, mu_rolling, r); },
          {Vector::Zero(n), edge, slide}};
}

inline Case rolling_dual_cone(double mu, double mu_rolling, Index n) {
  const Index k = (n - 1) / 2;
  const auto point = [=](double spare, Vector t, Vector m) -> Vector {
    Vector v(n);
    v << spare + mu * t.norm() + mu_rolling * m.norm(), t, m;
    return v;
  };
  return {
      fmt::format("RollingDualCone mu={} {} n={}", mu, mu_rolling, n),
      RollingDualCone{mu, mu_rolling},
      n,
      [=](Random& r) { return point(std::abs(gaussian(1, r)[0]), gaussian(k, r), gaussian(k, r)); },
      {Vector::Zero(n), point(0, Vector::Unit(k, 0), -Vector::Unit(k, 0)),
       point(0, Vector::Unit(k, 0), Vector::Zero(k))}};
}

inline Case generated(std::string name, const Matrix& G) {
  std::vector<Vector> kinks{Vector::Zero(G.rows())};
  for (Index j = 0; j < std::min<Index>(G.cols(), 4); ++j) kinks.push_back(G.col(j));
  return {"generators " + name, PolyhedralCone::from_generators(G), G.rows(),
          [G](Random& r) -> Vector { return G * gaussian(G.cols(), r).cwiseAbs(); }, kinks};
}

/// {A x ≥ 0} with A = G⁻¹: the simplicial cone of the columns of G.
inline Case simplicial_inequalities(const Matrix& G) {
  Case c = generated("", G);
  return {"inequalities simplicial", PolyhedralCone::from_inequalities(G.inverse()), c.dimension,
          c.point, c.kinks};
}

inline Matrix simplicial() { return Rows{{1, 0.2, -0.3}, {0.1, 1, 0.4}, {0, -0.5, 2}}; }
/// Repeated, zero, interior and dependent generators.
inline Matrix redundant() {
  return Rows{{1, 2, 0, 0, 1, 0.5}, {0, 0, 1, 0, 1, 0.5}, {0, 0, 0, 0, 0, 1}};
}
/// Contains the line R e_1.
inline Matrix with_line() { return Rows{{1, -1, 0}, {0, 0, 1}, {0, 0, 0}}; }

inline std::vector<Case> cones() {
  Random random(7);
  std::vector<Case> list;
  list.push_back({"Reals", Reals{}, 4, [](Random& r) { return gaussian(4, r); }, {}});
  list.push_back({"Zero", Zero{}, 3, [](Random&) -> Vector { return Vector::Zero(3); }, {}});
  list.push_back({"NonNegative",
                  NonNegative{},
                  5,
                  [](Random& r) -> Vector { return gaussian(5, r).cwiseAbs(); },
                  {Vector::Zero(5), Values{1, 0, -1, 0, 2}}});
  for (const double mu : {0.0, 1e-3, 0.3, 1.0, 5.0, inf})
    for (const Index n : {2, 3, 6}) list.push_back(friction_cone(mu, n));
  list.push_back(second_order_cone(0.8, 4));
  for (const auto& [mu_1, mu_2] : {std::pair{0.7, 0.7},
                                   {0.3, 0.8},
                                   {0.1, 2.0},
                                   {0.0, 0.5},
                                   {0.5, inf},
                                   {0.0, 0.0},
                                   {inf, 0.0}})
    list.push_back(elliptic_cone(mu_1, mu_2));
  for (const Index n : {3, 5})
    for (const auto& [mu, mu_rolling] :
         {std::pair{0.5, 0.2}, {0.1, 3.0}, {0.0, 0.4}, {0.3, 0.0}, {0.0, 0.0}}) {
      list.push_back(rolling_cone(mu, mu_rolling, n));
      list.push_back(rolling_dual_cone(mu, mu_rolling, n));
    }
  list.push_back(generated("simplicial", simplicial()));
  list.push_back(generated("redundant", redundant()));
  list.push_back(generated("with a line", with_line()));
  list.push_back(generated("faceted", faceted_generators(0.7, 16)));
  list.push_back(generated("random 4x9", gaussian_matrix(4, 9, random)));
  list.push_back(generated("random 6x4", gaussian_matrix(6, 4, random)));
  list.push_back(simplicial_inequalities(simplicial()));
  const Product product{{{FrictionCone{0.5}, 3},
                         {NonNegative{}, 2},
                         {Reals{}, 1},
                         {Zero{}, 1},
                         {Product{{{NonNegative{}, 1}, {FrictionCone{2}, 2}}}, 3}}};
  list.push_back({"Product of cones",
                  product,
                  10,
                  [](Random& r) -> Vector {
                    Vector y(10);
                    y << in_friction_cone(3, 0.5, r), gaussian(2, r).cwiseAbs(), gaussian(1, r), 0,
                        gaussian(1, r).cwiseAbs(), in_friction_cone(2, 2, r);
                    return y;
                  },
                  {Vector::Zero(10)}});
  return list;
}

inline std::vector<Case> all_sets() {
  std::vector<Case> list = cones();
  const auto interval = [](double lower, double upper) {
    return [=](Random& r) { return clipped(gaussian(4, r, 2), lower, upper); };
  };
  list.push_back({"Interval", Interval{-1, 0.5}, 4, interval(-1, 0.5), {Values{-1, 0.5, 0, 3}}});
  list.push_back({"Interval half line",
                  Interval{0.2, inf},
                  4,
                  interval(0.2, inf),
                  {Vector::Constant(4, 0.2)}});
  list.push_back({"Interval point", Interval{2, 2}, 4, interval(2, 2), {Vector::Constant(4, 2)}});
  list.push_back({"Box",
                  Box{{-1, -inf, 0.5}, {1, 0, 0.5}},
                  3,
                  [](Random& r) -> Vector {
                    return Values{uniform(-1, 1, r), -std::abs(gaussian(1, r)[0]), 0.5};
                  },
                  {Values{1, 0, 0.5}, Values{-1, 2, 0}}});
  list.push_back({"Disk",
                  Disk{0.7},
                  2,
                  [](Random& r) { return in_ball(2, 0.7, r); },
                  {Values{0.7, 0}, Values{0, -0.7}}});
  list.push_back({"Disk of radius 0",
                  Disk{0},
                  2,
                  [](Random&) -> Vector { return Vector::Zero(2); },
                  {Vector::Zero(2)}});
  for (const double radius : {0.0, 0.7})
    list.push_back({fmt::format("FrictionCylinder radius={}", radius),
                    FrictionCylinder{radius},
                    3,
                    [=](Random& r) -> Vector {
                      Vector y(3);
                      y << std::abs(gaussian(1, r)[0]), in_ball(2, radius, r);
                      return y;
                    },
                    {Vector::Zero(3), Values{0, radius, 0}, Values{1, 0, radius}}});
  const Values center{1, -2, 0.5, 0};
  list.push_back({"Ball",
                  Ball{center, 1.5},
                  4,
                  [=](Random& r) -> Vector { return center + in_ball(4, 1.5, r); },
                  {Values{2.5, -2, 0.5, 0}, center}});
  list.push_back({"Product",
                  Product{{{Disk{1}, 2}, {Interval{-1, 1}, 1}, {FrictionCone{0.3}, 3}}},
                  6,
                  [](Random& r) -> Vector {
                    Vector y(6);
                    y << in_ball(2, 1, r), uniform(-1, 1, r), in_friction_cone(3, 0.3, r);
                    return y;
                  },
                  {Values{1, 0, 1, 0, 0, 0}}});
  return list;
}

inline Vector projection(const Set& set, const Vector& x) {
  Vector p(x.size());
  project(set, x, p);
  return p;
}

inline Vector polar_projection(const Set& set, const Vector& x) {
  Vector p(x.size());
  project_polar(set, x, p);
  return p;
}

inline Matrix jacobian(const Set& set, const Vector& x) {
  Matrix J(x.size(), x.size());
  projection_jacobian(set, x, J);
  return J;
}

/// Samples have entries of size about 3, so norms stay below 30 and products below 1e3. A closed
/// form loses some ten roundings; the largest condition number of a passive set in these cases
/// (faceted cone, random generators) is below 1e2: 1e2 · 10 · 30 · 2.2e-16 < 1e-11.
inline constexpr double rounding = 1e-11;
/// The same for products of two such numbers.
inline constexpr double rounding_of_products = 30 * rounding;

}  // namespace saltus::cases
