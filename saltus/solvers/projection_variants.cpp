#include "saltus/solvers/projection_variants.hpp"

#include "saltus/problems/skewed_projection.hpp"
#include "saltus/solvers/contact_equations.hpp"
#include "saltus/solvers/projection_loop.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus {

namespace {

/// Any rule as an adaptive one: a fixed step is never reduced nor enlarged.
AdaptiveStep adaptive(const StepRule& step) {
  if (const auto* rule = std::get_if<AdaptiveStep>(&step)) return *rule;
  AdaptiveStep fixed;
  fixed.rho = std::get<FixedStep>(step).rho;
  fixed.L = inf;
  fixed.L_min = 0;
  return fixed;
}

/// The steps of SpectralProjection.
class Spectral {
 public:
  Spectral(const BlockForm& problem, int patience) : problem_(problem), patience_(patience) {}

  bool step(FrictionWorkspace& w) {
    watch(w);
    w.next.z = w.point.z;
    w.next.F = w.point.F;
    if (safe_steps_ > 0) {
      --safe_steps_;
      if (!move_adaptively(problem_, {}, false, safe_rho_, w)) return false;
    } else {
      correct_point(problem_, rho_, w.next.F, w.point);
    }
    choose(w);
    return true;
  }

 private:
  /// Keeps the best point; goes back to it when the others have not been better for too long.
  void watch(FrictionWorkspace& w) {
    const double error = natural_residual(problem_, w.point);
    if (error < 0.9 * best_) {
      best_ = error;
      idle_ = 0;
      w.candidate = w.point;
    } else if (safe_steps_ == 0 && ++idle_ > patience_) {
      w.point = w.candidate;
      safe_steps_ = patience_;
      idle_ = 0;
    }
  }

  /// ρ from the last step, which began at w.next.
  void choose(const FrictionWorkspace& w) {
    const auto s = w.point.z - w.next.z, y = w.point.F - w.next.F;
    const double ss = s.squaredNorm(), yy = y.squaredNorm(), sy = s.dot(y);
    ++count_;
    if (!(ss > 0) || !(yy > 0)) {
      safe_steps_ = std::max(safe_steps_, 1);
      return;
    }
    if (sy > 0)
      rho_ = count_ % 2 == 0 ? ss / sy : sy / yy;
    else
      rho_ = std::sqrt(ss / yy);
    rho_ = std::clamp(rho_, 1e-12, 1e12);
  }

  const BlockForm& problem_;
  int patience_, count_ = 0, idle_ = 0;
  int safe_steps_ = 1;  // the first step has no other before it
  double rho_ = 1, safe_rho_ = 1, best_ = inf;
};

/// r ← r − γ α d or its projected form, from the prediction in w.trial.
void correct(const BlockForm& problem, const PredictionCorrection& options, double rho,
             FrictionWorkspace& w) {
  const auto gap = w.point.z - w.trial.z;
  w.next.z = gap - rho * (w.point.F - w.trial.F);
  const double square = w.next.z.squaredNorm();
  if (!(square > 0)) {  // the prediction is the point itself, or as good
    std::swap(w.point, w.trial);
    return;
  }
  const double alpha = options.gamma * gap.dot(w.next.z) / square;
  if (options.projected) {
    correct_point(problem, alpha * rho, w.trial.F, w.point);
  } else {
    w.point.z -= alpha * w.next.z;
    evaluate(problem, w.point);
  }
}

/// The variables D^½ r and D^-½ F, in which the skewed projection is a plain one.
class SkewedCoordinates {
 public:
  /// D^½ is kept in `scale`.
  SkewedCoordinates(const BlockForm& problem, Vector& scale) : problem_(problem), scale_(scale) {
    const BlockSparse& W = problem.W;
    scale_.setOnes(problem.q.size());
    for (Index b = 0; b < W.block_rows(); ++b)
      if (W.diagonal(b) >= 0 && W.block(b, W.diagonal(b)).allFinite())
        set_block(b, W.value(W.diagonal(b)));
  }

  void project(VectorRef x) const {
    x.array() /= scale_.array();
    for (Index b = 0; b < problem_.W.block_rows(); ++b) {
      const Index first = problem_.W.row_offset(b), n = problem_.W.row_size(b);
      const double normal = scale_[first], tangent = scale_[first + n - 1];
      auto part = x.segment(first, n);
      project_skewed(problem_.K[b], {normal * normal, tangent * tangent}, part, part);
    }
    x.array() *= scale_.array();
  }
  /// F of the point, evaluated at z = D^-½ x and scaled.
  void evaluate_at(ConstVectorRef x, VectorRef F, BlockPoint& point) const {
    point.z = x.cwiseQuotient(scale_);
    evaluate(problem_, point);
    F = point.F.cwiseQuotient(scale_);
  }

 private:
  void set_block(Index b, const double* block) {
    const Index first = problem_.W.row_offset(b), n = problem_.W.row_size(b);
    if (row_by_row(problem_.K[b])) {
      for (Index i = 0; i < n; ++i)
        if (block[i * n + i] > 0) scale_[first + i] = std::sqrt(block[i * n + i]);
      return;
    }
    const ContactScaling rho = contact_scaling(n, block, false);
    scale_.segment(first, n).setConstant(std::sqrt(1 / rho.tangent));
    scale_[first] = std::sqrt(1 / rho.normal);
  }

  const BlockForm& problem_;
  Vector& scale_;
};

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const SpectralProjection& options,
                  Workspace& work) {
  require_valid(options);
  Spectral spectral(problem, options.patience);
  return iterate_projections(problem, r, options, work,
                             [&](FrictionWorkspace& w) { return spectral.step(w); });
}

SolveReport solve(const BlockForm& problem, VectorRef r, const PredictionCorrection& options,
                  Workspace& work) {
  const AdaptiveStep rule = adaptive(options.step);
  double rho = rule.rho;
  return iterate_projections(problem, r, options, work, [&](FrictionWorkspace& w) {
    const double ratio = predict(problem, rule, rho, w);
    if (ratio < 0) return false;
    correct(problem, options, rho, w);
    grow_step(rule, ratio, rho);
    return true;
  });
}

SolveReport solve(const BlockForm& problem, VectorRef r, const SkewedProjection& options,
                  Workspace& work) {
  require_fitting(problem, r, SkewedProjection::name);
  const SkewedCoordinates coordinates(problem, work.friction.scratch);
  const AdaptiveStep rule = adaptive(options.step);
  double rho = rule.rho;
  work.friction.newton.resize(r.size());
  return iterate_projections(problem, r, options, work, [&](FrictionWorkspace& w) {
    const auto map = [&](ConstVectorRef at, VectorRef value) {
      coordinates.evaluate_at(at, value, w.trial);
    };
    const auto set = [&](VectorRef point) { coordinates.project(point); };
    Vector &x = w.next.z, &F = w.next.F, &trial = w.newton.z, &trial_F = w.newton.F;
    x = w.point.z.cwiseProduct(w.scratch);
    F = w.point.F.cwiseQuotient(w.scratch);
    const double ratio = find_step(rule, map, set, x, F, rho, trial, trial_F);
    if (ratio < 0) return false;
    if (options.extragradient) {
      x -= rho * trial_F;
      set(x);
      coordinates.evaluate_at(x, F, w.trial);
    }
    std::swap(w.point, w.trial);
    grow_step(rule, ratio, rho);
    return true;
  });
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const SpectralProjection& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const PredictionCorrection& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const SkewedProjection& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
