// Joints in space and in the plane: exact Jacobians, closed forms of mechanisms, refused joints.

#include "saltus/mechanics/coordinate_relations.hpp"
#include "saltus/mechanics/joint_list.hpp"
#include "saltus/mechanics/planar_joints.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <random>

namespace saltus::mechanics {
namespace {

constexpr double pi = std::numbers::pi;

class Random {
 public:
  Vector3 vector() { return {number_(engine_), number_(engine_), number_(engine_)}; }
  Pose pose() {
    const Vector q = positions_of(vector(), vector());
    return pose_of(q.data());
  }
  Vector positions(Index bodies) {
    Vector q(7 * bodies);
    for (Index i = 0; i < bodies; ++i) q.segment<7>(7 * i) = positions_of(vector(), 2 * vector());
    return q;
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> number_{-1, 1};
};

/// Differences of fourth order of y(q ⊕ ε e_j): error ε⁴ y⁽⁵⁾/30 + 1e-16/ε. The derivatives of an
/// angle grow as y⁽ⁿ⁾ ~ (n−1)! |H|ⁿ where its axes are nearly parallel: 1e-10 at |H| = 10.
template <class Relation>
Matrix differenced(const Relation& relation, const RigidBodies& pool, const Vector& q) {
  const double step = 1e-4;
  Matrix H(relation.rows(), relation.dof());
  const auto at = [&](Index j, double length) {
    Vector d = Vector::Zero(relation.dof()), moved(q.size()), y(relation.rows());
    d[j] = length;
    pool.move(view_of(q.data(), q.size()), view_of(d.data(), d.size()), moved);
    relation.output({0, view_of(moved.data(), moved.size())}, y);
    return y;
  };
  for (Index j = 0; j < relation.dof(); ++j)
    H.col(j) =
        (8 * (at(j, step) - at(j, -step)) - at(j, 2 * step) + at(j, -2 * step)) / (12 * step);
  return H;
}

RigidBodies pool_of(Index bodies) {
  return {.m = Vector::Ones(bodies), .inertia = Matrix::Ones(bodies, 3)};
}

template <class Relation>
void expect_exact_jacobian(const Relation& relation, const Vector& q, std::string_view what) {
  relation.prepare();
  Matrix H = Matrix::Constant(relation.rows(), relation.dof(), std::nan(""));
  relation.jacobian({0, view_of(q.data(), q.size())}, H);
  const Matrix expected = differenced(relation, pool_of(q.size() / 7), q);
  EXPECT_LT((H - expected).cwiseAbs().maxCoeff(), 1e-9 * (1 + expected.cwiseAbs().maxCoeff()))
      << what;
}

constexpr std::array kinds = {JointKind::ball,     JointKind::hinge,       JointKind::slider,
                              JointKind::fixed,    JointKind::cylindrical, JointKind::universal,
                              JointKind::distance, JointKind::screw};
constexpr std::array motions = {JointMotion::turn, JointMotion::slide, JointMotion::first_turn,
                                JointMotion::second_turn, JointMotion::stretch};
constexpr std::array all_sides = {JointSides{0, 1}, JointSides{1, 0}, JointSides{-1, 0},
                                  JointSides{0, -1}};

TEST(Joints, JacobiansAreTheDerivativesOfTheRows) {  // F:F111, F:F114, PL:RE-04
  Random random;
  for (const JointKind kind : kinds)
    for (const JointSides& sides : all_sides)
      for (int trial = 0; trial < 5; ++trial) {
        const Joint joint{kind, random.pose(), random.pose(), 0.7, sides};
        expect_exact_jacobian(joint, random.positions(sides.bodies()), name(kind));
      }
}

TEST(Joints, CoordinatesHaveExactSpeeds) {
  Random random;
  for (const JointMotion motion : motions)
    for (const JointSides& sides : all_sides)
      for (int trial = 0; trial < 5; ++trial) {
        const JointCoordinate x{motion, random.pose(), random.pose(), sides};
        const Vector q = random.positions(sides.bodies());
        expect_exact_jacobian(x, q, "coordinate");
        if (!x.cyclic())
          expect_exact_jacobian(CoordinateLimits<JointCoordinate>{x, -1, 2}, q, "limits");
        expect_exact_jacobian(CoordinateLimits<JointCoordinate>{.coordinate = x, .upper = 2}, q,
                              "upper limit");
      }
  const CoordinateGear<JointCoordinate> gear{
      {JointCoordinate{JointMotion::turn, random.pose(), random.pose(), {0, 1}},
       JointCoordinate{JointMotion::slide, random.pose(), random.pose(), {0, 2}}},
      {2, -3}};
  expect_exact_jacobian(gear, random.positions(3), "gear");
}

TEST(Joints, RowsVanishExactlyWhenTheJointHolds) {  // F:F111
  // B is placed where the joint allows it: a turn about z and a slide along z of A's frame.
  Random random;
  for (const JointKind kind : {JointKind::hinge, JointKind::slider, JointKind::fixed,
                               JointKind::cylindrical, JointKind::screw}) {
    const Pose a = random.pose(), b = random.pose();
    const bool turns = kind != JointKind::slider && kind != JointKind::fixed;
    const bool slides = kind != JointKind::hinge && kind != JointKind::fixed;
    const double angle = turns ? 2.5 : 0, pitch = 0.3;
    double slide = slides ? 0.4 : 0;
    if (kind == JointKind::screw) slide = pitch * (angle + 6 * pi) / (2 * pi);  // three turns on
    const Vector q_a = random.positions(1);
    const Pose pose_a = pose_of(q_a.data());
    const Matrix3 R_a = pose_a.R * a.R;
    const Matrix3 R_b = R_a * Eigen::AngleAxisd(angle, Vector3::UnitZ()) * b.R.transpose();
    const Vector3 origin = pose_a.x + pose_a.R * a.x + slide * R_a.col(2);
    const Eigen::AngleAxisd turn(R_b);
    Vector q(14);
    q << q_a, positions_of(origin - R_b * b.x, turn.angle() * turn.axis());
    const Joint joint{kind, a, b, pitch, {0, 1}};
    Vector y(joint.rows());
    joint.output({0, view_of(q.data(), 14)}, y);
    EXPECT_LT(y.cwiseAbs().maxCoeff(), 1e-14) << name(kind);
    const JointCoordinate theta{JointMotion::turn, a, b, {0, 1}},
        s{JointMotion::slide, a, b, {0, 1}};
    EXPECT_NEAR(theta.value(view_of(q.data(), 14)), angle, 1e-14);
    EXPECT_NEAR(s.value(view_of(q.data(), 14)), slide, 1e-14);
  }
}

TEST(PlanarJoints, JacobiansAreTheDerivativesOfTheRows) {  // F:F111, PL:RE-04
  Random random;
  for (const PlanarJointKind kind : {PlanarJointKind::revolute, PlanarJointKind::prismatic,
                                     PlanarJointKind::fixed, PlanarJointKind::distance})
    for (const JointSides& sides : all_sides) {
      const PlanarJoint joint{
          kind, {random.vector().head<2>(), 0.4}, {random.vector().head<2>(), -0.9}, 0.5, sides};
      const Vector q = Vector::LinSpaced(joint.dof(), -0.7, 1.3);
      const Relation relation = joint;
      Matrix H(joint.rows(), joint.dof()), expected = H;
      relation.jacobian({0, view_of(q.data(), q.size())}, H);
      difference_output(relation, {0, view_of(q.data(), q.size())}, expected);
      EXPECT_LT((H - expected).cwiseAbs().maxCoeff(), 1e-8) << name(kind);
    }
  for (const JointMotion motion : {JointMotion::turn, JointMotion::slide, JointMotion::stretch}) {
    const PlanarCoordinate x{motion, {{0.1, 0.2}, 0.3}, {{-0.4, 0.5}, 0.6}, {0, 1}};
    const Vector q = Vector::LinSpaced(6, -0.7, 1.3);
    const Relation relation = x;
    Matrix H(1, 6), expected(1, 6);
    relation.jacobian({0, view_of(q.data(), 6)}, H);
    difference_output(relation, {0, view_of(q.data(), 6)}, expected);
    EXPECT_LT((H - expected).cwiseAbs().maxCoeff(), 1e-8);
  }
}

/// A bar of length 2l hinged to the world, in the plane, from rest at the angle `start`.
Simulation planar_bar(double l, double start, double gravity, double h, bool limits) {
  Model model;
  const auto bar =
      model.add(PlanarBodies{.m = {1}, .inertia = {0.02}, .gravity = {0, -gravity}},
                {.q = {l * std::sin(start), -l * std::cos(start), start}, .v = {0, 0, 0}});
  const PlanarFrame end{{0, l}, 0};
  model.link(bar, PlanarJoint{PlanarJointKind::revolute, {}, end, 0, {-1, 0}}, Equality{}, "hinge");
  const PlanarCoordinate angle{JointMotion::turn, {}, end, {-1, 0}};
  if (limits)
    model.link(bar, CoordinateLimits<PlanarCoordinate>{angle, -0.2, 2}, NewtonImpact{.e = 0.5});
  return {model, MoreauJean{}, {.step = h}};
}

TEST(PlanarJoints, BarOnARevoluteJointSwingsAndHitsItsLimit) {  // F:F111, PL:NL-02
  // ½ (I + l²) ω² = g l (cos 0.2 − cos 1) where it meets the limit −0.2; it comes back with ω/2
  const double l = 0.5, g = 9.81, h = 2e-4, J = 0.02 + l * l;
  Simulation free = planar_bar(l, 1, g, h, false), limited = planar_bar(l, 1, g, h, true);
  double swing = 0, fastest = 0, slowest = 0;
  for (int k = 0; k < 3000; ++k) {  // 0.6 s: from 1 rad past −0.2
    ASSERT_TRUE(free.advance().done() && limited.advance().done());
    swing = std::min(swing, free.state().q[2]);
    slowest = std::min(slowest, limited.state().v[2]);
    fastest = std::max(fastest, limited.state().v[2]);
  }
  EXPECT_LT(swing, -0.2);
  const double bottom = std::sqrt(2 * g * l * (1 - std::cos(1)) / J);
  const double limit = std::sqrt(2 * g * l * (std::cos(0.2) - std::cos(1)) / J);
  EXPECT_NEAR(slowest, -bottom, 20 * h);  // order one: ½ ω² h of the speed is lost in a second
  const double back = std::sqrt(limit * limit / 4 + 2 * g * l * (1 - std::cos(0.2)) / J);
  EXPECT_NEAR(fastest, back, 20 * h);  // gains on its way back to the bottom
}

TEST(PlanarJoints, PrismaticDriveMovesItsBody) {  // PL:RE-05
  Model model;
  const auto block = model.add(PlanarBodies{.m = {2}, .inertia = {0.1}}, {.q = {0, 0, 0}});
  const PlanarFrame frame{{0, 0}, 0.5};
  model.link(block, PlanarJoint{PlanarJointKind::prismatic, frame, frame, 0, {-1, 0}}, Equality{});
  model.link(block,
             CoordinateDrive<PlanarCoordinate>{
                 {JointMotion::slide, frame, frame, {-1, 0}}, {}, [](double t) { return 2 * t; }},
             Equality{}, "drive");
  Simulation sim(model, MoreauJean{.gamma = 1}, {.step = 1e-3});
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.state().q[0], std::cos(0.5), 1e-9);
  EXPECT_NEAR(sim.state().q[1], std::sin(0.5), 1e-9);
  EXPECT_NEAR(sim.state().q[2], 0, 1e-12);
  EXPECT_NEAR(sim.multipliers()[2] / 1e-3, 2 * 2, 1e-9);  // m a
}

TEST(Joints, RefuseWhatIsNoJoint) {
  Joint joint{.sides = {-1, -1}};
  EXPECT_ERROR(joint.prepare(), "sides -1 and -1");
  joint = {.kind = JointKind::distance, .sides = {0, 1}};
  EXPECT_ERROR(joint.prepare(), "expected a length > 0");
  joint = {.kind = JointKind::screw, .sides = {0, 1}};
  EXPECT_ERROR(joint.prepare(), "expected a pitch");
  joint = {.a = {.R = 2 * Matrix3::Identity()}};
  EXPECT_ERROR(joint.prepare(), "no rotation");
  const CoordinateLimits<JointCoordinate> none{}, reversed{.lower = 1, .upper = 0},
      far{.lower = -4, .upper = 4};
  EXPECT_ERROR(none.prepare(), "no finite limit");
  EXPECT_ERROR(reversed.prepare(), "expected lower < upper");
  EXPECT_ERROR(far.prepare(), "within (-pi, pi)");
  EXPECT_ERROR(CoordinateDrive<JointCoordinate>{}.prepare(), "neither position nor velocity");
  const CoordinateGear<JointCoordinate> gear{.factor = {1, 0}};
  EXPECT_ERROR(gear.prepare(), "factor 1 is 0");
}

}  // namespace
}  // namespace saltus::mechanics
