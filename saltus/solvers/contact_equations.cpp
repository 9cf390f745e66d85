#include "saltus/solvers/contact_equations.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/c_functions.hpp"
#include "saltus/solvers/contact_evaluation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace saltus {

template void validate(const ContactEquation&);

namespace {

using Evaluation = ContactEvaluation;

/// r_N − (x_N)₊; returns x_N.
double normal_part(Evaluation& e) {
  const double xn = e.r[0] - e.rho_n * e.u[0];
  e.G[0] = e.r[0] - std::max(xn, 0.0);
  if (e.slopes && xn > 0) e.A(0, 0) = e.rho_n;
  if (e.slopes && !(xn > 0)) e.B(0, 0) = 1;
  return xn;
}

/// r_T − P_D(radius)(x_T), radius = μ times x_N (`by_both`) or r_N, where those are positive.
void disk_part(double mu, double center, bool by_both, Evaluation& e) {
  const Index t = e.n - 1;
  const SmallVector x = e.rt() - e.rho_t * e.ut();
  const double radius = mu * std::max(0.0, center), length = x.norm();
  const bool inside = length <= radius;
  if (inside)
    e.Gt() = e.rho_t * e.ut();
  else
    e.Gt() = e.rt() - (radius / length) * x;
  if (!e.slopes) return;
  if (inside) {
    e.At().diagonal().setConstant(e.rho_t);
    return;
  }
  const SmallVector d = x / length;
  const SmallMatrix turn =
      (radius / length) * (SmallMatrix::Identity(t, t) - d * d.transpose()).eval();
  e.At() = e.rho_t * turn;
  e.Bt() = SmallMatrix::Identity(t, t) - turn;
  if (!(center > 0)) return;
  e.B.col(0).tail(t) = -mu * d;
  if (by_both) e.A.col(0).tail(t) = mu * e.rho_n * d;
}

void hueber(double mu, Evaluation& e) {
  const Index t = e.n - 1;
  const double xn = normal_part(e), bound = mu * xn;
  const SmallVector x = e.rt() - e.rho_t * e.ut();
  const double length = x.norm(), radius = std::max(bound, 0.0);
  const bool stick = bound >= length;
  e.Gt() = (stick ? bound : length) * e.rt() - radius * x;
  if (!e.slopes) return;
  const SmallMatrix identity = SmallMatrix::Identity(t, t);
  if (stick) {  // μ x_N (r_T − x_T) = μ x_N ρ_T u_T
    e.At() = radius * e.rho_t * identity;
    e.B.col(0).tail(t) = mu * e.rho_t * e.ut();
    e.A.col(0).tail(t) = -mu * e.rho_n * e.rho_t * e.ut();
    return;
  }
  const double size = e.rt().norm();
  const SmallVector cut = (size > radius ? radius / size : 1.0) * e.rt();
  const SmallMatrix turn = cut * x.transpose() / length;  // r_T ∂‖x_T‖/∂x_T
  e.At() = e.rho_t * (radius * identity - turn);
  e.Bt() = length * identity + turn - radius * identity;
  if (!(xn > 0)) return;
  e.B.col(0).tail(t) = -mu * x;
  e.A.col(0).tail(t) = mu * e.rho_n * x;
}

/// Frictionless: scalar function for the normal, r_T = 0.
void fischer_burmeister_normal(Evaluation& e) {
  const FischerBurmeister phi;
  e.G = e.r;
  e.G[0] = phi.value(e.u[0], e.r[0]);
  if (!e.slopes) return;
  e.B.setIdentity();
  const CSlope slope = phi.slope(e.u[0], e.r[0], 1, 1);
  e.A(0, 0) = slope.by_w;
  e.B(0, 0) = slope.by_z;
}

void fischer_burmeister(double mu, bool shifted, Evaluation& e) {
  if (mu == 0) return fischer_burmeister_normal(e);
  const Index n = e.n, t = n - 1;
  SmallVector x = e.r, y = e.u;
  const double slip = e.ut().norm();
  x[0] *= mu;
  y[0] = e.u[0] / mu + (shifted ? slip : 0.0);
  const SmallVector square = (arrow(x) * x + arrow(y) * y).eval();
  e.G = x + y - square_root(square, 0);
  if (!e.slopes) return;
  // the limit of Jacobians from the inside of the cone: spectral values of z of at least 1e-8 ‖z‖
  const double size = square[0];
  SmallMatrix Fx, Fy;
  if (size == 0) {
    Fx = (1 - std::sqrt(0.5)) * SmallMatrix::Identity(n, n);
    Fy = Fx;
  } else {
    const SmallMatrix inverse = arrow(square_root(square, 1e-16 * size)).inverse();
    Fx = SmallMatrix::Identity(n, n) - inverse * arrow(x);
    Fy = SmallMatrix::Identity(n, n) - inverse * arrow(y);
  }
  e.B = Fx;
  e.B.col(0) *= mu;
  e.A = Fy;
  e.A.col(0) /= mu;
  if (shifted && slip > 0) e.A.rightCols(t) += Fy.col(0) * (e.ut() / slip).transpose();
}

void xuewen(double mu, Evaluation& e) {
  require(e.n == 3, "XuewenSohWanji: a contact has {} rows, expected 3", e.n);
  const double slip = e.ut().norm(), force = e.rt().norm();
  const double cross = e.u[1] * e.r[2] - e.u[2] * e.r[1], power = e.u[1] * e.r[1];
  const bool open = e.r[0] < e.u[0], slides = mu * e.r[0] - force < slip;
  e.G[0] = open ? e.r[0] : e.u[0];
  e.G[1] = slides ? mu * e.r[0] - force : slip;
  e.G[2] = std::abs(cross) + std::max(0.0, power);
  if (!e.slopes) return;
  (open ? e.B(0, 0) : e.A(0, 0)) = 1;
  if (slides) {
    e.B(1, 0) = mu;
    if (force > 0) e.B.row(1).tail(2) = -e.rt().transpose() / force;
  } else if (slip > 0) {
    e.A.row(1).tail(2) = e.ut().transpose() / slip;
  } else {
    e.A(1, 1) = 1;
  }
  const double sign = cross < 0 ? -1 : 1;
  e.A.row(2) << 0, sign * e.r[2] + (power > 0 ? e.r[1] : 0), -sign * e.r[1];
  e.B.row(2) << 0, -sign * e.u[2] + (power > 0 ? e.u[1] : 0), sign * e.u[1];
}

void sliding_angle(double mu, double epsilon, Evaluation& e) {
  const Index n = e.n, t = n - 1;
  require(n <= 3, "SlidingAngle: a contact has {} rows, expected 2 or 3", n);
  const double xn = e.r[0] - e.rho_n * e.u[0];
  const Plus normal = plus(xn, epsilon);
  e.G[0] = e.r[0] - normal.value;
  const SmallVector x = e.rt() - e.rho_t * e.ut();
  const double length = x.norm();
  const SmallVector d = length > 0 ? SmallVector(x / length) : SmallVector(SmallVector::Unit(t, 0));
  const Plus excess = plus(length - mu * normal.value, epsilon);
  // r·t − min(c, ‖x‖) = ρ u·t + (‖x‖ − c)₊
  e.G[1] = e.rho_t * d.dot(e.ut()) + excess.value;
  if (t == 2) e.G[2] = e.rho_t * (e.u[1] * d[1] - e.u[2] * d[0]);
  if (!e.slopes) return;
  e.A(0, 0) = e.rho_n * normal.slope;
  e.B(0, 0) = 1 - normal.slope;
  e.B.row(1).tail(t) = excess.slope * d.transpose();
  e.B(1, 0) = -excess.slope * mu * normal.slope;
  e.A.row(1).tail(t) = e.rho_t * (1 - excess.slope) * d.transpose();
  e.A(1, 0) = excess.slope * mu * normal.slope * e.rho_n;
  if (t != 2) return;
  e.A.row(2).tail(2) << e.rho_t * d[1], -e.rho_t * d[0];
  if (!(length > 0)) return;
  // the direction turns with x: dt = s (s·dx)/‖x‖, s ⟂ t
  SmallVector s(2);
  s << -d[1], d[0];
  const double along = e.rho_t * e.ut().dot(d) / length, across = e.rho_t * e.ut().dot(s) / length;
  e.B.row(1).tail(2) += across * s.transpose();
  e.A.row(1).tail(2) -= e.rho_t * across * s.transpose();
  e.B.row(2).tail(2) += along * s.transpose();
  e.A.row(2).tail(2) -= e.rho_t * along * s.transpose();
}

void regularised(double mu, double epsilon, Evaluation& e) {
  const Index t = e.n - 1;
  normal_part(e);
  const double speed = std::hypot(e.ut().norm(), epsilon), normal = std::max(e.r[0], 0.0);
  const SmallVector d = e.ut() / speed;
  e.Gt() = e.rt() + mu * normal * d;
  if (!e.slopes) return;
  e.Bt().setIdentity();
  if (e.r[0] > 0) e.B.col(0).tail(t) = mu * d;
  e.At() = (mu * normal / speed) * (SmallMatrix::Identity(t, t) - d * d.transpose()).eval();
}

/// r + ρu − (r² + ρ²u² + 2ε²)^½
RowFunction smoothed_half_line(double u, double r, double rho, double epsilon) {
  const double y = rho * u, root = std::hypot(r, y, std::sqrt(2.0) * epsilon);
  if (root == 0) return {0, rho * (1 - std::sqrt(0.5)), 1 - std::sqrt(0.5)};
  // the difference of equals by the product of sums where r and y are positive
  const double sum = r + y;
  const double G = sum > 0 ? (2 * r * y - 2 * epsilon * epsilon) / (sum + root) : sum - root;
  return {G, rho * (1 - y / root), 1 - r / root};
}

/// r − P_ε(r − ρu) with P(x) = lower + (x − lower)₊ − (x − upper)₊, its terms smoothed.
RowFunction smoothed_interval(double lower, double upper, double u, double r, double rho,
                              double epsilon) {
  const double x = r - rho * u;
  const Plus below = lower > -inf ? plus(lower - x, epsilon) : Plus{0, 0};
  const Plus above = upper < inf ? plus(x - upper, epsilon) : Plus{0, 0};
  const double slope = 1 - below.slope - above.slope;  // of P = x + (lower − x)₊ − (x − upper)₊
  return {rho * u - below.value + above.value, rho * slope, 1 - slope};
}

double smoothing(const ContactEquation& equation) {
  if (const auto* held = std::get_if<SmoothedFischerBurmeister>(&equation)) return held->smoothing;
  if (const auto* held = std::get_if<SmoothedNaturalMap>(&equation)) return held->smoothing;
  return 0;
}

}  // namespace

