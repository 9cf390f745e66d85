#include "saltus/base/overloaded.hpp"
#include "saltus/problems/skewed_projection.hpp"
#include "saltus/solvers/contact_evaluation.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// I + ∂g/∂u
SmallMatrix shift_slope(const BlockSet& K, const ContactEvaluation& e) {
  SmallMatrix slope = SmallMatrix::Identity(e.n, e.n);
  add_shift_jacobian(K, e.u, slope);
  return slope;
}

/// The scalings of all rows: one for cones (the smaller), both for the product that a cylinder is.
SmallVector common_scaling(const BlockSet& K, const ContactEvaluation& e) {
  const bool product = std::holds_alternative<FrictionCylinder>(K);
  const double least = std::min(e.rho_n, e.rho_t);
  SmallVector rho = SmallVector::Constant(e.n, product ? e.rho_t : least);
  rho[0] = product ? e.rho_n : least;
  return rho;
}

/// ρ ∘ (u + g(u))
SmallVector scaled_velocity(const BlockSet& K, const SmallVector& rho, const ContactEvaluation& e) {
  SmallVector F = e.u;
  F[0] += shift(K, e.n, e.u.data());
  return rho.cwiseProduct(F);
}

/// The μ_i of a cone that a diagonal map turns into {‖x_T‖ ≤ x_N}; empty for other sets and μ = 0.
struct LorentzForm {
  SmallVector mu;
  bool shifted = true;
};
LorentzForm lorentz_form(const BlockSet& K, Index n) {
  const auto round = [&](double mu, bool shifted) {
    return LorentzForm{mu > 0 ? SmallVector(SmallVector::Constant(n - 1, mu)) : SmallVector(),
                       shifted};
  };
  return std::visit(Overloaded{[&](const FrictionCone& C) { return round(C.mu, true); },
                               [&](const SecondOrderCone& C) { return round(C.mu, false); },
                               [&](const EllipticCone& C) {
                                 LorentzForm form;
                                 if (!(C.mu_1 > 0) || !(C.mu_2 > 0)) return form;
                                 form.mu.resize(2);
                                 form.mu << C.mu_1, C.mu_2;
                                 return form;
                               },
                               [](const auto&) { return LorentzForm{}; }},
                    K);
}

/// P_ε(z) and its derivative, by the spectral values of z.
void smoothed_projection(const SmallVector& z, double epsilon, SmallVector& p, SmallMatrix& J) {
  const Index t = z.size() - 1;
  const double length = z.tail(t).norm();
  const Plus large = plus(z[0] + length, epsilon), small = plus(z[0] - length, epsilon);
  p = SmallVector::Zero(t + 1);
  p[0] = (large.value + small.value) / 2;
  J = large.slope * SmallMatrix::Identity(t + 1, t + 1);
  if (!(length > 0)) return;
  const SmallVector d = z.tail(t) / length;
  p.tail(t) = (large.value - small.value) / 2 * d;
  const double mean = (large.slope + small.slope) / 2, half = (large.slope - small.slope) / 2;
  const double chord = (large.value - small.value) / (2 * length);
  J(0, 0) = mean;
  J.row(0).tail(t) = half * d.transpose();
  J.col(0).tail(t) = half * d;
  J.bottomRightCorner(t, t) =
      chord * SmallMatrix::Identity(t, t) + (mean - chord) * d * d.transpose();
}

/// x + y − (x² + y² + 2ε²e)^½ and its derivatives.
void smoothed_fischer(const SmallVector& x, const SmallVector& y, double epsilon, SmallVector& G,
                      SmallMatrix& by_x, SmallMatrix& by_y) {
  const Index n = x.size();
  SmallVector square = (arrow(x) * x + arrow(y) * y).eval();
  square[0] += 2 * epsilon * epsilon;
  G = x + y - square_root(square, 0);
  const SmallMatrix identity = SmallMatrix::Identity(n, n);
  if (square[0] == 0) {
    by_x = by_y = (1 - std::sqrt(0.5)) * identity;
    return;
  }
  const SmallMatrix inverse = arrow(square_root(square, 1e-16 * square[0])).inverse();
  by_x = identity - inverse * arrow(x);
  by_y = identity - inverse * arrow(y);
}

}  // namespace

SmallMatrix arrow(const SmallVector& x) {
  SmallMatrix L = x[0] * SmallMatrix::Identity(x.size(), x.size());
  L.row(0) = x.transpose();
  L.col(0) = x;
  return L;
}

