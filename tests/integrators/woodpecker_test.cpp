// The woodpecker toy: a sleeve that jams on a pole, a spring, a bird that pecks at it. Friction,
// impacts, jamming; the motion is periodic with friction and a free fall without.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// q = (height y, angle of the sleeve φ_M, angle of the bird φ_S), small angles. Data of Glocker
/// (1995) and Leine, Glocker and van Campen (2003).
Model woodpecker(double mu) {
  const double m_M = 3e-4, J_M = 5e-9, m_S = 4.5e-3, J_S = 7e-7, c = 5.6e-3, g = 9.81;
  const double r_0 = 2.5e-3, r_M = 3.1e-3, h_M = 5.8e-3, l_M = 1e-2, l_G = 1.5e-2, h_S = 2e-2,
               l_S = 2.01e-2;
  Model model;
  const auto toy =
      model.add(LinearLagrangian{.M = {{m_S + m_M, m_S * l_M, m_S * l_G},
                                       {m_S * l_M, J_M + m_S * l_M * l_M, m_S * l_M * l_G},
                                       {m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G * l_G}},
                                 .K = {{0.0, 0.0, 0.0}, {0.0, c, -c}, {0.0, -c, c}},
                                 .F = {-(m_S + m_M) * g, -m_S * g * l_M, -m_S * g * l_G}},
                {.q = {0.0, -0.1036, -0.2788}, .v = {-0.3411, 0.0, -7.4583}}, "toy");
  model.link(toy,
             LinearRelation{.H = {{0.0, 0.0, -h_S}, {1.0, l_M, l_G - l_S}},
                            .b = {l_M + l_G - l_S - r_0, 0.0}},
             Coulomb{.mu = mu, .e = 0.5}, "beak");
  for (double side : {1.0, -1.0})
    model.link(
        toy, LinearRelation{.H = {{0.0, side * h_M, 0.0}, {1.0, r_M, 0.0}}, .b = {r_M - r_0, 0.0}},
        Coulomb{.mu = mu}, side > 0 ? "lower" : "upper");
  return model;
}

struct Pecking {
  int beak = 0, sleeve = 0;   ///< impacts of the beak, phases of contact of the sleeve
  std::vector<double> times;  ///< of the beak's impacts
  double fall = 0;            ///< [m]
};

Pecking peck(double mu, int steps_per_second, double end) {
  Simulation sim(woodpecker(mu), {}, {.step = 1.0 / steps_per_second});
  const Trajectory run = sim.run(end);
  EXPECT_TRUE(run.report.ok()) << run.report.message();
  Pecking count;
  for (Index k = 1; k < run.size(); ++k) {
    // an impact: the beak comes back, its velocity reversed
    if (run.r(k, 0) > 0 && run.u(k - 1, 0) < 0 && run.u(k, 0) > 0.01) {
      ++count.beak;
      count.times.push_back(run.t[k]);
    }
    for (Index row : {2, 4})
      if (run.r(k, row) > 0 && run.r(k - 1, row) == 0) ++count.sleeve;
  }
  count.fall = -run.q(run.size() - 1, 0);
  return count;
}

TEST(Woodpecker, TwoThousandStepsPerSecondSeeEveryImpactOfTheBeak) {  // TI:V-47
  const Pecking coarse = peck(0.3, 2000, 1.0);
  EXPECT_EQ(coarse.beak, 7);
  for (int steps : {4000, 8000, 16000}) EXPECT_EQ(peck(0.3, steps, 1.0).beak, coarse.beak) << steps;
}

TEST(Woodpecker, PecksPeriodicallyWithFrictionAndFallsWithout) {  // PL:C-04
  const Pecking with = peck(0.3, 20000, 3.0);
  ASSERT_GE(with.times.size(), 12u);
  // one peck per period; the last ten periods agree to a few steps
  const double period = (with.times.back() - *(with.times.end() - 11)) / 10;
  for (auto it = with.times.end() - 10; it != with.times.end(); ++it)
    EXPECT_NEAR(*it - *(it - 1), period, 20 / 20000.0);
  EXPECT_GT(period, 0.14);  // seven pecks a second
  EXPECT_LT(period, 0.15);
  EXPECT_LT(with.fall, 0.6);  // a free fall would be 44 m
  EXPECT_GT(peck(0.0, 2000, 1.0).fall, 0.5 * 9.81 * 0.8);
}

}  // namespace
}  // namespace saltus
