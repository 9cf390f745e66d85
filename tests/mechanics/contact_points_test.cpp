// The points of contact of two bodies (FS:FS-04): C_A and C_B on the surfaces, the normal between
// them, the gap g = (C_A − C_B)·n.

#include "saltus/mechanics/collision/narrow_phase.hpp"
#include "support/random_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {
namespace {

/// Least value of n·x on the body.
double lowest(const RoundedSegment& body, const Vector3& n) {
  return std::min(n.dot(body.a), n.dot(body.b)) - body.radius;
}

double distance_to_segment(const RoundedSegment& body, const Vector3& p) {
  const Vector3 along = body.b - body.a;
  const double length = along.squaredNorm();
  const double t = length > 0 ? std::clamp(along.dot(p - body.a) / length, 0.0, 1.0) : 0;
  return (p - body.a - t * along).norm();
}

// Disjoint convex bodies: the points are the closest ones of the two. That is so if and only if the
// plane through each of them, at right angles to n, has its body on the far side: the body is in
// {n·x ≥ n·C_A}, the other in {n·x ≤ n·C_B}, and C_A − C_B = g n.
TEST(ContactPoints, OfDisjointBodiesAreTheClosestOnes) {
  RandomMatrix matrix(11);
  int disjoint = 0, balls = 0;
  for (int trial = 0; trial < 400; ++trial) {
    RoundedSegment bodies[2];
    for (RoundedSegment& body : bodies) {
      const Vector3 centre = 2 * Vector3(matrix(3, 1));
      const Vector3 half = (trial % 3 == 0 ? 0 : 0.5) * Vector3(matrix(3, 1));
      body = {centre - half, centre + half, 0.1 + 0.2 * std::abs(matrix.number())};
    }
    Manifold found;
    collide(bodies[0], bodies[1], 100, found);
    ASSERT_FALSE(found.empty());
    const ManifoldPoint& p = *std::min_element(
        found.points().begin(), found.points().end(),
        [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.gap < b.gap; });
    if (p.gap <= 0) continue;
    ++disjoint;
    balls += bodies[0].point() && bodies[1].point() ? 1 : 0;
    const Vector3 first = p.point + p.gap / 2 * p.normal, second = p.point - p.gap / 2 * p.normal;
    // rounding of coordinates of size 5
    EXPECT_NEAR(p.normal.norm(), 1, 1e-14);
    EXPECT_NEAR(distance_to_segment(bodies[0], first), bodies[0].radius, 1e-13) << trial;
    EXPECT_NEAR(distance_to_segment(bodies[1], second), bodies[1].radius, 1e-13) << trial;
    EXPECT_NEAR((first - second).dot(p.normal), p.gap, 1e-13);
    EXPECT_GE(lowest(bodies[0], p.normal), p.normal.dot(first) - 1e-12) << trial;
    EXPECT_GE(lowest(bodies[1], -p.normal), -p.normal.dot(second) - 1e-12) << trial;
  }
  EXPECT_GT(disjoint, 200);
  EXPECT_GT(balls, 50);
}

// The master point is projected along the normal of the other body: a plane, here.
TEST(ContactPoints, OnAPlaneAreProjectedAlongItsNormal) {
  RandomMatrix matrix(12);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector3 n = Vector3(matrix(3, 1)).normalized();
    const PlacedPlane plane{n, matrix.number()};
    const Vector3 centre = 2 * Vector3(matrix(3, 1));
    const RoundedSegment ball{centre, centre, 0.3};
    Manifold found;
    collide(ball, plane, 100, found);
    ASSERT_EQ(found.points().size(), 1u);
    const ManifoldPoint& p = found.points()[0];
    EXPECT_LE((p.normal - n).norm(), 1e-15);
    EXPECT_NEAR(p.gap, n.dot(centre) - plane.offset - 0.3, 1e-14);
    const Vector3 first = p.point + p.gap / 2 * n, second = p.point - p.gap / 2 * n;
    EXPECT_LE((first - (centre - 0.3 * n)).norm(), 1e-14);
    EXPECT_NEAR(n.dot(second), plane.offset, 1e-14);
  }
}

}  // namespace
}  // namespace saltus::mechanics
