#include "saltus/systems/newton_euler.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using Quaternion = Eigen::Quaterniond;

Quaternion quaternion_of(const double* q) { return {q[0], q[1], q[2], q[3]}; }

void store(const Quaternion& p, double* q) {
  q[0] = p.w();
  q[1] = p.x();
  q[2] = p.y();
  q[3] = p.z();
}

/// The unit quaternion of exp(δ̂): (cos ½|δ|, sin ½|δ| δ/|δ|).
Quaternion exponential(const Vector3& turn) {
  const double angle = turn.norm(), half = 0.5 * angle;
  // sin(a)/a = 1 − a²/6 + …: below 1e-4 the next term is under the rounding error
  const double factor = angle > 1e-4 ? std::sin(half) / angle : 0.5 - half * half / 12;
  return {std::cos(half), factor * turn.x(), factor * turn.y(), factor * turn.z()};
}

Matrix3 cross_matrix(const Vector3& a) {
  Matrix3 A;
  A << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return A;
}

/// ω* of the midpoint rule, by Newton's method on f(ω*) = I(ω* − ω) + h ω_m × Iω_m.
Vector3 midpoint_rotation(const Matrix3& I, const Vector3& omega, double h) {
  Vector3 end = omega;
  const double scale = (I * omega).norm();
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vector3 mean = 0.5 * (omega + end), momentum = I * mean;
    const Vector3 f = I * (end - omega) + h * mean.cross(momentum);
    if (f.norm() <= 1e-15 * scale) break;
    const Matrix3 J = I + 0.5 * h * (cross_matrix(mean) * I - cross_matrix(momentum));
    end -= J.partialPivLu().solve(f);
  }
  return end;
}

}  // namespace

bool RigidBodies::rigid_motions(const StateView& x, Index body, MatrixRef G) const {
  const Pose pose = pose_of(x.q.data() + 7 * body);
  G.setZero();
  for (Index axis = 0; axis < 3; ++axis) {
    const Vector3 e = Vector3::Unit(axis);
    G(axis, axis) = 1;
    G.col(axis + 3).head<3>() = e.cross(pose.x);
    G.col(axis + 3).tail<3>() = pose.R.row(axis).transpose();
  }
  return true;
}

bool PlanarBodies::rigid_motions(const StateView& x, Index body, MatrixRef G) const {
  const double* q = x.q.data() + 3 * body;
  G.setZero();
  G(0, 0) = G(1, 1) = G(2, 5) = 1;
  G(0, 5) = -q[1];
  G(1, 5) = q[0];
  return true;
}

Matrix3 RigidBodies::tensor(Index body) const {
  Matrix3 I = Matrix3::Zero();
  I.diagonal() = inertia.row(body).head<3>();
  if (inertia.cols() == 6) {
    I(0, 1) = I(1, 0) = inertia(body, 3);
    I(0, 2) = I(2, 0) = inertia(body, 4);
    I(1, 2) = I(2, 1) = inertia(body, 5);
  }
  return I;
}

void RigidBodies::mass(const StateView&, Index body, MatrixRef M) const {
  M.setZero();
  M.diagonal().head<3>().setConstant(m[body]);
  M.bottomRightCorner<3, 3>() = tensor(body);
}

void RigidBodies::force(const StateView&, VectorRef F) const {
  for (Index i = 0; i < m.size(); ++i) {
    F.segment<3>(6 * i) = m[i] * gravity;
    F.segment<3>(6 * i + 3).setZero();
  }
}

void RigidBodies::move(VectorView q, VectorView d, VectorRef moved) const {
  move_rigid_bodies(q.data(), d.data(), m.size(), moved.data());
}

void move_rigid_bodies(const double* q, const double* d, Index count, double* moved) {
  for (Index i = 0; i < count; ++i) {
    const double *from = q + 7 * i, *step = d + 6 * i;
    double* to = moved + 7 * i;
    for (Index k = 0; k < 3; ++k) to[k] = from[k] + step[k];
    const Quaternion turned =
        quaternion_of(from + 3) * exponential(Eigen::Map<const Vector3>(step + 3));
    store(turned.normalized(), to + 3);
  }
}

