#include "saltus/integrators/radau.hpp"

#include "saltus/integrators/implicit_stage.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// a, row by row.
Matrix coefficients(int stages) {
  Matrix a(stages, stages);
  const double r = std::sqrt(6.0);
  if (stages == 1)
    a << 1;
  else if (stages == 2)
    a << 5 / 12., -1 / 12., 3 / 4., 1 / 4.;
  else
    a << (88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
        (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,   //
        (16 - r) / 36, (16 + r) / 36, 1 / 9.;
  return a;
}

/// What the stacked system and its relations share.
struct Stack {
  Model model;
  Index n = 0, stages = 0;
  double h = 0;
  Matrix inverse;  ///< a⁻¹
  Vector c;        ///< a e

  /// What a system sees of stage i; t is that of the end of the step.
  [[nodiscard]] StateView view(const SystemEntry& entry, double t, const double* x, Index i) const {
    return {.t = t + (c[i] - 1) * h, .x = view_of(x + i * n + entry.offset, entry.system.size())};
  }
};
using Shared = std::shared_ptr<const Stack>;

/// The stages as one system.
struct StackedSystem {
  Shared stack;
  [[nodiscard]] Index dimension() const { return stack->n * stack->stages; }
  void rate(const StateView& x, VectorRef f) const {
    for (Index i = 0; i < stack->stages; ++i)
      for (const SystemEntry& entry : stack->model.systems())
        entry.system.force(stack->view(entry, x.t, x.x.data(), i),
                           f.segment(i * stack->n + entry.offset, entry.system.size()));
  }
  void jacobian(const StateView& x, MatrixRef A) const {
    A.setZero();
    for (Index i = 0; i < stack->stages; ++i)
      for_bodies([&](const SystemEntry& entry, Index body, Index at, Index size) {
        Matrix C(size, size);
        entry.system.damping(stack->view(entry, x.t, x.x.data(), i), body, C);
        A.block(i * stack->n + at, i * stack->n + at, size, size) = -C;
      });
  }
  void matrix(const StateView& x, MatrixRef E) const {
    E.setZero();
    for (Index i = 0; i < stack->stages; ++i)
      for_bodies([&](const SystemEntry& entry, Index body, Index at, Index size) {
        Matrix M(size, size);
        entry.system.mass(stack->view(entry, x.t, x.x.data(), i), body, M);
        for (Index j = 0; j < stack->stages; ++j)
          E.block(i * stack->n + at, j * stack->n + at, size, size) = stack->inverse(i, j) * M;
      });
  }

 private:
  template <class Visit>
  void for_bodies(const Visit& visit) const {
    for (const SystemEntry& entry : stack->model.systems())
      for (Index body = 0; body < entry.system.bodies(); ++body)
        visit(entry, body, entry.offset + body * entry.system.body_size(),
              entry.system.body_size());
  }
};

/// A relation of the model at one stage.
struct StageRelation {
  Shared stack;
  std::size_t interaction = 0;
  Index stage = 0;

  [[nodiscard]] const Interaction& tie() const { return stack->model.interactions()[interaction]; }
  [[nodiscard]] Index rows() const { return tie().relation.rows(); }
  [[nodiscard]] Index dimension() const { return stack->n * stack->stages; }
  void output(const StateView& x, VectorRef y) const {
    const Vector own = gather(x);
    tie().relation.output(seen(x.t, own), y);
  }
  void jacobian(const StateView& x, MatrixRef C) const {
    const Vector own = gather(x);
    Matrix part(rows(), own.size());
    tie().relation.jacobian(seen(x.t, own), part);
    C.setZero();
    scatter([&](Index from, Index to, Index size) {
      C.middleCols(to, size) += part.middleCols(from, size);
    });
  }
  void input(const StateView& x, MatrixRef B) const {
    const Vector own = gather(x);
    Matrix part(own.size(), rows());
    tie().relation.input(seen(x.t, own), part);
    B.setZero();
    scatter([&](Index from, Index to, Index size) {
      B.middleRows(to, size) += part.middleRows(from, size);
    });
  }
  void feedthrough(const StateView& x, MatrixRef D) const {
    const Vector own = gather(x);
    tie().relation.feedthrough(seen(x.t, own), D);
  }

 private:
  /// visit(column of the relation, place in the stack, how many) for each body concerned.
  template <class Visit>
  void scatter(const Visit& visit) const {
    Index from = 0;
    for (const Endpoint& end : tie().endpoints) {
      if (end.world()) continue;
      const SystemEntry& entry = stack->model.systems()[static_cast<std::size_t>(end.system.index)];
      const Index size = entry.system.body_size();
      visit(from, stage * stack->n + entry.offset + end.body * size, size);
      from += size;
    }
  }
  [[nodiscard]] Vector gather(const StateView& x) const {
    Vector own(tie().relation.columns());
    scatter(
        [&](Index from, Index to, Index size) { own.segment(from, size) = x.x.segment(to, size); });
    return own;
  }
  [[nodiscard]] StateView seen(double t, const Vector& own) const {
    return {.t = t + (stack->c[stage] - 1) * stack->h, .x = view_of(own.data(), own.size())};
  }
};

Model stacked(const Shared& stack, const State& start) {
  Model model;
  const SystemId id =
      model.add(StackedSystem{stack}, {.x = Vector(start.x.replicate(stack->stages, 1))}, "stages");
  for (Index i = 0; i < stack->stages; ++i)
    for (std::size_t k = 0; k < stack->model.interactions().size(); ++k) {
      const Interaction& tie = stack->model.interactions()[k];
      model.link(id, StageRelation{stack, k, i}, tie.law, fmt::format("{} {}", tie.name, i));
    }
  return model;
}

void check(const Model& model, double h, double end) {
  require_first_order(model, RadauIIA::name);
  require(model.sources().empty() && model.initial_state().z.size() == 0,
          "RadauIIA: the model has sources or parameters z");
  for (const SystemEntry& entry : model.systems())
    require(!entry.system.coupled(), "RadauIIA: {} is a coupled system", entry.name);
  require(h > 0 && end >= h, "RadauIIA: step {} and end {}, expected 0 < step ≤ end", h, end);
}

}  // namespace

RadauRun simulate(const Model& model, double h, double end, const RadauIIA& scheme) {
  validate(scheme);
  check(model, h, end);
  State state = model.initial_state();
  const Index n = state.x.size(), rows = model.rows(), steps = std::llround(end / h);
  const Matrix a = coefficients(scheme.stages);
  const auto stack = std::make_shared<const Stack>(
      Stack{model, n, scheme.stages, h, a.inverse(), a.rowwise().sum()});
  const Model stages = stacked(stack, state);
  StepWorkspace work;
  prepare_inclusion(stages, scheme.solver, RadauIIA::name, work);
  State inner = stages.initial_state();
  RadauRun run{.t = Vector::LinSpaced(steps + 1, 0, h * double(steps)),
               .x = Matrix::Zero(n, steps + 1),
               .lambda = Matrix::Zero(rows, steps + 1)};
  run.x.col(0) = state.x;
  for (Index k = 1; k <= steps; ++k) {
    inner.x = run.x.col(k - 1).replicate(scheme.stages, 1);
    inner.t = run.t[k - 1];
    run.last = {};
    if (!implicit_stage(stages, inner, inner.x, run.t[k], h, scheme.solver, work, run.last)) {
      run.t.conservativeResize(k);
      for (Matrix* table : {&run.x, &run.lambda}) table->conservativeResize(Eigen::NoChange, k);
      break;
    }
    run.x.col(k) = work.w.tail(n);
    run.lambda.col(k) = work.r.tail(rows);
  }
  return run;
}

}  // namespace saltus
