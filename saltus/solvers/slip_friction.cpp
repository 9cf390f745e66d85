#include "saltus/solvers/slip_friction.hpp"

#include "saltus/solvers/block_iteration.hpp"
#include "saltus/solvers/box_iteration.hpp"
#include "saltus/solvers/ncp_newton.hpp"
#include "saltus/solvers/newton_josephy.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

namespace saltus {

namespace {

constexpr int patience = 10;   // problems with held impulses without progress
constexpr int homotopy = 8;    // steps from Coulomb's law
constexpr int scattered = 60;  // starts of the last resort

/// Slope of ψ at s ≥ 0, to the right at its points.
double slope(const SlipGraph& graph, double s) {
  double speed = 0, value = 0;
  for (std::size_t j = 0; j < graph.speeds.size(); ++j) {
    if (s < graph.speeds[j]) return (graph.values[j] - value) / (graph.speeds[j] - speed);
    speed = graph.speeds[j];
    value = graph.values[j];
  }
  return graph.after;
}

/// (1) in z = (r, κ⁺ and κ⁻ of every row that slips), with t ψ in the place of ψ.
class SlipMcp {
 public:
  explicit SlipMcp(const PiecewiseFriction& problem)
      : data_(std::make_shared<Data>()), rows_(problem.form.q.size()) {
    data_->W = problem.form.W.to_dense();
    data_->q = problem.form.q;
    mcp.n = rows_;
    for (std::size_t b = 0; b < problem.form.K.size(); ++b) find_slip(problem, b);
    mcp.lower.setZero(mcp.n);
    mcp.upper.setConstant(mcp.n, inf);
    for (std::size_t b = 0; b < problem.form.K.size(); ++b) set_bounds(problem.form, b);
    for (const Slip& slip : data_->slips) {  // its row is the equation of u_T
      mcp.lower[slip.row] = -inf;
      mcp.upper[slip.row] = inf;
    }
    mcp.F = [data = data_](ConstVectorRef z, VectorRef value) { data->F(z, value); };
    mcp.jacobian = [data = data_](ConstVectorRef z, MatrixRef J) { data->jacobian(z, J); };
  }

  void scale_graphs(double t) { data_->t = t; }
  [[nodiscard]] Vector start(ConstVectorRef r) const {
    Vector z = Vector::Zero(mcp.n);
    z.head(rows_) = r;
    const Vector u = data_->W * r + data_->q;
    for (const Slip& slip : data_->slips) {
      z[slip.at] = std::max(u[slip.row], 0.0);
      z[slip.at + 1] = std::max(-u[slip.row], 0.0);
    }
    return z;
  }

  Mcp mcp;

 private:
  struct Slip {
    Index row, normal;  // of r; no normal: −1
    double bound;       // μ, or the bound of an interval
    SlipGraph graph;
    Index at;  // κ⁺, then κ⁻
  };

  struct Data {
    Matrix W;
    Vector q;
    std::vector<Slip> slips;
    double t = 1;

    [[nodiscard]] double coefficient(const Slip& slip, double kappa) const {
      return slip.bound + t * slip_change(slip.graph, std::max(kappa, 0.0));
    }
    void F(ConstVectorRef z, VectorRef value) const {
      const Index n = q.size();
      value.head(n) = W * z.head(n) + q;
      for (const Slip& slip : slips) {
        const double load = slip.normal < 0 ? 1 : z[slip.normal];
        value[slip.row] += z[slip.at + 1] - z[slip.at];
        value[slip.at] = coefficient(slip, z[slip.at]) * load + z[slip.row];
        value[slip.at + 1] = coefficient(slip, z[slip.at + 1]) * load - z[slip.row];
      }
    }
    void jacobian(ConstVectorRef z, MatrixRef J) const {
      const Index n = q.size();
      J.setZero();
      J.topLeftCorner(n, n) = W;
      for (const Slip& slip : slips)
        for (const Index side : {0, 1}) {
          const Index at = slip.at + side;
          J(slip.row, at) = side == 0 ? -1 : 1;
          J(at, slip.row) = side == 0 ? 1 : -1;
          const double load = slip.normal < 0 ? 1 : z[slip.normal];
          J(at, at) = t * slope(slip.graph, std::max(z[at], 0.0)) * load;
          if (slip.normal >= 0) J(at, slip.normal) = coefficient(slip, z[at]);
        }
    }
  };

  void find_slip(const PiecewiseFriction& problem, std::size_t b) {
    const Index row = problem.form.W.row_offset(static_cast<Index>(b));
    const SlipGraph& graph = problem.graphs[b];
    if (const auto* cone = std::get_if<FrictionCone>(&problem.form.K[b]))
      data_->slips.push_back({row + 1, row, cone->mu, graph, mcp.n});
    else if (!graph.speeds.empty() || graph.after != 0)
      data_->slips.push_back({row, -1, std::get<Interval>(problem.form.K[b]).upper, graph, mcp.n});
    else
      return;
    mcp.n += 2;
  }

  void set_bounds(const BlockForm& form, std::size_t b) {
    const Index first = form.W.row_offset(static_cast<Index>(b));
    const Index rows = form.W.row_size(static_cast<Index>(b));
    if (const auto* interval = std::get_if<Interval>(&form.K[b])) {
      mcp.lower.segment(first, rows).setConstant(interval->lower);
      mcp.upper.segment(first, rows).setConstant(interval->upper);
    } else if (std::holds_alternative<Reals>(form.K[b])) {
      mcp.lower.segment(first, rows).setConstant(-inf);
    }
  }