void RigidBodies::impulse(const StateView& x, double h, VectorRef P) const {
  P.setZero();
  if (load) {
    load(x, P);
    P *= h;
  }
  for (Index i = 0; i < m.size(); ++i) {
    const Matrix3 I = tensor(i);
    const Vector3 omega = x.v.segment<3>(6 * i + 3);
    if (omega.isZero(0)) continue;
    if (gyroscopic == Gyroscopic::at_start)
      P.segment<3>(6 * i + 3) -= h * omega.cross(I * omega);
    else
      P.segment<3>(6 * i + 3) += I * (midpoint_rotation(I, omega, h) - omega);
  }
}

void AcceleratedBodies::force(const StateView& x, VectorRef F) const {
  RigidBodies::force(x, F);
  if (load) load(x, F);
  for (Index i = 0; i < m.size(); ++i) {
    const Vector3 omega = x.v.segment<3>(6 * i + 3);
    F.segment<3>(6 * i + 3) -= omega.cross(tensor(i) * omega);
  }
}

void AcceleratedBodies::damping(const StateView& x, Index body, MatrixRef C) const {
  const Matrix3 I = tensor(body);
  const Vector3 omega = x.v.segment<3>(6 * body + 3);
  C.setZero();
  C.bottomRightCorner<3, 3>() = cross_matrix(omega) * I - cross_matrix(I * omega);
}

void RigidBodies::check_positions(VectorView q) const {
  for (Index i = 0; i < m.size(); ++i) {
    const double norm = q.segment<4>(7 * i + 3).norm();
    require(std::isfinite(norm) && norm > 1e-12,
            "RigidBodies: the quaternion of body {} has norm {}, expected 1", i, norm);
  }
}

void RigidBodies::prepare() const {
  require(inertia.rows() == m.size() && (inertia.cols() == 3 || inertia.cols() == 6),
          "RigidBodies: inertia is {}x{}, expected one row of 3 or 6 entries for each of {} masses",
          inertia.rows(), inertia.cols(), m.size());
  require(gravity.size() == 3, "RigidBodies: gravity has {} entries, expected 3", gravity.size());
  for (Index i = 0; i < m.size(); ++i) {
    require(m[i] > 0 && std::isfinite(m[i]), "RigidBodies: the mass of body {} is {}, expected > 0",
            i, m[i]);
    require(inertia.row(i).allFinite() && inertia.row(i).head<3>().minCoeff() > 0,
            "RigidBodies: the moments of inertia of body {} are {}, {}, {}, expected > 0", i,
            inertia(i, 0), inertia(i, 1), inertia(i, 2));
  }
}

double RigidBodies::potential(const StateView& x) const {
  double V = 0;
  for (Index i = 0; i < m.size(); ++i) V -= m[i] * gravity.dot(x.q.segment<3>(7 * i));
  return V;
}

double RigidBodies::kinetic_energy(VectorView v) const {
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) {
    const Vector3 omega = v.segment<3>(6 * i + 3);
    sum += 0.5 * m[i] * v.segment<3>(6 * i).squaredNorm() + 0.5 * omega.dot(tensor(i) * omega);
  }
  return sum;
}

void PlanarBodies::mass(const StateView&, Index body, MatrixRef M) const {
  M.setZero();
  M(0, 0) = M(1, 1) = m[body];
  M(2, 2) = inertia[body];
}

void PlanarBodies::force(const StateView&, VectorRef F) const {
  for (Index i = 0; i < m.size(); ++i) {
    F.segment<2>(3 * i) = m[i] * gravity;
    F[3 * i + 2] = 0;
  }
}

double PlanarBodies::potential(const StateView& x) const {
  double V = 0;
  for (Index i = 0; i < m.size(); ++i) V -= m[i] * gravity.dot(x.q.segment<2>(3 * i));
  return V;
}

void PlanarBodies::prepare() const {
  require(inertia.size() == m.size(), "PlanarBodies: {} moments of inertia for {} masses",
          inertia.size(), m.size());
  require(gravity.size() == 2, "PlanarBodies: gravity has {} entries, expected 2", gravity.size());
}

Pose pose_of(const double* q) {
  return {Vector3(q[0], q[1], q[2]), quaternion_of(q + 3).toRotationMatrix()};
}

Vector positions_of(const Vector3& x, const Vector3& turn) {
  Vector q(7);
  q.head<3>() = x;
  store(exponential(turn), q.data() + 3);
  return q;
}

}  // namespace saltus
