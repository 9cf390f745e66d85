#include "module.hpp"
#include "options.hpp"
#include "saltus/integrators/scheme.hpp"

namespace saltus::python {

namespace {

void bind_system_integrators(py::module_& m) {
  bind_options<Theta>(m, "The θ-method of the scheme with a θ of its own, for one system.");
  bind_options<ExactFlow>(
      m,
      "The exact flow of a linear system with constant matrices, loads held over the step:\n\n"
      "    s⁺ = s + Γ [A s + b(t + h/2) + B λ],    Γ = ∫₀ʰ exp(A τ) dτ,    s = (q, v) or x\n\n"
      ">>> saltus.MoreauJean(systems={'spring': saltus.ExactFlow(), 'ball': "
      "saltus.Theta(theta=1)})");
}

void bind_moreau_jean(py::module_& m) {
  bind_options<ForecastGap>(
      m, "Contacts whose gap is forecast to be closed obey their laws in velocities.");
  bind_options<ConsistentGap>(
      m, "Jean's gap: contacts obey 0 ≤ g/h + u⁺ ⟂ r ≥ 0, g at q + (1−θ) h v; e = 0 only.");
  bind_options<NoStabilisation>(m, "Violated positions are left as they are.");
  bind_options<Baumgarte>(m, "A step gives back the share β of a violation, at velocity level.");
  bind_options<CombinedProjection>(
      m,
      "Contacts that would be violated take part from the first, and the new positions are\n"
      "projected on all constraints: neither joints nor contacts drift.");
  bind_options<MoreauJean>(
      m,
      "Moreau-Jean time stepping, the θ-scheme for systems with impacts:\n\n"
      "    M (v⁺ − v) = h [θ F⁺ + (1−θ) F] + H' r,    q⁺ = q + h (θ v⁺ + (1−θ) v)\n\n"
      "with the law between u⁺ = H v⁺ and the percussion r for every contact that is forecast to "
      "be\n"
      "closed. First-order systems take λ implicitly. Order 1 across impacts, 2 in smooth motion "
      "at\n"
      "θ = 1/2; accumulations of impacts are passed. θ ≥ 1/2 is unconditionally stable.\n\n"
      ">>> saltus.MoreauJean(theta=1.0, solver=saltus.Lemke(tolerance=1e-12))");
}

void bind_other_schemes(py::module_& m) {
  bind_options<StewartTrinkle>(
      m,
      "Stewart-Trinkle time stepping: backward Euler, contacts by the linearised gap,\n\n"
      "    0 ≤ y/h + u⁺ ⟂ r ≥ 0,    q⁺ = q + h v⁺\n\n"
      "so that flat contacts do not penetrate. Contacts must have e = 0. Order 1.\n\n"
      ">>> saltus.StewartTrinkle(solver=saltus.FacetedFriction(facets=16))");
  bind_options<AnitescuPotra>(
      m,
      "Anitescu-Potra time stepping: backward Euler, contacts that are closed at the beginning of\n"
      "the step obey their laws in velocities. Order 1.");
  bind_options<PaoliSchatzman>(
      m,
      "Paoli-Schatzman time stepping: two steps in the positions, contacts without friction,\n\n"
      "    q⁺ + e q₋ = (1+e) P_C[(2q − (1−e) q₋ + h² M⁻¹F) / (1+e)]\n\n"
      "An impact takes two steps. For positions that are vectors. Order 1.");
}

void bind_generalized_alpha(py::module_& m) {
  bind_options<ChungHulbert>(m, "Coefficients by the spectral radius ρ at infinite frequency.");
  bind_options<HilberHughesTaylor>(m, "Coefficients α_m = 0, α_f = a.");
  bind_options<Newmark>(m, "Coefficients α_m = α_f = 0 with γ and β; the default is trapezoidal.");
  bind_options<LevelsP>(m, "Constraints on positions: index 3, bilateral constraints only.");
  bind_options<LevelsV>(m, "Constraints on velocities: index 2, positions drift.");
  bind_options<LevelsA>(m, "Constraints on accelerations: index 1, bilateral constraints only.");
  bind_options<LevelsPV>(m, "Constraints on positions and velocities.");
  bind_options<LevelsPVA>(m, "Constraints on positions, velocities and accelerations.");
  bind_options<GeneralizedAlpha>(
      m,
      "Nonsmooth generalized-α: a smooth motion of second order, and corrections U of the\n"
      "position and W of the velocity that carry impacts,\n\n"
      "    q⁺ = q + h v + h² ((1/2−β) a + β a⁺) + U,    v⁺ = v + h ((1−γ) a + γ a⁺) + W\n\n"
      "with constraints at the levels of positions, velocities, accelerations that `levels` "
      "names.\n"
      "Order 2 in smooth motion, 1 across impacts. For contacts without friction and positions\n"
      "that are vectors.\n\n"
      ">>> saltus.GeneralizedAlpha(coefficients=saltus.ChungHulbert(rho=0.8))");
}

}  // namespace

void bind_schemes(py::module_& m) {
  bind_system_integrators(m);
  bind_moreau_jean(m);
  bind_generalized_alpha(m);
  bind_other_schemes(m);
}

}  // namespace saltus::python
