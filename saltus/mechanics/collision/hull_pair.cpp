#include "saltus/base/report.hpp"
#include "saltus/mechanics/collision/narrow_phase.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

constexpr double face_bias = 1e-3;   // an edge pair must separate better than faces by this · size
constexpr double side_slack = 1e-4;  // · size: a corner may stick out of a face by this

struct FaceAxis {
  int face = 0;
  double separation = -inf;
};

FaceAxis best_face(const PlacedHull& hull, const PlacedHull& other, double reach) {
  FaceAxis best;
  const int count = static_cast<int>(hull.hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const Vector3 n = hull.normal(f);
    double lowest = inf;
    for (const Vector3& v : other.vertices) lowest = std::min(lowest, n.dot(v));
    const double separation = lowest - hull.offset(f, n);
    if (separation > best.separation) best = {f, separation};
    if (separation > reach) break;
  }
  return best;
}

struct Interval {
  double low = inf, high = -inf;
};

Interval extent(const PlacedHull& hull, const Vector3& axis) {
  Interval result;
  for (const Vector3& v : hull.vertices) {
    const double along = axis.dot(v);
    result.low = std::min(result.low, along);
    result.high = std::max(result.high, along);
  }
  return result;
}

struct EdgeAxis {
  int first = -1, second = -1;  // directions
  Vector3 normal;               // from the second hull to the first
  double separation = -inf;
};

EdgeAxis best_edges(const PlacedHull& A, const PlacedHull& B, double reach) {
  EdgeAxis best;
  const int na = static_cast<int>(A.hull.directions.size());
  const int nb = static_cast<int>(B.hull.directions.size());
  for (int i = 0; i < na; ++i) {
    const Vector3 a = A.R * A.hull.directions[i];
    for (int j = 0; j < nb; ++j) {
      Vector3 axis = a.cross(B.R * B.hull.directions[j]);
      const double length = axis.norm();
      if (length < 1e-3) continue;  // nearly parallel: the normal of a face separates as well
      axis /= length;
      const Interval first = extent(A, axis), second = extent(B, axis);
      const double above = first.low - second.high, below = second.low - first.high;
      const double separation = std::max(above, below);
      if (separation > best.separation)
        best = {i, j, above >= below ? axis : Vector3(-axis), separation};
      if (separation > reach) return best;
    }
  }
  return best;
}

/// The edge with that direction that lies farthest along `axis`.
int support_edge(const PlacedHull& hull, int direction, const Vector3& axis) {
  int best = -1;
  double farthest = -inf;
  const int count = static_cast<int>(hull.hull.edges.size());
  for (int e = 0; e < count; ++e) {
    const Hull::Edge& edge = hull.hull.edges[e];
    if (edge.direction != direction) continue;
    const double along = axis.dot(hull.vertices[edge.from] + hull.vertices[edge.to]);
    if (along > farthest) farthest = along, best = e;
  }
  return best;
}

void push_edges(const PlacedHull& A, const PlacedHull& B, const EdgeAxis& axis, Manifold& out) {
  const int a = support_edge(A, axis.first, -axis.normal);
  const int b = support_edge(B, axis.second, axis.normal);
  const Hull::Edge &ea = A.hull.edges[a], &eb = B.hull.edges[b];
  const ClosestPair pair =
      closest(A.vertices[ea.from], A.vertices[ea.to], B.vertices[eb.from], B.vertices[eb.to]);
  out.push({0.5 * (pair.p + pair.q), axis.normal, axis.separation,
            std::uint64_t{4} << 60 | static_cast<std::uint64_t>(a) << 20 |
                static_cast<std::uint64_t>(b)});
}

/// A corner of the incident face, or a point where one of its edges crosses a side of the other.
struct Corner {
  Vector3 p;
  std::uint64_t id;
  int edge;  // that leaves this corner
};

constexpr int most_corners = 64;
struct Polygon {
  std::array<Corner, most_corners> corner;
  int size = 0;
  void push(const Corner& c) {
    if (size < most_corners) corner[size++] = c;
  }
};

