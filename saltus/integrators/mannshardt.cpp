#include "saltus/integrators/explicit_field.hpp"
#include "saltus/integrators/explicit_inclusion.hpp"
#include "saltus/integrators/implicit_stage.hpp"

#include <cmath>

namespace saltus {

namespace {

enum class Side { above, below, sliding };

/// The step in the making, on one field at a time.
struct Switching {
  const ExplicitField& field;
  const Relay& relay;
  InclusionWorkspace& memory;
  Side side = Side::above;

  /// λ for which ẏ = 0, at the point last evaluated.
  [[nodiscard]] double sliding_multiplier() const {
    return -memory.C.row(0).dot(memory.f) / memory.C.row(0).dot(memory.B.col(0));
  }

  /// The side that goes on from the point last evaluated; on the surface the fields decide.
  [[nodiscard]] Side decide(double tolerance) const {
    const double y = memory.y[0];
    if (std::abs(y) > tolerance) return y > 0 ? Side::above : Side::below;
    const double free = memory.C.row(0).dot(memory.f), slope = memory.C.row(0).dot(memory.B.col(0));
    const double above = free + slope * relay.lower, below = free + slope * relay.upper;
    if (above < 0 && below > 0) return Side::sliding;
    return above >= 0 ? Side::above : Side::below;
  }

  /// λ of the field in hand at the point last evaluated.
  [[nodiscard]] double multiplier() const {
    if (side == Side::sliding) return sliding_multiplier();
    return side == Side::above ? relay.lower : relay.upper;
  }

  /// Negative where the field in hand has ended, at the point last evaluated.
  [[nodiscard]] double guard() const {
    if (side == Side::above) return memory.y[0];
    if (side == Side::below) return -memory.y[0];
    const double lambda = sliding_multiplier();
    return std::min(lambda - relay.lower, relay.upper - lambda);
  }

  /// memory.trial = the state after s from (t, x) with the field in hand; its guard.
  double advance(double t, const Vector& x, double s) const {
    runge_kutta(
        [&](double at, const Vector& point, Vector& out) {
          field.evaluate(at, point);
          memory.lambda[0] = multiplier();
          field.rate(memory.lambda, out);
        },
        t, x, s, memory.rates, memory.trial);
    field.evaluate(t + s, memory.trial);
    if (side == Side::sliding) {  // back on the surface, which rounding errors leave
      const double slope = memory.C.row(0).dot(memory.B.col(0));
      memory.trial -= memory.B.col(0) * (memory.y[0] / slope);
      field.evaluate(t + s, memory.trial);
    }
    return guard();
  }

  /// The last time in (0, end] at which the guard, negative at `end`, is zero: Illinois' method.
  double root(double t, const Vector& x, double end, double at_end) const {
    double a = end / 2, b = end, ga = advance(t, x, a), gb = at_end;
    for (int k = 0; ga <= 0 && k < 50; ++k) {
      b = a, gb = ga;
      a /= 2;
      ga = advance(t, x, a);
    }
    if (ga <= 0) return 0;
    for (int k = 0; k < 100 && b - a > 1e-15 * end; ++k) {
      const double s = b - gb * (b - a) / (gb - ga);
      const double g = advance(t, x, s);
      if (g == 0) return s;
      if (g < 0) {
        b = s, gb = g;
        ga /= 2;
      } else {
        a = s, ga = g;
        gb /= 2;
      }
    }
    return b;
  }

  /// The field after the event at the point last evaluated.
  void change(double scale) {
    if (side != Side::sliding) {
      side = decide(1e-9 * scale);
      return;
    }
    const double lambda = sliding_multiplier();
    side = lambda - relay.lower < relay.upper - lambda ? Side::above : Side::below;
  }
};

}  // namespace

void prepare(const Model& model, const Mannshardt& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_explicit(model, scheme.name, 1, work);
  for (const Interaction& tie : model.interactions())
    require(std::holds_alternative<Relay>(tie.law) && tie.relation.time_invariant(),
            "Mannshardt: {} is not a Relay on a constant surface", tie.name);
  require(model.rows() == 1, "Mannshardt: the model has no relay");
}

StepReport step(const Model& model, State& state, double h, const Mannshardt& scheme,
                StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const ExplicitField field{model, state, work};
  const double scale = 1 + state.x.lpNorm<Eigen::Infinity>();
  Switching run{field, std::get<Relay>(model.interactions()[0].law), memory};
  memory.x = state.x;
  field.evaluate(state.t, memory.x);
  run.side = run.decide(1e-12 * scale);
  double done = 0;
  for (int events = 0;; ++events) {
    const double t = state.t + done, left = h - done;
    const double guard = run.advance(t, memory.x, left);
    // a guard that starts at zero may be off by rounding errors
    if (guard >= -1e-14 * scale) break;
    if (events == scheme.max_events) {
      report.status = StepStatus::newton_failed;
      return report;
    }
    const double s = run.root(t, memory.x, left, guard);
    run.advance(t, memory.x, s);
    memory.x = memory.trial;
    done += s;
    run.change(scale);
  }
  if (!memory.trial.allFinite()) {
    report.status = StepStatus::not_finite;
    return report;
  }
  memory.lambda[0] = run.multiplier();
  memory.x = memory.trial;
  work.r = memory.lambda;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

}  // namespace saltus
