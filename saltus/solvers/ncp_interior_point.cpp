#include "saltus/solvers/ncp_interior_point.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// z with its multipliers; infinite bounds have the multiplier 0.
struct Iterate {
  Vector z, w, v;
};

/// One run; the notation is that of the header.
class Reduction {
 public:
  Reduction(const Mcp& problem, const Vector& guess) : problem_(problem), F_(problem.n) {
    const Index n = problem.n;
    x_ = {guess, Vector::Zero(n), Vector::Zero(n)};
    for (Index i = 0; i < n; ++i) {
      const double l = problem.lower[i], u = problem.upper[i];
      if (l == u) {
        x_.z[i] = l;
        continue;
      }
      const double room = std::min(1.0, (u - l) / 4);
      x_.z[i] = std::min(std::max(guess[i], l + room), u - room);
      if (l > -inf) x_.w[i] = 1;
      if (u < inf) x_.v[i] = 1;
      products_ += (l > -inf) + (u < inf);
    }
    balance_multipliers();
    potential_ = potential(x_, F_);
  }

  [[nodiscard]] const Vector& z() const { return x_.z; }
  [[nodiscard]] bool defined() const { return potential_ < inf; }

  /// One step; false if there is none.
  bool step(double sigma) {
    const Iterate d = direction(sigma * gap(x_) / std::max(1, products_));
    if (!d.z.allFinite() || !d.w.allFinite() || !d.v.allFinite()) return false;
    const double slope = -std::sqrt(std::max(1.0, static_cast<double>(products_))) * (1 - sigma);
    Vector F(problem_.n);
    for (double t = std::min(1.0, 0.9995 * boundary(d)); t > 1e-12; t /= 2) {
      const Iterate trial{x_.z + t * d.z, x_.w + t * d.w, x_.v + t * d.v};
      const double value = potential(trial, F);
      if (!(value <= potential_ + 1e-4 * t * slope)) continue;
      x_ = trial;
      F_ = F;
      potential_ = value;
      return true;
    }
    return false;
  }

 private:
  /// Multipliers of the size of F, so that neither r nor the products dominate.
  void balance_multipliers() {
    problem_.F(x_.z, F_);
    const double size = F_.size() > 0 ? std::max(1.0, F_.lpNorm<Eigen::Infinity>()) : 1.0;
    x_.w *= size;
    x_.v *= size;
  }

  [[nodiscard]] bool held(Index i) const { return problem_.lower[i] == problem_.upper[i]; }

  /// Calls visit(i, distance, multiplier) for every bound.
  template <class Visit>
  void visit_products(const Iterate& x, Visit&& visit) const {
    for (Index i = 0; i < problem_.n; ++i) {
      if (held(i)) continue;
      if (problem_.lower[i] > -inf) visit(i, x.z[i] - problem_.lower[i], x.w[i]);
      if (problem_.upper[i] < inf) visit(i, problem_.upper[i] - x.z[i], x.v[i]);
    }
  }

  [[nodiscard]] double gap(const Iterate& x) const {
    double sum = 0;
    visit_products(x, [&](Index, double distance, double m) { sum += distance * m; });
    return sum;
  }

  /// Infinite outside the bounds and where F is not defined; writes F.
  double potential(const Iterate& x, Vector& F) const {
    double logs = 0;
    bool inside = true;
    visit_products(x, [&](Index, double distance, double m) {
      inside = inside && distance > 0 && m > 0;
      logs += inside ? std::log(distance) + std::log(m) : 0.0;
    });
    if (!inside) return inf;
    problem_.F(x.z, F);
    Vector r = F - x.w + x.v;
    for (Index i = 0; i < problem_.n; ++i)
      if (held(i)) r[i] = 0;
    const double sum = gap(x) + r.norm(), N = products_;
    if (!std::isfinite(sum)) return inf;
    return (products_ == 0 ? 1 : N + std::sqrt(N)) * std::log(sum) - logs;
  }

  /// Newton's direction for products equal to `target`.
  [[nodiscard]] Iterate direction(double target) const {
    const Index n = problem_.n;
    Matrix A(n, n);
    evaluate_jacobian(problem_.F, problem_.jacobian, x_.z, A);
    Vector rhs = -F_;
    for (Index i = 0; i < n; ++i) {
      if (held(i)) {
        A.row(i) = Vector::Unit(n, i).transpose();
        rhs[i] = 0;
        continue;
      }
      const double below = x_.z[i] - problem_.lower[i], above = problem_.upper[i] - x_.z[i];
      A(i, i) += x_.w[i] / below + x_.v[i] / above;
      rhs[i] += target / below - target / above;
    }
    Iterate d{Eigen::PartialPivLU<Matrix>(A).solve(rhs), Vector::Zero(n), Vector::Zero(n)};
    for (Index i = 0; i < n; ++i) {
      if (held(i)) continue;
      const double below = x_.z[i] - problem_.lower[i], above = problem_.upper[i] - x_.z[i];
      d.w[i] = target / below - x_.w[i] - x_.w[i] / below * d.z[i];
      d.v[i] = target / above - x_.v[i] + x_.v[i] / above * d.z[i];
    }
    return d;
  }

  /// The t at which the first bound or multiplier reaches 0.
  [[nodiscard]] double boundary(const Iterate& d) const {
    double t = inf;
    const auto shrink = [&](double value, double change) {
      if (change < 0) t = std::min(t, -value / change);
    };
    for (Index i = 0; i < problem_.n; ++i) {
      shrink(x_.z[i] - problem_.lower[i], d.z[i]);
      shrink(problem_.upper[i] - x_.z[i], -d.z[i]);
      shrink(x_.w[i], d.w[i]);
      shrink(x_.v[i], d.v[i]);
    }
    return t;
  }

  const Mcp& problem_;
  Iterate x_;
  Vector F_;
  int products_ = 0;
  double potential_ = inf;
};

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpInteriorPoint& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  if (residual(problem, z) <= limit) return judge(outcome, residual(problem, z), limit, clock);
  Reduction run(problem, z);
  if (!run.defined())
    return judge({SolveStatus::numerical_error, 0}, residual(problem, z), limit, clock);
  while (residual(problem, run.z()) > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    if (!run.step(options.sigma)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  z = run.z();
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
