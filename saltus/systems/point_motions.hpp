#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/Geometry>

namespace saltus {

/// v of a point at `position`, with up to three coordinates, in the rigid motions of the world: a
/// translation along each axis and a rotation about each of them, the columns of G. False beyond
/// three.
inline bool motions_of_point(const double* position, Index dimension, MatrixRef G) {
  if (dimension > 3) return false;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  for (Index i = 0; i < dimension; ++i) point[i] = position[i];
  for (Index axis = 0; axis < 3; ++axis) {
    const Eigen::Vector3d e = Eigen::Vector3d::Unit(axis);
    G.col(axis) = e.head(dimension);
    G.col(axis + 3) = e.cross(point).head(dimension);
  }
  return true;
}

}  // namespace saltus
