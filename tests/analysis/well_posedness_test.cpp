// Which theorem of well-posedness applies, and one-sided Lipschitz constants of set-valued maps.

#include "saltus/analysis/well_posedness.hpp"

#include "analysis/circuits.hpp"
#include "analysis/integrator_chain.hpp"
#include "saltus/analysis/set_valued_map.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

using testing::diode_circuit;
using testing::integrator_chain;

const Theorem& theorem(const WellPosedness& all, const std::string& name) {
  for (const Theorem& t : all.theorems)
    if (t.name == name) return t;
  ADD_FAILURE() << name;
  return all.theorems.front();
}

TEST(WellPosedness, NamesTheTheoremOfALinearComplementaritySystem) {  // F:B31, F:F196, F:F197
  const WellPosedness a = well_posedness(diode_circuit('a', 10));
  EXPECT_EQ(theorem(a, "Lipschitz ODE").applies, Answer::yes);
  EXPECT_EQ(theorem(a, "passive system").applies, Answer::yes);
  EXPECT_EQ(theorem(a, "degree one").applies, Answer::no);
  EXPECT_TRUE(a.existence() && a.uniqueness());
  const WellPosedness c = well_posedness(diode_circuit('c', 10));
  EXPECT_EQ(theorem(c, "Lipschitz ODE").applies, Answer::no);
  EXPECT_EQ(theorem(c, "degree one").applies, Answer::yes);
  EXPECT_EQ(theorem(c, "passive system").applies, Answer::yes);
  EXPECT_EQ(theorem(c, "evolution VI").applies, Answer::yes);  // L = 1: B = C'
  const WellPosedness three = well_posedness(integrator_chain(3, 3));
  EXPECT_EQ(theorem(three, "sweeping process of higher order").applies, Answer::yes);
  EXPECT_EQ(theorem(three, "passive system").applies, Answer::no);
  EXPECT_NE(three.text().find("CA^(r-1)B = 1 > 0"), std::string::npos) << three.text();
}

TEST(WellPosedness, SaysThatNoneApplies) {  // F:B31, F:V49
  const WellPosedness none = well_posedness({.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{-1}}});
  EXPECT_FALSE(none.existence() || none.uniqueness());
  EXPECT_NE(none.text().find("no theorem applies"), std::string::npos);
  EXPECT_NE(none.text().find("\"D is a P-matrix\" fails"), std::string::npos) << none.text();
  Lcs wrong = integrator_chain(3, 3);  // Δ < 0: the multiplier pulls
  wrong.B *= -1;
  EXPECT_FALSE(well_posedness(wrong).existence());
}

TEST(WellPosedness, SeveralOutputsNeedAStieltjesMatrix) {  // F:B31, F:F020, F:F213
  Lcs s{.A = Matrix::Zero(4, 4), .B = Matrix::Zero(4, 2), .C = Matrix::Zero(2, 4)};
  s.A.topRightCorner(2, 2).setIdentity();
  s.C.leftCols(2).setIdentity();
  s.B.bottomRows(2) << 2, -1, -1, 2;
  const std::string name = "sweeping process of higher order";
  EXPECT_EQ(theorem(well_posedness(s), name).applies, Answer::yes);
  s.B.bottomRows(2) << 2, 1, 1, 2;  // positive definite, but no M-matrix
  const WellPosedness positive = well_posedness(s);
  EXPECT_EQ(theorem(positive, name).applies, Answer::no);
  EXPECT_NE(theorem(positive, name).reason.find("M-matrix"), std::string::npos);
}

