#include "saltus/solvers/projected_gradient.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/splitting.hpp"

#include <array>

namespace saltus {

namespace {

using Map = Eigen::Map<Vector>;

PathPoint make_point(const BoxView& box, Workspace& work) {
  const Index n = box.size();
  return {nullptr, work.velocity.get(n), work.iterate.get(n), work.center.get(n)};
}

/// ‖d‖² / dᵀWd, the exact step of steepest descent without bounds; 1 / max|W_ii| if that is not
/// positive. Ws is overwritten.
double cauchy_length(const BoxView& box, const PathPoint& point, const double* d, double square) {
  const Index n = box.size();
  const Eigen::Map<const Vector> direction(d, n);
  Map Wd(point.Ws, n);
  box.W.multiply(direction, Wd);
  const double curvature = direction.dot(Wd), largest = box.W.max_abs_diagonal();
  if (curvature > 0) return square / curvature;
  return largest > 0 ? 1 / largest : 1;
}

class Gradients {
 public:
  Gradients(const BoxView& box, const GradientProjection& options, double, Workspace& work)
      : box_(box),
        search_(options.search),
        work_(work),
        symmetric_(box.W.symmetric()),
        point_(make_point(box, work)),
        d_(work.rhs.get(box.size())) {}

  Progress step(double* z) {
    if (!symmetric_) return {SolveStatus::nonconvex};
    point_.z = z;
    if (count_++ % refresh == 0) evaluate(box_, z, point_.u);
    const double square = projected_gradient(box_, z, point_.u, d_);
    if (square == 0) return {SolveStatus::stalled};
    const PathStep step = std::visit(
        Overloaded{[&](const SufficientDecrease& s) { return by_decrease(s, square); },
                   [&](const CauchyPoint&) { return walk_path(box_, point_, d_, work_); }},
        search_);
    if (step.unbounded) return {SolveStatus::nonconvex};
    if (!step.moved) return {SolveStatus::stalled};
    return {SolveStatus::not_run, natural_map(box_, z, point_.u)};
  }

 private:
  static constexpr int refresh = 50;  // steps after which u is computed afresh

  PathStep by_decrease(const SufficientDecrease& rule, double square) {
    const Index n = box_.size();
    if (length_ == 0) length_ = cauchy_length(box_, point_, d_, square);
    const double worst = *std::max_element(rise_.begin(), rise_.begin() + rule.memory);
    const PathStep step = search_path(box_, point_, d_, length_, rule.mu, worst);
    if (!step.moved) return step;
    std::rotate(rise_.rbegin(), rise_.rbegin() + 1, rise_.rend());
    rise_[0] = 0;  // the last objectives, relative to the present one; those not there yet count 0
    for (int j = 1; j < std::min<int>(count_ + 1, static_cast<int>(rise_.size())); ++j)
      rise_[j] += step.decrease;
    const Map s(point_.s, n), Ws(point_.Ws, n);
    const double curvature = s.dot(Ws);
    if (curvature < 0 && no_bound_ahead()) return {false, true, 0, inf};
    // where the curvature is not positive a longer step can only be better
    length_ = curvature > 0 ? s.squaredNorm() / curvature : 10 * step.length;
    return length_ < 1e50 ? step : PathStep{};  // beyond, a flat objective falls for ever
  }

  [[nodiscard]] bool no_bound_ahead() const {
    for (Index i = 0; i < box_.size(); ++i)
      if (d_[i] != 0 && std::isfinite(d_[i] > 0 ? box_.upper[i] : box_.lower[i])) return false;
    return true;
  }

