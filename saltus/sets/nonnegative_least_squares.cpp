#include "saltus/sets/nonnegative_least_squares.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace saltus {

namespace {

// Coefficients of columns of unit length, and those that carry the positive ones.
struct ActiveSet {
  Vector c;
  std::vector<Index> passive;

  // Largest step towards `target` that keeps c ≥ 0, and the position in `passive` that limits it.
  [[nodiscard]] std::pair<double, Index> step_towards(ConstVectorRef target) const {
    double step = 1;
    Index limiting = -1;
    for (Index k = 0; k < target.size(); ++k) {
      if (target[k] > 0) continue;
      const double now = c[passive[k]];
      const double reach = now > 0 ? now / (now - target[k]) : 0;
      if (limiting < 0 || reach < step) step = reach, limiting = k;
    }
    return {step, limiting};
  }

  // Least squares on the passive set with c ≥ 0; columns leave until it is feasible.
  void solve(const Matrix& columns, ConstVectorRef x) {
    while (!passive.empty()) {
      const Vector target = columns(Eigen::all, passive).colPivHouseholderQr().solve(x);
      const auto [step, limiting] = step_towards(target);
      for (Index k = 0; k < target.size(); ++k) {
        double& value = c[passive[k]];
        value = limiting < 0 ? target[k] : std::max(value + step * (target[k] - value), 0.0);
      }
      if (limiting < 0) return;
      c[passive[limiting]] = 0;
      passive.erase(passive.begin() + limiting);
    }
  }

  [[nodiscard]] bool holds(Index j) const {
    return std::find(passive.begin(), passive.end(), j) != passive.end();
  }
};

// The column with the largest w_j above `tolerance` that is neither passive nor refused, or −1.
Index entering(const ActiveSet& set, ConstVectorRef w, const std::vector<bool>& refused,
               double tolerance) {
  Index best = -1;
  for (Index j = 0; j < w.size(); ++j)
    if (w[j] > (best < 0 ? tolerance : w[best]) && !refused[j] && !set.holds(j)) best = j;
  return best;
}

// Scales the columns to length 1 and returns their lengths; zero columns stay.
Vector scale_to_unit(Matrix& G) {
  Vector norms = G.colwise().norm();
  for (Index j = 0; j < G.cols(); ++j)
    if (norms[j] > 0) G.col(j) /= norms[j];
  return norms;
}

}  // namespace

NonnegativeFit nonnegative_least_squares(ConstMatrixRef G, ConstVectorRef x) {
  require(G.rows() == x.size(), "nonnegative_least_squares: G has {} rows, x has size {}", G.rows(),
          x.size());
  Matrix columns = G;
  const Vector norms = scale_to_unit(columns);
  ActiveSet set{Vector::Zero(G.cols()), {}};
  const double tolerance =
      16 * static_cast<double>(x.size()) * std::numeric_limits<double>::epsilon() * x.norm();
  std::vector<bool> refused(static_cast<std::size_t>(G.cols()), false);
  NonnegativeFit fit{.coefficients = {}, .residual = x, .iterations = 0};
  for (;; ++fit.iterations) {
    const Vector w = columns.transpose() * fit.residual;
    const Index j = entering(set, w, refused, tolerance);
    if (j < 0) break;
    ActiveSet trial = set;
    trial.passive.push_back(j);
    trial.solve(columns, x);
    const Vector residual = x - columns * trial.c;
    if (residual.squaredNorm() < fit.residual.squaredNorm()) {
      set = std::move(trial);
      fit.residual = residual;
      std::fill(refused.begin(), refused.end(), false);
    } else {
      refused[j] = true;
    }
  }
  fit.coefficients = set.c;
  for (Index j = 0; j < G.cols(); ++j)
    if (norms[j] > 0) fit.coefficients[j] /= norms[j];
  return fit;
}

}  // namespace saltus
