// Problems in which blocks of every kind stand beside each other.
#pragma once

#include "saltus/problems/block_form.hpp"
#include "solvers/problem_library.hpp"

namespace saltus::mixed_sets {

/// Rolling, elliptic, Tresca, associated and plane friction, a relay, half lines, a joint.
inline BlockForm every_set(unsigned seed) {
  library::Random random(seed);
  const std::vector<Index> sizes{5, 3, 3, 4, 2, 3, 2, 1};
  const Index n = 23;
  const Matrix H = random.matrix(3 * n, n);
  BlockForm form{
      BlockSparse::sparse(Matrix(H.transpose() * H / (3.0 * n)).sparseView(), sizes, sizes),
      random.vector(n) - Vector::Constant(n, 0.5),
      {RollingCone{0.5, 0.1}, EllipticCone{0.3, 0.6}, FrictionCylinder{0.2}, SecondOrderCone{0.5},
       FrictionCone{0.4}, Interval{-0.1, 0.1}, NonNegative{}, Reals{}}};
  validate(form);
  return form;
}

/// The blocks of a convex quadratic program: no shift anywhere.
inline BlockForm convex_sets(unsigned seed) {
  BlockForm form = every_set(seed);
  form.K = {
      SecondOrderCone{0.7}, FrictionCylinder{0.1}, FrictionCylinder{0.2}, SecondOrderCone{0.5},
      FrictionCylinder{0},  Interval{-0.1, 0.1},   NonNegative{},         Reals{}};
  validate(form);
  return form;
}

}  // namespace saltus::mixed_sets
