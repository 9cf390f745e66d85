#include "saltus/solvers/path_search.hpp"

#include "saltus/solvers/ncp_newton.hpp"

#include <Eigen/LU>

#include <cmath>
#include <deque>
#include <vector>

namespace saltus {

namespace {

/// A vertex of the piecewise-linear path.
struct Vertex {
  double t;
  Vector y;
};

enum class Side : signed char { below, between, above };

Vector clamp(const Mcp& problem, const Vector& y) {
  return y.cwiseMax(problem.lower).cwiseMin(problem.upper);
}

Vector normal(const Mcp& problem, const Vector& y) {
  const Vector x = clamp(problem, y);
  return evaluate(problem.F, x) + y - x;
}

/// The path of one Newton step and its pivots.
class Path {
 public:
  Path(const Mcp& problem, const Vector& y, const Vector& r) : problem_(problem), y_(y), r_(r) {
    const Index n = problem.n;
    J_.resize(n, n);
    evaluate_jacobian(problem.F, problem.jacobian, clamp(problem, y), J_);
    for (Index i = 0; i < n; ++i)
      side_.push_back(y[i] < problem.lower[i]   ? Side::below
                      : y[i] > problem.upper[i] ? Side::above
                                                : Side::between);
  }

  /// Traces the path to t = 1, a singular basis, t < 0 or the pivot limit. False if the first basis
  /// is singular even with the shift.
  bool trace(int max_pivots) {
    vertices_.push_back({0, y_});
    if (!start()) return false;
    double t = 0, sense = 1;
    Index entered = -1;
    for (int k = 0; k < max_pivots; ++k) {
      const Vector d = -sense * (inverse_ * r_);  // dy along the path, dt = sense
      if (!d.allFinite()) break;
      const auto [step, row, to] = crossing(d, sense > 0 ? 1 - t : inf, entered);
      if (!(step < inf)) break;
      t += sense * step;
      y_ += step * d;
      if (t < 0) break;
      if (row >= 0) y_[row] = bound(row, to, d[row]);
      vertices_.push_back({t, y_});
      if (row < 0 || !exchange(row, to, sense)) break;
      entered = row;
    }
    return vertices_.size() > 1;
  }

  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }

 private:
  struct Crossing {
    double step;
    Index row;  ///< −1: none, the end of the path
    Side to;
  };

  [[nodiscard]] Vector column(Index i, Side side) const {
    return side == Side::between ? Vector(J_.col(i)) : Vector(Vector::Unit(J_.rows(), i));
  }

  bool start() {
    const Index n = J_.rows();
    const double size = std::max(J_.cwiseAbs().maxCoeff(), 1e-300);
    for (double shift = 0; shift <= size; shift = std::max(100 * shift, 1e-8 * size)) {
      J_.diagonal().array() += shift;
      Matrix B(n, n);
      for (Index i = 0; i < n; ++i) B.col(i) = column(i, side_[i]);
      const Eigen::PartialPivLU<Matrix> lu(B);
      if (lu.rcond() > 1e-13) {
        inverse_ = lu.inverse();
        return true;
      }
    }
    return false;
  }

  /// The bound that y_i reaches when it moves to `to`.
  [[nodiscard]] double bound(Index i, Side to, double speed) const {
    if (to == Side::between) return speed > 0 ? problem_.lower[i] : problem_.upper[i];
    return to == Side::below ? problem_.lower[i] : problem_.upper[i];
  }

  /// First bound met along d within `length`. The row that has just crossed stands on its bound and
  /// moves away from it.
  [[nodiscard]] Crossing crossing(const Vector& d, double length, Index entered) const {
    Crossing first{length, -1, Side::between};
    for (Index i = 0; i < d.size(); ++i) {
      Side to = Side::between;
      if (side_[i] == Side::between) to = d[i] > 0 ? Side::above : Side::below;
      if (d[i] == 0 || (side_[i] == Side::below && d[i] < 0) ||
          (side_[i] == Side::above && d[i] > 0))
        continue;
      const double target = bound(i, to, d[i]);
      if (std::isinf(target) || (i == entered && target == y_[i])) continue;
      const double step = std::max(0.0, (target - y_[i]) / d[i]);
      if (step < first.step) first = {step, i, to};
    }
    return first;
  }

