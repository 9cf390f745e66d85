#include "saltus/mechanics/joints.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace saltus::mechanics {

namespace {

constexpr double pi = std::numbers::pi;

/// A row of H: at most four bodies.
using JointRow = Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 24>;

/// One side of a joint in the world.
struct Side {
  Vector3 p;       // origin of the frame
  Matrix3 axes;    // its axes
  Vector3 centre;  // of mass of the body
  Matrix3 R;       // of the body
  int column;      // of its body in H; < 0: the world
};

Side place(const Pose& frame, int body, VectorView q) {
  if (body < 0) return {frame.x, frame.R, Vector3::Zero(), Matrix3::Identity(), -1};
  const Pose pose = pose_of(q.data() + 7 * body);
  return {pose.x + pose.R * frame.x, pose.R * frame.R, pose.x, pose.R, 6 * body};
}

/// Rows of y and H, written one after the other. Gradients are given in the world.
struct JointRows {
  Side a, b;
  Vector3 d;
  MatrixRef* H = nullptr;
  VectorRef* y = nullptr;
  Index row = 0;

  JointRows(const Pose& frame_a, const Pose& frame_b, JointSides sides, VectorView q)
      : a(place(frame_a, sides.a, q)), b(place(frame_b, sides.b, q)), d(b.p - a.p) {}

  void gradient(const Side& side, const Vector3& linear, const Vector3& angular) {
    if (side.column < 0) return;
    H->row(row).segment<3>(side.column) = linear;
    H->row(row).segment<3>(side.column + 3) = side.R.transpose() * angular;
  }
  void turn_gradient(const Vector3& g) {  // ẏ = g·(ω_A − ω_B)
    gradient(a, Vector3::Zero(), g);
    gradient(b, Vector3::Zero(), -g);
  }
  /// y = e·d, e fixed in the world
  void point(const Vector3& e) {
    if (y != nullptr) (*y)[row] = e.dot(d);
    if (H != nullptr) {
      gradient(a, -e, -(a.p - a.centre).cross(e));
      gradient(b, e, (b.p - b.centre).cross(e));
    }
    ++row;
  }
  /// y = n·d + offset, n fixed in A
  void along(const Vector3& n) {
    if (y != nullptr) (*y)[row] = n.dot(d);
    if (H != nullptr) {
      gradient(a, -n, -(b.p - a.centre).cross(n));
      gradient(b, n, (b.p - b.centre).cross(n));
    }
    ++row;
  }
  /// y = α_i·β_j
  void axes(Index i, Index j) {
    const Vector3 alpha = a.axes.col(i), beta = b.axes.col(j);
    if (y != nullptr) (*y)[row] = alpha.dot(beta);
    if (H != nullptr) turn_gradient(alpha.cross(beta));
    ++row;
  }
  void coincident() {
    for (Index k = 0; k < 3; ++k) point(Vector3::Unit(k));
  }
  void parallel() {
    axes(0, 2);
    axes(1, 2);
  }
  void collinear() {
    along(a.axes.col(0));
    along(a.axes.col(1));
  }
  void unturned() {
    for (Index k = 0; k < 3; ++k) {
      const Index i = (k + 1) % 3, j = (k + 2) % 3;
      const Vector3 ai = a.axes.col(i), aj = a.axes.col(j), bi = b.axes.col(i), bj = b.axes.col(j);
      if (y != nullptr) (*y)[row] = 0.5 * (aj.dot(bi) - ai.dot(bj));
      if (H != nullptr) turn_gradient(0.5 * (aj.cross(bi) - ai.cross(bj)));
      ++row;
    }
  }
  /// y = |d| − length
  void distance(double length) {
    const double norm = d.norm();
    const Vector3 e = norm > 0 ? Vector3(d / norm) : Vector3::UnitZ();
    point(e);
    if (y != nullptr) (*y)[row - 1] = norm - length;
  }
  /// The angle atan2(α_i·β_j, α_k·β_l) and, with H, its gradient.
  double angle(Index i, Index j, Index k, Index l) {
    const Vector3 ai = a.axes.col(i), bj = b.axes.col(j), ak = a.axes.col(k), bl = b.axes.col(l);
    const double s = ai.dot(bj), c = ak.dot(bl);
    if (H != nullptr)
      turn_gradient((c * ai.cross(bj) - s * ak.cross(bl)) / std::max(s * s + c * c, 1e-300));
    return std::atan2(s, c);
  }
  /// y = α_z·d − pitch θ/2π, θ in the turn that fits best
  void screw(double pitch) {
    const double lead = pitch / (2 * pi), theta = angle(1, 0, 0, 0), slide = a.axes.col(2).dot(d);
    if (H != nullptr) {
      const JointRow turning = H->row(row);
      along(a.axes.col(2));
      H->row(row - 1) -= lead * turning;
    } else {
      ++row;
    }
    if (y != nullptr) (*y)[row - 1] = lead * std::remainder(slide / lead - theta, 2 * pi);
  }
};

void write(JointKind kind, double parameter, JointRows& rows) {
  switch (kind) {
    case JointKind::ball:
      return rows.coincident();
    case JointKind::hinge:
      rows.coincident();
      return rows.parallel();
    case JointKind::slider:
      rows.collinear();
      return rows.unturned();
    case JointKind::fixed:
      rows.coincident();
      return rows.unturned();
    case JointKind::cylindrical:
      rows.collinear();
      return rows.parallel();
    case JointKind::universal:
      rows.coincident();
      return rows.axes(0, 1);
    case JointKind::distance:
      return rows.distance(parameter);
    case JointKind::screw:
      rows.collinear();
      rows.parallel();
      return rows.screw(parameter);
  }
}

void check_sides(std::string_view who, const JointSides& sides) {
  require(sides.a >= -1 && sides.b >= -1 && sides.a != sides.b,
          "{}: sides {} and {}, expected two different bodies, or a body and the world (-1)", who,
          sides.a, sides.b);
}

void check_frame(std::string_view who, const Pose& frame) {
  require(frame.x.allFinite() && frame.R.allFinite() &&
              (frame.R.transpose() * frame.R - Matrix3::Identity()).norm() < 1e-9 &&
              frame.R.determinant() > 0,
          "{}: a frame is no rotation and translation", who);
}

/// x of a coordinate, and its gradient in row 0 of H if there is one.
double evaluate(const JointCoordinate& c, VectorView q, MatrixRef* H) {
  JointRows rows(c.a, c.b, c.sides, q);
  rows.H = H;
  switch (c.motion) {
    case JointMotion::turn:
      return rows.angle(1, 0, 0, 0);
    case JointMotion::first_turn:
      return rows.angle(2, 1, 1, 1);
    case JointMotion::second_turn:
      return rows.angle(0, 2, 0, 0);
    case JointMotion::slide:
      if (H != nullptr) rows.along(rows.a.axes.col(2));
      return rows.a.axes.col(2).dot(rows.d);
    case JointMotion::stretch:
      if (H != nullptr) rows.distance(0);
      return rows.d.norm();
  }
  return 0;
}

/// d/ds of H(q ⊕ s v) v; the step is about ε^(1/5) in units of the motion.
template <class Relation>
void curve(const Relation& relation, const StateView& x, VectorRef dH) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 12> H;
  H.resize(relation.rows(), relation.dof());
  Eigen::Matrix<double, 14, 1> q;
  Eigen::Matrix<double, 12, 1> d;
  const double s = 1e-3 / std::max(1.0, x.v.lpNorm<Eigen::Infinity>());
  StateView moved = x;
  new (&moved.q) VectorView(q.data(), x.q.size());
  dH.setZero();
  for (const auto& [steps, weight] :
       {std::pair{-2, 1.0}, std::pair{-1, -8.0}, std::pair{1, 8.0}, std::pair{2, -1.0}}) {
    d.head(x.v.size()) = steps * s * x.v;
    move_rigid_bodies(x.q.data(), d.data(), relation.sides.bodies(), q.data());
    relation.jacobian(moved, H);
    for (Index j = 0; j < x.v.size(); ++j) dH += weight / (12 * s) * x.v[j] * H.col(j);
  }
}

}  // namespace

