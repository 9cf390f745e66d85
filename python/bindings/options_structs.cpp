#include "algorithms.hpp"
#include "model.hpp"
#include "module.hpp"
#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/mechanics/bead_column.hpp"
#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/mechanics/masonry.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::python {

namespace {

void bind_laws(py::module_& m) {
  bind_options<Equality>(m, "Bilateral constraint:  y = 0, λ free.");
  bind_options<Complementarity>(
      m, "Complementarity on every row of a first-order relation:  0 ≤ y ⟂ λ ≥ 0. An ideal diode.");
  bind_options<NewtonImpact>(m,
                             "Unilateral contact with Newton's restitution, on every row:\n\n"
                             "    if y ≤ 0:  0 ≤ u⁺ + e u⁻ ⟂ r ≥ 0");
  bind_options<Relay>(
      m,
      "Relay on every row:  y > 0 ⇒ λ = lower,  y < 0 ⇒ λ = upper,  y = 0 ⇒ λ anywhere between.\n\n"
      "On a second-order system y is the velocity u and λ a force: dry friction under a known "
      "load.");
  bind_options<Coulomb>(
      m,
      "Unilateral contact with Coulomb friction and Newton's restitution.\n\n"
      "The relation has 2 (plane) or 3 (space) rows, normal first. If y_N ≤ 0:\n\n"
      "    ‖r_T‖ ≤ μ r_N;  sliding: r_T = −μ r_N u_T / ‖u_T‖;  u_N⁺ + e u_N⁻ ≥ 0\n\n"
      "u_T⁺ + e_t u_T⁻ takes the place of u_T with tangential restitution; a cohesive contact adds "
      "its\nown force to r_N.");
  bind_options<EllipticCoulomb>(
      m,
      "Orthotropic friction in space, the tangents of the relation being its principal "
      "directions:\n\n"
      "    (r₁/μ₁)² + (r₂/μ₂)² ≤ r_N²");
  bind_options<RollingCoulomb>(m,
                               "Sliding and rolling friction:  ‖r_T‖ ≤ μ r_N,  ‖m‖ ≤ μ_R r_N.\n\n"
                               "The relation has 5 (space) or 3 (plane) rows: normal, tangents, "
                               "relative angular velocities.");
  bind_options<SpinningCoulomb>(
      m,
      "Sliding, rolling and spinning friction:  ‖r_T‖ ≤ μ r_N,  ‖m_T‖ ≤ μ_R r_N,  |m_N| ≤ μ_S "
      "r_N.\n\n"
      "The relation has 6 rows (normal, tangents, relative angular velocities along the tangents\n"
      "and the normal), 4 without rolling friction, or 2 (normal, angular velocity along it).");
  bind_options<Tresca>(
      m, "Unilateral contact with a given bound of the friction force:  ‖λ_T‖ ≤ bound.");
  bind_options<PoissonCoulomb>(
      m,
      "Poisson's law of impact with Coulomb friction, in two phases: the expansion gives back at\n"
      "least e times the percussion of the compression.");
  bind_options<Spring>(m, "Spring and damper on every row:  λ = −k y − c u.");
  bind_options<CompliantContact>(
      m,
      "Unilateral contact on a spring and damper, with Coulomb friction:\n\n"
      "    0 ≤ λ_N ⟂ λ_N/k + y_N + (c/k) u_N ≥ 0");
  bind_options<ElasticPlastic>(
      m,
      "A spring in series with dry friction on every row (Masing, Prandtl):  λ' = −k u while\n"
      "|λ| < bound, else it slips.");
}

void bind_more_algorithms(py::module_& m) {
  bind_algorithm<Bard>(m);
  bind_algorithm<CottleDantzig>(m);
  bind_algorithm<Keller>(m);
  bind_algorithm<Enumeration>(m);
  bind_algorithm<ProjectedJacobi>(m);
  bind_algorithm<SymmetricPsor>(m);
  bind_algorithm<BlockSplitting>(m);
  bind_algorithm<LineSearchSplitting>(m);
  bind_options<SufficientDecrease>(m, "Step along the projected path: sufficient decrease.");
  bind_options<CauchyPoint>(m, "Step along the projected path: the exact Cauchy point.");
  bind_algorithm<GradientProjection>(m);
  bind_algorithm<Gpcg>(m);
  bind_algorithm<TwoPhaseProjection>(m);
  bind_algorithm<ProjectedMultigrid>(m);
  bind_algorithm<Latin>(m);
  bind_options<FischerBurmeister>(m, "C-function of Fischer and Burmeister.");
  bind_options<PenalisedFischerBurmeister>(m, "Penalised Fischer-Burmeister C-function.");
  bind_options<Minimum>(m, "C-function min(w, z).");
  bind_options<Maximum>(m, "C-function with the positive part, max.");
  bind_options<EvtushenkoPurtov>(m, "Smooth C-function of Evtushenko and Purtov.");
  bind_algorithm<SemismoothNewton>(m);
  bind_algorithm<InteriorPoint>(m);
  bind_algorithm<PotentialReduction>(m);
  bind_algorithm<ShortStep>(m);
  bind_algorithm<PredictorCorrector>(m);
  bind_algorithm<LongStep>(m);
  bind_algorithm<Mehrotra>(m);
}

void bind_algorithms(py::module_& m) {
  bind_options<Automatic>(
      m,
      "The default: BlockPivoting, then Lemke and others without friction; CoulombCascade with\n"
      "friction, after a few sweeps of Nsgs from a guess.");
  bind_options<Lemke>(m,
                      "Lemke's complementary pivoting, ties broken lexicographically.\n\n"
                      "Solves every LCP with a positive (semi-)definite, P or copositive-plus "
                      "matrix. About n pivots, dense or\n"
                      "sparse. A guess whose basis already solves the problem costs none.");
  bind_options<Murty>(
      m,
      "Murty's least-index principal pivoting: finite for P-matrices. Dense; the initial guess is\n"
      "not used.");
  bind_options<BlockPivoting>(
      m,
      "Block principal pivoting: exchanges every row of the wrong sign at once.\n\n"
      "Warm-started; dense for n ≤ 64, sparse factorisation above. The fastest for contact "
      "chains.");
  bind_options<Psor>(
      m,
      "Projected successive over-relaxation; omega = 1 is projected Gauss-Seidel, rho > 0 helps\n"
      "with zeros on the diagonal. Cheap sweeps, slow on long chains.");
  bind_more_algorithms(m);
}

template <class T>
void bind_ready_model(py::module_& m, const char* doc) {
  bind_options<T>(m, doc).def(
      "model", [](const Bound<T>& self) { return PythonModel{unwrap(self).model()}; },
      "model($self)\n--\n\nThe Model with these parameters.");
}

}  // namespace

