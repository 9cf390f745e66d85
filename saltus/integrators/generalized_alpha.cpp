#include "saltus/integrators/generalized_alpha.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/integrators/alpha_step.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/law_sets.hpp"

namespace saltus {

AlphaCoefficients coefficients(const AlphaFamily& rule) {
  const auto second_order = [](double alpha_m, double alpha_f) {
    const double gamma = 0.5 + alpha_f - alpha_m;
    return AlphaCoefficients{alpha_m, alpha_f, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
  };
  return std::visit(Overloaded{[&](const ChungHulbert& r) {
                                 return second_order((2 * r.rho - 1) / (r.rho + 1),
                                                     r.rho / (r.rho + 1));
                               },
                               [&](const HilberHughesTaylor& r) { return second_order(0, r.a); },
                               [](const Newmark& r) {
                                 return AlphaCoefficients{0, 0, r.gamma, r.beta};
                               }},
                    rule);
}

namespace {

void size_workspace(const Model& model, StepWorkspace& work) {
  AlphaWorkspace& x = work.alpha;
  for (Vector* v :
       {&x.acceleration_begin, &x.a_begin, &x.acceleration, &x.a, &x.U, &x.W, &x.change})
    v->setZero(model.dof());
  for (Vector* v : {&x.lambda_begin, &x.eta_begin, &x.lambda, &x.eta, &x.nu, &x.nu_total, &x.Lambda,
                    &x.Lambda_total, &x.u, &x.curvature, &x.rest, &x.weight})
    v->setZero(model.rows());
  for (std::vector<char>* set : {&x.in_A, &x.in_B, &x.in_S, &x.last_A, &x.last_B, &x.last_S})
    set->assign(work.layout.blocks.size(), 0);
  size_factors(model, work, true, x.mass_factor);
  x.masses_factored = false;
}

/// Percussions that a system integrates itself have no place in the accelerations of the scheme.
void require_no_impulse(const Model& model) {
  const State state = model.initial_state();
  for (const SystemEntry& entry : model.systems()) {
    Vector P = Vector::Zero(entry.system.size());
    for (const double h : {1.0, 0.3719, 0.0271})  // a motion may be back where it was
      require(!entry.system.impulse(Model::view(entry, state), h, P) || P.isZero(0),
              "GeneralizedAlpha: {} has percussions of its own, but the scheme needs "
              "accelerations; use AcceleratedBodies for rigid bodies, or MoreauJean",
              entry.name);
  }
}

}  // namespace

void prepare(const Model& model, const GeneralizedAlpha& scheme, StepWorkspace& work) {
  validate(scheme);
  require_position_constraints(model, false, "GeneralizedAlpha");
  require_no_impulse(model);
  const bool bilateral_only = std::holds_alternative<LevelsP>(scheme.levels) ||
                              std::holds_alternative<LevelsA>(scheme.levels);
  for (const Interaction& tie : model.interactions())
    require(!bilateral_only || bilateral(tie.law),
            "GeneralizedAlpha: {} knows no impact law, but {} is a contact; use LevelsV, LevelsPV "
            "or LevelsPVA",
            std::visit([](const auto& levels) { return levels.name; }, scheme.levels), tie.name);
  prepare_step(model, scheme.solver, work);
  size_workspace(model, work);
}

StepReport step(const Model& model, State& state, double h, const GeneralizedAlpha& scheme,
                StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  one.begin();
  AlphaStep alpha(one, scheme);
  const bool good = (work.continues(state) || alpha.start()) && alpha.iterate();
  work.matrix_current = false;
  if (!good) return one.report;
  alpha.keep();
  one.finish(state);
  work.remember(state);
  return one.report;
}

}  // namespace saltus