  const BoxView& box_;
  const StepSearch& search_;
  Workspace& work_;
  bool symmetric_;
  PathPoint point_;
  double* d_;
  double length_ = 0;
  int count_ = 0;
  std::array<double, 16> rise_{};
};

/// What Gpcg and TwoPhaseProjection have in common.
struct FaceRules {
  double nu1, nu2, mu;
  double omega;  // of the sweeps that find the face; 0: gradient projections
  bool jacobi;   // preconditioning by the diagonal
};

/// Why the methods cannot start, or not_run: they need a symmetric W, the sweeps W_ii > 0.
SolveStatus obstacle(const BlockSparse& W, const FaceRules& rules) {
  if (!W.symmetric()) return SolveStatus::nonconvex;
  double least = inf;
  visit_diagonal(W, [&](Index, double d) { least = std::min(least, d); });
  if (rules.omega == 0 || least > 0) return SolveStatus::not_run;
  return least < 0 ? SolveStatus::nonconvex : SolveStatus::numerical_error;
}

class ConjugateGradients {
 public:
  ConjugateGradients(const BoxView& box, const Gpcg& o, double limit, Workspace& work)
      : ConjugateGradients(box, FaceRules{o.nu1, o.nu2, o.mu, 0, o.jacobi}, limit, work) {}
  ConjugateGradients(const BoxView& box, const TwoPhaseProjection& o, double limit, Workspace& work)
      : ConjugateGradients(box, FaceRules{0, o.nu2, o.mu, o.omega, o.jacobi}, limit, work) {}

  Progress step(double* z) {
    if (obstacle_ != SolveStatus::not_run) return {obstacle_};
    point_.z = z;
    if (rules_.omega > 0) sweep();
    evaluate(box_, z, point_.u);
    const bool moved = rules_.omega > 0 || settle();
    bool exact = false;  // the first run ends by its decrease
    for (int run = 0; run < 10; ++run) {
      const Direction found = conjugate_gradients(exact);
      if (found.length == 0) break;
      if (found.length == inf)
        return {found.curvature < 0 ? SolveStatus::nonconvex : SolveStatus::stalled};
      if (!search_path(box_, point_, d_.data(), found.length, rules_.mu).moved) break;
      if (!binding_equals_active()) break;
      exact = true;
    }
    const double met = natural_map(box_, z, point_.u);
    if (!moved && met > limit_ && !(met < last_)) return {SolveStatus::stalled};
    last_ = met;
    return {SolveStatus::not_run, met};
  }

 private:
  ConjugateGradients(const BoxView& box, FaceRules rules, double limit, Workspace& work)
      : box_(box),
        rules_(rules),
        limit_(limit),
        largest_(box.W.max_abs_diagonal()),
        n_(box.size()),
        obstacle_(obstacle(box.W, rules)),
        point_(make_point(box, work)),
        d_(work.rhs.get(n_), n_),
        r_(work.block_velocity.get(n_), n_),
        p_(work.base.get(n_), n_),
        Wp_(work.sign.get(n_), n_),
        inverse_(work.lu_rhs.get(n_), n_),
        work_(work) {
    work.state.resize(static_cast<std::size_t>(n_));
    inverse_.setOnes();
    if (rules.jacobi)
      visit_diagonal(box.W, [&](Index i, double d) { inverse_[i] = d > 0 ? 1 / d : 1; });
  }

  /// A descent direction in d_: first trial length, 0 if there is none, ∞ if no bound ends it.
  struct Direction {
    double length = 0, curvature = 0;
  };

  [[nodiscard]] bool at_bound(Index i) const {
    return point_.z[i] <= box_.lower[i] || point_.z[i] >= box_.upper[i];
  }

  void sweep() {
    projected_sweep(box_, point_.z, point_.s, rules_.omega, 0, true);
    projected_sweep(box_, point_.z, point_.s, rules_.omega, 0, false);
  }

  /// (a); false if not a single step was possible.
  bool settle() {
    double best = 0;
    bool moved = false;
    for (Index i = 0; i < n_; ++i) work_.state[i] = at_bound(i) ? 1 : 0;
    for (int j = 0; j < 100; ++j) {
      const double square = projected_gradient(box_, point_.z, point_.u, d_.data());
      if (square == 0) break;
      const double length = cauchy_length(box_, point_, d_.data(), square);
      const PathStep step = search_path(box_, point_, d_.data(), length, rules_.mu);
      if (!step.moved) break;
      moved = true;
      bool same = true;
      for (Index i = 0; i < n_; ++i) {
        const std::uint8_t state = at_bound(i) ? 1 : 0;
        same = same && state == work_.state[i];
        work_.state[i] = state;
      }
      if (same || step.decrease <= rules_.nu1 * best) break;
      best = std::max(best, step.decrease);
    }
    return moved;
  }

