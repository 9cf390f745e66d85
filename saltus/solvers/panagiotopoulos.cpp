#include "saltus/solvers/panagiotopoulos.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/friction_parts.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int patience = 20;  // outer iterations without progress

/// One of the two problems: which rows move, their sets, and the natural map on them.
class Phase {
 public:
  Phase(const BlockForm& problem, bool tangent, FrictionWorkspace& w)
      : problem_(problem), tangent_(tangent), w_(w) {}

  /// u = W z + q on the rows that move, 0 on the others.
  void evaluate(ConstVectorRef z, VectorRef u) const {
    problem_.W.multiply(z, u);
    u += problem_.q;
    visit([&](Index first, Index n, const BlockSet& K) {
      const bool cone = std::holds_alternative<FrictionCone>(K);
      if (tangent_ && cone) u[first] = 0;
      if (tangent_ && !cone) u.segment(first, n).setZero();
      if (!tangent_ && cone) u.segment(first + 1, n - 1).setZero();
    });
  }
  /// The moving rows of x on their sets; the others do not change.
  void project_rows(VectorRef x) const {
    visit([&](Index first, Index n, const BlockSet& K) {
      const auto* cone = std::get_if<FrictionCone>(&K);
      if (!tangent_ && cone != nullptr) {
        x[first] = std::max(0.0, x[first]);
      } else if (!tangent_) {
        auto part = x.segment(first, n);
        project(K, part, part);
      } else if (cone != nullptr) {
        auto part = x.segment(first + 1, n - 1);
        const double radius = cone->mu * std::max(0.0, x[first]), length = part.norm();
        if (length > radius) part *= radius / length;
      }
    });
  }
  /// ‖z − P(z − u)‖ on the moving rows
  [[nodiscard]] double natural_map(ConstVectorRef z, ConstVectorRef u) const {
    w_.scratch = z - u;
    project_rows(w_.scratch);
    return (z - w_.scratch).norm();
  }
  template <class Visit>
  void visit(const Visit& action) const {
    const BlockSparse& W = problem_.W;
    for (Index b = 0; b < W.block_rows(); ++b)
      action(W.row_offset(b), W.row_size(b), problem_.K[b]);
  }

 private:
  const BlockForm& problem_;
  bool tangent_;
  FrictionWorkspace& w_;
};

void run(const Phase& phase, const ConvexProjectedGradient& options, double tolerance,
         FrictionWorkspace& w) {
  static_cast<void>(projected_gradient(
      options, [&](const Vector& z, Vector& u) { phase.evaluate(z, u); },
      [&](Vector& x) { phase.project_rows(x); },
      [&](const Vector& z, const Vector& u) {
        return runaway(z, tolerance) || !(phase.natural_map(z, u) > tolerance);
      },
      w.point.z, w.point.u, w.trial.z, w.trial.u));
}

void run(const Phase& phase, const FixedPointProjection& options, double tolerance,
         FrictionWorkspace& w) {
  const auto map = [&](ConstVectorRef z, VectorRef F) { phase.evaluate(z, F); };
  const auto set = [&](VectorRef x) { phase.project_rows(x); };
  AdaptiveStep rule;
  rule.L = 1e300;  // accepts every step: the fixed one
  rule.L_min = 0;
  if (const auto* fixed = std::get_if<FixedStep>(&options.step)) rule.rho = fixed->rho;
  if (const auto* adaptive = std::get_if<AdaptiveStep>(&options.step)) rule = *adaptive;
  double rho = rule.rho;
  map(w.point.z, w.point.F);
  for (int k = 0; k < options.max_iterations; ++k) {
    if (runaway(w.point.z, tolerance) || !(phase.natural_map(w.point.z, w.point.F) > tolerance))
      return;
    const double ratio = find_step(rule, map, set, w.point.z, w.point.F, rho, w.trial.z, w.trial.F);
    if (ratio < 0) return;
    if (options.extragradient) {
      w.point.z -= rho * w.trial.F;
      set(w.point.z);
      map(w.point.z, w.point.F);
    } else {
      w.point.z.swap(w.trial.z);
      w.point.F.swap(w.trial.F);
    }
    grow_step(rule, ratio, rho);
  }
}

/// Rows first … of one block with u up to date; `rows` of them move.
void clip_rows(const BlockSparse& W, Index b, Index rows, double lower, double upper,
               const Psor& options, Vector& u, Vector& z) {
  const Index first = W.row_offset(b), n = W.row_size(b);
  const double* column = W.value(W.diagonal(b));
  for (Index i = 0; i < rows; ++i, column += n) {
    const double old = z[first + i], pivot = column[i] + options.rho;
    if (!(pivot > 0)) continue;
    z[first + i] = std::min(std::max(old - options.omega * u[i] / pivot, lower), upper);
    u.head(n) += (z[first + i] - old) * Eigen::Map<const Vector>(column, n);
  }
}

