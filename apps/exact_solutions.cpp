#include "apps/exact_solutions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

namespace saltus {

double exact_voltage(const circuits::DiodeBridge& bridge, double t) {
  const double alpha = 1 / (2 * bridge.resistance * bridge.capacitance);
  const double square = alpha * alpha - 1 / (bridge.inductance * bridge.capacitance);
  const double rate = -(bridge.current + bridge.voltage / bridge.resistance) / bridge.capacitance;
  const std::complex<double> s = std::sqrt(std::complex<double>(square));
  // e^{−αt} cosh st and e^{−αt} sinh(st)/s from decaying exponentials, which cannot overflow.
  const auto slow = std::exp((s - alpha) * t), fast = std::exp((-s - alpha) * t);
  const double cosine = std::real(slow + fast) / 2;
  const bool critical = std::abs(s) * t < 1e-4;  // two terms of the series are exact to rounding
  const double sine = critical ? std::exp(-alpha * t) * t * (1 + square * t * t / 6)
                               : std::real((slow - fast) / (2.0 * s));
  return bridge.voltage * cosine + (rate + alpha * bridge.voltage) * sine;
}

ExactBall::ExactBall(const mechanics::BouncingBall& ball)
    : drop_(ball.height), e_(ball.e), gravity_(ball.gravity) {
  const double first = gravity_ > 0 ? std::sqrt(2 * drop_ / gravity_) : inf;
  impact_ = first;
  rest_time_ = e_ < 1 ? first * (1 + e_) / (1 - e_) : inf;
}

double ExactBall::height(double t) {
  if (t < impact_ && !fallen_) return drop_ - gravity_ * t * t / 2;
  if (t >= rest_time_ || drop_ == 0) return 0;
  if (!fallen_) speed_ = e_ * gravity_ * impact_;
  fallen_ = true;
  while (t >= impact_ + 2 * speed_ / gravity_ && speed_ > 0) {
    impact_ += 2 * speed_ / gravity_;
    speed_ *= e_;
  }
  const double flight = t - impact_;
  return std::max(0.0, flight * (speed_ - gravity_ * flight / 2));
}

std::string compare(const circuits::DiodeBridge& bridge, const Trajectory& run, double) {
  double error = 0;
  for (Index k = 0; k < run.size(); ++k)
    error = std::max(error, std::abs(run.x(k, 0) - exact_voltage(bridge, run.t[k])));
  return fmt::format("largest error of v against the exact solution: {:.3g} V", error);
}

std::string compare(const mechanics::BouncingBall& ball, const Trajectory& run, double) {
  ExactBall exact(ball);
  double error = 0;
  for (Index k = 0; k < run.size(); ++k)
    error = std::max(error, std::abs(run.q(k, 0) - exact.height(run.t[k])));
  return fmt::format("largest error of z against the exact solution: {:.3g} m", error);
}

std::string compare(const mechanics::BeadColumn& column, const Trajectory& run, double h) {
  const Index last = run.size() - 1;
  if (run.report.end != RunEnd::reached_end || run.report.steps == 0) return {};
  const double moving = Vector(run.v.matrix().row(last)).cwiseAbs().maxCoeff();
  // A contact at rest changes speed by less than gravity does in one step.
  if (moving > column.gravity * h) return fmt::format("still moving at {:.3g} m/s", moving);
  double error = 0;
  for (Index i = 0; i < column.count; ++i) {
    const double weight = static_cast<double>(column.count - i) * column.mass * column.gravity;
    error = std::max(error, std::abs(run.r(last, i) / h - weight));
  }
  const double overlap = -std::min(0.0, run.y.matrix().row(last).minCoeff());
  return fmt::format(
      "at rest; largest error of a contact force: {:.2g} N (ground: {:.6g} N); beads overlap by up "
      "to {:.2g} m",
      error, column.count * column.mass * column.gravity, overlap);
}

}  // namespace saltus