RowFunction row_function(const ContactEquation& equation, const BlockSet& K, double u, double r,
                         double rho) {
  double lower = -inf, upper = inf;
  if (std::holds_alternative<NonNegative>(K)) lower = 0;
  if (const auto* interval = std::get_if<Interval>(&K)) {
    lower = interval->lower;
    upper = interval->upper;
  }
  if (std::holds_alternative<ConeFischerBurmeister>(equation) && lower == 0 && upper == inf) {
    const CSlope slope = FischerBurmeister{}.slope(u, r, 1, 1);
    return {FischerBurmeister{}.value(u, r), slope.by_w, slope.by_z};
  }
  if (std::holds_alternative<NormalMap>(equation)) {
    if (r >= lower && r <= upper) return {rho * u, rho, 0};
    return {rho * u + r - (r < lower ? lower : upper), rho, 1};
  }
  const auto* fischer = std::get_if<SmoothedFischerBurmeister>(&equation);
  if (fischer != nullptr && lower == 0 && upper == inf)
    return smoothed_half_line(u, r, rho, fischer->smoothing);
  if (const double epsilon = smoothing(equation); epsilon > 0)
    return smoothed_interval(lower, upper, u, r, rho, epsilon);
  const double x = r - rho * u;
  if (x >= lower && x <= upper) return {rho * u, rho, 0};
  return {r - (x < lower ? lower : upper), 0, 1};
}

