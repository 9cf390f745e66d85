// The woodpecker toy: a sleeve with play on a pole, a spring, a bird. It hacks its way down by
// impacts and by friction that jams the sleeve; without friction it just falls.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <algorithm>

using namespace saltus;

namespace {

constexpr double time_step = 1e-4;

// q = (y, φ_M, φ_S): height of the sleeve, angles of sleeve and bird. Data: Leine, Glocker & van
// Campen 2003.
Trajectory simulate(double mu, double end_time) {
  const double m_M = 0.0003, J_M = 5e-9, m_S = 0.0045, J_S = 7e-7, c = 0.0056, g = 9.81;
  const double r_0 = 0.0025, r_M = 0.0031, h_M = 0.0058, l_M = 0.010, l_G = 0.015, h_S = 0.02,
               l_S = 0.0201;
  Model model;
  const auto toy =
      model.add(LinearLagrangian{.M = {{m_S + m_M, m_S * l_M, m_S * l_G},
                                       {m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G},
                                       {m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G}},
                                 .K = {{0, 0, 0}, {0, c, -c}, {0, -c, c}},
                                 .F = {-(m_S + m_M) * g, -m_S * g * l_M, -m_S * g * l_G}},
                {.q = {0, -0.1036, -0.2788}, .v = {-0.3411, 0, -7.4583}}, "toy");
  // Each contact: gap, and the sliding velocity along the pole.
  model.link(
      toy,
      LinearRelation{.H = {{0, 0, -h_S}, {1, l_M, l_G - l_S}}, .b = {l_M + l_G - l_S - r_0, 0}},
      Coulomb{.mu = mu, .e = 0.5}, "beak");
  model.link(toy, LinearRelation{.H = {{0, h_M, 0}, {1, r_M, 0}}, .b = {r_M - r_0, 0}},
             Coulomb{.mu = mu}, "lower");
  model.link(toy, LinearRelation{.H = {{0, -h_M, 0}, {1, r_M, 0}}, .b = {r_M - r_0, 0}},
             Coulomb{.mu = mu}, "upper");
  return Simulation(model, MoreauJean{.theta = 0.5}, {.step = time_step}).run(end_time);
}

}  // namespace

int main() {
  const Trajectory run = simulate(0.3, 2), smooth = simulate(0, 0.5);
  std::vector<double> times;  // the bird swings through its rest towards the pole
  for (Index k = 1; k < run.size(); ++k)
    if (run.q(k - 1, 2) < 0 && run.q(k, 2) >= 0) times.push_back(run.t[k]);
  double shortest = inf, longest = 0;
  for (std::size_t k = times.size() - 7; k < times.size(); ++k) {
    shortest = std::min(shortest, times[k] - times[k - 1]);
    longest = std::max(longest, times[k] - times[k - 1]);
  }
  const double fall = -smooth.q(smooth.size() - 1, 0), way = -run.q(5000, 0);
  fmt::print(
      "{}\nperiods of {:.4f} to {:.4f} s\nwithout friction it falls {:.3f} m in 0.5 s, with "
      "friction {:.3f} m\n",
      run.report.message(), shortest, longest, fall, way);
  // The periods agree to some steps, whose number does not depend on the step.
  return run.report.ok() && longest - shortest < 20 * time_step && shortest > 0.1 && fall > 5 * way
             ? 0
             : 1;
}
