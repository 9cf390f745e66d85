#include "saltus/solvers/affine_inclusion.hpp"

#include <cmath>

namespace saltus {

namespace {

/// One solve in the making.
struct Iteration {
  const BlockForm& form;
  std::span<const InclusionRule> rules;
  AffineInclusionWorkspace& work;

  [[nodiscard]] Index blocks() const { return form.W.block_rows(); }

  void project_block(Index b, ConstVectorRef x, VectorRef p) const {
    if (rules[b].set != nullptr)
      project(*rules[b].set, x, p);
    else
      project(form.K[b], x, p);
  }
  void block_jacobian(Index b, ConstVectorRef x, MatrixRef J) const {
    if (rules[b].set != nullptr)
      projection_jacobian(*rules[b].set, x, J);
    else
      projection_jacobian(form.K[b], x, J);
  }

  /// What is projected in (1): r − ρu, or u − r/ρ.
  void argument(Index b, ConstVectorRef r) const {
    const Index at = form.W.row_offset(b), m = form.W.row_size(b);
    const auto own = r.segment(at, m);
    const auto u = work.u.segment(at, m);
    const double rho = work.rho[b];
    if (rules[b].of_output)
      work.argument.head(m) = u - own / rho;
    else
      work.argument.head(m) = own - rho * u;
  }

  /// (1) at r into work.map; its norm.
  double evaluate(ConstVectorRef r) const {
    work.u.noalias() = work.W * r;
    work.u += form.q;
    for (Index b = 0; b < blocks(); ++b) {
      const Index at = form.W.row_offset(b), m = form.W.row_size(b);
      auto map = work.map.segment(at, m);
      argument(b, r);
      project_block(b, work.argument.head(m), map);
      map = -map;
      if (rules[b].of_output)
        map += work.u.segment(at, m);
      else
        map += r.segment(at, m);
    }
    return work.map.norm();
  }

  /// The derivative of (1) at the point last evaluated.
  void derivative(ConstVectorRef r) const {
    for (Index b = 0; b < blocks(); ++b) {
      const Index at = form.W.row_offset(b), m = form.W.row_size(b);
      argument(b, r);
      auto P = work.local.topLeftCorner(m, m);
      block_jacobian(b, work.argument.head(m), P);
      auto rows = work.J.middleRows(at, m);
      const auto W = work.W.middleRows(at, m);
      if (rules[b].of_output) {
        rows.noalias() = W - P * W;
        rows.middleCols(at, m) += P / work.rho[b];
      } else {
        rows.noalias() = work.rho[b] * (P * W);
        rows.middleCols(at, m) += Matrix::Identity(m, m) - P;
      }
    }
  }

  /// Damped Newton steps from r until the norm is below `goal` or does not fall any more.
  double newton(VectorRef r, double goal, int limit, int& iterations) const {
    double norm = evaluate(r);
    for (int k = 0; k < limit && norm > goal; ++k) {
      ++iterations;
      derivative(r);
      work.factor.compute(work.J);
      work.step = work.factor.solve(work.map);
      if (!work.step.allFinite()) return norm;
      double length = 1, next = inf;
      for (; length > 1e-4; length /= 2) {
        work.trial = r - length * work.step;
        next = evaluate(work.trial);
        if (next < (1 - 1e-4 * length) * norm) break;
      }
      if (!(next < norm)) {
        norm = evaluate(r);
        return norm;
      }
      r = work.trial;
      norm = next;
    }
    return norm;
  }

  /// Douglas–Rachford steps; work.s is carried from round to round.
  void split(VectorRef r, double rho, int steps, int& iterations) const {
    work.J = rho * work.W;
    work.J.diagonal().array() += 1;
    work.factor.compute(work.J);
    for (int k = 0; k < steps; ++k) {
      ++iterations;
      for (Index b = 0; b < blocks(); ++b) {
        const Index at = form.W.row_offset(b), m = form.W.row_size(b);
        const auto s = work.s.segment(at, m);
        auto out = r.segment(at, m);
        work.argument.head(m) = rules[b].of_output ? -1 / rho * s : 1.0 * s;
        project_block(b, work.argument.head(m), out);
        if (rules[b].of_output) out = s + rho * out;
      }
      work.trial = 2 * r - work.s - rho * form.q;
      work.step = work.factor.solve(work.trial);
      work.s += work.step - r;
    }
  }
};

void prepare(const BlockForm& form, std::span<const InclusionRule> rules, VectorRef r,
             AffineInclusionWorkspace& work) {
  const Index n = form.W.rows(), blocks = form.W.block_rows();
  require(r.size() == n && form.q.size() == n && static_cast<Index>(rules.size()) == blocks,
          "AffineInclusion: {} rows in {} blocks, but r has size {} and there are {} rules", n,
          blocks, r.size(), rules.size());
  work.W.resize(n, n);
  form.W.copy_to(work.W);
  work.J.resize(n, n);
  work.rho.resize(blocks);
  for (Vector* v : {&work.u, &work.map, &work.step, &work.trial, &work.s, &work.argument})
    v->resize(n);
  Index largest = 0;
  for (Index b = 0; b < blocks; ++b) {
    const Index at = form.W.row_offset(b), m = form.W.row_size(b);
    const double mean = work.W.diagonal().segment(at, m).cwiseAbs().mean();
    require(rules[b].set != nullptr || row_by_row(form.K[b]) ||
                std::holds_alternative<SecondOrderCone>(form.K[b]),
            "AffineInclusion: block {} is a {}, a law of friction: it does not go with cones to "
            "other sets",
            b, name(form.K[b]));
    work.rho[b] = mean > 0 ? 1 / mean : 1;
    largest = std::max(largest, m);
  }
  work.local.resize(largest, largest);
}

}  // namespace

SolveReport solve(const BlockForm& problem, std::span<const InclusionRule> rules, VectorRef r,
                  const AffineInclusion& options, AffineInclusionWorkspace& work) {
  const Stopwatch clock;
  require_valid(options);
  prepare(problem, rules, r, work);
  const Iteration run{problem, rules, work};
  const double goal = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::stalled, 0};
  if (!r.allFinite()) r.setZero();
  double norm = run.newton(r, goal, options.max_iterations, outcome.iterations);
  work.s = r;
  for (int round = 0; norm > goal && round < options.rounds; ++round) {
    run.split(r, work.rho.mean(), options.splitting_steps, outcome.iterations);
    norm = run.newton(r, goal, options.max_iterations, outcome.iterations);
  }
  return judge(outcome, norm, goal, clock);
}

}  // namespace saltus