  /// (b): minimises over the free rows, direction in d_, until ‖r‖∞ is a tenth of the threshold or,
  /// unless `exact`, the decrease falls off.
  Direction conjugate_gradients(bool exact) {
    d_.setZero();
    for (Index i = 0; i < n_; ++i) r_[i] = at_bound(i) ? 0.0 : -point_.u[i];
    p_ = inverse_.cwiseProduct(r_);
    double square = r_.dot(p_), best = 0;
    if (square == 0) return {};
    for (Index k = 0; k < 2 * n_ + 10; ++k) {
      box_.W.multiply(p_, Wp_);
      const double curvature = p_.dot(Wp_);
      // below the rounding of the product the curvature counts as zero
      const double zero = 1e-14 * largest_ * p_.squaredNorm();
      if (!(curvature > zero)) {
        if (k > 0) break;
        d_ = p_;
        return {farthest_bound(), curvature < -zero ? -1.0 : 0.0};
      }
      const double alpha = square / curvature;
      d_ += alpha * p_;
      for (Index i = 0; i < n_; ++i)
        if (!at_bound(i)) r_[i] -= alpha * Wp_[i];
      const double decrease = alpha * square / 2, old = square;
      square = r_.dot(inverse_.cwiseProduct(r_));
      const bool solved = r_.lpNorm<Eigen::Infinity>() <= 0.1 * limit_;
      if (solved || (!exact && decrease <= rules_.nu2 * best)) break;
      best = std::max(best, decrease);
      p_ = inverse_.cwiseProduct(r_) + square / old * p_;
    }
    return {1, 1};
  }

  [[nodiscard]] double farthest_bound() const {
    double farthest = 0;
    for (Index i = 0; i < n_; ++i) {
      if (d_[i] == 0) continue;
      const double bound = d_[i] > 0 ? box_.upper[i] : box_.lower[i];
      if (std::isfinite(bound)) farthest = std::max(farthest, (bound - point_.z[i]) / d_[i]);
    }
    return farthest > 0 ? farthest : inf;
  }

  [[nodiscard]] bool binding_equals_active() const {
    for (Index i = 0; i < n_; ++i) {
      const double z = point_.z[i], u = point_.u[i];
      if (z <= box_.lower[i] && z < box_.upper[i] && u < 0) return false;
      if (z >= box_.upper[i] && z > box_.lower[i] && u > 0) return false;
    }
    return true;
  }

  const BoxView& box_;
  FaceRules rules_;
  double limit_;
  double largest_;  // max |W_ii|
  Index n_;
  SolveStatus obstacle_;
  PathPoint point_;
  Map d_, r_, p_, Wp_;
  Map inverse_;  // of the preconditioner
  Workspace& work_;
  double last_ = inf;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const GradientProjection& options,
                  Workspace& work) {
  return solve_by_iteration<Gradients>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const GradientProjection& options,
                  Workspace& work) {
  return solve_by_iteration<Gradients>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const GradientProjection& options,
                  Workspace& work) {
  return solve_by_iteration<Gradients>(problem, r, options, work);
}
SolveReport solve(LcpView problem, VectorRef z, const Gpcg& options, Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Gpcg& options, Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Gpcg& options, Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, r, options, work);
}
SolveReport solve(LcpView problem, VectorRef z, const TwoPhaseProjection& options,
                  Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const TwoPhaseProjection& options,
                  Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const TwoPhaseProjection& options,
                  Workspace& work) {
  return solve_by_iteration<ConjugateGradients>(problem, r, options, work);
}

}  // namespace saltus
