// Two elastic cubes fall on a rough floor, one on the other: finite elements in contact with
// friction.

#include "saltus/mechanics/elastic/node_contacts.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

int main() {
  const double drop = 0.1, h = 2e-3;
  // Rubber of low stiffness; the upper cube is smaller, has another mesh and is thrown sideways.
  const auto cube = [](double edge, Index n, const Values& origin) {
    return ElasticBody{.mesh = box_mesh(ElementKind::brick, {edge, edge, edge}, {n, n, n}, origin),
                       .young = 2e5,
                       .poisson = 0.3,
                       .density = 1000,
                       .damping_stiffness = 0.02,
                       .gravity = {0.0, 0.0, -9.81}};
  };
  const ElasticBody lower = cube(1, 6, {0.0, 0.0, drop});
  const ElasticBody upper = cube(0.6, 4, {0.1, 0.2, 1 + 2 * drop});
  Vector v = Vector::Zero(upper.dof());
  for (Index i = 0; i < v.size(); i += 3) v[i] = 0.2;
  Model model;
  const auto below = model.add(lower.linear(), {.q = Vector::Zero(lower.dof())}, "lower");
  const auto above = model.add(upper.linear(), {.q = Vector::Zero(upper.dof()), .v = v}, "upper");
  const Law law = Coulomb{.mu = 0.3};
  link_plane(model, below, lower, lower.mesh.nodes_on(2, drop), {0.0, 0.0, 1.0}, 0, law, "floor");
  link_sides(model, above, upper, upper.mesh.nodes_on(2, 1 + 2 * drop), below, lower,
             lower.mesh.nodes_on(2, 1 + drop), {0.0, 0.0, 1.0}, law, "between");

  Simulation sim(model, MoreauJean{.theta = 0.6}, {.step = h, .record = {.every = 5}});
  const Trajectory run = sim.run(2.0);

  // At rest in the end, the floor carries the weight of both.
  double floor = 0, between = 0;
  const Index split = 3 * static_cast<Index>(lower.mesh.nodes_on(2, drop).size());
  for (Index i = 0; i < sim.multipliers().size(); i += 3)
    (i < split ? floor : between) += sim.multipliers()[i] / h;
  const double top = 9.81 * upper.mass(), all = top + 9.81 * lower.mass();
  const EnergyBalance& e = run.report.energy;
  fmt::print(
      "{}\n{} degrees of freedom, {} contacts\nforce between the cubes {:.1f} N, weight {:.1f} N\n"
      "force on the floor {:.1f} N, weight {:.1f} N\nlost: {:.1f} J in impacts, {:.1f} J by "
      "friction; error of the balance {:.1e} J\n",
      run.report.message(), model.dof(), model.interactions().size(), between, top, floor, all,
      e.impact, e.friction, e.error());
  return run.report.ok() && std::abs(floor - all) < 0.02 * all &&
                 std::abs(between - top) < 0.02 * top && std::abs(e.error()) < 1e-6
             ? 0
             : 1;
}
