#include "saltus/solvers/contact_equations.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/c_functions.hpp"
#include "saltus/problems/rows.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// No heap: the storage is on the stack.
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_piece, max_piece>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_piece, 1>;

/// One evaluation; `slopes` says whether A = ∂G/∂u and B = ∂G/∂r are wanted (they start at zero).
struct Evaluation {
  Index n;
  Eigen::Map<const Vector> u, r;
  double rho_n, rho_t;
  Eigen::Map<Vector> G;
  Eigen::Map<Matrix> A, B;
  bool slopes;

  [[nodiscard]] auto ut() const { return u.tail(n - 1); }
  [[nodiscard]] auto rt() const { return r.tail(n - 1); }
  [[nodiscard]] auto Gt() { return G.tail(n - 1); }
  [[nodiscard]] auto At() { return A.bottomRightCorner(n - 1, n - 1); }
  [[nodiscard]] auto Bt() { return B.bottomRightCorner(n - 1, n - 1); }
};

void natural_map(const BlockSet& K, Evaluation& e) {
  const Index n = e.n;
  const bool product = std::holds_alternative<FrictionCylinder>(K);
  const double least = std::min(e.rho_n, e.rho_t);
  const double normal = product ? e.rho_n : least, others = product ? e.rho_t : least;
  SmallVector y = e.r - others * e.u, p(n);
  y[0] = e.r[0] - normal * (e.u[0] + shift(K, n, e.u.data()));
  project(K, y, p);
  e.G = e.r - p;
  if (!e.slopes) return;
  SmallMatrix V(n, n), shifted = SmallMatrix::Identity(n, n);
  projection_jacobian(K, y, V);
  add_shift_jacobian(K, e.u, shifted);
  e.B = SmallMatrix::Identity(n, n) - V;
  V.rightCols(n - 1) *= others;
  V.col(0) *= normal;
  e.A.noalias() = V * shifted;
}

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

/// Arrow matrix of the Jordan product: L_x y = (x·y, y_N x_T + x_N y_T) (FS:FS-23).
SmallMatrix arrow(const SmallVector& x) {
  SmallMatrix L = x[0] * SmallMatrix::Identity(x.size(), x.size());
  L.row(0) = x.transpose();
  L.col(0) = x;
  return L;
}

/// Square root in the Jordan algebra, by the spectral values x_N ± ‖x_T‖ raised to `floor` at
/// least.
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

/// (a)₊ smoothed, and its derivative.
struct Plus {
  double value, slope;
};
Plus plus(double a, double epsilon) {
  if (epsilon == 0) return {std::max(a, 0.0), a > 0 ? 1.0 : 0.0};
  const double root = std::hypot(a, 2 * epsilon);
  return {(a + root) / 2, (1 + a / root) / 2};
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
  const double x = r - rho * u;
  if (x >= lower && x <= upper) return {rho * u, rho, 0};
  return {r - (x < lower ? lower : upper), 0, 1};
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
                        [&](const RegularisedCoulomb& q) { regularised(mu, q.epsilon, e); }},
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
