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

/// λ_max(W) from below, by 30 power iterations from a fixed start: 10 % are enough for a scaling.
double spectral_radius(const BlockSparse& W, Vector& x, Vector& y) {
  x.resize(W.rows());
  y.resize(W.rows());
  for (Index i = 0; i < x.size(); ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(7 * i + 1));
  double value = 0;
  for (int k = 0; k < 30 && x.size() > 0; ++k) {
    x.normalize();
    W.multiply(x, y);
    value = y.norm();
    std::swap(x, y);
    if (!(value > 0)) break;
  }
  return value;
}

/// The equations of all blocks of one problem.
class System {
 public:
  System(const BlockForm& problem, const NonsmoothNewton& options, Workspace& work)
      : problem_(problem), options_(options), w_(work.friction), matrix_(work.newton_matrix) {
    scale_blocks();
    copy_with_diagonal(problem.W, matrix_);
    if (w_.block_begin != offsets()) allocate();
    w_.G.resize(problem.q.size());
  }

  /// ½‖G‖² at the point, G in the workspace.
  double evaluate_merit(BlockPoint& point) {
    problem_.W.multiply(point.z, point.u);
    point.u += problem_.q;
    functions(point, false);
    return w_.G.squaredNorm() / 2;
  }

  /// d = −(∂G/∂r + ∂G/∂u W)⁻¹ G at the point; false if the matrix is singular.
  bool direction(BlockPoint& point, Vector& d) {
    functions(point, true);
    fill_matrix();
    if (!w_.factor.factorise(matrix_)) return false;
    d = -w_.G;
    return w_.factor.solve(d);
  }

  /// AdaptiveRho: ρ from the step between two points; the merit changes with it.
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

 private:
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
        contact_function(options_.equation, problem_.K[b], n, u, r, {w_.rho_n[b], w_.rho_t[b]}, G,
                         slopes ? by_u : nullptr, slopes ? by_r : nullptr);
    }
  }

  void scalar_rows(Index b, Index n, const double* u, const double* r, double* G, double* by_u,
                   double* by_r) {
    const BlockSparse& W = problem_.W;
    for (Index i = 0; i < n; ++i) {
      const double own = W.diagonal(b) < 0 ? 0.0 : W.value(W.diagonal(b))[i * n + i];
      const double rho = common_ || !(own > 0) ? w_.rho_n[b] : 1 / own;
      const RowFunction row = row_function(options_.equation, problem_.K[b], u[i], r[i], rho);
      G[i] = row.G;
      by_u[i] = row.by_u;
      by_r[i] = row.by_r;
    }
  }

  /// ∂G/∂u W + ∂G/∂r, block by block.
  void fill_matrix() {
    const BlockSparse& W = problem_.W;
    for (Index b = 0; b < W.block_rows(); ++b) {
      const Index n = W.row_size(b);
      const double *by_u = w_.by_u.data() + w_.block_begin[b],
                   *by_r = w_.by_r.data() + w_.block_begin[b];
      const bool rows = row_by_row(problem_.K[b]);
      const Eigen::Map<const Matrix> A(by_u, rows ? 0 : n, rows ? 0 : n),
          B(by_r, rows ? 0 : n, rows ? 0 : n);
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
        if (matrix_.column(k) != b) continue;
        if (rows)
          target.diagonal() += Eigen::Map<const Vector>(by_r, n);
        else
          target += B;
      }
    }
  }

  const BlockForm& problem_;
  const NonsmoothNewton& options_;
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
  w.newton.z = r;
  double merit = system.evaluate_merit(w.newton);
  while (outcome.iterations < options.max_iterations) {
    if (residual(problem, w.newton.z) <= limit) break;
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
    if (std::holds_alternative<AdaptiveRho>(options.rho)) {
      system.adapt(w.candidate, w.newton);
      merit = system.evaluate_merit(w.newton);
    }
    if (std::sqrt(2 * merit) <= 1e-6 * limit && residual(problem, w.newton.z) > limit) {
      outcome.status = SolveStatus::stalled;  // a zero of another law
      break;
    }
  }
  r = w.newton.z;
  return judge(outcome, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const NonsmoothNewton& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
