#include "saltus/problems/piecewise_friction.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

bool empty(const SlipGraph& graph) { return graph.speeds.empty() && graph.after == 0; }

/// The row that slips and the factor of ψ there: r_N of a contact, else 1.
Index slip_row(const BlockForm& form, Index b) {
  return form.W.row_offset(b) + (std::holds_alternative<FrictionCone>(form.K[b]) ? 1 : 0);
}
double factor(const BlockForm& form, Index b, ConstVectorRef r) {
  return std::holds_alternative<FrictionCone>(form.K[b]) ? r[form.W.row_offset(b)] : 1;
}

/// Changes c_j of the slope of ψ, the first at s = 0.
std::vector<double> slope_changes(const SlipGraph& graph) {
  std::vector<double> changes;
  double speed = 0, value = 0, before = 0;
  for (std::size_t j = 0; j < graph.speeds.size(); ++j) {
    const double slope = (graph.values[j] - value) / (graph.speeds[j] - speed);
    changes.push_back(slope - before);
    speed = graph.speeds[j];
    value = graph.values[j];
    before = slope;
  }
  changes.push_back(graph.after - before);
  return changes;
}

/// One hinge: the row whose slip it watches, its side, speed and change of slope.
struct Hinge {
  Index row;
  double side, speed, change;
};

}  // namespace

double slip_change(const SlipGraph& graph, double u) {
  const std::vector<double> changes = slope_changes(graph);
  const double s = std::abs(u);
  double value = changes[0] * s;
  for (std::size_t j = 0; j < graph.speeds.size(); ++j)
    value += changes[j + 1] * std::max(0.0, s - graph.speeds[j]);
  return u < 0 ? -value : value;
}

double residual(const PiecewiseFriction& problem, ConstVectorRef r) {
  const BlockForm& form = problem.form;
  require(r.size() == form.q.size(), "residual(PiecewiseFriction): r has size {}, the problem {}",
          r.size(), form.q.size());
  Vector u(r.size()), bare = r;
  form.W.multiply(r, u);
  u += form.q;
  if (!r.allFinite() || !u.allFinite()) return inf;
  double sum = 0;
  for (Index b = 0; b < form.W.block_rows(); ++b) {
    const Index first = form.W.row_offset(b);
    if (!empty(problem.graphs[b])) {
      const Index row = slip_row(form, b);
      bare[row] += factor(form, b, r) * slip_change(problem.graphs[b], u[row]);
    }
    sum +=
        squared_natural_map(form.K[b], form.W.row_size(b), bare.data() + first, u.data() + first);
  }
  return std::sqrt(sum);
}

void validate(const PiecewiseFriction& problem) {
  validate(problem.form);
  const BlockForm& form = problem.form;
  require(problem.graphs.size() == form.K.size(),
          "PiecewiseFriction: {} graphs for {} blocks, expected one each", problem.graphs.size(),
          form.K.size());
  for (std::size_t b = 0; b < problem.graphs.size(); ++b) {
    const SlipGraph& graph = problem.graphs[b];
    const Index rows = form.W.row_size(static_cast<Index>(b));
    require(graph.speeds.size() == graph.values.size(),
            "PiecewiseFriction: the graph of block {} has {} speeds and {} values", b,
            graph.speeds.size(), graph.values.size());
    double last = 0;
    for (std::size_t j = 0; j < graph.speeds.size(); ++j) {
      require(graph.speeds[j] > last && std::isfinite(graph.speeds[j]) &&
                  std::isfinite(graph.values[j]),
              "PiecewiseFriction: point {} of the graph of block {} is ({}, {}), expected finite "
              "numbers and speeds that rise from above 0",
              j, b, graph.speeds[j], graph.values[j]);
      last = graph.speeds[j];
    }
    require(std::isfinite(graph.after),
            "PiecewiseFriction: the graph of block {} ends with slope "
            "{}, expected a finite number",
            b, graph.after);
    const bool cone = std::holds_alternative<FrictionCone>(form.K[b]);
    require(row_by_row(form.K[b]) || (cone && rows == 2),
            "PiecewiseFriction: block {} is a {} of {} rows, expected friction cones of 2 rows or "
            "scalar sets",
            b, name(form.K[b]), rows);
    const auto* interval = std::get_if<Interval>(&form.K[b]);
    const bool relay = interval != nullptr && rows == 1 && interval->lower == -interval->upper;
    require(empty(graph) || cone || relay,
            "PiecewiseFriction: block {} has a graph, expected a friction cone or one row of an "
            "interval [-b, b]",
            b);
  }
}

std::optional<SlipHinges> with_hinges(const PiecewiseFriction& problem, ConstVectorRef r) {
  const BlockForm& form = problem.form;
  const Index n = form.q.size();
  Vector first_slope = Vector::Zero(n);
  std::vector<Hinge> hinges;
  for (Index b = 0; b < form.W.block_rows(); ++b) {
    if (empty(problem.graphs[b])) continue;
    const SlipGraph& graph = problem.graphs[b];
    const std::vector<double> changes = slope_changes(graph);
    const double weight = factor(form, b, r);
    const Index row = slip_row(form, b);
    first_slope[row] = weight * changes[0];
    for (std::size_t j = 0; j < graph.speeds.size(); ++j)
      for (const double side : {1.0, -1.0})
        hinges.push_back({row, side, graph.speeds[j], weight * changes[j + 1]});
  }
  // u = S (W (r̃ − B h) + q), S = (I + W C)⁻¹;  r = r̃ − C u − B h
  const Matrix W = form.W.to_dense();
  const Eigen::FullPivLU<Matrix> lu(Matrix::Identity(n, n) + W * first_slope.asDiagonal());
  if (n > 0 && !(lu.rcond() > 1e-14)) return std::nullopt;
  const Index k = static_cast<Index>(hinges.size());
  Matrix forces = Matrix::Zero(n, n + k), watch = Matrix::Zero(k, n);
  forces.leftCols(n).setIdentity();
  for (Index i = 0; i < k; ++i) {
    forces(hinges[i].row, n + i) = -hinges[i].side * hinges[i].change;
    watch(i, hinges[i].row) = -hinges[i].side;
  }
  const Matrix speeds = lu.solve(W * forces);
  const Vector free = lu.solve(form.q);
  SlipHinges result;
  result.of_z = forces - first_slope.asDiagonal() * speeds;
  result.constant = -first_slope.cwiseProduct(free);
  Matrix M(n + k, n + k);
  M.topRows(n) = speeds;
  M.bottomRows(k) = watch * speeds;
  M.bottomRightCorner(k, k) += Matrix::Identity(k, k);
  std::vector<Index> sizes;
  for (Index b = 0; b < form.W.block_rows(); ++b) sizes.push_back(form.W.row_size(b));
  sizes.insert(sizes.end(), static_cast<std::size_t>(k), 1);
  result.form.K = form.K;
  result.form.K.insert(result.form.K.end(), static_cast<std::size_t>(k), NonNegative{});
  result.form.W = BlockSparse::sparse(M.sparseView(), sizes, sizes);
  result.form.q.resize(n + k);
  result.form.q.head(n) = free;
  result.form.q.tail(k) = watch * free;
  for (Index i = 0; i < k; ++i) result.form.q[n + i] += hinges[i].speed;
  return result;
}

}  // namespace saltus