  /// Pivot: column i of the basis becomes that of `to`.
  bool exchange(Index i, Side to, double& sense) {
    const Vector change = inverse_ * (column(i, to) - column(i, side_[i]));
    const double pivot = 1 + change[i];
    if (std::abs(pivot) < 1e-11) return false;
    const Eigen::RowVectorXd row = inverse_.row(i) / pivot;
    inverse_ -= change * row;
    if (pivot < 0) sense = -sense;
    side_[i] = to;
    return true;
  }

  const Mcp& problem_;
  Vector y_, r_;
  Matrix J_, inverse_;
  std::vector<Side> side_;
  std::vector<Vertex> vertices_;
};

/// Length of the path.
double length(const std::vector<Vertex>& path) {
  double sum = 0;
  for (std::size_t k = 1; k < path.size(); ++k) sum += (path[k].y - path[k - 1].y).norm();
  return sum;
}

/// The point at the length s from the start.
Vertex at(const std::vector<Vertex>& path, double s) {
  for (std::size_t k = 1; k < path.size(); ++k) {
    const double piece = (path[k].y - path[k - 1].y).norm();
    if (s < piece) {
      const double w = s / piece;
      return {(1 - w) * path[k - 1].t + w * path[k].t, (1 - w) * path[k - 1].y + w * path[k].y};
    }
    s -= piece;
  }
  return path.back();
}

/// The farthest point, by halves, with ‖F^nor‖ ≤ (1 − σ t) reference and t > 0.
bool search(const Mcp& problem, const std::vector<Vertex>& path, double sigma, double reference,
            Vector& y, Vector& r) {
  const double total = length(path);
  for (double part = 1; part > 1e-10; part /= 2) {
    const Vertex candidate = part == 1 ? path.back() : at(path, part * total);
    if (!(candidate.t > 0) || !candidate.y.allFinite()) continue;
    const Vector value = normal(problem, candidate.y);
    if (!value.allFinite() || value.norm() > (1 - sigma * candidate.t) * reference) continue;
    y = candidate.y;
    r = value;
    return true;
  }
  return false;
}

/// y for the point z: z itself, with −F added where z stands on a bound that F keeps active, so
/// that the active set of the guess is that of the first basis.
Vector start_at(const Mcp& problem, const Vector& z) {
  Vector y = clamp(problem, z);
  const Vector F = evaluate(problem.F, y);
  for (Index i = 0; i < problem.n; ++i)
    if ((y[i] == problem.lower[i] && F[i] > 0) || (y[i] == problem.upper[i] && F[i] < 0))
      y[i] -= F[i];
  return y;
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const PathSearch& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  const int max_pivots =
      options.max_pivots > 0 ? options.max_pivots : 10 * static_cast<int>(problem.n) + 100;
  const NcpNewton one_step{.tolerance = options.tolerance, .max_iterations = 1};
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector y = start_at(problem, z), r = normal(problem, y);
  std::deque<double> history{r.norm()};
  while (residual(problem, clamp(problem, y)) > limit &&
         outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    Path path(problem, y, r);
    const double reference = *std::max_element(history.begin(), history.end());
    if (!r.allFinite() || !path.trace(max_pivots) ||
        !search(problem, path.vertices(), options.sigma, reference, y, r)) {
      Vector x = clamp(problem, y);
      if (solve(problem, x, one_step, work).status == SolveStatus::stalled) {
        outcome.status = SolveStatus::stalled;
        break;
      }
      y = start_at(problem, x);
      r = normal(problem, y);
      history.clear();
    }
    history.push_back(r.norm());
    if (static_cast<int>(history.size()) > options.memory) history.pop_front();
  }
  z = clamp(problem, y);
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
