#include "saltus/relations/relation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {
const double root = std::cbrt(std::numeric_limits<double>::epsilon());
}

void difference_output(const Relation& relation, const StateView& x, MatrixRef H) {
  thread_local Vector perturbed, plus, minus;  // grow-only scratch
  const VectorView given = relation.lagrangian() ? x.q : x.x;
  require(given.size() == relation.columns(),
          "Relation: {} positions and {} velocities: the relation must give its Jacobian",
          given.size(), relation.columns());
  perturbed = given;
  plus.resize(relation.rows());
  minus.resize(relation.rows());
  StateView moved = x;
  VectorView& target = relation.lagrangian() ? moved.q : moved.x;
  new (&target) VectorView(perturbed.data(), perturbed.size());
  for (Index j = 0; j < given.size(); ++j) {
    const double centre = given[j], step = root * std::max(1.0, std::abs(centre));
    perturbed[j] = centre + step;
    relation.output(moved, plus);
    perturbed[j] = centre - step;
    relation.output(moved, minus);
    perturbed[j] = centre;
    H.col(j) = (plus - minus) / (2 * step);
  }
}

void difference_time(const Relation& relation, const StateView& x, VectorRef dy) {
  thread_local Vector minus;  // grow-only scratch
  minus.resize(relation.rows());
  StateView moved = x;
  const double step = root * std::max(1.0, std::abs(x.t));
  moved.t = x.t - step;
  relation.output(moved, minus);
  moved.t = x.t + step;
  relation.output(moved, dy);
  dy = (dy - minus) / (2 * step);
}

}  // namespace saltus
