#include "module.hpp"
#include "options.hpp"
#include "saltus/integrators/scheme.hpp"

namespace saltus::python {

namespace {

void bind_laws(py::module_& m) {
  bind_options<PiecewiseLinear>(
      m,
      "A falling broken line between output and multiplier, on every row: (y, λ) lies on the\n"
      "polygon through `points`, continued with the slopes `before` and `after`.\n\n"
      "Vertical pieces are set-valued; slopes of -inf are vertical. y may not fall and λ may not\n"
      "rise from point to point. See saturation, dead_zone, relay_with_dead_zone, zener.\n\n"
      ">>> saltus.PiecewiseLinear(points=[[-1, 2], [1, -2]])");
  bind_options<NormalCone>(
      m,
      "Normal cone to a convex set K, one for all rows of a first-order relation:\n\n"
      "    −y ∈ N_K(λ)   or, of_output,   −λ ∈ N_K(y)\n\n"
      "the second keeps y in K: a sweeping process.");
  const auto wrap = [](const PiecewiseLinear& law) { return Converter<PiecewiseLinear>::to(law); };
  m.def(
      "saturation", [wrap](double gain, double bound) { return wrap(saturation(gain, bound)); },
      py::arg("gain"), py::arg("bound"),
      "saturation(gain, bound)\n--\n\nThe law λ = −min(max(gain y, −bound), bound).");
  m.def(
      "dead_zone", [wrap](double width, double gain) { return wrap(dead_zone(width, gain)); },
      py::arg("width"), py::arg("gain"),
      "dead_zone(width, gain)\n--\n\n"
      "The law λ = 0 for |y| ≤ width, λ = −gain (|y| − width) sign y beyond; gain=inf keeps y "
      "there.");
  m.def(
      "relay_with_dead_zone",
      [wrap](double width, double bound) { return wrap(relay_with_dead_zone(width, bound)); },
      py::arg("width"), py::arg("bound"),
      "relay_with_dead_zone(width, bound)\n--\n\n"
      "The law λ = 0 for |y| < width, λ = −bound sign y for |y| > width.");
  m.def(
      "zener",
      [wrap](double voltage, double reverse, double forward) {
        return wrap(zener(voltage, reverse, forward));
      },
      py::arg("voltage"), py::arg("reverse") = 0.0, py::arg("forward") = 0.0,
      "zener(voltage, reverse=0.0, forward=0.0)\n--\n\n"
      "The law of a Zener diode: y the current, λ the voltage, with resistances either way.");
  m.def(
      "hinge_sum",
      [wrap](const py::object& slopes, const py::object& breaks) {
        return wrap(hinge_sum(Values(to_vector(slopes, "hinge_sum: slopes")),
                              Values(to_vector(breaks, "hinge_sum: breaks"))));
      },
      py::arg("slopes"), py::arg("breaks"),
      "hinge_sum(slopes, breaks)\n--\n\nThe law λ = −Σ slopes_j max(0, y − breaks_j).");
}

void bind_implicit_schemes(py::module_& m) {
  bind_options<AtStage>(m, "The law is taken at θx⁺ + (1−θ)x, with one multiplier for the step.");
  bind_options<AveragedMultiplier>(
      m, "The law is taken at the end, with the multiplier θλ⁺ + (1−θ)λ: for systems with D > 0.");
  bind_options<ThetaMethod>(
      m,
      "θ-method for first-order inclusions E x' = f(t, x) + B λ. θ = 1 is backward Euler, θ = 1/2\n"
      "the implicit midpoint rule, or with AveragedMultiplier the trapezoidal rule.\n\n"
      ">>> saltus.ThetaMethod(theta=0.5, multiplier=saltus.AveragedMultiplier())");
  bind_options<Bdf2>(
      m, "Backward differentiation formula of order 2 for first-order inclusions, law at the end.");
  bind_options<Sdirk>(
      m, "Diagonally implicit Runge-Kutta methods of order 2 or 3 for first-order inclusions.");
  bind_options<CatchingUp>(
      m,
      "Moreau's catching-up algorithm for sweeping processes:  x⁺ = proj[K(t⁺); x + h f(t, x)].");
  bind_options<ZeroOrderHold>(
      m,
      "Exact discretisation of linear models with multipliers held over the step, λ implicit: a\n"
      "relay that is sampled slides exactly on its surface.");
}

void bind_explicit_schemes(py::module_& m) {
  bind_options<MiddleSelection>(m, "The middle of the multipliers that the law allows at y.");
  bind_options<MinimalNorm>(m, "The multipliers that make x' shortest.");
  bind_options<MinimalVariation>(m, "The multipliers that change x' least from the last step.");
  bind_options<SwitchModel>(m, "Leine's switch model: y' = −y/ε within |y| ≤ ε. For one relay.");
  bind_options<Sigmoid>(m, "tanh(y/ε) in place of the sign.");
  bind_options<ExplicitInclusion>(
      m,
      "Explicit Euler (order 1) or Runge-Kutta (order 4), multipliers by a selection from the "
      "law:\n"
      "for comparison, it chatters where implicit schemes slide.\n\n"
      ">>> saltus.ExplicitInclusion(selection=saltus.MinimalNorm(band=1e-2))");
  bind_options<Mannshardt>(
      m,
      "Mannshardt's method for one relay: Runge-Kutta of order 4, steps cut where the surface is\n"
      "met; crosses, slides and leaves as the multipliers ask for.");
}

}  // namespace

void bind_inclusions(py::module_& m) {
  bind_laws(m);
  bind_implicit_schemes(m);
  bind_explicit_schemes(m);
}

}  // namespace saltus::python
