#pragma once

#include "saltus/mechanics/collision/shapes.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace saltus::mechanics {

/// A point of contact between two bodies (FS:FS-04): halfway between their surfaces.
struct ManifoldPoint {
  Vector3 point;
  Vector3 normal;  ///< unit, from the second body to the first
  double gap = 0;  ///< distance of the surfaces along the normal, negative if they penetrate
  std::uint64_t feature = 0;
};

/// The points of one pair.
class Manifold {
 public:
  static constexpr int capacity = 32;
  void clear() { size_ = 0; }
  /// Points beyond the capacity are dropped.
  void push(const ManifoldPoint& p) {
    if (size_ < capacity) points_[size_++] = p;
  }
  void flip() {
    for (int i = 0; i < size_; ++i) points_[i].normal *= -1;
  }
  [[nodiscard]] std::span<ManifoldPoint> points() { return {points_.data(), std::size_t(size_)}; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  std::array<ManifoldPoint, capacity> points_;
  int size_ = 0;
};

/// All points within `radius` of a segment (of one point: a ball), in the world.
struct RoundedSegment {
  Vector3 a, b;
  double radius = 0;
  [[nodiscard]] bool point() const { return a == b; }
};

/// A hull placed in the world; `vertices` are already there.
struct PlacedHull {
  const Hull& hull;
  const Matrix3& R;
  const Vector3& x;
  std::span<const Vector3> vertices;
  [[nodiscard]] Vector3 normal(int face) const { return R * hull.faces[face].normal; }
  [[nodiscard]] double offset(int face, const Vector3& n) const {
    return hull.faces[face].offset + n.dot(x);
  }
};

/// The half space normal·x ≤ offset, in the world.
struct PlacedPlane {
  Vector3 normal;
  double offset = 0;
};

// Contacts with gap ≤ reach are appended (F:F129). Gaps and points are exact; of two hulls, the gap
// of the pair is the largest separation over the normals of faces and of pairs of edges: the exact
// depth of a penetration, and the distance between a face and a vertex or between two edges.
//
// Bodies that touch with faces get the corners of the common polygon, each with its own gap: enough
// points to stand on. A corner of one face that sticks out of the other by less than 1e-4 of the
// body's size is taken as it is, so that stacked equal bodies keep their four points.

void collide(const RoundedSegment& first, const PlacedPlane& second, double reach, Manifold& out);
void collide(const PlacedHull& first, const PlacedPlane& second, double reach, Manifold& out);
void collide(const RoundedSegment& first, const RoundedSegment& second, double reach,
             Manifold& out);
void collide(const RoundedSegment& first, const PlacedHull& second, double reach, Manifold& out);
void collide(const PlacedHull& first, const PlacedHull& second, double reach, Manifold& out);

/// Unit vectors (n, t₁, t₂) as columns, a right-handed frame that depends on n alone: t₁ is at
/// right angles to the first axis, or to the second if n is near the first. Away from that angle it
/// moves steadily with n; normals along an axis, as bodies that stand have them, are far from it.
[[nodiscard]] Matrix3 frame_of(const Vector3& normal);
/// The same by the axes of a body, the columns of R: it turns with the body and the normal, so that
/// a problem of contacts is the same whatever the axes of the world are (F:F123).
[[nodiscard]] Matrix3 frame_of(const Vector3& normal, const Matrix3& R);

// Parts that tests look at.

/// Closest points of the segments [a, b] and [c, d].
struct ClosestPair {
  Vector3 p, q;
};
[[nodiscard]] ClosestPair closest(const Vector3& a, const Vector3& b, const Vector3& c,
                                  const Vector3& d);
/// The point of the hull's surface closest to p, the unit direction from there to p (outward), and
/// the signed distance.
struct SurfacePoint {
  Vector3 point, normal;
  double distance = 0;
};
[[nodiscard]] SurfacePoint closest(const PlacedHull& hull, const Vector3& p);

}  // namespace saltus::mechanics
