#include "saltus/relations/driven.hpp"

#include <algorithm>

namespace saltus {

void Driven::output(const StateView& x, VectorRef y) const {
  if (position)
    position(x.t, y);
  else
    y = value;
  Index row = 0;
  for (Index i : coordinates) {
    y[row] = x.q[i] - y[row];
    ++row;
  }
}

void Driven::jacobian(const StateView&, MatrixRef H) const {
  H.setZero();
  Index row = 0;
  for (Index i : coordinates) H(row++, i) = 1;
}

bool Driven::time_derivative(const StateView& x, VectorRef dy) const {
  if (position && !velocity) return false;
  dy.setZero();
  if (velocity) {
    velocity(x.t, dy);
    dy = -dy;
  }
  return true;
}

void Driven::prepare() const {
  require(!coordinates.empty(), "Driven: no coordinate is given");
  for (Index i : coordinates) {
    require(i >= 0 && i < n, "Driven: coordinate {} of {}", i, n);
    require(std::count(coordinates.begin(), coordinates.end(), i) == 1,
            "Driven: coordinate {} is given twice", i);
  }
  require(position || value.size() == rows(),
          "Driven: {} values for {} coordinates, and no function of time", value.size(), rows());
  require(position || !velocity, "Driven: a velocity without a position");
}

}  // namespace saltus
