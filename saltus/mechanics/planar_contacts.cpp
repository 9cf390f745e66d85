#include "saltus/mechanics/planar_contacts.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {

namespace {

Vector2 turned(const Vector2& n) { return {-n.y(), n.x()}; }

}  // namespace

void DiskContact::output(const StateView& x, VectorRef y) const {
  y << (x.q.segment<2>(0) - x.q.segment<2>(3)).norm() - radius_0 - radius_1, 0;
}

void DiskContact::jacobian(const StateView& x, MatrixRef H) const {
  const Vector2 d = x.q.segment<2>(0) - x.q.segment<2>(3);
  const double norm = d.norm();
  const Vector2 n = norm > 0 ? Vector2(d / norm) : Vector2::UnitY(), t = turned(n);
  // the points of contact are −r₀ n and r₁ n from the centres: ω × r has no normal component
  H << n.x(), n.y(), 0, -n.x(), -n.y(), 0,  //
      t.x(), t.y(), -radius_0, -t.x(), -t.y(), -radius_1;
}

void DiskContact::prepare() const {
  require(radius_0 > 0 && radius_1 > 0, "DiskContact: radii {} and {}, expected > 0", radius_0,
          radius_1);
}

void DiskOnLine::output(const StateView& x, VectorRef y) const {
  const Vector2 arm = Eigen::Rotation2Dd(x.q[2]) * point;
  y << normal.dot(x.q.head<2>() + arm) - offset - radius, 0;
}

void DiskOnLine::jacobian(const StateView& x, MatrixRef H) const {
  const Vector2 centre = Eigen::Rotation2Dd(x.q[2]) * point;
  const Vector2 t = turned(normal), arm = centre - radius * normal;
  const Vector2 lever = turned(arm);  // velocity of the point for ω = 1
  H << normal.x(), normal.y(), normal.dot(lever), t.x(), t.y(), t.dot(lever);
}

void DiskOnLine::prepare() const {
  require(radius >= 0 && std::isfinite(radius), "DiskOnLine: the radius is {}, expected >= 0",
          radius);
  require(std::abs(normal.norm() - 1) < 1e-9, "DiskOnLine: the normal has length {}, expected 1",
          normal.norm());
}

}  // namespace saltus::mechanics
