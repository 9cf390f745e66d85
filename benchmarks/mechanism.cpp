// Our side of benchmarks/mechanism.py: times the time loop of a chain of rigid links on the ground
// and prints one JSON line, see compare.py. The model is that of peers/siconos/chain.py: ball
// joints between neighbours, four feet under each link, joints that move sideways at the start.
// With --friction the joints are upright hinges with that dry friction [N m].
//
//     saltus-bench-mechanism chain [--N 100] [--T 0.02] [--h 1e-3] [--tolerance 1e-8] …

#include "saltus/base/stopwatch.hpp"
#include "saltus/mechanics/collision/contact_scene.hpp"
#include "saltus/mechanics/joint_list.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>
#include <ctime>
#include <map>
#include <numbers>
#include <string>

namespace {

using namespace saltus;
using mechanics::Vector3;

struct Arguments {
  std::map<std::string, double> given;
  [[nodiscard]] double operator()(const std::string& key, double standard) const {
    const auto it = given.find(key);
    return it == given.end() ? standard : it->second;
  }
};

constexpr double length = 0.2, mass = 1, foot = 0.02, reach = 0.08, width = 0.04, height = 0.05;

Model chain(const Arguments& a) {
  const auto n = static_cast<Index>(a("N", 100));
  RigidBodies links{
      .m = Vector::Constant(n, mass), .inertia = Matrix(n, 3), .gravity = {0, 0, -9.81}};
  Vector q(7 * n), v = Vector::Zero(6 * n);
  const auto sideways = [&](Index i) {
    return a("speed", 0.5) * std::sin(2 * std::numbers::pi * double(i) / a("wave", 10));
  };
  for (Index i = 0; i < n; ++i) {
    links.inertia.row(i) << 0.0008, 0.004, 0.004;
    q.segment<7>(7 * i) = positions_of({(double(i) + 0.5) * length, 0, height});
    v[6 * i + 1] = (sideways(i) + sideways(i + 1)) / 2;
    v[6 * i + 5] = (sideways(i + 1) - sideways(i)) / length;
  }
  Model model;
  const SystemId pool = model.add(std::move(links), {.q = q, .v = v}, "links");
  const mechanics::Material rough{.mu = a("mu", 0.3)};
  mechanics::ContactScene scene;
  scene.add(Endpoint{}, mechanics::Plane{}, rough);
  mechanics::JointList joints;
  for (Index i = 0; i < n; ++i) {
    for (const double x : {-reach, reach})
      for (const double y : {-width, width})
        scene.add(Endpoint(pool, i), mechanics::Sphere{.radius = foot}, rough,
                  {.x = {x, y, foot - height}});
    if (i == 0) continue;
    const Vector3 joint(double(i) * length, 0, height);
    if (a("friction", 0) > 0)
      joints.hinge(i - 1, i, joint, Vector3::UnitZ(), {.friction = a("friction", 0)});
    else
      joints.ball(i - 1, i, joint);
    scene.ignore(Endpoint(pool, i - 1), Endpoint(pool, i));
  }
  model.add(std::move(scene));
  joints.enter(model, pool);
  return model;
}

Model hinges(const Arguments& a) {
  const auto n = static_cast<Index>(a("N", 100));
  RigidBodies links{
      .m = Vector::Constant(n, mass), .inertia = Matrix(n, 3), .gravity = {0, 0, -9.81}};
  Vector q(7 * n);
  mechanics::JointList joints;
  for (Index i = 0; i < n; ++i) {
    links.inertia.row(i) << 0.0008, 0.004, 0.004;
    q.segment<7>(7 * i) = positions_of({(double(i) + 0.5) * length, 0, 0});
    joints.hinge(i - 1, i, {double(i) * length, 0, 0}, {0, 1, 0},
                 {.friction = a("friction", 0.05)});
  }
  Model model;
  const SystemId pool = model.add(std::move(links), {.q = q, .v = Vector::Zero(6 * n)}, "links");
  joints.enter(model, pool);
  return model;
}

std::string final_state(const Simulation& sim) {
  const State& s = sim.state();
  const Index n = s.v.size() / 6;
  double square = 0;
  for (Index i = 0; i < n; ++i) square += s.v[6 * i + 1] * s.v[6 * i + 1] / double(n);
  const Index middle = n / 3, last = n - 1;
  return fmt::format(
      R"("y": [{}, {}, {}], "vy": [{}, {}, {}], "speed": {}, "height": [{}, {}, {}])", s.q[1],
      s.q[7 * middle + 1], s.q[7 * last + 1], s.v[1], s.v[6 * middle + 1], s.v[6 * last + 1],
      std::sqrt(square), s.q[2], s.q[7 * middle + 2], s.q[7 * last + 2]);
}

int run(const std::string& name, const Arguments& a) {
  require(name == "chain" || name == "hinges", "no case '{}'; known: chain, hinges", name);
  const double h = a("h", 1e-3);
  const MoreauJean scheme{
      .theta = a("theta", 0.5),
      .solver = CoulombCascade{.tolerance = a("tolerance", 1e-8), .threads = 1}};
  const long steps = std::lround(a("T", 0.02) / h), warmup = long(a("warmup", 1));
  const Model model = name == "chain" ? chain(a) : hinges(a);
  double best = inf, best_cpu = inf, residual = 0;
  std::string state;
  for (int repeat = 0; repeat < int(a("repeat", 1)); ++repeat) {
    Simulation sim(model, scheme, {.step = h});
    Stopwatch watch;
    std::clock_t cpu = std::clock();
    for (long k = 0; k < steps; ++k) {
      if (k == warmup) {
        watch.lap();
        cpu = std::clock();
      }
      const StepReport report = sim.advance();
      require(report.done(), "step {} failed: {}, residual {}", k, saltus::name(report.status),
              report.solve.residual);
      residual = std::max(residual, report.solve.residual);
    }
    best = std::min(best, watch.seconds());
    best_cpu = std::min(best_cpu, double(std::clock() - cpu) / CLOCKS_PER_SEC);
    state = final_state(sim);
  }
  fmt::print(
      R"({{"case": "{}", "steps": {}, "seconds": {}, "cpu_seconds": {}, "final": {{{}}}, "ok": true, )"
      R"("note": "worst residual {:.1e}"}})"
      "\n",
      name, steps - warmup, best, best_cpu, state, residual);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Arguments a;
    for (int i = 2; i + 1 < argc; i += 2)
      a.given[std::string(argv[i]).substr(2)] = std::stod(argv[i + 1]);
    return run(argc > 1 ? argv[1] : "", a);
  } catch (const std::exception& error) {
    fmt::print(stderr, "saltus-bench-mechanism: {}\n", error.what());
    return 2;
  }
}