double* driven_smoothing(ContactEquation& equation) {
  if (auto* held = std::get_if<SmoothedFischerBurmeister>(&equation)) return &held->smoothing;
  if (auto* held = std::get_if<SmoothedNaturalMap>(&equation)) return &held->smoothing;
  return nullptr;
}

bool drive_smoothing(ContactEquation& equation, double size) {
  double* epsilon = driven_smoothing(equation);
  if (epsilon == nullptr || *epsilon == 0 || !(size <= *epsilon)) return false;
  const auto* fischer = std::get_if<SmoothedFischerBurmeister>(&equation);
  const double reduction =
      fischer != nullptr ? fischer->reduction : std::get<SmoothedNaturalMap>(equation).reduction;
  *epsilon *= reduction;
  return true;
}

void contact_function(const ContactEquation& equation, const BlockSet& K, Index size,
                      const double* u, const double* r, const ContactScaling& rho, double* G,
                      double* by_u, double* by_r) {
  const bool slopes = by_u != nullptr;
  Evaluation e{size,      {u, size},          {r, size},          rho.normal, rho.tangent,
               {G, size}, {by_u, size, size}, {by_r, size, size}, slopes};
  if (slopes) {
    e.A.setZero();
    e.B.setZero();
  }
  const auto* cone = std::get_if<FrictionCone>(&K);
  const auto* plain = std::get_if<SecondOrderCone>(&K);
  if (plain != nullptr && std::holds_alternative<ConeFischerBurmeister>(equation))
    return fischer_burmeister(plain->mu, false, e);
  if (std::holds_alternative<NormalMap>(equation)) return normal_map(K, e);
  if (std::holds_alternative<SkewedNaturalMap>(equation)) return skewed_natural_map(K, e);
  if (const auto* held = std::get_if<SmoothedFischerBurmeister>(&equation))
    if (smoothed_cone(K, held->smoothing, true, e)) return;
  if (const auto* held = std::get_if<SmoothedNaturalMap>(&equation))
    if (smoothed_cone(K, held->smoothing, false, e)) return;
  if (cone == nullptr) return natural_map(K, e);
  const double mu = cone->mu;
  std::visit(Overloaded{[&](const NaturalMap&) { natural_map(K, e); },
                        [&](const AlartCurnier&) {
                          const double xn = normal_part(e);
                          disk_part(mu, xn, true, e);
                        },
                        [&](const JeanMoreau&) {
                          normal_part(e);
                          disk_part(mu, e.r[0], false, e);
                        },
                        [&](const ConeFischerBurmeister&) { fischer_burmeister(mu, true, e); },
                        [&](const HueberStadlerWohlmuth&) { hueber(mu, e); },
                        [&](const XuewenSohWanji&) { xuewen(mu, e); },
                        [&](const SlidingAngle& q) { sliding_angle(mu, q.smoothing, e); },
                        [&](const RegularisedCoulomb& q) { regularised(mu, q.epsilon, e); },
                        [&](const auto&) { natural_map(K, e); }},  // a smoothed function with μ = 0
             equation);
}

ContactScaling contact_scaling(Index size, const double* block, bool conservative) {
  const Eigen::Map<const Matrix> W(block, size, size);
  const Index t = size - 1;
  const SmallMatrix tangent = W.bottomRightCorner(t, t);
  const SmallMatrix symmetric = (tangent + tangent.transpose()) / 2;
  const auto spectrum =
      Eigen::SelfAdjointEigenSolver<SmallMatrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = spectrum[t - 1], smallest = spectrum[0];
  ContactScaling rho;
  if (W(0, 0) > 0) rho.normal = 1 / W(0, 0);
  if (largest > 0) rho.tangent = 1 / largest;
  if (conservative && smallest > 0) rho.tangent = smallest / (largest * largest);
  return rho;
}

}  // namespace saltus
