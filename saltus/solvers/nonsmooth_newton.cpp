#include "saltus/solvers/nonsmooth_newton.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

double infinity_norm(const BlockSparse& W) {
  double largest = 0;
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index r = 0; r < W.row_size(b); ++r) {
      double sum = 0;
      for (Index k = W.row_begin(b); k < W.row_begin(b + 1); ++k)
        for (Index c = 0; c < W.column_size(W.column(k)); ++c)
          sum += std::abs(W.value(k)[c * W.row_size(b) + r]);
      largest = std::max(largest, sum);
    }
  return largest;
}

/// The equations of all blocks of one problem.
class System {
 public:
  System(const BlockForm& problem, const NonsmoothNewton& options, Workspace& work)
      : problem_(problem),
        options_(options),
        equation_(options.equation),
        normal_(std::holds_alternative<NormalMap>(options.equation)),
        w_(work.friction),
        matrix_(work.newton_matrix) {
    scale_blocks();
    scale_smoothing();
    copy_with_diagonal(problem.W, matrix_);
    if (w_.block_begin != offsets()) allocate();
    w_.G.resize(problem.q.size());
  }

  /// The unknown that belongs to the reactions r: r itself, or x = r − ρ(u + g(u)).
  void start(ConstVectorRef r, BlockPoint& point) {
    point.z = r;
    if (!normal_) return;
    evaluate(problem_, point);
    for (Index b = 0; b < problem_.W.block_rows(); ++b) {
      const Index first = problem_.W.row_offset(b), n = problem_.W.row_size(b);
      const double rho = std::min(w_.rho_n[b], w_.rho_t[b]);
      point.z.segment(first, n) -= rho * point.F.segment(first, n);
    }
  }
  /// The reactions of the point: z itself, or P_K(z) of the normal map, valid until the next call.
  const Vector& reactions(const BlockPoint& point) {
    if (!normal_) return point.z;
    w_.scratch = point.z;
    project_blocks(problem_, w_.scratch);
    return w_.scratch;
  }

  /// ½‖G‖² at the point, G in the workspace.
  double evaluate_merit(BlockPoint& point) {
    problem_.W.multiply(reactions(point), point.u);
    point.u += problem_.q;
    functions(point, false);
    return w_.G.squaredNorm() / 2;
  }

  /// d = −(∂G/∂r + ∂G/∂u W)⁻¹ G at the point; false if the matrix is singular.
  bool direction(BlockPoint& point, Vector& d) {
    functions(point, true);
    fill_matrix();
    if (normal_) multiply_projection();
    add_diagonal();
    if (!w_.linear.factorise(matrix_, options_.linear)) return false;
    d = -w_.G;
    return w_.linear.solve(d);
  }

  /// After a step to the point with that merit: the scalings and the smoothing of the next one.
  /// Returns the merit there.
  double prepare_next(const BlockPoint& before, BlockPoint& point, double merit) {
    const bool driven = drive_smoothing(equation_, w_.G.lpNorm<Eigen::Infinity>());
    if (!driven && !std::holds_alternative<AdaptiveRho>(options_.rho)) return merit;
    adapt(before, point);
    return evaluate_merit(point);
  }

 private:
  /// AdaptiveRho: ρ from the step between two points.
  void adapt(const BlockPoint& before, const BlockPoint& after) {
    const auto* rule = std::get_if<AdaptiveRho>(&options_.rho);
    if (rule == nullptr) return;
    const auto update = [&](double& rho, double first, double dr, double du) {
      if (!(dr > 0) || !(du > 0)) return;
      rho = std::clamp(std::sqrt(rho * dr / du), first / rule->range, first * rule->range);
    };
    for (Index b = 0; b < problem_.W.block_rows(); ++b) {
      if (row_by_row(problem_.K[b])) continue;
      const Index first = problem_.W.row_offset(b), t = problem_.W.row_size(b) - 1;
      const auto change = [&](const Vector& from, const Vector& to, Index at, Index size) {
        return (to.segment(at, size) - from.segment(at, size)).norm();
      };
      update(w_.rho_n[b], first_n_[b], change(before.z, after.z, first, 1),
             change(before.u, after.u, first, 1));
      update(w_.rho_t[b], first_t_[b], change(before.z, after.z, first + 1, t),
             change(before.u, after.u, first + 1, t));
    }
  }

