#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/Core>

#include <array>
#include <vector>

namespace saltus::mechanics {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// A convex polyhedron: vertices, plane faces n·x ≤ d with their vertices counterclockwise seen
/// from outside, and edges. Everything in its own frame.
struct Hull {
  struct Face {
    Vector3 normal;          ///< outward, unit
    double offset = 0;       ///< n·x on the face
    std::vector<int> loop;   ///< vertices, counterclockwise
    std::vector<int> edges;  ///< edge k runs from loop[k] to loop[k+1]
  };
  struct Edge {
    int from = 0, to = 0;
    int direction = 0;  ///< index in `directions`
  };

  std::vector<Vector3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Vector3> directions;  ///< of the edges, unit, no two parallel
  double size = 0;                  ///< smallest width over the faces: the unit of tolerances
};

/// The convex hull of the points. Points inside it are dropped. Throws Error on fewer than four
/// points, on points in one plane, and on values that are not finite. Meant for up to about 100
/// points: the cost grows with their fourth power.
[[nodiscard]] Hull convex_hull(const std::vector<Vector3>& points);
/// The box |x_i| ≤ half_i.
[[nodiscard]] Hull box_hull(const Vector3& half);

/// Mass, centre of mass and inertia about it.
struct MassProperties {
  double mass = 0;                    ///< [kg]
  Vector3 centre = Vector3::Zero();   ///< [m]
  Matrix3 inertia = Matrix3::Zero();  ///< [kg m²], about the centre
};
/// Of the full body of uniform density [kg/m³] (F:F116).
[[nodiscard]] MassProperties mass_properties(const Hull& hull, double density);

}  // namespace saltus::mechanics
