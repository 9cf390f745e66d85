#include "saltus/solvers/nlp_merit.hpp"

#include "saltus/base/overloaded.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace saltus {

namespace {

NlpMeritValue penalty(double epsilon, double f, const Vector& g, const Vector& h) {
  const Vector below = (-g).cwiseMax(0);
  return {f + (h.squaredNorm() + below.squaredNorm()) / (2 * epsilon), below / epsilon,
          -h / epsilon, (g.array() < 0).cast<double>() / epsilon,
          Vector::Constant(h.size(), 1 / epsilon)};
}

NlpMeritValue barrier(double epsilon, double f, const Vector& g, const Vector& h) {
  if (g.size() > 0 && !(g.minCoeff() > 0)) return {};
  const Vector inverse = g.cwiseInverse();
  return {f - epsilon * g.array().log().sum() + h.squaredNorm() / (2 * epsilon), epsilon * inverse,
          -h / epsilon, epsilon * inverse.cwiseAbs2(), Vector::Constant(h.size(), 1 / epsilon)};
}

NlpMeritValue augmented(const AugmentedLagrangian& a, double f, const Vector& g, const Vector& h) {
  const Vector lambda = a.lambda.size() == 0 ? Vector::Zero(g.size()) : a.lambda;
  const Vector mu = a.mu.size() == 0 ? Vector::Zero(h.size()) : a.mu;
  const Vector shifted = (lambda - a.sigma * g).cwiseMax(0);
  return {f - mu.dot(h) + a.sigma / 2 * h.squaredNorm() +
              (shifted.squaredNorm() - lambda.squaredNorm()) / (2 * a.sigma),
          shifted, mu - a.sigma * h, a.sigma * (shifted.array() > 0).cast<double>(),
          Vector::Constant(h.size(), a.sigma)};
}

NlpMeritValue lagrangian(const PlainLagrangian& l, double f, const Vector& g, const Vector& h) {
  return {f - l.lambda.dot(g) - l.mu.dot(h), l.lambda, l.mu, Vector::Zero(g.size()),
          Vector::Zero(h.size())};
}

/// −A⁻¹ gradient, A shifted until it is positive definite.
Vector descent(Matrix A, const Vector& gradient) {
  const double size = std::max(1e-8, A.diagonal().cwiseAbs().maxCoeff());
  for (double shift = 0; shift <= 1e12 * size; shift = std::max(10 * shift, 1e-3 * size)) {
    Matrix shifted = A;
    shifted.diagonal().array() += shift;
    const Eigen::LLT<Matrix> llt(shifted);
    if (llt.info() != Eigen::Success) continue;
    const Vector d = -llt.solve(gradient);
    if (d.allFinite() && gradient.dot(d) < 0) return d;
  }
  return -gradient;
}

double merit_value(const Nlp& problem, const NlpMerit& merit, const Vector& z) {
  Vector g(problem.m), h(problem.p);
  if (problem.m > 0) problem.g(z, g);
  if (problem.p > 0) problem.h(z, h);
  const double value = evaluate(merit, problem.f(z), g, h).value;
  return std::isnan(value) ? inf : value;
}

}  // namespace

NlpMeritValue evaluate(const NlpMerit& merit, double f, ConstVectorRef g, ConstVectorRef h) {
  return std::visit(
      Overloaded{[&](const QuadraticPenalty& m) { return penalty(m.epsilon, f, g, h); },
                 [&](const LogBarrier& m) { return barrier(m.epsilon, f, g, h); },
                 [&](const AugmentedLagrangian& m) { return augmented(m, f, g, h); },
                 [&](const PlainLagrangian& m) { return lagrangian(m, f, g, h); }},
      merit);
}

Outcome minimise(const Nlp& problem, VectorRef z, const NlpMerit& merit, double gradient_tolerance,
                 int max_iterations) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = z;
  while (outcome.iterations < max_iterations) {
    const NlpValues v = evaluate(problem, x);
    const NlpMeritValue m = evaluate(merit, v.f, v.g, v.h);
    if (!(m.value < inf)) return {SolveStatus::numerical_error, outcome.iterations};
    const Vector gradient = v.gradient - v.G.transpose() * m.lambda - v.H.transpose() * m.mu;
    if (gradient.lpNorm<Eigen::Infinity>() <= gradient_tolerance)
      return {SolveStatus::converged, outcome.iterations};
    ++outcome.iterations;
    const Matrix A = lagrangian_hessian(problem, x, m.lambda, m.mu) +
                     v.G.transpose() * m.weight_g.asDiagonal() * v.G +
                     v.H.transpose() * m.weight_h.asDiagonal() * v.H;
    const Vector d = descent(A, gradient);
    // the value carries rounding of its own size
    const double slack = 1e-15 * std::abs(m.value), slope = gradient.dot(d);
    double t = 1;
    while (t > 1e-12 &&
           !(merit_value(problem, merit, x + t * d) <= m.value + 1e-4 * t * slope + slack))
      t /= 2;
    if (t <= 1e-12) return {SolveStatus::stalled, outcome.iterations};
    x += t * d;
    z = x;
  }
  return outcome;
}

}  // namespace saltus
