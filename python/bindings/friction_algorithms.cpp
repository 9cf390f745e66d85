#include "algorithms.hpp"
#include "module.hpp"
#include "saltus/solvers/friction_presets.hpp"
#include "saltus/solvers/slip_friction.hpp"

// The algorithms for contact with friction and the options within them, inner ones first.

namespace saltus::python {

namespace {

void bind_equations(py::module_& m) {
  bind_options<NaturalMap>(m, "Equations of a contact: r − P_K(r − ρ(u + g(u) e_N)), any set.");
  bind_options<AlartCurnier>(
      m, "Equations of a contact: r_N − (x_N)₊, r_T − P_D(x_T), D the disk of radius mu (x_N)₊.");
  bind_options<JeanMoreau>(
      m, "Equations of a contact: r_N − (x_N)₊, r_T − P_D(x_T), D the disk of radius mu (r_N)₊.");
  bind_options<ConeFischerBurmeister>(
      m, "Equations of a contact: Fischer and Burmeister's function of the second-order cone.");
  bind_options<HueberStadlerWohlmuth>(
      m, "Equations of a contact: r_N − (x_N)₊, max(mu x_N, ‖x_T‖) r_T − mu (x_N)₊ x_T.");
  bind_options<XuewenSohWanji>(
      m,
      "Equations of a contact in space by minima; for comparison, with zeros that solve nothing.");
  bind_options<SlidingAngle>(
      m, "Equations of a contact: the plane problem in the sliding direction, smoothed or not.");
  bind_options<RegularisedCoulomb>(
      m, "Equations of another law: friction as a smooth function of the slip, which creeps.");
  bind_options<NormalMap>(m, "Equations of a contact: ρ(u + g(u) e_N) + x − P_K(x), r = P_K(x).");
  bind_options<SkewedNaturalMap>(
      m, "Equations of a contact: the natural map in the metric of diag(1/ρ_N, 1/ρ_T).");
  bind_options<SmoothedFischerBurmeister>(
      m,
      "Equations of a contact: Fischer and Burmeister's function smoothed, driven to the limit.");
  bind_options<SmoothedNaturalMap>(
      m, "Equations of a contact: the natural map of the cone smoothed, driven to the limit.");
}

void bind_linear_solvers(py::module_& m) {
  bind_options<DirectLu>(m, "Linear systems of Newton's method: sparse LU.");
  bind_options<GmresIlu>(
      m, "Linear systems of Newton's method: restarted GMRES with an incomplete LU.");
  bind_options<BicgstabIlu>(m,
                            "Linear systems of Newton's method: BiCGSTAB with an incomplete LU.");
}

void bind_rules(py::module_& m) {
  bind_options<FullStep>(m, "Line search: the full Newton step.");
  bind_options<GoldsteinPrice>(m, "Line search of Goldstein and Price, both ways.");
  bind_options<Armijo>(m, "Line search of Armijo: halves the step until the merit falls enough.");
  bind_options<AdaptiveStep>(m, "Self-adaptive step ρ of a projection, reduced and enlarged.");
  bind_options<FixedStep>(m, "The same step ρ in every projection; diverges if it is too large.");
  bind_options<NaturalOrder>(m, "Sweeps over the blocks as they are numbered.");
  bind_options<ShuffledOnce>(m, "Sweeps in one random order.");
  bind_options<ShuffledEverySweep>(m, "A new random order in every sweep.");
  bind_options<DefaultRho>(m, "Scalings: PerContactRho, but SpectralRho for NaturalMap.");
  bind_options<FixedRho>(m, "Scalings: one given number.");
  bind_options<NormRho>(m, "Scalings: 1/‖W‖∞.");
  bind_options<SpectralRho>(m, "Scalings: 1/λ_max(W).");
  bind_options<PerContactRho>(m, "Scalings from the own block of each contact.");
  bind_options<AdaptiveRho>(m, "Scalings of PerContactRho, adapted by the steps of the iteration.");
  bind_options<SuccessDriven>(m, "Proximal parameter: smaller after a success, larger otherwise.");
  bind_options<ErrorDriven>(m, "Proximal parameter: sigma · residual^nu.");
}

void bind_local_solvers(py::module_& m) {
  bind_options<LocalNewton>(
      m, "One contact with friction: closed form in the plane, Newton's method in space.");
  bind_options<LocalProjection>(m, "One contact with friction: repeated projection on the cone.");
  bind_options<LocalVi>(m, "One contact: projections with a self-adaptive step; the most robust.");
  bind_options<LocalNonsmoothNewton>(m, "One contact: Newton's method on its equations.");
  bind_options<LocalExact>(m, "One contact: every mode in closed form, slip by a quartic.");
  bind_options<LocalDisk>(m, "One contact: stick, cut back to the disk; an approximation.");
}

/// The options that an acronym of the literature stands for.
py::object preset(const std::string& name) {
  const auto found = friction_preset(name);
  if (!found)
    fail("friction_preset: name is '{}', expected one of {}", name,
         fmt::join(friction_preset_names(), ", "));
  return Converter<FrictionAlgorithm>::to(*found);
}

void bind_presets(py::module_& m) {
  m.def("friction_preset", &preset, py::arg("name"),
        "friction_preset(name)\n--\n\n"
        "The algorithm with the options that an acronym of the literature on friction stands for,\n"
        "upper and lower case alike.\n\n"
        ">>> saltus.solve(problem, solver=saltus.friction_preset('NSN-AC-GP'))");
  m.def(
      "friction_preset_names",
      [] {
        py::list names;
        for (const std::string_view name : friction_preset_names())
          names.append(py::str(name.data(), name.size()));
        return names;
      },
      "friction_preset_names()\n--\n\nThe acronyms that friction_preset knows.");
}

}  // namespace

void bind_friction_algorithms(py::module_& m) {
  bind_equations(m);
  bind_linear_solvers(m);
  bind_rules(m);
  bind_local_solvers(m);
  bind_algorithm<CoulombCascade>(m);
  bind_options<Nsgs>(
      m,
      "Nonsmooth Gauss-Seidel: sweeps over the blocks, each solved with the latest others.\n\n"
      "For any mix of contacts with and without friction, equalities and relays.");
  bind_algorithm<FixedPointProjection>(m);
  bind_algorithm<HyperplaneProjection>(m);
  bind_algorithm<SpectralProjection>(m);
  bind_algorithm<PredictionCorrection>(m);
  bind_algorithm<SkewedProjection>(m);
  bind_algorithm<NonsmoothNewton>(m);
  bind_algorithm<FrictionProximalPoint>(m);
  bind_algorithm<ConvexProjectedGradient>(m);
  bind_algorithm<Mprgp>(m);
  bind_algorithm<TrescaFixedPoint>(m);
  bind_algorithm<Aclm>(m);
  bind_algorithm<SoclcpRelaxation>(m);
  bind_algorithm<Panagiotopoulos>(m);
  bind_algorithm<Admm>(m);
  bind_algorithm<FacetedFriction>(m);
  bind_options<SlipFriction>(
      m, "Friction of the slip speed in the plane by complementarity problems.");
  bind_algorithm<GlockerNcp>(m);
  bind_algorithm<DirectMcp>(m);
  bind_presets(m);
}

}  // namespace saltus::python
