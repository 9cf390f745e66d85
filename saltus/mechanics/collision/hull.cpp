#include "saltus/mechanics/collision/hull.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>

namespace saltus::mechanics {

namespace {

/// Vertices on the plane through three of them, if all others lie behind it.
bool supports(const std::vector<Vector3>& p, const Vector3& normal, double offset, double tolerance,
              std::vector<int>& on_plane) {
  on_plane.clear();
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double height = normal.dot(p[i]) - offset;
    if (height > tolerance) return false;
    if (height >= -tolerance) on_plane.push_back(static_cast<int>(i));
  }
  return true;
}

/// Corners of the polygon in counterclockwise order, points inside it or on its sides dropped.
std::vector<int> order_loop(const std::vector<Vector3>& p, std::vector<int> points,
                            const Vector3& normal, double tolerance) {
  Vector3 centre = Vector3::Zero();
  for (int i : points) centre += p[i] / static_cast<double>(points.size());
  const Vector3 x = (p[points[0]] - centre).normalized(), y = normal.cross(x);
  const auto angle = [&](int i) { return std::atan2(y.dot(p[i] - centre), x.dot(p[i] - centre)); };
  std::sort(points.begin(), points.end(), [&](int a, int b) { return angle(a) < angle(b); });
  for (std::size_t k = 0; k < points.size() && points.size() > 3;) {
    const auto n = points.size();
    const Vector3 a = p[points[(k + n - 1) % n]], b = p[points[k]], c = p[points[(k + 1) % n]];
    if (normal.dot((b - a).cross(c - b)) <= tolerance * (c - a).norm())
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(k)), k = 0;
    else
      ++k;
  }
  return points;
}

void add_face(Hull& hull, const Vector3& normal, double offset, std::vector<int> loop) {
  hull.faces.push_back({normal, offset, std::move(loop), {}});
}

int direction_of(Hull& hull, const Vector3& d) {
  for (std::size_t i = 0; i < hull.directions.size(); ++i)
    if (hull.directions[i].cross(d).norm() < 1e-9) return static_cast<int>(i);
  hull.directions.push_back(d);
  return static_cast<int>(hull.directions.size()) - 1;
}

/// Edges, their directions and the size, from vertices and faces.
void complete(Hull& hull) {
  std::map<std::pair<int, int>, int> known;
  for (Hull::Face& face : hull.faces)
    for (std::size_t k = 0; k < face.loop.size(); ++k) {
      const int a = face.loop[k], b = face.loop[(k + 1) % face.loop.size()];
      const auto [place, fresh] =
          known.try_emplace(std::minmax(a, b), static_cast<int>(hull.edges.size()));
      if (fresh) {
        const Vector3 d = (hull.vertices[b] - hull.vertices[a]).normalized();
        hull.edges.push_back({std::min(a, b), std::max(a, b), direction_of(hull, d)});
      }
      face.edges.push_back(place->second);
    }
  hull.size = inf;
  for (const Hull::Face& face : hull.faces) {
    double depth = 0;
    for (const Vector3& v : hull.vertices)
      depth = std::max(depth, face.offset - face.normal.dot(v));
    hull.size = std::min(hull.size, depth);
  }
}

/// Drops the vertices that no face uses.
void compact(Hull& hull) {
  std::vector<int> place(hull.vertices.size(), -1);
  std::vector<Vector3> kept;
  for (Hull::Face& face : hull.faces)
    for (int& v : face.loop) {
      if (place[v] < 0) {
        place[v] = static_cast<int>(kept.size());
        kept.push_back(hull.vertices[v]);
      }
      v = place[v];
    }
  hull.vertices = std::move(kept);
}

}  // namespace

Hull convex_hull(const std::vector<Vector3>& points) {
  require(points.size() >= 4, "convex_hull: {} points, expected at least 4", points.size());
  double extent = 0;
  for (const Vector3& p : points) {
    require(p.allFinite(), "convex_hull: a point is not finite");
    extent = std::max(extent, (p - points[0]).norm());
  }
  const double tolerance = 1e-10 * extent;
  Hull hull;
  hull.vertices = points;
  std::vector<int> on_plane;
  const auto n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = std::max(i, j) + 1; k < n; ++k) {  // both orientations of the plane
        if (i == j) continue;
        const Vector3 cross = (points[j] - points[i]).cross(points[k] - points[i]);
        if (cross.norm() <= tolerance * extent) continue;
        const Vector3 normal = cross.normalized();
        const double offset = normal.dot(points[i]);
        const bool known =
            std::any_of(hull.faces.begin(), hull.faces.end(), [&](const Hull::Face& face) {
              return (face.normal - normal).norm() < 1e-9 &&
                     std::abs(face.offset - offset) <= tolerance;
            });
        if (known || !supports(points, normal, offset, tolerance, on_plane)) continue;
        add_face(hull, normal, offset, order_loop(points, on_plane, normal, tolerance));
      }
  require(hull.faces.size() >= 4, "convex_hull: the points lie in one plane");
  compact(hull);
  complete(hull);
  require(hull.size > tolerance, "convex_hull: the points lie in one plane");
  return hull;
}

Hull box_hull(const Vector3& half) {
  Hull hull;
  for (int i = 0; i < 8; ++i)
    hull.vertices.emplace_back((i & 1 ? 1 : -1) * half.x(), (i & 2 ? 1 : -1) * half.y(),
                               (i & 4 ? 1 : -1) * half.z());
  add_face(hull, -Vector3::UnitX(), half.x(), {0, 4, 6, 2});
  add_face(hull, Vector3::UnitX(), half.x(), {1, 3, 7, 5});
  add_face(hull, -Vector3::UnitY(), half.y(), {0, 1, 5, 4});
  add_face(hull, Vector3::UnitY(), half.y(), {2, 6, 7, 3});
  add_face(hull, -Vector3::UnitZ(), half.z(), {0, 2, 3, 1});
  add_face(hull, Vector3::UnitZ(), half.z(), {4, 5, 7, 6});
  complete(hull);
  return hull;
}

/// Sum over the tetrahedra that the triangles of the surface span with the origin: the volume of
/// each is |a b c|/6, and ∫ x xᵀ over it is volume/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ), s = a + b + c.
MassProperties mass_properties(const Hull& hull, double density) {
  double volume = 0;
  Vector3 moment = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();
  for (const Hull::Face& face : hull.faces)
    for (std::size_t k = 1; k + 1 < face.loop.size(); ++k) {
      const Vector3 a = hull.vertices[face.loop[0]], b = hull.vertices[face.loop[k]],
                    c = hull.vertices[face.loop[k + 1]], s = a + b + c;
      const double part = a.dot(b.cross(c)) / 6;
      volume += part;
      moment += part / 4 * s;
      second += part / 20 *
                (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
    }
  MassProperties result{density * volume, moment / volume, {}};
  second -= volume * result.centre * result.centre.transpose();
  result.inertia = density * (second.trace() * Matrix3::Identity() - second);
  return result;
}

}  // namespace saltus::mechanics
