#include "saltus/laws/law.hpp"

#include <cmath>

namespace saltus {

namespace {

void require_resistance(const char* which, double resistance) {
  require(resistance >= 0 && std::isfinite(resistance), "zener: {} is {}, expected a number >= 0",
          which, resistance);
}

void require_positive(const char* function, const char* which, double value) {
  require(value > 0, "{}: {} is {}, expected > 0", function, which, value);
}

}  // namespace

void validate(const PiecewiseLinear& law) {
  const Rows& p = law.points;
  require(p.rows() >= 1 && p.cols() == 2,
          "PiecewiseLinear: points is {}x{}, expected one row (y, lambda) per vertex", p.rows(),
          p.cols());
  require(p.allFinite(), "PiecewiseLinear: points has entries that are not finite");
  for (Index i = 1; i < p.rows(); ++i)
    require(p(i, 0) >= p(i - 1, 0) && p(i, 1) <= p(i - 1, 1),
            "PiecewiseLinear: from point {} at ({}, {}) to point {} at ({}, {}) the graph does not "
            "fall; y may not decrease and lambda may not increase (the law must be monotone)",
            i - 1, p(i - 1, 0), p(i - 1, 1), i, p(i, 0), p(i, 1));
  require(law.before <= 0, "PiecewiseLinear: before is {}, expected a slope <= 0", law.before);
  require(law.after <= 0, "PiecewiseLinear: after is {}, expected a slope <= 0", law.after);
}

void validate(const NormalCone& law) { validate(law.set); }

PiecewiseLinear saturation(double gain, double bound) {
  require_positive("saturation", "gain", gain);
  require_positive("saturation", "bound", bound);
  return {.points = {{-bound / gain, bound}, {bound / gain, -bound}}};
}

PiecewiseLinear dead_zone(double width, double gain) {
  require_positive("dead_zone", "width", width);
  require_positive("dead_zone", "gain", gain);
  return {.points = {{-width, 0.0}, {width, 0.0}}, .before = -gain, .after = -gain};
}

PiecewiseLinear relay_with_dead_zone(double width, double bound) {
  require_positive("relay_with_dead_zone", "width", width);
  require_positive("relay_with_dead_zone", "bound", bound);
  return {.points = {{-width, bound}, {-width, 0.0}, {width, 0.0}, {width, -bound}}};
}

PiecewiseLinear zener(double voltage, double reverse, double forward) {
  require_positive("zener", "voltage", voltage);
  require_resistance("reverse", reverse);
  require_resistance("forward", forward);
  return {.points = {{0.0, voltage}, {0.0, 0.0}}, .before = -reverse, .after = -forward};
}

PiecewiseLinear hinge_sum(const Values& slopes, const Values& breaks) {
  const Index n = breaks.size();
  require(n >= 1 && slopes.size() == n, "hinge_sum: {} slopes for {} breaks", slopes.size(), n);
  PiecewiseLinear law;
  law.points = Matrix::Zero(n, 2);
  double slope = 0;
  for (Index j = 0; j < n; ++j) {
    law.points(j, 0) = breaks[j];
    if (j > 0) law.points(j, 1) = law.points(j - 1, 1) - slope * (breaks[j] - breaks[j - 1]);
    slope += slopes[j];
  }
  law.after = -slope;
  validate(law);
  return law;
}

std::string describe(const Rows& matrix) {
  std::string text;
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += i == 0 ? "[" : ", [";
    for (Index j = 0; j < matrix.cols(); ++j)
      text += fmt::format("{}{}", j == 0 ? "" : ", ", matrix(i, j));
    text += "]";
  }
  return "[" + text + "]";
}

std::string describe(const Set& set) { return std::string(name(set)); }

}  // namespace saltus