/// Gauss–Seidel over the normal rows (FS:FS-104).
void run(const BlockForm& problem, const Phase& phase, const Psor& options, double tolerance,
         FrictionWorkspace& w) {
  const BlockSparse& W = problem.W;
  for (int k = 0; k < options.max_iterations; ++k) {
    phase.evaluate(w.point.z, w.point.F);
    if (!(phase.natural_map(w.point.z, w.point.F) > tolerance)) return;
    for (Index b = 0; b < W.block_rows(); ++b) {
      if (W.diagonal(b) < 0) continue;
      const Index n = W.row_size(b);
      w.trial.u.resize(w.point.z.size());
      W.multiply_row(b, w.point.z, w.trial.u.head(n));
      w.trial.u.head(n) += problem.q.segment(W.row_offset(b), n);
      const auto clip = [&](Index rows, double lower, double upper) {
        clip_rows(W, b, rows, lower, upper, options, w.trial.u, w.point.z);
      };
      std::visit(Overloaded{[&](const Reals&) { clip(n, -inf, inf); },
                            [&](const NonNegative&) { clip(n, 0, inf); },
                            [&](const Interval& I) { clip(n, I.lower, I.upper); },
                            [&](const auto&) { clip(1, 0, inf); }},
                 problem.K[b]);
    }
  }
}

/// Solvers of block forms, with the options of which only the tolerance changes.
template <class Options>
void run_sub(const BlockForm& sub, Options options, double tolerance, Vector& z, Workspace& work) {
  options.tolerance = std::max(1e-15, tolerance / std::max(1.0, sub.q.lpNorm<Eigen::Infinity>()));
  static_cast<void>(solve(sub, z, options, work));
}

/// (1) by a solver of block forms.
template <class Options>
void run_normal(const BlockForm& problem, const Options& options, double tolerance,
                Workspace& work) {
  FrictionWorkspace& w = work.friction;
  w.outer = w.point.z;
  update_normal_part(problem, w.outer, w.sub_rows, w.outer_u, w.sub);
  w.outer_old.resize(w.sub.q.size());
  for (std::size_t i = 0; i < w.sub_rows.size(); ++i) w.outer_old[i] = w.outer[w.sub_rows[i]];
  run_sub(w.sub, options, tolerance, w.outer_old, work);
  for (std::size_t i = 0; i < w.sub_rows.size(); ++i) w.outer[w.sub_rows[i]] = w.outer_old[i];
  w.point.z = w.outer;
}

/// (2) by a solver of block forms.
template <class Options>
void run_tangent(const BlockForm& problem, const Options& options, double tolerance,
                 Workspace& work) {
  FrictionWorkspace& w = work.friction;
  w.outer = w.point.z;
  update_tangent_part(problem, w.outer, w.outer_u, w.sub_tangent);
  w.outer_old = w.outer;
  run_sub(w.sub_tangent, options, tolerance, w.outer_old, work);
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), n = problem.W.row_size(b);
    if (!row_by_row(problem.K[b]))
      w.outer.segment(first + 1, n - 1) = w.outer_old.segment(first + 1, n - 1);
  }
  w.point.z = w.outer;
}

void build_parts(const BlockForm& problem, const Panagiotopoulos& options, FrictionWorkspace& w) {
  if (!std::holds_alternative<Psor>(options.normal) &&
      !std::holds_alternative<ConvexProjectedGradient>(options.normal))
    build_normal_part(problem, w.sub_rows, w.sub);
  if (std::holds_alternative<Mprgp>(options.tangent)) build_tangent_part(problem, w.sub_tangent);
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Panagiotopoulos& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Panagiotopoulos::name);
  for (const BlockSet& K : problem.K)
    require(row_by_row(K) || std::holds_alternative<FrictionCone>(K),
            "Panagiotopoulos: a block is a {}, expected friction cones or scalar sets", name(K));
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  error = residual(problem, r);
  FrictionWorkspace& w = work.friction;
  w.point.resize(r.size());
  w.trial.resize(r.size());
  w.point.z = r;
  const Phase normal(problem, false, w), tangent(problem, true, w);
  build_parts(problem, options, w);
  OuterProgress progress(patience);
  while (error > limit && outcome.iterations < options.max_iterations) {
    if (!progress.goes_on(error)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    ++outcome.iterations;
    const double inner = error / 10;
    std::visit(Overloaded{[&](const Psor& o) { run(problem, normal, o, inner, w); },
                          [&](const ConvexProjectedGradient& o) { run(normal, o, inner, w); },
                          [&](const auto& o) { run_normal(problem, o, inner, work); }},
               options.normal);
    std::visit(Overloaded{[&](const Mprgp& o) { run_tangent(problem, o, inner, work); },
                          [&](const auto& o) { run(tangent, o, inner, w); }},
               options.tangent);
    tangent.project_rows(w.point.z);
    if (!w.point.z.allFinite()) break;
    if (runaway(w.point.z, limit)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    r = w.point.z;
    error = residual(problem, r);
  }
  return judge(outcome, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Panagiotopoulos& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
