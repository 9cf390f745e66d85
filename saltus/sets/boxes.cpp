#include "saltus/sets/boxes.hpp"

#include <cmath>

namespace saltus {

namespace {

double squared_gap(double x, double lower, double upper) {
  const double gap = x - std::min(std::max(x, lower), upper);
  return gap * gap;
}

double support(double d, double lower, double upper) {
  if (d == 0) return 0;
  return d > 0 ? d * upper : d * lower;
}

double slope(double x, double lower, double upper) {
  return lower < upper && lower <= x && x <= upper ? 1 : 0;
}

bool holds_a_number(double lower, double upper) {
  return lower <= upper && lower < inf && upper > -inf;
}

}  // namespace

void validate(const Interval& set) {
  require(holds_a_number(set.lower, set.upper),
          "Interval: [{}, {}] is empty, expected lower <= upper and no NaN", set.lower, set.upper);
}

void validate(const Box& set) {
  require(set.lower.size() == set.upper.size(), "Box: lower has size {}, upper has size {}",
          set.lower.size(), set.upper.size());
  for (Index i = 0; i < set.lower.size(); ++i)
    require(holds_a_number(set.lower[i], set.upper[i]),
            "Box: component {}, [{}, {}], is empty, expected lower <= upper and no NaN", i,
            set.lower[i], set.upper[i]);
}

double distance(const Interval& set, ConstVectorRef x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += squared_gap(x[i], set.lower, set.upper);
  return std::sqrt(sum);
}

double distance(const Box& set, ConstVectorRef x) {
  check_dimension(set, x.size());
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) sum += squared_gap(x[i], set.lower[i], set.upper[i]);
  return std::sqrt(sum);
}

double support(const Interval& set, ConstVectorRef d) {
  double sum = 0;
  for (Index i = 0; i < d.size(); ++i) sum += support(d[i], set.lower, set.upper);
  return sum;
}

double support(const Box& set, ConstVectorRef d) {
  check_dimension(set, d.size());
  double sum = 0;
  for (Index i = 0; i < d.size(); ++i) sum += support(d[i], set.lower[i], set.upper[i]);
  return sum;
}

void projection_jacobian(const Interval& set, ConstVectorRef x, MatrixRef J) {
  check_jacobian(Interval::name, x.size(), J);
  J.setZero();
  for (Index i = 0; i < x.size(); ++i) J(i, i) = slope(x[i], set.lower, set.upper);
}

void projection_jacobian(const Box& set, ConstVectorRef x, MatrixRef J) {
  check_dimension(set, x.size());
  check_jacobian(Box::name, x.size(), J);
  J.setZero();
  for (Index i = 0; i < x.size(); ++i) J(i, i) = slope(x[i], set.lower[i], set.upper[i]);
}

}  // namespace saltus