void bind_options_structs(py::module_& m) {
  bind_laws(m);
  bind_algorithms(m);
  bind_friction_algorithms(m);
  bind_schemes(m);
  bind_inclusions(m);
  bind_options<AdaptiveSteps>(
      m,
      "Steps chosen by the error of the positions, each made once and in two halves.\n\n"
      ">>> adaptive = saltus.AdaptiveSteps(tolerance=1e-4)\n"
      ">>> sim = saltus.Simulation(model, step=1e-2, adaptive=adaptive)");
  bind_options<RecordOptions>(m, "What a run records, and how often.");
  bind_ready_model<mechanics::BouncingBall>(
      m,
      "A ball dropped on the ground; for e < 1 it comes to rest after infinitely many bounces.\n\n"
      ">>> run = saltus.Simulation(saltus.BouncingBall(e=0.5).model(), step=1e-3).run(3.0)\n"
      ">>> run['ball.q[0]']");
  bind_ready_model<mechanics::BeadColumn>(
      m, "A vertical column of equal beads above the ground, in contact with each other.");
  bind_ready_model<circuits::DiodeBridge>(
      m, "An LC oscillator that feeds a resistor through a bridge of four ideal diodes.");
  bind_ready_model<mechanics::PileOfSpheres>(
      m,
      "Balls of different diameters that fall into a box, or on a plane.\n\n"
      ">>> sim = saltus.Simulation(saltus.PileOfSpheres(count=100, mu=0.4).model(), step=2e-3)");
  bind_ready_model<mechanics::PileOfBoxes>(
      m, "Boxes of different edges, turned at random, that fall into a box.");
  bind_ready_model<mechanics::PileOfCapsules>(m, "Capsules that fall into a box, or on a plane.");
  bind_ready_model<mechanics::BoxStack>(m, "A tower of equal boxes on the ground.");
  bind_ready_model<mechanics::Wall>(
      m, "A wall of bricks in running bond, hit by a ball if it has a speed.");
  bind_ready_model<mechanics::KaplaTower>(m, "A tower of planks, two on each level.");
  bind_ready_model<mechanics::Arch>(m, "A semicircular masonry arch of equal voussoirs.");
}

}  // namespace saltus::python
