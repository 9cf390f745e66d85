#include "saltus/inclusions/reachable_set.hpp"

namespace saltus {

double ReachableSet::support(ConstVectorRef d, double t_end, int steps) const {
  require(A && B, "ReachableSet: A or B is missing");
  require(d.size() == n, "ReachableSet: d has size {}, expected {}", d.size(), n);
  require(steps >= 1 && t_end > 0, "ReachableSet: {} steps to t = {}", steps, t_end);
  require(x0.size() == 0 || x0.size() == n, "ReachableSet: x0 has size {}, expected {}", x0.size(),
          n);
  validate(U);
  validate(X0);
  check_dimension(U, m);
  check_dimension(X0, n);
  const double h = t_end / steps;
  Matrix A0(n, n), A1(n, n), B0(n, m), B1(n, m);
  Vector direction = d;
  double sum = 0;
  for (int k = steps - 1; k >= 0; --k) {
    A(k * h, A0), A((k + 1) * h, A1);
    B(k * h, B0), B((k + 1) * h, B1);
    const Matrix Ah = Matrix::Identity(n, n) + h / 2 * (A0 + A1) + h * h / 2 * A1 * A1;
    const Matrix Bh = h / 2 * (B0 + B1) + h * h / 2 * A1 * B1;
    sum += saltus::support(U, Vector(Bh.transpose() * direction));
    direction = Ah.transpose() * direction;
  }
  sum += saltus::support(X0, direction);
  return x0.size() > 0 ? sum + x0.dot(direction) : sum;
}

Matrix ReachableSet::box(double t_end, int steps) const {
  Matrix out(n, 2);
  for (Index i = 0; i < n; ++i) {
    const Vector unit = Vector::Unit(n, i);
    out(i, 0) = -support(-unit, t_end, steps);
    out(i, 1) = support(unit, t_end, steps);
  }
  return out;
}

}  // namespace saltus