/// The part of the polygon with outward·x ≤ limit.
void clip(const Polygon& in, const Vector3& outward, double limit, int side, Polygon& out) {
  out.size = 0;
  for (int k = 0; k < in.size; ++k) {
    const Corner &a = in.corner[k], &b = in.corner[(k + 1) % in.size];
    const double at_a = outward.dot(a.p) - limit, at_b = outward.dot(b.p) - limit;
    if (at_a <= 0) out.push(a);
    if ((at_a <= 0) == (at_b <= 0)) continue;
    const std::uint64_t id = std::uint64_t{1} << 19 | static_cast<std::uint64_t>(a.edge) << 8 |
                             static_cast<std::uint64_t>(side);
    out.push({a.p + at_a / (at_a - at_b) * (b.p - a.p), id, at_a <= 0 ? -1 - side : a.edge});
  }
  // An edge made by the cut is named after its side.
  for (int k = 0; k < out.size; ++k)
    if (out.corner[k].edge < 0) out.corner[k].edge = 1024 + side;
}

/// The face of `hull` that looks most against n.
int incident_face(const PlacedHull& hull, const Vector3& n) {
  int best = 0;
  double least = inf;
  const int count = static_cast<int>(hull.hull.faces.size());
  for (int f = 0; f < count; ++f) {
    const double cosine = n.dot(hull.normal(f));
    if (cosine < least - 1e-9) least = cosine, best = f;
  }
  return best;
}

/// The incident face of `other`, cut by the sides of `face`; points below the face by gap ≤ reach.
void push_faces(const PlacedHull& hull, int face, const PlacedHull& other, bool first, double reach,
                Manifold& out) {
  const Vector3 n = hull.normal(face);
  const double offset = hull.offset(face, n);
  const Hull::Face& incident = other.hull.faces[incident_face(other, n)];
  Polygon polygon, scratch;
  for (std::size_t k = 0; k < incident.loop.size(); ++k)
    polygon.push({other.vertices[incident.loop[k]], static_cast<std::uint64_t>(incident.loop[k]),
                  incident.edges[k]});
  const auto& loop = hull.hull.faces[face].loop;
  const double slack = side_slack * hull.hull.size;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vector3 a = hull.vertices[loop[k]], b = hull.vertices[loop[(k + 1) % loop.size()]];
    const Vector3 outward = (b - a).cross(n).normalized();
    clip(polygon, outward, outward.dot(a) + slack, static_cast<int>(k), scratch);
    std::swap(polygon, scratch);
  }
  const std::uint64_t reference =
      std::uint64_t{first ? 2u : 3u} << 60 | static_cast<std::uint64_t>(face) << 24;
  for (int k = 0; k < polygon.size; ++k) {
    const Vector3& p = polygon.corner[k].p;
    const double gap = n.dot(p) - offset;
    if (gap <= reach)
      out.push({p - 0.5 * gap * n, first ? Vector3(-n) : n, gap, reference | polygon.corner[k].id});
  }
}

}  // namespace

void collide(const PlacedHull& A, const PlacedHull& B, double reach, Manifold& out) {
  const FaceAxis a = best_face(A, B, reach);
  if (a.separation > reach) return;
  const FaceAxis b = best_face(B, A, reach);
  if (b.separation > reach) return;
  const EdgeAxis edge = best_edges(A, B, reach);
  if (edge.separation > reach) return;
  const double size = std::min(A.hull.size, B.hull.size);
  const bool by_edges = edge.separation > std::max(a.separation, b.separation) + face_bias * size;
  if (!by_edges) {
    if (a.separation >= b.separation - 0.1 * face_bias * size)
      push_faces(A, a.face, B, true, reach, out);
    else
      push_faces(B, b.face, A, false, reach, out);
  }
  if (out.empty() && edge.first >= 0) push_edges(A, B, edge, out);
}

}  // namespace saltus::mechanics