std::string_view name(JointKind kind) {
  static constexpr std::array<std::string_view, 8> names = {
      "ball", "hinge", "slider", "fixed", "cylindrical", "universal", "distance", "screw"};
  return names[static_cast<std::size_t>(kind)];
}

Index Joint::rows() const {
  static constexpr std::array<Index, 8> counts = {3, 5, 5, 6, 4, 4, 1, 5};
  return counts[static_cast<std::size_t>(kind)];
}

void Joint::output(const StateView& x, VectorRef y) const {
  JointRows rows(a, b, sides, x.q);
  rows.y = &y;
  write(kind, parameter, rows);
}

void Joint::jacobian(const StateView& x, MatrixRef H) const {
  H.setZero();
  JointRows rows(a, b, sides, x.q);
  rows.H = &H;
  write(kind, parameter, rows);
}

void Joint::curvature(const StateView& x, VectorRef dH) const { curve(*this, x, dH); }

void Joint::prepare() const {
  check_sides("Joint", sides);
  check_frame("Joint", a);
  check_frame("Joint", b);
  require(std::isfinite(parameter) && (kind != JointKind::distance || parameter > 0) &&
              (kind != JointKind::screw || parameter != 0),
          "Joint: {} with the parameter {}, expected {}", mechanics::name(kind), parameter,
          kind == JointKind::distance ? "a length > 0" : "a pitch that is not 0");
}

double JointCoordinate::value(VectorView q) const { return evaluate(*this, q, nullptr); }

void JointCoordinate::jacobian(const StateView& x, MatrixRef H) const {
  H.setZero();
  static_cast<void>(evaluate(*this, x.q, &H));
}

void JointCoordinate::curvature(const StateView& x, VectorRef dH) const { curve(*this, x, dH); }

void JointCoordinate::prepare() const {
  check_sides("JointCoordinate", sides);
  check_frame("JointCoordinate", a);
  check_frame("JointCoordinate", b);
}

}  // namespace saltus::mechanics