TEST(WellPosedness, LooksUpInclusionsByTheirTraits) {  // F:B31, F:F021
  Traits relay{.closed_convex = Answer::yes,
               .lipschitz = Answer::no,
               .upper_semicontinuous = Answer::yes,
               .linear_growth = Answer::yes,
               .uniform_one_sided = Answer::yes};
  EXPECT_TRUE(well_posedness(relay).existence() && well_posedness(relay).uniqueness());
  relay.uniform_one_sided = Answer::no;  // ẋ ∈ sgn(x)
  EXPECT_TRUE(well_posedness(relay).existence());
  EXPECT_FALSE(well_posedness(relay).uniqueness());
  relay.linear_growth = Answer::unknown;
  EXPECT_FALSE(well_posedness(relay).existence());
  EXPECT_NE(well_posedness(relay).text().find("\"linear growth\" is not known"), std::string::npos);
  const Traits sweeping{.formalism = Formalism::sweeping_process,
                        .closed_convex = Answer::yes,
                        .lipschitz = Answer::no,
                        .start_admissible = Answer::yes,
                        .bounded_variation = Answer::yes};
  const WellPosedness found = well_posedness(sweeping);
  EXPECT_EQ(theorem(found, "Lipschitz sweeping process").applies, Answer::no);
  EXPECT_TRUE(found.existence() && found.uniqueness());
  const Traits smooth{.formalism = Formalism::frictionless_lagrangian, .analytic = Answer::no};
  EXPECT_FALSE(well_posedness(smooth).uniqueness());  // C∞ data alone: many solutions
  for (Formalism formalism :
       {Formalism::maximal_monotone, Formalism::evolution_vi, Formalism::switching_surface,
        Formalism::dissipative_nonlinear, Formalism::impulsive_ode}) {
    const WellPosedness nothing = well_posedness(Traits{.formalism = formalism});
    EXPECT_FALSE(nothing.theorems.empty()) << name(formalism);
    EXPECT_FALSE(nothing.existence() || nothing.uniqueness()) << name(formalism);
  }
}

TEST(SolutionClass, FollowsTheRelativeDegree) {  // F:F195, TI:TI-149, TI:V-20
  EXPECT_EQ(solution_class(diode_circuit('a', 1)).order_of_discontinuity, 1);
  EXPECT_EQ(solution_class(diode_circuit('c', 1)).order_of_discontinuity, 0);
  EXPECT_TRUE(solution_class(diode_circuit('c', 1)).backward_euler);
  EXPECT_EQ(solution_class(integrator_chain(3, 2)).order_of_discontinuity, -1);
  const SolutionClass five = solution_class(integrator_chain(5, 5));
  EXPECT_EQ(five.order_of_discontinuity, -4);
  EXPECT_EQ(five.scheme, "Emts");
  EXPECT_NE(five.solutions.find("up to order 4"), std::string::npos);
  EXPECT_NO_THROW(require_point_multipliers(diode_circuit('c', 1), "BackwardEuler"));
  EXPECT_ERROR(require_point_multipliers(integrator_chain(3, 2), "BackwardEuler"),
               "BackwardEuler: the relative degree is 2");
  EXPECT_ERROR((void)to_model(integrator_chain(3, 3), {0, 1, 0}), "use Emts");
  EXPECT_ERROR((void)MixedLcs{integrator_chain(3, 2)}.model({0, 1, 0}), "use Emts");
}

double sgn_lower(double x) { return x > 0 ? 1 : -1; }
double sgn_upper(double x) { return x < 0 ? -1 : 1; }

TEST(SetValuedMap, ClassifiesTheMapsOfTheCard) {  // F:V16, F:F048, F:F056, F:F057, F:F050
  const std::vector<double> kink{0};
  const auto constants = [&](const IntervalMap& F) { return lipschitz_constants(F, -1, 1, kink); };
  const auto cone = constants([](double x) {  // [bx, ax] with a = 3, b = 1
    return ValueInterval{std::min(x, 3 * x), std::max(x, 3 * x)};
  });
  EXPECT_NEAR(cone.lipschitz, 3, 1e-12);
  const auto sgn = constants([](double x) { return ValueInterval{sgn_lower(x), sgn_upper(x)}; });
  EXPECT_EQ(sgn.lipschitz, inf);
  EXPECT_EQ(sgn.one_sided, inf);
  EXPECT_NEAR(sgn.growth, 1, 1e-12);
  const auto minus = constants([](double x) {
    return ValueInterval{-sgn_upper(x), -sgn_lower(x)};
  });
  EXPECT_EQ(minus.lipschitz, inf);
  EXPECT_NEAR(minus.uniform_one_sided, 0, 1e-12);
  const auto third = constants([](double x) {
    return x < 0 ? ValueInterval{0, 1} : ValueInterval{-1, 1};
  });
  EXPECT_NEAR(third.one_sided, 0, 1e-12);
  EXPECT_EQ(third.uniform_one_sided, inf);
  const auto fourth = constants([](double x) {
    return ValueInterval{-std::cbrt(x) - 1, -std::cbrt(x) + 1};
  });
  EXPECT_LE(fourth.one_sided, 0);
  EXPECT_EQ(fourth.lipschitz, inf);
  EXPECT_EQ(fourth.uniform_one_sided, inf);
  const auto cone_of_halfline = constants([](double x) {  // −N_{R+}
    return x > 0 ? ValueInterval{0, 0} : x == 0 ? ValueInterval{0, inf} : ValueInterval{};
  });
  EXPECT_EQ(cone_of_halfline.growth, inf);
  EXPECT_ERROR(lipschitz_constants(nullptr, 1, -1, kink), "[1, -1]");
}

