#include "saltus/mechanics/collision/polygon.hpp"

#include "saltus/base/error.hpp"

#include <cmath>

namespace saltus::mechanics {

namespace {

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return a.x() * b.y() - a.y() * b.x();
}

void check(std::span<const Eigen::Vector2d> polygon) {
  require(polygon.size() >= 3, "polygon: {} corners, expected at least 3", polygon.size());
}

}  // namespace

double angle_sum(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  check(polygon);
  double sum = 0;
  Eigen::Vector2d from = polygon.back() - point;
  for (const Eigen::Vector2d& corner : polygon) {
    const Eigen::Vector2d to = corner - point;
    sum += std::atan2(cross(from, to), from.dot(to));
    from = to;
  }
  return sum;
}

int ray_crossings(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  check(polygon);
  int crossings = 0;
  Eigen::Vector2d from = polygon.back() - point;
  for (const Eigen::Vector2d& corner : polygon) {
    const Eigen::Vector2d to = corner - point;
    // seen from the lower end, the point lies to the left of an edge that the ray crosses
    if ((from.y() <= 0) != (to.y() <= 0) && (cross(from, to) > 0) == (to.y() > from.y()))
      ++crossings;
    from = to;
  }
  return crossings;
}

bool contains(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point) {
  return ray_crossings(polygon, point) % 2 == 1;
}

}  // namespace saltus::mechanics
