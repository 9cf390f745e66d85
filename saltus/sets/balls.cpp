#include "saltus/sets/balls.hpp"

#include <cmath>

namespace saltus {

namespace {

void validate_radius(std::string_view set, double radius) {
  require(std::isfinite(radius) && radius >= 0, "{}: radius is {}, expected finite and >= 0", set,
          radius);
}

// Positive part of ‖z‖ − radius; a NaN stays one.
double excess(double norm, double radius) { return std::max(norm - radius, 0.0); }

// Jacobian of the centred ball at z; z may be an expression, so x − center needs no storage.
template <class Z>
void centred_jacobian(const Z& z, double radius, MatrixRef J) {
  const double norm = z.norm();
  J.setZero();
  if (radius == 0) return;
  if (norm <= radius) {
    J.setIdentity();
    return;
  }
  for (Index j = 0; j < z.size(); ++j)
    for (Index i = 0; i < z.size(); ++i)
      J(i, j) = radius / norm * ((i == j ? 1.0 : 0.0) - (z[i] / norm) * (z[j] / norm));
}

}  // namespace

void validate(const Disk& disk) { validate_radius(Disk::name, disk.radius); }

void validate(const Ball& ball) {
  validate_radius(Ball::name, ball.radius);
  for (Index i = 0; i < ball.center.size(); ++i)
    require(std::isfinite(ball.center[i]), "Ball: center[{}] is {}, expected finite", i,
            ball.center[i]);
}

void project(const Ball& ball, ConstVectorRef x, VectorRef p) {
  check_dimension(ball, x.size());
  check_result(Ball::name, x.size(), p.size());
  const double norm = (x - ball.center).norm();
  if (norm > ball.radius)
    p = ball.center + (ball.radius / norm) * (x - ball.center);
  else
    p = x;
}

double distance(const Disk& disk, ConstVectorRef x) {
  check_dimension(disk, x.size());
  return excess(x.norm(), disk.radius);
}

double distance(const Ball& ball, ConstVectorRef x) {
  check_dimension(ball, x.size());
  return excess((x - ball.center).norm(), ball.radius);
}

double support(const Disk& disk, ConstVectorRef d) {
  check_dimension(disk, d.size());
  return disk.radius * d.norm();
}

double support(const Ball& ball, ConstVectorRef d) {
  check_dimension(ball, d.size());
  return ball.center.dot(d) + ball.radius * d.norm();
}

void projection_jacobian(const Disk& disk, ConstVectorRef x, MatrixRef J) {
  check_dimension(disk, x.size());
  check_jacobian(Disk::name, x.size(), J);
  centred_jacobian(x, disk.radius, J);
}

void projection_jacobian(const Ball& ball, ConstVectorRef x, MatrixRef J) {
  check_dimension(ball, x.size());
  check_jacobian(Ball::name, x.size(), J);
  centred_jacobian(x - ball.center, ball.radius, J);
}

}  // namespace saltus
