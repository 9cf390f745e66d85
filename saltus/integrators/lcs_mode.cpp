#include "saltus/integrators/lcs_mode.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// w_i and its derivatives as g x + level + input λ, one after the other.
struct Chain {
  Vector g;
  double level;
  Vector input;  ///< of the held pairs
};

}  // namespace

Vector LcsMode::consistent(ConstVectorRef x) const {
  if (G.rows() == 0) return x;
  return x - G.completeOrthogonalDecomposition().solve(G * x + g);
}

Matrix LcsMode::sign_slopes() const {
  Matrix rows = C;
  for (Index i : held) rows.row(i) = K.row(i);
  return rows;
}

Vector LcsMode::sign_levels() const {
  Vector levels = c;
  for (Index i : held) levels[i] = k[i];
  return levels;
}

bool LcsMode::admits(ConstVectorRef x, double tolerance) const {
  const Matrix slopes = sign_slopes();
  const Vector levels = sign_levels(), rate = A * x + a;
  const double size = x.norm(), speed = A.norm() * size + a.norm();
  for (Index i = 0; i < slopes.rows(); ++i) {
    Vector row = slopes.row(i);
    double value = row.dot(x) + levels[i];
    double scale = row.norm() * size + std::abs(levels[i]);
    for (Index order = 0; order <= A.rows(); ++order) {
      if (value < -tolerance * scale) return false;
      if (value > tolerance * scale) break;
      value = row.dot(rate);
      scale = row.norm() * speed;
      row = A.transpose() * row;
    }
  }
  return true;
}

LcsMode lcs_mode(const Lcs& given, const std::vector<Index>& held) {
  const Lcs s = completed(given);
  const Index n = s.states(), count = static_cast<Index>(held.size());
  LcsMode mode{.held = held};
  Matrix slope(count, n), decoupling(count, count);
  Vector level(count);
  std::vector<Chain> lower;
  const Matrix B = s.B(Eigen::all, held);
  const double size = 1e-12 * std::max(1.0, s.C.norm()) * std::max(1.0, s.B.norm());
  for (Index i = 0; i < count; ++i) {
    Chain row{s.C.row(held[i]), s.b[held[i]], s.D(held[i], held)};
    double power = size;
    for (Index order = 0; row.input.norm() <= power && order < n; ++order) {
      lower.push_back(row);
      row.input = B.transpose() * row.g;
      row.level = row.g.dot(s.a);
      row.g = s.A.transpose() * row.g;
      power *= order == 0 ? 1 : std::max(1.0, s.A.norm());
    }
    slope.row(i) = row.g;
    level[i] = row.level;
    decoupling.row(i) = row.input;
  }
  mode.K = Matrix::Zero(s.pairs(), n);
  mode.k = Vector::Zero(s.pairs());
  if (count > 0) {
    const Eigen::FullPivLU<Matrix> factor(decoupling);
    if (!factor.isInvertible()) return mode;
    mode.K(held, Eigen::all) = -factor.solve(slope);
    mode.k(held) = -factor.solve(level);
  }
  mode.regular = true;
  mode.A = s.A + s.B * mode.K;
  mode.a = s.a + s.B * mode.k;
  mode.C = s.C + s.D * mode.K;
  mode.c = s.b + s.D * mode.k;
  mode.G = Matrix(static_cast<Index>(lower.size()), n);
  mode.g = Vector(static_cast<Index>(lower.size()));
  for (std::size_t i = 0; i < lower.size(); ++i) {
    mode.G.row(static_cast<Index>(i)) = lower[i].g;
    mode.g[static_cast<Index>(i)] = lower[i].level;
  }
  return mode;
}

}  // namespace saltus