  /// Where the Clarke blocks of each block start: size² numbers for a cone, size for scalar rows.
  std::vector<Index>& offsets() {
    offsets_.assign(1, 0);
    for (Index b = 0; b < problem_.W.block_rows(); ++b) {
      const Index n = problem_.W.row_size(b);
      offsets_.push_back(offsets_.back() + (row_by_row(problem_.K[b]) ? n : n * n));
    }
    return offsets_;
  }
  void allocate() {
    w_.block_begin = offsets_;
    w_.by_u.resize(static_cast<std::size_t>(offsets_.back()));
    w_.by_r.resize(static_cast<std::size_t>(offsets_.back()));
  }

  void scale_blocks() {
    const BlockSparse& W = problem_.W;
    const auto blocks = static_cast<std::size_t>(W.block_rows());
    w_.rho_n.assign(blocks, 1);
    w_.rho_t.assign(blocks, 1);
    const auto all = [&](double rho) {
      w_.rho_n.assign(blocks, rho);
      w_.rho_t.assign(blocks, rho);
      common_ = true;
    };
    const auto inverse = [](double x) { return x > 0 && std::isfinite(x) ? 1 / x : 1.0; };
    const auto spectral = [&] { all(inverse(spectral_radius(W, w_.step, w_.scratch))); };
    const auto each = [&](bool conservative) {
      for (Index b = 0; b < W.block_rows(); ++b) {
        if (row_by_row(problem_.K[b]) || W.diagonal(b) < 0) continue;
        const ContactScaling rho =
            contact_scaling(W.row_size(b), W.value(W.diagonal(b)), conservative);
        w_.rho_n[b] = rho.normal;
        w_.rho_t[b] = rho.tangent;
      }
    };
    std::visit(Overloaded{[&](const FixedRho& rule) { all(rule.rho); },
                          [&](const NormRho&) { all(inverse(infinity_norm(W))); },
                          [&](const SpectralRho&) { spectral(); },
                          [&](const PerContactRho& rule) { each(rule.conservative); },
                          [&](const AdaptiveRho&) { each(false); },
                          [&](const DefaultRho&) {
                            if (std::holds_alternative<NaturalMap>(options_.equation))
                              spectral();
                            else
                              each(false);
                          }},
               options_.rho);
    if (!std::holds_alternative<AdaptiveRho>(options_.rho)) return;
    first_n_ = w_.rho_n;
    first_t_ = w_.rho_t;
  }

  /// First ε of the smoothed functions: their fraction of an impulse.
  void scale_smoothing() {
    double* epsilon = driven_smoothing(equation_);
    if (epsilon == nullptr) return;
    double impulse = 0;
    for (Index b = 0; b < problem_.W.block_rows(); ++b) {
      const auto q = problem_.q.segment(problem_.W.row_offset(b), problem_.W.row_size(b));
      if (q.size() > 0)
        impulse = std::max(impulse, w_.rho_n[b] * q.template lpNorm<Eigen::Infinity>());
    }
    *epsilon *= impulse;
  }

  void functions(const BlockPoint& point, bool slopes) {
    const BlockSparse& W = problem_.W;
    for (Index b = 0; b < W.block_rows(); ++b) {
      const Index first = W.row_offset(b), n = W.row_size(b);
      const double* u = point.u.data() + first;
      const double* r = point.z.data() + first;
      double* G = w_.G.data() + first;
      double* by_u = w_.by_u.data() + w_.block_begin[b];
      double* by_r = w_.by_r.data() + w_.block_begin[b];
      if (row_by_row(problem_.K[b]))
        scalar_rows(b, n, u, r, G, by_u, by_r);
      else
        contact_function(equation_, problem_.K[b], n, u, r, {w_.rho_n[b], w_.rho_t[b]}, G,
                         slopes ? by_u : nullptr, slopes ? by_r : nullptr);
    }
  }

  void scalar_rows(Index b, Index n, const double* u, const double* r, double* G, double* by_u,
                   double* by_r) {
    const BlockSparse& W = problem_.W;
    for (Index i = 0; i < n; ++i) {
      const double own = W.diagonal(b) < 0 ? 0.0 : W.value(W.diagonal(b))[i * n + i];
      const double rho = common_ || !(own > 0) ? w_.rho_n[b] : 1 / own;
      const RowFunction row = row_function(equation_, problem_.K[b], u[i], r[i], rho);
      G[i] = row.G;
      by_u[i] = row.by_u;
      by_r[i] = row.by_r;
    }
  }