SmallVector square_root(const SmallVector& x, double floor) {
  const Index t = x.size() - 1;
  const double length = x.tail(t).norm();
  const double large = std::sqrt(std::max(x[0] + length, floor));
  const double small = std::sqrt(std::max(x[0] - length, floor));
  SmallVector root = SmallVector::Zero(x.size());
  root[0] = (large + small) / 2;
  if (length > 0) root.tail(t) = (large - small) / (2 * length) * x.tail(t);
  return root;
}

Plus plus(double a, double epsilon) {
  if (epsilon == 0) return {std::max(a, 0.0), a > 0 ? 1.0 : 0.0};
  const double root = std::hypot(a, 2 * epsilon);
  // for a < 0 the product of the two roots, 4ε², avoids their difference
  const double value = a > 0 ? (a + root) / 2 : 2 * epsilon * (epsilon / (root - a));
  return {value, value / root};
}

void natural_map(const BlockSet& K, ContactEvaluation& e) {
  const SmallVector rho = common_scaling(K, e), y = e.r - scaled_velocity(K, rho, e);
  SmallVector p(e.n);
  project(K, y, p);
  e.G = e.r - p;
  if (!e.slopes) return;
  SmallMatrix V(e.n, e.n);
  projection_jacobian(K, y, V);
  e.B = SmallMatrix::Identity(e.n, e.n) - V;
  e.A.noalias() = V * (rho.asDiagonal() * shift_slope(K, e));
}

void skewed_natural_map(const BlockSet& K, ContactEvaluation& e) {
  const BlockMetric R{1 / e.rho_n, 1 / e.rho_t};
  SmallVector rho = SmallVector::Constant(e.n, e.rho_t), p(e.n);
  rho[0] = e.rho_n;
  const SmallVector y = e.r - scaled_velocity(K, rho, e);
  project_skewed(K, R, y, p);
  e.G = e.r - p;
  if (!e.slopes) return;
  SmallMatrix V(e.n, e.n);
  skewed_projection_jacobian(K, R, y, V);
  e.B = SmallMatrix::Identity(e.n, e.n) - V;
  e.A.noalias() = V * (rho.asDiagonal() * shift_slope(K, e));
}

void normal_map(const BlockSet& K, ContactEvaluation& e) {
  const SmallVector rho = common_scaling(K, e);
  SmallVector p(e.n);
  project(K, e.r, p);
  e.G = scaled_velocity(K, rho, e) + e.r - p;
  if (!e.slopes) return;
  SmallMatrix V(e.n, e.n);
  projection_jacobian(K, e.r, V);
  e.B = SmallMatrix::Identity(e.n, e.n) - V;
  e.A = rho.asDiagonal() * shift_slope(K, e);
}

bool smoothed_cone(const BlockSet& K, double epsilon, bool fischer_burmeister,
                   ContactEvaluation& e) {
  const LorentzForm form = lorentz_form(K, e.n);
  if (form.mu.size() == 0) return false;
  const Index n = e.n, t = n - 1;
  const double m = form.mu.maxCoeff(), rho = std::min(e.rho_n, e.rho_t);
  const double delta = m * epsilon / rho;
  const SmallVector slip = form.mu.cwiseProduct(e.ut());
  SmallVector x = m * e.r, y = e.u;
  x.tail(t) = x.tail(t).cwiseQuotient(form.mu).eval();
  y.tail(t) = slip;
  const double speed = form.shifted ? std::hypot(slip.norm(), delta) : 0;
  if (speed > 0) y[0] += slip.squaredNorm() / speed;
  y *= rho / m;
  SmallVector G(n), p(n);
  SmallMatrix by_x(n, n), by_y(n, n);
  if (fischer_burmeister) {
    smoothed_fischer(x, y, epsilon, G, by_x, by_y);
  } else {
    smoothed_projection(x - y, epsilon, p, by_y);
    G = x - p;
    by_x = SmallMatrix::Identity(n, n) - by_y;
  }
  e.G = G;
  if (!e.slopes) return true;
  e.B = m * by_x;
  e.B.rightCols(t) = (e.B.rightCols(t) * form.mu.cwiseInverse().asDiagonal()).eval();
  e.A = (rho / m) * by_y;
  const SmallVector normal = e.A.col(0);
  e.A.rightCols(t) = (e.A.rightCols(t) * form.mu.asDiagonal()).eval();
  if (speed > 0) {
    const double slope = (slip.squaredNorm() + 2 * delta * delta) / (speed * speed * speed);
    e.A.rightCols(t) += normal * (slope * form.mu.cwiseProduct(slip)).transpose();
  }
  return true;
}

}  // namespace saltus
