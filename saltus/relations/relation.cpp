#include "saltus/relations/relation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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

void difference_curvature(const Relation& relation, const StateView& x, VectorRef dH) {
  thread_local Vector perturbed, rate;  // grow-only scratch
  thread_local Matrix H;
  const Index m = relation.rows(), n = relation.columns();
  require(x.q.size() == n,
          "Relation: {} positions and {} velocities: the relation must give its curvature",
          x.q.size(), n);
  const double speed = x.v.lpNorm<Eigen::Infinity>();
  const double length = std::pow(std::numeric_limits<double>::epsilon(), 0.2) *
                        std::max(1.0, x.q.size() > 0 ? x.q.lpNorm<Eigen::Infinity>() : 0.0);
  const double s = length / std::max(speed, 1.0);
  H.resize(m, n);
  rate.resize(m);
  dH.setZero();
  StateView moved = x;
  for (const auto& [steps, weight] :
       {std::pair{-2, 1.0}, std::pair{-1, -8.0}, std::pair{1, 8.0}, std::pair{2, -1.0}}) {
    perturbed = x.q + steps * s * x.v;
    new (&moved.q) VectorView(perturbed.data(), perturbed.size());
    moved.t = x.t + steps * s;
    relation.jacobian(moved, H);
    relation.time_derivative(moved, rate);
    dH.noalias() += weight / (12 * s) * (H * x.v);
    dH += weight / (12 * s) * rate;
  }
}

}  // namespace saltus