  /// ∂G/∂u W, block by block.
  void fill_matrix() {
    const BlockSparse& W = problem_.W;
    for (Index b = 0; b < W.block_rows(); ++b) {
      const Index n = W.row_size(b);
      const double* by_u = w_.by_u.data() + w_.block_begin[b];
      const bool rows = row_by_row(problem_.K[b]);
      const Eigen::Map<const Matrix> A(by_u, rows ? 0 : n, rows ? 0 : n);
      Index source = W.row_begin(b);
      for (Index k = matrix_.row_begin(b); k < matrix_.row_begin(b + 1); ++k) {
        auto target = matrix_.block(b, k);
        const bool stored = source < W.row_begin(b + 1) && W.column(source) == matrix_.column(k);
        if (!stored)
          target.setZero();
        else if (rows)
          target = Eigen::Map<const Vector>(by_u, n).asDiagonal() * W.block(b, source);
        else
          target.noalias() = A * W.block(b, source);
        if (stored) ++source;
      }
    }
  }

  /// Times the Jacobian V of the projection, from ∂G/∂x = I − V.
  void multiply_projection() {
    for (Index b = 0; b < matrix_.block_rows(); ++b)
      for (Index k = matrix_.row_begin(b); k < matrix_.row_begin(b + 1); ++k) {
        const Index c = matrix_.column(k), n = matrix_.column_size(c);
        const double* by_r = w_.by_r.data() + w_.block_begin[c];
        auto target = matrix_.block(b, k);
        if (row_by_row(problem_.K[c]))
          target = target * (1 - Eigen::Map<const Vector>(by_r, n).array()).matrix().asDiagonal();
        else
          target -= (target * Eigen::Map<const Matrix>(by_r, n, n)).eval();
      }
  }

  /// Plus ∂G/∂r.
  void add_diagonal() {
    for (Index b = 0; b < matrix_.block_rows(); ++b) {
      const Index n = matrix_.row_size(b);
      const double* by_r = w_.by_r.data() + w_.block_begin[b];
      auto target = matrix_.block(b, matrix_.diagonal(b));
      if (row_by_row(problem_.K[b]))
        target.diagonal() += Eigen::Map<const Vector>(by_r, n);
      else
        target += Eigen::Map<const Matrix>(by_r, n, n);
    }
  }

  const BlockForm& problem_;
  const NonsmoothNewton& options_;
  ContactEquation equation_;  // with the present smoothing
  bool normal_;               // the unknown is x of the normal map
  FrictionWorkspace& w_;
  BlockSparse& matrix_;
  std::vector<Index> offsets_;
  std::vector<double> first_n_, first_t_;  // ρ of the first step
  bool common_ = false;                    // one ρ for all rows
};

void start(const BlockForm& problem, VectorRef r, const NonsmoothNewton& options, Workspace& work) {
  for (Index i = 0; i < r.size(); ++i)
    if (!std::isfinite(r[i])) r[i] = 0;
  if (options.start_projections == 0) return;
  const FixedPointProjection projections{.tolerance = options.tolerance,
                                         .max_iterations = options.start_projections,
                                         .extragradient = true};
  static_cast<void>(solve(problem, r, projections, work));
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const NonsmoothNewton& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, NonsmoothNewton::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  start(problem, r, options, work);
  FrictionWorkspace& w = work.friction;
  System system(problem, options, work);
  w.newton.resize(r.size());
  w.candidate.resize(r.size());
  system.start(r, w.newton);
  double merit = system.evaluate_merit(w.newton);
  while (outcome.iterations < options.max_iterations) {
    if (residual(problem, system.reactions(w.newton)) <= limit) break;
    ++outcome.iterations;
    if (!system.direction(w.newton, w.step)) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    const double t = find_length(options.line_search, merit, [&](double length) {
      w.candidate.z = w.newton.z + length * w.step;
      return system.evaluate_merit(w.candidate);
    });
    w.candidate.z = w.newton.z + t * w.step;
    merit = system.evaluate_merit(w.candidate);
    if (!std::isfinite(merit)) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    std::swap(w.newton, w.candidate);
    merit = system.prepare_next(w.candidate, w.newton, merit);
    if (std::sqrt(2 * merit) <= 1e-6 * limit &&
        residual(problem, system.reactions(w.newton)) > limit) {
      outcome.status = SolveStatus::stalled;  // a zero of another law
      break;
    }
  }
  r = system.reactions(w.newton);
  SolveReport report = judge(outcome, residual(problem, r), limit, clock);
  report.factorisations = outcome.iterations;
  return report;
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const NonsmoothNewton& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
