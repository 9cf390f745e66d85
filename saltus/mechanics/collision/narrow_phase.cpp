#include "saltus/mechanics/collision/narrow_phase.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

constexpr double parallel = 1e-4;  // sine of the angle below which segments count as parallel
constexpr double near_axis = 0.8;  // cosine from which a normal is near an axis

/// Kinds of features, in the top bits of the identifier.
enum Kind : std::uint64_t { vertex = 0, segment = 1, edges = 4 };

std::uint64_t feature(Kind kind, std::uint64_t a, std::uint64_t b = 0) {
  return kind << 60 | a << 20 | b;
}

/// Two balls of radii r1, r2 about p and q, one on each body.
void push_balls(const Vector3& p, double r1, const Vector3& q, double r2, std::uint64_t id,
                double reach, Manifold& out) {
  const Vector3 d = p - q;
  const double distance = d.norm(), gap = distance - r1 - r2;
  if (gap > reach) return;
  const Vector3 n = distance > 0 ? Vector3(d / distance) : Vector3::UnitZ();
  out.push({q + (r2 + 0.5 * gap) * n, n, gap, id});
}

/// Parallel segments: the ends of their common stretch. False if they have none.
bool push_parallel(const RoundedSegment& s, const RoundedSegment& t, double reach, Manifold& out) {
  const Vector3 d = s.b - s.a;
  const double length = d.norm();
  const Vector3 axis = d / length;
  if (axis.cross((t.b - t.a).normalized()).norm() > parallel) return false;
  const double c = axis.dot(t.a - s.a), e = axis.dot(t.b - s.a);
  const double low = std::max(0.0, std::min(c, e)), high = std::min(length, std::max(c, e));
  if (low >= high) return false;
  std::uint64_t id = 0;
  for (double along : {low, high}) {
    const Vector3 p = s.a + along * axis;
    const double where = std::clamp((along - c) / (e - c), 0.0, 1.0);
    push_balls(p, s.radius, t.a + where * (t.b - t.a), t.radius, feature(segment, ++id), reach,
               out);
  }
  return true;
}

/// The point of the polygon of a face that is closest to p.
Vector3 closest_on_face(const PlacedHull& hull, int face, const Vector3& n, double height,
                        const Vector3& p) {
  const auto& loop = hull.hull.faces[face].loop;
  const Vector3 foot = p - height * n;
  Vector3 best = foot;
  double distance = -1;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3 a = hull.vertices[loop[k]], b = hull.vertices[loop[(k + 1) % loop.size()]];
    const Vector3 d = b - a;
    if (n.dot(d.cross(foot - a)) >= 0) continue;  // on the inner side of this edge
    const double where = std::clamp(d.dot(foot - a) / d.squaredNorm(), 0.0, 1.0);
    const Vector3 candidate = a + where * d;
    const double away = (candidate - foot).norm();
    if (distance < 0 || away < distance) distance = away, best = candidate;
  }
  return best;
}

struct FaceQuery {
  int face = 0;
  double separation = -inf;
};

/// The face of `hull` from which the points keep most away.
FaceQuery query_faces(const PlacedHull& hull, std::span<const Vector3> points) {
  FaceQuery best;
  const int count = static_cast<int>(hull.hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const Vector3 n = hull.normal(f);
    double lowest = inf;
    for (const Vector3& p : points) lowest = std::min(lowest, n.dot(p));
    const double separation = lowest - hull.offset(f, n);
    if (separation > best.separation) best = {f, separation};
  }
  return best;
}

}  // namespace

Matrix3 frame_of(const Vector3& n) { return frame_of(n, Matrix3::Identity()); }

Matrix3 frame_of(const Vector3& n, const Matrix3& R) {
  const Vector3 axis = std::abs(n.dot(R.col(0))) < near_axis ? R.col(0) : R.col(1);
  Matrix3 frame;
  frame.col(0) = n;
  frame.col(1) = n.cross(axis).normalized();
  frame.col(2) = n.cross(frame.col(1));
  return frame;
}

ClosestPair closest(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Vector3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm();
  const double uw = u.dot(w), vw = v.dot(w), determinant = uu * vv - uv * uv;
  double s = 0;
  if (uu > 0 && determinant > 1e-14 * uu * vv)
    s = std::clamp((uv * vw - vv * uw) / determinant, 0.0, 1.0);
  double t = vv > 0 ? (uv * s + vw) / vv : 0;
  if (t < 0 || t > 1 || vv == 0) {
    t = std::clamp(t, 0.0, 1.0);
    s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0;
  }
  return {a + s * u, c + t * v};
}

SurfacePoint closest(const PlacedHull& hull, const Vector3& p) {
  const FaceQuery deepest = query_faces(hull, {&p, 1});
  if (deepest.separation <= 0) {
    const Vector3 n = hull.normal(deepest.face);
    return {p - deepest.separation * n, n, deepest.separation};
  }
  SurfacePoint best{{}, {}, inf};
  const int count = static_cast<int>(hull.hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const Vector3 n = hull.normal(f);
    const double height = n.dot(p) - hull.offset(f, n);
    if (height <= 0) continue;
    const Vector3 q = closest_on_face(hull, f, n, height, p);
    const double distance = (p - q).norm();
    if (distance < best.distance) best = {q, (p - q) / distance, distance};
  }
  return best;
}