TEST(SetValuedMap, DirectionalDerivativeOfTheDistanceIsOneSided) {  // F:C0-16, F:F056
  // d/dh |x₁ − x₂ + h(y₁ − y₂)| ≤ L |x₁ − x₂| is the one-sided inequality, here with L = −1; it
  // does not bound |y₁ − y₂|, as printed
  const std::vector<double> jump{0};
  const LipschitzConstants all = lipschitz_constants(
      [](double x) {
        return ValueInterval{-x - sgn_upper(x), -x - sgn_lower(x)};
      },
      -1, 1, jump);
  EXPECT_NEAR(all.uniform_one_sided, -1, 2e-6);  // rounding over distances of 2e-10
  EXPECT_EQ(all.lipschitz, inf);
  const double h = 1e-6;  // too small for a change of sign: the quotient is exact up to rounding
  for (const double x1 : {-0.7, -0.1, 0.05, 0.6})
    for (const double x2 : {-0.9, -0.2, 0.01, 0.8}) {
      const double y1 = -x1 - sgn_upper(x1), y2 = -x2 - sgn_upper(x2);
      const double rate = (std::abs(x1 - x2 + h * (y1 - y2)) - std::abs(x1 - x2)) / h;
      EXPECT_LE(rate, all.uniform_one_sided * std::abs(x1 - x2) + 1e-9);
      if (x1 * x2 < 0) {
        EXPECT_GT(std::abs(y1 - y2), std::abs(all.uniform_one_sided) * std::abs(x1 - x2) + 1);
      }
    }
}

TEST(SetValuedMap, OneSidedConstantBoundsTheDistanceOfSolutions) {  // F:F206, F:F208
  // In the metric of its storage matrix the two-diode circuit contracts, in that of x it does not
  // have to.
  const Matrix A = testing::two_diodes().A;
  EXPECT_LE(one_sided_lipschitz(A, Eigen::Vector3d(2, 2, 1).asDiagonal().toDenseMatrix()), 1e-12);
  EXPECT_NEAR(one_sided_lipschitz(Rows{{-2, 0}, {0, 1}}, Matrix::Identity(2, 2)), 1, 1e-14);
  EXPECT_ERROR(one_sided_lipschitz(A, -Matrix::Identity(3, 3)), "not positive definite");
}

TEST(Lyapunov, RateOverTheHullOfFields) {  // F:F212, F:C0-27
  // Two masses, one spring, dry friction μ at zero velocity: V̇ = −μ(|v1| + |v2|) for every
  // selection.
  const double k = 1, mu = 0.1, q1 = 0.3, q2 = -0.1, v2 = 0.5;
  Matrix fields(4, 2);  // v1 = 0: friction on the first mass takes any value in [−μ, μ]
  fields << 0, 0, v2, v2, -k * (q1 - q2) + mu, -k * (q1 - q2) - mu, k * (q1 - q2) - mu,
      k * (q1 - q2) - mu;
  const Vector gradient = Values{k * (q1 - q2), -k * (q1 - q2), 0, v2};
  const ValueInterval rate = lyapunov_rate(gradient, fields);
  EXPECT_NEAR(rate.lower, -mu * v2, 1e-15);
  EXPECT_NEAR(rate.upper, -mu * v2, 1e-15);
}

TEST(Lyapunov, MatrixSolvesItsEquation) {  // F:F212
  const Matrix A = (Matrix(3, 3) << -1, 2, 0, -2, -1, 1, 0, 0, -3).finished();
  const Matrix Q = (Matrix(3, 3) << 2, 1, 0, 1, 3, 0, 0, 0, 1).finished();
  const Matrix P = lyapunov_matrix(A, Q);
  EXPECT_LE((A.transpose() * P + P * A + Q).norm(), 1e-13);
  EXPECT_ERROR(lyapunov_matrix(Rows{{1, 0}, {0, -1}}, Matrix::Identity(2, 2)), "add up to zero");
}

}  // namespace
}  // namespace saltus
