// Contact geometry: closed forms, properties on random pairs, frames, keys that persist.

#include "saltus/mechanics/collision/contact_scene.hpp"
#include "saltus/mechanics/rigid_scene.hpp"
#include "support/expect_error.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <random>

namespace saltus::mechanics {
namespace {

class Random {
 public:
  double operator()(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Vector3 vector(double size) {
    const double x = (*this)(-size, size), y = (*this)(-size, size), z = (*this)(-size, size);
    return {x, y, z};
  }
  Vector3 direction() { return vector(1).normalized(); }

 private:
  std::mt19937_64 engine_{7};
};

Matrix3 rotation(const Vector3& turn) {
  const double angle = turn.norm();
  if (angle == 0) return Matrix3::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

/// Two shapes on two bodies of one pool.
struct Pair {
  Shape first, second;
  ContactList detect(const Vector& q, double reach) const {
    Model model;
    const SystemId pool =
        model.add(RigidBodies{.m = {1.0, 1.0}, .inertia = Matrix::Ones(2, 3)}, {.q = q});
    ContactScene scene;
    scene.add(Endpoint(pool, 0), first);
    scene.add(Endpoint(pool, 1), second);
    scene.check(model);
    ContactScene::Cache cache;
    ContactList list;
    scene.detect(model, 0, model.initial_state().q, reach, cache, list);
    return list;
  }
};

Vector two_bodies(const Vector3& x0, const Vector3& turn0, const Vector3& x1,
                  const Vector3& turn1 = Vector3::Zero()) {
  Vector q(14);
  q << positions_of(x0, turn0), positions_of(x1, turn1);
  return q;
}

TEST(Collision, SpheresHaveTheGapOfTheirCentres) {  // F:F129
  const ContactList list = Pair{Sphere{.radius = 0.5}, Sphere{.radius = 0.25}}.detect(
      two_bodies({0, 0, 1}, {0, 0, 0}, {0, 0, 0}), 1);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].gap, 0.25, 1e-15);
  EXPECT_LT((list[0].frame.col(0) - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((list[0].point - Vector3(0, 0, 0.375)).norm(), 1e-15);
}

TEST(Collision, FramesAreOrthonormalAndRightHanded) {  // F:F123
  Random random;
  for (int k = 0; k < 1000; ++k) {
    const Matrix3 F = frame_of(random.direction());
    EXPECT_LT((F.transpose() * F - Matrix3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(F.determinant(), 1, 1e-14);
  }
}

TEST(Collision, BoxOnAPlaneStandsOnFourPoints) {  // F:F129
  RigidScene scene;
  scene.fix(Plane{});
  scene.add(Box{.half = {1, 2, 3}}, 1, {.x = {5, 5, 3}});
  const Model model = scene.model({0, 0, -1});
  ContactScene geometry;
  geometry.add(Endpoint{}, Plane{});
  geometry.add(Endpoint(SystemId{0}, 0), Box{.half = {1, 2, 3}});
  ContactScene::Cache cache;
  ContactList list;
  geometry.detect(model, 0, model.initial_state().q, 1e-9, cache, list);
  ASSERT_EQ(list.size(), 4u);
  Vector3 centre = Vector3::Zero();
  for (const DetectedContact& contact : list) {
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    EXPECT_NEAR(std::abs(contact.point.x() - 5), 1, 1e-15);
    EXPECT_NEAR(std::abs(contact.point.y() - 5), 2, 1e-15);
    EXPECT_TRUE(contact.bodies[0].world());
    EXPECT_LT((contact.frame.col(0) + Vector3::UnitZ()).norm(), 1e-15);  // from body 1 to the world
    centre += contact.point / 4;
  }
  EXPECT_LT((centre - Vector3(5, 5, 0)).norm(), 1e-14);
}

TEST(Collision, EqualBoxesStackedHaveFourPointsAndTurnedOnesEight) {  // F:F129
  const Pair pair{Box{.half = {1, 1, 0.5}}, Box{.half = {1, 1, 0.5}}};
  const ContactList aligned = pair.detect(two_bodies({0, 0, 1}, {0, 0, 0}, {0, 0, 0}), 1e-9);
  EXPECT_EQ(aligned.size(), 4u);
  const ContactList turned =
      pair.detect(two_bodies({0, 0, 0.9}, {0, 0, M_PI / 4}, {0, 0, 0}), 1e-9);
  EXPECT_EQ(turned.size(), 8u);
  for (const DetectedContact& contact : turned) {
    EXPECT_NEAR(contact.gap, -0.1, 1e-14);
    EXPECT_NEAR(contact.frame(2, 0), 1, 1e-14);
    // corners of the regular octagon, the common part of two squares; 1e-4 · size is the slack
    EXPECT_NEAR(contact.point.head<2>().norm(), 1 / std::cos(M_PI / 8), 3e-4);
  }
}

TEST(Collision, OverhangingBoxStandsOnTheCommonRectangle) {  // F:F129
  const ContactList list = Pair{Box{.half = {1, 1, 1}}, Box{.half = {1, 1, 1}}}.detect(
      two_bodies({0.5, 0.25, 2}, {0, 0, 0}, {0, 0, 0}), 1e-9);
  ASSERT_EQ(list.size(), 4u);
  for (const DetectedContact& contact : list) {
    const double x = contact.point.x(), y = contact.point.y();
    EXPECT_LT(std::min(std::abs(x - 1), std::abs(x + 0.5)), 2e-4);
    EXPECT_LT(std::min(std::abs(y - 1), std::abs(y + 0.75)), 2e-4);
  }
}

TEST(Collision, CrossedEdgesTouchInOnePoint) {  // F:F129
  // Each box stands on an edge: the lower shows an edge along y at height √2, the upper one along
  // x.
  const double top = std::sqrt(2.0);
  const ContactList list = Pair{Box{}, Box{}}.detect(
      two_bodies({0, 0, 2 * top - 0.01}, {M_PI / 4, 0, 0}, {0, 0, 0}, {0, M_PI / 4, 0}), 1e-9);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_NEAR(list[0].gap, -0.01, 1e-13);
  EXPECT_LT((list[0].point - Vector3(0, 0, top - 0.005)).norm(), 1e-13);
  EXPECT_NEAR(list[0].frame(2, 0), 1, 1e-13);
}

TEST(Collision, SphereAndBoxAgreeWithClamping) {  // F:F129
  Random random;
  const Vector3 half(0.5, 1, 0.7);
  for (int k = 0; k < 2000; ++k) {
    const Vector3 turn = random.vector(3), x = random.vector(2), c = random.vector(2);
    const double radius = random(0.1, 1);
    const Matrix3 R = rotation(turn);
    const Vector3 local = R.transpose() * (c - x);
    const Vector3 inside = local.cwiseMax(-half).cwiseMin(half);
    double distance = (local - inside).norm();
    if (distance == 0) distance = -(half - local.cwiseAbs()).minCoeff();
    const ContactList list = Pair{Sphere{.radius = radius}, Box{.half = half}}.detect(
        two_bodies(c, {0, 0, 0}, x, turn), 10);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_NEAR(list[0].gap, distance - radius, 1e-13);
  }
}

TEST(Collision, SegmentsAreAsFarApartAsTheirClosestSamples) {
  Random random;
  for (int k = 0; k < 200; ++k) {
    const Vector3 a = random.vector(1), b = random.vector(1), c = random.vector(1),
                  d = random.vector(1);
    const ClosestPair pair = closest(a, b, c, d);
    const double distance = (pair.p - pair.q).norm();
    double sampled = inf;
    for (int i = 0; i <= 50; ++i)
      for (int j = 0; j <= 50; ++j)
        sampled = std::min(sampled, (a + i / 50.0 * (b - a) - c - j / 50.0 * (d - c)).norm());
    EXPECT_LE(distance, sampled + 1e-14);
    EXPECT_GE(distance, sampled - 0.08);  // spacing of the samples: at most 3.5/50
  }
}

TEST(Collision, ParallelCapsulesLieOnTwoPoints) {  // F:F129
  const Capsule capsule{.radius = 0.5, .half_length = 1};
  const ContactList list =
      Pair{capsule, capsule}.detect(two_bodies({0.9, 0, 0.5}, {0, 0, 0}, {0, 0, 0}), 0);
  ASSERT_EQ(list.size(), 2u);
  for (const DetectedContact& contact : list) EXPECT_NEAR(contact.gap, -0.1, 1e-15);
  EXPECT_NEAR(std::abs(list[0].point.z() - list[1].point.z()), 1.5, 1e-14);
}

TEST(Collision, CapsuleOnABoxLiesOnTwoPoints) {  // F:F129
  const ContactList list =
      Pair{Capsule{.radius = 0.5, .half_length = 1}, Box{.half = {4, 4, 1}}}.detect(
          two_bodies({0, 0, 1.5}, {0, M_PI / 2, 0}, {0, 0, 0}), 1e-9);
  ASSERT_EQ(list.size(), 2u);
  for (const DetectedContact& contact : list) {
    EXPECT_NEAR(contact.gap, 0, 1e-14);
    EXPECT_NEAR(std::abs(contact.point.x()), 1, 1e-14);
    EXPECT_NEAR(contact.frame(2, 0), 1, 1e-14);
  }
}

TEST(Collision, CapsuleThroughABoxPenetrates) {  // F:F129
  // The segment pierces the box, both ends outside, tilted against every face.
  const Vector3 axis = Vector3(1, 1, 1).normalized();
  const Vector3 turn = std::acos(axis.z()) * Vector3::UnitZ().cross(axis).normalized();
  const ContactList list = Pair{Capsule{.radius = 0.2, .half_length = 3}, Box{}}.detect(
      two_bodies({0, 0, 0}, turn, {0, 0, 0}), 0);
  ASSERT_EQ(list.size(), 1u);
  // out of a face by moving along its normal: 1 to the face, 3/√3 for the end, and the radius
  EXPECT_NEAR(list[0].gap, -(1 + 3 / std::sqrt(3.0) + 0.2), 1e-13);
}

/// Deepest gap of a pair.
double deepest(const ContactList& list) {
  double gap = inf;
  for (const DetectedContact& contact : list) gap = std::min(gap, contact.gap);
  return gap;
}

TEST(Collision, NoDirectionSeparatesPenetratingHullsBetter) {  // F:F129
  Random random;
  const std::vector<Vector3> points{{1, 0, 0},    {-1, 0.2, 0}, {0, 1, -0.3},
                                    {0.1, -1, 0}, {0, 0, 1.2},  {0.2, 0.1, -1}};
  const Shape polyhedron = Polyhedron(points);
  const Vector3 half(0.6, 0.8, 0.5);
  int found = 0;
  for (int k = 0; k < 300; ++k) {
    const Vector3 x = random.vector(1.2), turn0 = random.vector(3), turn1 = random.vector(3);
    const ContactList list =
        Pair{polyhedron, Box{.half = half}}.detect(two_bodies(x, turn0, {0, 0, 0}, turn1), 0);
    if (list.empty()) continue;
    ++found;
    const Matrix3 R0 = rotation(turn0), R1 = rotation(turn1);
    for (int i = 0; i < 200; ++i) {
      const Vector3 n = random.direction();
      double low = inf;
      for (const Vector3& p : points) low = std::min(low, n.dot(x + R0 * p));
      const double separation = low - (R1.transpose() * n).cwiseAbs().dot(half);
      // a face is preferred to a pair of edges up to 1e-3 of the size
      EXPECT_LE(separation, deepest(list) + 1e-3);
    }
  }
  EXPECT_GT(found, 50);
}

TEST(Collision, NormalVelocityIsTheRateOfTheGap) {  // F:F123
  Random random;
  const std::vector<Shape> shapes{Sphere{.radius = 0.6}, Capsule{.radius = 0.4, .half_length = 0.5},
                                  Box{.half = {0.5, 0.6, 0.7}}, Plane{}};
  const RigidBodies pool{.m = {1.0, 1.0}, .inertia = Matrix::Ones(2, 3)};
  int compared = 0;
  for (const Shape& first : shapes)
    for (const Shape& second : shapes)
      for (int k = 0; k < 40; ++k) {
        // The ends of the common part of two bodies are no material points: hulls, segment and
        // face.
        if (first.index() + second.index() == 3 || (first.index() >= 2 && second.index() >= 2))
          continue;
        const Vector q =
            two_bodies(random.vector(0.7), random.vector(2), random.vector(0.7), random.vector(2));
        const Vector v = Vector::NullaryExpr(12, [&] { return random(-1, 1); });
        const double step = 1e-6;
        Vector after(14), before(14);
        const Vector d = step * v, minus = -d;
        pool.move(view_of(q.data(), 14), view_of(d.data(), 12), after);
        pool.move(view_of(q.data(), 14), view_of(minus.data(), 12), before);
        const Pair pair{first, second};
        const ContactList here = pair.detect(q, 0.1), later = pair.detect(after, 0.1),
                          earlier = pair.detect(before, 0.1);
        if (here.size() != later.size() || here.size() != earlier.size()) continue;
        for (std::size_t i = 0; i < here.size(); ++i) {
          if (here[i].key != later[i].key || here[i].key != earlier[i].key) continue;
          if ((here[i].frame.col(0) - later[i].frame.col(0)).norm() > 1e-4) continue;  // a corner
          const double u =
              here[i].H[0].row(0).dot(v.head<6>()) + here[i].H[1].row(0).dot(v.tail<6>());
          // central difference: rounding 1e-16/1e-6, curvature 1e-12
          EXPECT_NEAR((later[i].gap - earlier[i].gap) / (2 * step), u, 1e-7)
              << first.index() << " " << second.index();
          ++compared;
        }
      }
  EXPECT_GT(compared, 150);
}

TEST(Collision, ContactsMoveWithTheWorld) {  // F:F123
  Random random;
  const Pair pair{Box{.half = {0.5, 0.6, 0.7}},
                  Polyhedron({{1, 0, 0}, {-1, 0.2, 0}, {0, 1, -0.3}, {0.1, -1, 0}, {0, 0, 1.2}})};
  int compared = 0;
  for (int k = 0; k < 100; ++k) {
    const Vector3 x = random.vector(1), turn = random.vector(2), shift = random.vector(5);
    const Matrix3 Q = rotation(random.vector(3));
    const auto turned = [&](const Vector3& t) {
      const Eigen::AngleAxisd total(Q * rotation(t));
      return Vector3(total.angle() * total.axis());
    };
    const ContactList a = pair.detect(two_bodies(x, turn, {0, 0, 0}), 0);
    const ContactList b =
        pair.detect(two_bodies(shift + Q * x, turned(turn), shift, turned(Vector3::Zero())), 0);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].key, b[i].key);
      EXPECT_NEAR(a[i].gap, b[i].gap, 1e-13);
      EXPECT_LT((shift + Q * a[i].point - b[i].point).norm(), 1e-12);
      EXPECT_LT((Q * a[i].frame.col(0) - b[i].frame.col(0)).norm(), 1e-12);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(Collision, KeysSurviveSmallMotions) {  // F:F133
  Random random;
  const Pair pair{Box{.half = {1, 1, 0.5}}, Box{.half = {1.5, 1, 0.5}}};
  const ContactList before = pair.detect(two_bodies({0.2, 0.1, 0.99}, {0, 0, 0.3}, {0, 0, 0}), 0);
  ASSERT_GE(before.size(), 4u);
  for (int k = 0; k < 50; ++k) {
    const Vector3 x = Vector3(0.2, 0.1, 0.99) + random.vector(1e-5);
    const ContactList after =
        pair.detect(two_bodies(x, Vector3(0, 0, 0.3) + random.vector(1e-5), {0, 0, 0}), 0);
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(after[i].key, before[i].key);
      EXPECT_LT((after[i].point - before[i].point).norm(), 1e-3);
    }
  }
}

TEST(Collision, BroadPhaseFindsEveryPair) {  // F:F128
  Random random;
  const Index n = 60;
  RigidBodies pool{.m = Vector::Ones(n), .inertia = Matrix::Ones(n, 3)};
  Model model;
  Vector q(7 * n);
  std::vector<double> radius;
  for (Index i = 0; i < n; ++i) q.segment<7>(7 * i) = positions_of(random.vector(2));
  const SystemId id = model.add(pool, {.q = q});
  ContactScene scene;
  for (Index i = 0; i < n; ++i) {
    radius.push_back(random(0.2, 0.6));
    scene.add(Endpoint(id, i), Sphere{.radius = radius.back()});
  }
  ContactScene::Cache cache;
  for (int round = 0; round < 3; ++round) {  // the cache of one round serves the next
    ContactList list;
    scene.detect(model, 0, q, 0.05, cache, list);
    std::size_t expected = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j)
        if ((q.segment<3>(7 * i) - q.segment<3>(7 * j)).norm() - radius[i] - radius[j] <= 0.05)
          ++expected;
    EXPECT_EQ(list.size(), expected);
    EXPECT_TRUE(std::is_sorted(
        list.begin(), list.end(),
        [](const DetectedContact& a, const DetectedContact& b) { return a.key < b.key; }));
    for (Index i = 0; i < n; ++i) q.segment<3>(7 * i) += random.vector(0.3);
  }
}

TEST(Hull, OfABoxHasSixFacesTwelveEdgesAndItsMass) {  // F:F116
  std::vector<Vector3> corners;
  for (int i = 0; i < 8; ++i)
    corners.emplace_back((i & 1) + 3.0, 2.0 * ((i >> 1) & 1), 3.0 * (i >> 2));
  corners.emplace_back(3.5, 1, 1);  // inside
  const Hull hull = convex_hull(corners);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.faces.size(), 6u);
  EXPECT_EQ(hull.edges.size(), 12u);
  EXPECT_EQ(hull.directions.size(), 3u);
  EXPECT_NEAR(hull.size, 1, 1e-14);
  const MassProperties mass = mass_properties(hull, 2);
  const MassProperties box = mass_properties(Box{.half = {0.5, 1, 1.5}}, 2);
  EXPECT_NEAR(mass.mass, 12, 1e-13);
  EXPECT_LT((mass.centre - Vector3(3.5, 1, 1.5)).norm(), 1e-13);
  EXPECT_LT((mass.inertia - box.inertia).norm(), 1e-12);
}

TEST(Hull, RefusesFlatAndEmptySets) {
  EXPECT_ERROR(convex_hull({{0, 0, 0}, {1, 0, 0}}), "2 points");
  EXPECT_ERROR(convex_hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), "one plane");
}

TEST(Shapes, KnowTheirMass) {  // F:F116
  const MassProperties ball = mass_properties(Sphere{.radius = 2}, 3);
  EXPECT_NEAR(ball.mass, 3 * 4.0 / 3 * M_PI * 8, 1e-12);
  EXPECT_NEAR(ball.inertia(0, 0), 0.4 * ball.mass * 4, 1e-11);
  // a capsule without length is a ball, and a long one a rod
  const MassProperties stub = mass_properties(Capsule{.radius = 2, .half_length = 1e-12}, 3);
  EXPECT_LT((stub.inertia - ball.inertia).norm(), 1e-8);
  const MassProperties rod = mass_properties(Capsule{.radius = 1e-6, .half_length = 1}, 1);
  EXPECT_NEAR(rod.inertia(0, 0) / rod.mass, 1.0 / 3, 1e-5);
}

TEST(ContactScene, RefusesWhatDoesNotSuit) {
  ContactScene scene;
  EXPECT_ERROR(scene.add(Endpoint{}, Sphere{.radius = -1}), "Sphere: radius is -1");
  EXPECT_ERROR(scene.add(Endpoint{}, Plane{}, {.mu = -1}), "mu is -1");
  EXPECT_ERROR(scene.add(Endpoint{}, Plane{.normal = {0, 0, 0}}), "normal");
  EXPECT_ERROR(scene.add(Endpoint{}, Box{}, {}, {.R = 2 * Matrix3::Identity()}), "no rotation");
  scene.add(Endpoint(SystemId{0}, 3), Sphere{});
  Model model;
  model.add(RigidBodies{}, {.q = positions_of({0, 0, 0})}, "stone");
  EXPECT_ERROR(model.add(scene), "body 3 of stone, which has 1 bodies");
}

}  // namespace
}  // namespace saltus::mechanics