  std::shared_ptr<Data> data_;
  Index rows_;
};

/// ‖q‖∞/W_ii of each row: the impulses that take such a velocity away.
Vector impulse_sizes(const BlockForm& form) {
  Vector size = Vector::Ones(form.q.size());
  visit_diagonal(form.W, [&](Index i, double own) {
    if (own > 0) size[i] = 1 / own;
  });
  return form.q.lpNorm<Eigen::Infinity>() * size;
}

/// The way of one call.
class SlipIteration {
 public:
  SlipIteration(const PiecewiseFriction& problem, const SlipFriction& options, VectorRef r,
                Workspace& work)
      : p_(problem), options_(options), work_(work), best_(r) {
    limit_ = threshold(options.tolerance, problem.form.q);
    error_ = residual(problem, r);
  }

  Outcome run() {
    outcome_.status = SolveStatus::max_iterations;
    hold_impulses();
    if (error_ > limit_ && left() > 0) take_the_whole();
    return outcome_;
  }
  [[nodiscard]] const Vector& best() const { return best_; }
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] double limit() const { return limit_; }

 private:
  [[nodiscard]] int left() const { return options_.max_iterations - outcome_.iterations; }

  void offer(ConstVectorRef r) {
    const double error = residual(p_, r);
    if (!(error < error_)) return;
    error_ = error;
    best_ = r;
  }

  /// Fixed point on the normal impulses of the changes by slip.
  void hold_impulses() {
    OuterProgress progress(patience);
    Vector held = best_, z;
    double last = error_;
    while (error_ > limit_ && left() > 0) {
      ++outcome_.iterations;
      const std::optional<SlipHinges> hinges = with_hinges(p_, held);
      if (!hinges) return;
      z = Vector::Zero(hinges->form.q.size());
      const FacetedFriction facets{.tolerance = options_.tolerance, .inner = options_.inner};
      if (!solve(hinges->form, z, facets, work_).converged()) return;
      last_ = hinges->of_z * z + hinges->constant;
      offer(last_);
      const double error = residual(p_, last_);
      held = error < 0.5 * last ? last_ : Vector((held + last_) / 2);
      last = error;
      if (!progress.goes_on(error)) return;
    }
  }

  template <class Method>
  void attempt(const Mcp& mcp, Vector& z, Method method) {
    if (error_ <= limit_ || left() <= 0) return;
    method.tolerance = std::max(1e-15, options_.tolerance / 100);
    method.max_iterations = std::min(method.max_iterations, left());
    outcome_.iterations += solve(mcp, z, method, work_).iterations;
    if (z.allFinite()) offer(z.head(best_.size()));
  }

  void take_the_whole() {
    SlipMcp whole(p_);
    const Vector zero = Vector::Zero(best_.size());
    std::vector<Vector> starts{whole.start(best_), whole.start(zero)};
    if (last_.size() > 0) starts.push_back(whole.start(last_));
    for (const Vector& start : starts) {
      Vector z = start;
      attempt(whole.mcp, z, NewtonJosephy{});
    }
    for (Vector& z : starts) attempt(whole.mcp, z, NcpNewton{});
    Vector z = whole.start(zero);
    for (int k = 0; k <= homotopy; ++k) {
      whole.scale_graphs(static_cast<double>(k) / homotopy);
      attempt(whole.mcp, z, NewtonJosephy{});
    }
    attempt(whole.mcp, z, NcpNewton{.lambda = 0.95});
    scatter(whole);
    if (left() > 0) outcome_.status = SolveStatus::stalled;
  }

  /// From points all over the range of the impulses, the same ones every time.
  void scatter(SlipMcp& whole) {
    std::mt19937_64 engine(1);
    const auto uniform = [&] { return std::ldexp(static_cast<double>(engine() >> 11), -52) - 1; };
    const BlockForm& form = p_.form;
    const Vector size = impulse_sizes(form);
    for (int k = 0; k < scattered && error_ > limit_ && left() > 0; ++k) {
      Vector r = Vector::NullaryExpr(size.size(), [&](Index i) { return 2 * size[i] * uniform(); });
      for (std::size_t b = 0; b < form.K.size(); ++b)
        if (std::holds_alternative<FrictionCone>(form.K[b])) {
          const Index normal = form.W.row_offset(static_cast<Index>(b));
          r[normal] = std::abs(r[normal]);
        }
      Vector z = whole.start(r);
      if (k % 2 == 0)
        attempt(whole.mcp, z, NewtonJosephy{.max_iterations = 30});
      else
        attempt(whole.mcp, z, NcpNewton{.max_iterations = 60});
    }
  }

  const PiecewiseFriction& p_;
  const SlipFriction& options_;
  Workspace& work_;
  Vector best_, last_;
  double error_ = inf, limit_ = 0;
  Outcome outcome_;
};

}  // namespace

SolveReport solve(const PiecewiseFriction& problem, VectorRef r, const SlipFriction& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  require_fitting(problem.form, r, SlipFriction::name);
  for (double& value : r)
    if (!std::isfinite(value)) value = 0;
  SlipIteration iteration(problem, options, r, work);
  const Outcome outcome = iteration.run();
  r = iteration.best();
  return judge(outcome, iteration.error(), iteration.limit(), clock);
}

}  // namespace saltus