void collide(const RoundedSegment& s, const PlacedPlane& plane, double reach, Manifold& out) {
  std::uint64_t id = 0;
  for (const Vector3* end : {&s.a, &s.b}) {
    const double gap = plane.normal.dot(*end) - plane.offset - s.radius;
    if (gap <= reach)
      out.push(
          {*end - (s.radius + 0.5 * gap) * plane.normal, plane.normal, gap, feature(vertex, id)});
    if (s.point()) break;
    ++id;
  }
}

void collide(const PlacedHull& hull, const PlacedPlane& plane, double reach, Manifold& out) {
  std::uint64_t id = 0;
  for (const Vector3& v : hull.vertices) {
    const double gap = plane.normal.dot(v) - plane.offset;
    if (gap <= reach)
      out.push({v - 0.5 * gap * plane.normal, plane.normal, gap, feature(vertex, id)});
    ++id;
  }
}

void collide(const RoundedSegment& s, const RoundedSegment& t, double reach, Manifold& out) {
  if (!s.point() && !t.point() && push_parallel(s, t, reach, out)) return;
  const ClosestPair pair = closest(s.a, s.b, t.a, t.b);
  push_balls(pair.p, s.radius, pair.q, t.radius, feature(segment, 0), reach, out);
}

namespace {

/// The part [low, high] ⊂ [0, 1] of the segment over the polygon of a face.
bool clip_segment(const PlacedHull& hull, int face, const Vector3& n, const RoundedSegment& s,
                  double& low, double& high) {
  const auto& loop = hull.hull.faces[face].loop;
  low = 0, high = 1;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3 a = hull.vertices[loop[k]], b = hull.vertices[loop[(k + 1) % loop.size()]];
    const Vector3 outward = (b - a).cross(n);
    const double at_a = outward.dot(s.a - a), at_b = outward.dot(s.b - a);
    if (at_a > 0 && at_b > 0) return false;
    if (at_a > 0) low = std::max(low, at_a / (at_a - at_b));
    if (at_b > 0) high = std::min(high, at_a / (at_a - at_b));
  }
  return low <= high;
}

/// Ends of the stretch of the segment over a face.
bool push_on_face(const RoundedSegment& s, const PlacedHull& hull, int face, double reach,
                  Manifold& out) {
  const Vector3 n = hull.normal(face);
  double low = 0, high = 1;
  if (!clip_segment(hull, face, n, s, low, high)) return false;
  std::uint64_t id = 0;
  for (double where : {low, high}) {
    const Vector3 p = s.a + where * (s.b - s.a);
    const double gap = n.dot(p) - hull.offset(face, n) - s.radius;
    if (gap <= reach)
      out.push({p - (s.radius + 0.5 * gap) * n, n, gap,
                feature(segment, ++id, static_cast<std::uint64_t>(face))});
  }
  return true;
}

/// The part [low, high] of the segment inside the hull; false if it does not cross it.
bool crosses(const RoundedSegment& s, const PlacedHull& hull, double& low, double& high) {
  low = 0, high = 1;
  const int count = static_cast<int>(hull.hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const Vector3 n = hull.normal(f);
    const double offset = hull.offset(f, n);
    const double at_a = n.dot(s.a) - offset, at_b = n.dot(s.b) - offset;
    if (at_a > 0 && at_b > 0) return false;
    if (at_a > 0) low = std::max(low, at_a / (at_a - at_b));
    if (at_b > 0) high = std::min(high, at_a / (at_a - at_b));
  }
  return low <= high;
}

/// The segment against the surface: its ends against the faces, and itself against every edge.
void push_closest(const RoundedSegment& s, const PlacedHull& hull, const FaceQuery& face,
                  double reach, Manifold& out) {
  double low = 0, high = 1;
  if (face.separation <= 0 && crosses(s, hull, low, high)) {
    const Vector3 n = hull.normal(face.face);
    out.push(
        {s.a + 0.5 * (low + high) * (s.b - s.a), n, face.separation - s.radius, feature(edges, 1)});
    return;
  }
  SurfacePoint best = closest(hull, s.a);
  if (const SurfacePoint other = closest(hull, s.b); other.distance < best.distance) best = other;
  for (const Hull::Edge& edge : hull.hull.edges) {
    const ClosestPair pair = closest(s.a, s.b, hull.vertices[edge.from], hull.vertices[edge.to]);
    const double distance = (pair.p - pair.q).norm();
    if (distance < best.distance && distance > 0)
      best = {pair.q, (pair.p - pair.q) / distance, distance};
  }
  const double gap = best.distance - s.radius;
  if (gap > reach) return;
  out.push({best.point + 0.5 * gap * best.normal, best.normal, gap, feature(edges, 0)});
}

}  // namespace

void collide(const RoundedSegment& s, const PlacedHull& hull, double reach, Manifold& out) {
  if (s.point()) {
    const SurfacePoint near = closest(hull, s.a);
    const double gap = near.distance - s.radius;
    if (gap <= reach)
      out.push({near.point + 0.5 * gap * near.normal, near.normal, gap, feature(vertex, 0)});
    return;
  }
  const std::array<Vector3, 2> ends{s.a, s.b};
  const FaceQuery face = query_faces(hull, ends);
  if (face.separation - s.radius > reach) return;
  // A face under the segment, and no edge nearer than it.
  const Vector3 n = hull.normal(face.face), along = (s.b - s.a).normalized();
  if (std::abs(n.dot(along)) < 0.1 && push_on_face(s, hull, face.face, reach, out) && !out.empty())
    return;
  out.clear();
  push_closest(s, hull, face, reach, out);
}

}  // namespace saltus::mechanics
