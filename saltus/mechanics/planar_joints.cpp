#include "saltus/mechanics/planar_joints.hpp"

#include <Eigen/Geometry>

#include <array>
#include <cmath>

namespace saltus::mechanics {

namespace {

/// One side of a joint in the world.
struct Side {
  Vector2 p;       // origin of the frame
  double angle;    // of the axis
  Vector2 centre;  // of mass of the body
  int column;      // of its body in H; < 0: the world
};

Side place(const PlanarFrame& frame, int body, VectorView q) {
  if (body < 0) return {frame.p, frame.angle, Vector2::Zero(), -1};
  const Vector2 centre = q.segment<2>(3 * body);
  const double phi = q[3 * body + 2];
  const Vector2 arm = Eigen::Rotation2Dd(phi) * frame.p;
  return {centre + arm, phi + frame.angle, centre, 3 * body};
}

double cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Rows of y and H, written one after the other.
struct PlanarRows {
  Side a, b;
  Vector2 d;
  VectorRef* y = nullptr;
  MatrixRef* H = nullptr;
  Index row = 0;

  template <class Relation>
  PlanarRows(const Relation& r, VectorView q)
      : a(place(r.a, r.sides.a, q)), b(place(r.b, r.sides.b, q)), d(b.p - a.p) {}

  void write(double value, const Vector2& linear, double turn_a, double turn_b) {
    if (y != nullptr) (*y)[row] = value;
    if (H != nullptr && a.column >= 0)
      H->row(row).segment<3>(a.column) << -linear.x(), -linear.y(), turn_a;
    if (H != nullptr && b.column >= 0)
      H->row(row).segment<3>(b.column) << linear.x(), linear.y(), turn_b;
    ++row;
  }
  /// e·d, e fixed in the world: ẏ = e·ḋ
  void point(const Vector2& e) {
    write(e.dot(d), e, -cross(a.p - a.centre, e), cross(b.p - b.centre, e));
  }
  /// n·d, n fixed in A
  void along(const Vector2& n) {
    write(n.dot(d), n, -cross(b.p - a.centre, n), cross(b.p - b.centre, n));
  }
  void turn() { write(b.angle - a.angle, Vector2::Zero(), -1, 1); }
  void stretch(double length) {
    const double norm = d.norm();
    point(norm > 0 ? Vector2(d / norm) : Vector2::UnitX());
    if (y != nullptr) (*y)[row - 1] = norm - length;
  }
  void coincident() {
    point(Vector2::UnitX());
    point(Vector2::UnitY());
  }
  [[nodiscard]] Vector2 axis() const { return {std::cos(a.angle), std::sin(a.angle)}; }
  [[nodiscard]] Vector2 normal() const { return {-std::sin(a.angle), std::cos(a.angle)}; }
};

void write(const PlanarJoint& joint, PlanarRows& rows) {
  switch (joint.kind) {
    case PlanarJointKind::revolute:
      return rows.coincident();
    case PlanarJointKind::prismatic:
      rows.along(rows.normal());
      return rows.turn();
    case PlanarJointKind::fixed:
      rows.coincident();
      return rows.turn();
    case PlanarJointKind::distance:
      return rows.stretch(joint.length);
  }
}

void write(const PlanarCoordinate& coordinate, PlanarRows& rows) {
  if (coordinate.motion == JointMotion::turn) return rows.turn();
  if (coordinate.motion == JointMotion::slide) return rows.along(rows.axis());
  rows.stretch(0);
}

template <class Relation>
void check(const Relation& relation, const char* who) {
  const JointSides& sides = relation.sides;
  require(sides.a >= -1 && sides.b >= -1 && sides.a != sides.b,
          "{}: sides {} and {}, expected two different bodies, or a body and the world (-1)", who,
          sides.a, sides.b);
  for (const PlanarFrame* frame : {&relation.a, &relation.b})
    require(frame->p.allFinite() && std::isfinite(frame->angle), "{}: a frame is not finite", who);
}

}  // namespace

std::string_view name(PlanarJointKind kind) {
  static constexpr std::array<std::string_view, 4> names = {"revolute", "prismatic", "fixed",
                                                            "distance"};
  return names[static_cast<std::size_t>(kind)];
}

Index PlanarJoint::rows() const {
  static constexpr std::array<Index, 4> counts = {2, 2, 3, 1};
  return counts[static_cast<std::size_t>(kind)];
}

void PlanarJoint::output(const StateView& x, VectorRef y) const {
  PlanarRows rows(*this, x.q);
  rows.y = &y;
  write(*this, rows);
}

void PlanarJoint::jacobian(const StateView& x, MatrixRef H) const {
  H.setZero();
  PlanarRows rows(*this, x.q);
  rows.H = &H;
  write(*this, rows);
}

void PlanarJoint::prepare() const {
  check(*this, "PlanarJoint");
  require(std::isfinite(length) && (kind != PlanarJointKind::distance || length > 0),
          "PlanarJoint: the length is {}, expected > 0", length);
}

double PlanarCoordinate::value(VectorView q) const {
  PlanarRows rows(*this, q);
  if (motion == JointMotion::turn) return rows.b.angle - rows.a.angle;
  return motion == JointMotion::slide ? rows.axis().dot(rows.d) : rows.d.norm();
}

void PlanarCoordinate::jacobian(const StateView& x, MatrixRef H) const {
  H.setZero();
  PlanarRows rows(*this, x.q);
  rows.H = &H;
  write(*this, rows);
}

void PlanarCoordinate::prepare() const {
  check(*this, "PlanarCoordinate");
  require(
      motion == JointMotion::turn || motion == JointMotion::slide || motion == JointMotion::stretch,
      "PlanarCoordinate: expected the motion turn, slide or stretch");
}

}  // namespace saltus::mechanics
