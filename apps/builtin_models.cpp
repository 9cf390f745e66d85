#include "apps/builtin_models.hpp"

#include "apps/exact_solutions.hpp"
#include "apps/settings.hpp"
#include "saltus/mechanics/masonry.hpp"
#include "saltus/mechanics/piles.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

Figure figure(const circuits::DiodeBridge& bridge, double) {
  Figure f{
      .title = fmt::format("Diode bridge: LC oscillator, {:.4g} mH and {:.4g} µF, feeding {:.4g} Ω",
                           1e3 * bridge.inductance, 1e6 * bridge.capacitance, bridge.resistance),
      .panels = {},
      .time_scale = 1e3,
      .time_label = "time [ms]"};
  f.panels.push_back({.title = "The bridge rectifies: the resistor sees |v|",
                      .y_label = "voltage [V]",
                      .curves = {{"resistor", {"bridge.r[0]", "bridge.r[1]"}, 1, true},
                                 {"oscillator, v", {"oscillator.x[0]"}}}});
  f.panels.push_back({.title = "Inductor current",
                      .y_label = "current [mA]",
                      .curves = {{"i", {"oscillator.x[1]"}, 1e3}}});
  f.panels.push_back(
      {.title = "The diodes conduct in turn",
       .y_label = "current [mA]",
       .curves = {{"diode DF1", {"bridge.r[2]"}, 1e3}, {"diode DR2", {"bridge.r[3]"}, 1e3}}});
  return f;
}

Figure figure(const mechanics::BouncingBall& ball, double) {
  Figure f{.title = fmt::format("Bouncing ball dropped from {:.4g} m, restitution e = {:.4g}",
                                ball.height, ball.e),
           .panels = {}};
  f.panels.push_back({.title = "Height: bounces accumulate, then the ball rests",
                      .y_label = "z [m]",
                      .curves = {{"height", {"ball.q[0]"}}}});
  f.panels.push_back({.title = "Velocity: jumps at the impacts",
                      .y_label = "v [m/s]",
                      .curves = {{"velocity", {"ball.v[0]"}}}});
  f.panels.push_back({.title = "Percussion of the ground in each step",
                      .y_label = "r [N s]",
                      .curves = {{"percussion", {"ground.r[0]"}}}});
  return f;
}

/// A quantity of ten beads at most: first, first + stride, … (from 0).
Panel some_beads(const mechanics::BeadColumn& column, const char* letter, int first, int stride) {
  Panel panel{.title = "", .y_label = "", .curves = {}};
  for (int i = first, n = 0; i < column.count && n < 10; i += stride, ++n)
    panel.curves.push_back(
        {fmt::format("bead {}", i + 1), {fmt::format("bead.{}[{}]", letter, i)}});
  return panel;
}

Figure figure(const mechanics::BeadColumn& column, double h) {
  Panel heights = some_beads(column, "q", 0, 1);
  heights.title =
      fmt::format("The {} lowest beads land one after the other", heights.curves.size());
  heights.y_label = "height [m]";
  const double fall = column.drop + 9 * column.gap;
  if (column.gravity > 0) heights.until = 1.5 * std::sqrt(2 * fall / column.gravity);
  const int stride = std::max(1, column.count / 10);
  Panel velocities = some_beads(column, "v", stride - 1, stride);
  velocities.title = "Free fall until the impact: the column stops from the ground up";
  velocities.y_label = "velocity [m/s]";
  Panel forces{.title = "Contact forces at the end (at rest: the weight above)",
               .y_label = "force [N]",
               .curves = {{"force in the contact", {}, 1 / h}},
               .profile = true,
               .x_label = "number of the contact, from the ground up"};
  for (int i = 0; i < column.count; ++i)
    forces.curves.front().columns.push_back(fmt::format("contact{}.r[0]", i));
  return {.title = fmt::format("Column of {} beads falling on the ground, restitution e = {:.4g}",
                               column.count, column.e),
          .panels = {heights, velocities, forces}};
}

/// Heights of ten bodies at most.
Figure figure_of_bodies(const std::string& title, int count) {
  Panel heights{.title = "Heights of the centres of mass", .y_label = "z [m]", .curves = {}};
  Panel speeds{.title = "Vertical velocities", .y_label = "v [m/s]", .curves = {}};
  const int stride = std::max(1, count / 10);
  for (int i = 0, n = 0; i < count && n < 10; i += stride, ++n) {
    heights.curves.push_back(
        {fmt::format("body {}", i + 1), {fmt::format("bodies.q[{}]", 7 * i + 2)}});
    speeds.curves.push_back(
        {fmt::format("body {}", i + 1), {fmt::format("bodies.v[{}]", 6 * i + 2)}});
  }
  return {.title = title, .panels = {heights, speeds}};
}

Figure figure(const mechanics::PileOfSpheres& pile, double) {
  return figure_of_bodies(fmt::format("Pile of {} spheres, friction {:.4g}", pile.count, pile.mu),
                          pile.count);
}
Figure figure(const mechanics::PileOfBoxes& pile, double) {
  return figure_of_bodies(fmt::format("Pile of {} boxes, friction {:.4g}", pile.count, pile.mu),
                          pile.count);
}
Figure figure(const mechanics::PileOfCapsules& pile, double) {
  return figure_of_bodies(fmt::format("Pile of {} capsules, friction {:.4g}", pile.count, pile.mu),
                          pile.count);
}
Figure figure(const mechanics::BoxStack& stack, double) {
  return figure_of_bodies(fmt::format("Stack of {} boxes, friction {:.4g}", stack.count, stack.mu),
                          stack.count);
}
Figure figure(const mechanics::Wall& wall, double) {
  return figure_of_bodies(fmt::format("Wall of {} rows of {} bricks, friction {:.4g}", wall.rows,
                                      wall.columns, wall.mu),
                          wall.rows * wall.columns);
}
Figure figure(const mechanics::KaplaTower& tower, double) {
  return figure_of_bodies(
      fmt::format("Kapla tower of {} levels, friction {:.4g}", tower.levels, tower.mu),
      2 * tower.levels);
}
Figure figure(const mechanics::Arch& arch, double) {
  return figure_of_bodies(fmt::format("Arch of {} voussoirs, friction {:.4g}", arch.count, arch.mu),
                          arch.count);
}

/// Completes an entry with what follows from the parameter struct of the model.
template <Described T>
BuiltinModel with(const T& defaults, BuiltinModel entry) {
  entry.parameters = parameters_of(defaults);
  entry.make = [defaults](const Settings& settings, double h) {
    T chosen = defaults;
    apply(settings, chosen);
    BuiltinCase result{.model = chosen.model(), .parameters = describe(chosen)};
    if constexpr (requires { figure(chosen, h); }) result.figure = figure(chosen, h);
    if constexpr (requires(const Trajectory& run) { compare(chosen, run, h); })
      result.compare = [chosen, h](const Trajectory& run) { return compare(chosen, run, h); };
    return result;
  };
  return entry;
}

}  // namespace

/// To add a model: one entry here. Without a figure() above its first states are drawn; without a
/// compare() in exact_solutions the summary has no line `check`.
const std::vector<BuiltinModel>& builtin_models() {
  static const std::vector<BuiltinModel> models{
      with(circuits::DiodeBridge{},
           {.name = "diode_bridge",
            .title = "LC oscillator feeding a resistor through four ideal diodes",
            .shows = "an electrical circuit as a linear complementarity system",
            .step = 1e-6,
            .time = 5e-3,
            .solver = Lemke{}}),
      with(mechanics::BouncingBall{},
           {.name = "bouncing_ball",
            .title = "ball dropped on the ground",
            .shows = "impacts, and how time stepping passes their accumulation",
            .step = 5e-3,
            .time = 10,
            .solver = Lemke{}}),
      with(mechanics::BeadColumn{.count = 1000, .e = 0, .drop = 0.1, .gap = 0.01},
           {.name = "bead_column",
            .title = "column of 1000 beads falling on the ground",
            .shows = "thousands of simultaneous contacts that come to rest",
            .step = 2e-4,
            .time = 1.6,
            .every = 25}),
      with(mechanics::PileOfSpheres{},
           {.name = "pile_of_spheres",
            .title = "spheres falling into a box",
            .shows = "rigid bodies in space with friction, contacts found in every step",
            .step = 2e-3,
            .time = 1,
            .every = 5}),
      with(mechanics::PileOfBoxes{{.count = 64}},
           {.name = "pile_of_boxes",
            .title = "boxes falling into a box",
            .shows = "faces, edges and corners in contact with friction",
            .step = 2e-3,
            .time = 1,
            .every = 5}),
      with(mechanics::PileOfCapsules{{.count = 64}},
           {.name = "pile_of_capsules",
            .title = "capsules falling into a box",
            .shows = "rounded bodies in contact with friction",
            .step = 2e-3,
            .time = 1,
            .every = 5}),
      with(mechanics::BoxStack{},
           {.name = "box_stack",
            .title = "tower of boxes on level or tilted ground",
            .shows = "face contacts that stand still, or slide below the threshold of friction",
            .step = 5e-3,
            .time = 1}),
      with(mechanics::Wall{},
           {.name = "wall",
            .title = "wall of bricks in running bond, hit by a ball if it has a speed",
            .shows = "redundant contacts with friction",
            .step = 5e-3,
            .time = 1}),
      with(mechanics::KaplaTower{},
           {.name = "kapla_tower",
            .title = "a tower of planks, two on each level, crossing those below",
            .shows =
                "standing still on friction alone: --set tilt=0.2 with mu above or below tan(tilt)",
            .step = 5e-3,
            .time = 1.0}),
      with(mechanics::Arch{}, {.name = "arch",
                               .title = "semicircular masonry arch",
                               .shows = "a structure that stands by friction and shape",
                               .step = 5e-3,
                               .time = 1}),
  };
  return models;
}

const BuiltinModel& builtin_model(std::string_view name) {
  std::vector<std::string> known;
  for (const BuiltinModel& model : builtin_models()) {
    if (model.name == name) return model;
    known.push_back(model.name);
  }
  fail("model {}", unknown_name(name, known));
}

}  // namespace saltus
