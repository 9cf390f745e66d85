// Passivity, positive realness, storage matrices and the three jump rules.

#include "saltus/analysis/passivity.hpp"

#include "analysis/circuits.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/integrators/state_jump.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <random>

namespace saltus {
namespace {

using testing::diode_circuit;
using testing::two_diodes;

double largest_eigenvalue(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues().maxCoeff();
}

TEST(Passivity, TellsTwoScalarsApart) {  // TI:V-24, TI:TI-087
  const Passivity yes = passivity({.A = {{-1}}, .B = {{1}}, .C = {{1}}});
  EXPECT_EQ(yes.passive, Answer::yes);
  EXPECT_NEAR(yes.P(0, 0), 1, 1e-12);  // PB = C' leaves no choice
  EXPECT_TRUE(yes.minimal() && yes.full_rank && yes.positive_definite);
  EXPECT_EQ(yes.positivity, Positivity::strict);
  const Passivity no = passivity({.A = {{1}}, .B = {{1}}, .C = {{1}}});
  EXPECT_EQ(no.passive, Answer::no);
  EXPECT_EQ(no.positivity, Positivity::none);
}

TEST(Passivity, OfTheTwoDiodeCircuit) {  // F:V26, F:F085, F:F200, F:B14
  const Lcs s = two_diodes();
  const Matrix P = Eigen::Vector3d(2, 2, 1).asDiagonal();  // diag(1/C4, L3, L2)
  EXPECT_LE((P * s.B - s.C.transpose()).norm(), 1e-15);
  const Matrix lmi = s.A.transpose() * P + P * s.A;
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(lmi).eigenvalues();
  EXPECT_LE((values - Values{-9.2361, -4.7639, 0}).cwiseAbs().maxCoeff(), 5e-5);
  EXPECT_LE(largest_eigenvalue(passivity_matrix(s, P)), 1e-14);
  const Passivity found = passivity(s);
  EXPECT_EQ(found.passive, Answer::yes);
  EXPECT_TRUE(found.positive_definite);
  EXPECT_LE((found.P * s.B - s.C.transpose()).norm(), 1e-9);
  EXPECT_LE(found.lmi_largest, 1e-6 * found.P.norm());  // ten tolerances of the search
  EXPECT_LE((s.C * s.B - (Matrix(2, 2) << 1.5, 0.5, 0.5, 0.5).finished()).norm(), 1e-15);
}

TEST(Passivity, OfTheFourCircuits) {  // F:F085, F:B14
  for (char which : {'a', 'b', 'c', 'd'}) {
    const Passivity found = passivity(diode_circuit(which, 10));
    EXPECT_EQ(found.passive, Answer::yes) << which << " " << found.violation;
    EXPECT_TRUE(found.minimal()) << which;
    // Passivity forbids a relative degree above one (F:C0-33).
    EXPECT_LE(relative_degree(diode_circuit(which, 10)).uniform(), 1);
  }
}

TEST(Passivity, HoldsForRandomPortHamiltonianSystems) {  // F:F200, TI:TI-087
  // ẋ = (J − R) Q x + G λ, w = Gᵀ Q x + S λ with J = −Jᵀ, R ≥ 0, Q > 0, S + Sᵀ ≥ 0: P = Q is a
  // storage matrix, of which the search knows nothing.
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const auto matrix = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  for (Index n = 2; n <= 5; ++n)
    for (Index rank : {Index{0}, Index{1}, n})  // lossless, degenerate and full damping
      for (bool direct : {false, true}) {
        const Index m = 1 + n / 3;
        const Matrix J = matrix(n, n), damper = matrix(n, rank), T = matrix(n, n), G = matrix(n, m);
        const Matrix Q = T * T.transpose() + 0.1 * Matrix::Identity(n, n);
        const Vector through = direct ? matrix(m, 1) : Matrix(Matrix::Zero(m, 1));
        const Lcs s{.A = (J - J.transpose() - damper * damper.transpose()) * Q,
                    .B = G,
                    .C = G.transpose() * Q,
                    .D = through * through.transpose()};
        const Passivity found = passivity(s);
        EXPECT_EQ(found.passive, Answer::yes) << n << " " << rank << " " << found.violation;
        Lcs wrong = s;  // no eigenvalue in the left half plane
        wrong.A += s.A.norm() * Matrix::Identity(n, n);
        EXPECT_EQ(passivity(wrong).passive, Answer::no) << n << " " << rank;
      }
}

TEST(Passivity, FailsAboveRelativeDegreeOne) {  // F:C0-33
  const Lcs ball{.A = {{0, 1}, {0, 0}}, .B = {{0}, {1}}, .C = {{1, 0}}};
  EXPECT_EQ(passivity(ball).passive, Answer::no);
  const Lcs damped{.A = {{-1, 1}, {0, -2}}, .B = {{0}, {1}}, .C = {{1, 0}}};  // 1/((s+1)(s+2))
  EXPECT_EQ(passivity(damped).passive, Answer::no);
  EXPECT_EQ(positivity(damped), Positivity::none);
}

TEST(Positivity, SeparatesTheFiveKinds) {  // F:F085
  // (s + 3)/((s + 1)(s + 2)): Re H > 0, and ω² Re H → 1 + 2 − 3 = 0: weakly only.
  EXPECT_EQ(positivity({.A = {{0, 1}, {-2, -3}}, .B = {{0}, {1}}, .C = {{3, 1}}}),
            Positivity::weakly_strict);
  // (s + 2.5)/((s + 1)(s + 2)): the limit is ½.
  EXPECT_EQ(positivity({.A = {{0, 1}, {-2, -3}}, .B = {{0}, {1}}, .C = {{2.5, 1}}}),
            Positivity::strict);
  // (s + 4)/((s + 1)(s + 2)): the limit is −1.
  EXPECT_EQ(positivity({.A = {{0, 1}, {-2, -3}}, .B = {{0}, {1}}, .C = {{4, 1}}}),
            Positivity::none);
  EXPECT_EQ(positivity({.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{0.1}}}), Positivity::strong);
  // s/(s + 1) = 1 − 1/(s + 1) vanishes at ω = 0.
  EXPECT_EQ(positivity({.A = {{-1}}, .B = {{1}}, .C = {{-1}}, .D = {{1}}}),
            Positivity::positive_real);
  // A lossless oscillator: poles on the axis.
  const Passivity lossless = passivity({.A = {{0, 1}, {-4, 0}}, .B = {{0}, {1}}, .C = {{0, 1}}});
  EXPECT_EQ(lossless.passive, Answer::yes);
  EXPECT_EQ(lossless.positivity, Positivity::positive_real);
  EXPECT_NEAR(lossless.P(0, 0), 4, 1e-5);  // AᵀP + PA = 0, PB = C' has one solution, diag(4, 1)
}

TEST(Positivity, AgreesWithTheStorageMatrix) {  // F:F200
  // The family (s + c)/((s + 1)(s + 2)) + d is positive real up to some c that grows with d.
  for (double d : {0.0, 0.05, 0.2})
    for (double c : {0.5, 2.0, 2.9, 3.3, 3.8, 5.0, 9.0}) {
      const Lcs s{.A = {{0, 1}, {-2, -3}}, .B = {{0}, {1}}, .C = {{c, 1}}, .D = {{d}}};
      EXPECT_EQ(passivity(s).passive == Answer::yes, positivity(s) != Positivity::none)
          << c << " " << d;
    }
}

TEST(StorageBounds, EncloseEveryStorageMatrix) {  // F:F200
  const Lcs s{.A = {{0, 1}, {-2, -3}}, .B = {{0}, {1}}, .C = {{2, 1}}, .D = {{0.5}}};
  const StorageBounds bounds = storage_bounds(s);
  ASSERT_TRUE(bounds.exist);
  for (const Matrix& P : {bounds.least, bounds.most}) {  // the Riccati equation: rank m
    const Matrix M = passivity_matrix(s, P);
    EXPECT_LE(largest_eigenvalue(M), 1e-12);
    EXPECT_LE(std::abs(M.determinant()), 1e-11);
  }
  const Matrix P = passivity(s).P;
  EXPECT_LE(largest_eigenvalue(bounds.least - P), 1e-9);
  EXPECT_LE(largest_eigenvalue(P - bounds.most), 1e-9);
  // By hand: −1, 1, 1, 1 has P² − 6P + 1 = 0.
  const StorageBounds scalar = storage_bounds({.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{1}}});
  EXPECT_NEAR(scalar.least(0, 0), 3 - std::sqrt(8.0), 1e-13);
  EXPECT_NEAR(scalar.most(0, 0), 3 + std::sqrt(8.0), 1e-12);
  EXPECT_ERROR(storage_bounds(two_diodes()), "not positive definite");
}

TEST(StateJump, RulesAgreeOnTheTwoDiodeCircuit) {  // F:V26, F:F201, F:F202, F:F203, F:B14
  const Lcs s = two_diodes();
  struct Case {
    Values before, after, lambda;
  };
  const Case cases[] = {{{1, -1, 0.5}, {1, 0, 0}, {0.5, 1.5}},
                        {{0, 1, 2}, {0, 4.0 / 3, 4.0 / 3}, {2.0 / 3, 0}},
                        {{0, -1, -2}, {0, 0, -2}, {0, 2}}};
  const Matrix given = Eigen::Vector3d(2, 2, 1).asDiagonal(), found = passivity(s).P;
  for (const Case& c : cases)
    for (JumpRule rule : {JumpRule::cone, JumpRule::state, JumpRule::multiplier})
      for (const Matrix& P : {given, found}) {  // the choice of P does not matter
        const StateJump jump = consistent_jump(s, c.before, rule, P);
        ASSERT_TRUE(jump.report.converged()) << name(rule);
        EXPECT_LE((jump.x - c.after).norm(), 1e-7) << name(rule);
        EXPECT_LE((jump.lambda - c.lambda).norm(), 1e-7) << name(rule);
      }
  // A consistent state stays where it is, up to the rounding of the final basis.
  EXPECT_LE((consistent_jump(s, Values{3, 2, 1}).x - Values{3, 2, 1}).norm(), 1e-14);
}

TEST(StateJump, IsAProjectionOfTheSweepingProcess) {  // F:F204, F:B15, F:C0-30
  Lcs s = two_diodes();
  s.b = Values{-0.2, 0.1};
  const Matrix P = Eigen::Vector3d(2, 2, 1).asDiagonal();
  const SweepingForm form = to_sweeping(s, P, {1, -1, 0.5});
  const Matrix& C = form.process.A;
  Vector b(2);
  form.process.b(0, b);
  const Vector before = Values{1, -1, 0.5};
  const Vector z = form.process.x0, after = form.root * consistent_jump(s, before).x;
  EXPECT_GE((C * after + b).minCoeff(), -1e-12);
  // −(z⁺ − z) ∈ N_K(z⁺): the step is C'γ with γ ≥ 0 on the active rows.
  const Vector gamma = C.transpose().colPivHouseholderQr().solve(after - z);
  EXPECT_LE((C.transpose() * gamma - (after - z)).norm(), 1e-12);
  EXPECT_GE(gamma.minCoeff(), -1e-12);
  EXPECT_NEAR(gamma.dot(C * after + b), 0, 1e-12);
  const Matrix A = form.root * s.A * form.root.inverse();
  const Matrix symmetric = A + A.transpose();  // monotone in these coordinates
  EXPECT_LE(largest_eigenvalue(symmetric), 1e-12);
  EXPECT_ERROR(to_sweeping(s, Matrix::Identity(3, 3), {1, -1, 0.5}), "must be equal");
}

TEST(StateJump, DirectFeedthroughPreventsIt) {  // F:F018, F:B14
  const Lcs regular{.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{1}}};
  EXPECT_EQ(consistent_jump(regular, Values{-5}).x, (Values{-5}));
  // D = diag(1, 0): only the second pair can carry an impulse.
  const Lcs half{
      .A = {{-1, 0}, {0, -1}}, .B = {{1, 0}, {0, 1}}, .C = {{1, 0}, {0, 1}}, .D = {{1, 0}, {0, 0}}};
  for (JumpRule rule : {JumpRule::cone, JumpRule::state, JumpRule::multiplier}) {
    const StateJump jump = consistent_jump(half, Values{-3, -2}, rule, Matrix::Identity(2, 2));
    EXPECT_LE((jump.x - Values{-3, 0}).norm(), 1e-9) << name(rule);
    EXPECT_LE((jump.lambda - Values{0, 2}).norm(), 1e-9) << name(rule);
  }
  // A gyrator, D = −D': Q_D = {λ ≥ 0 : λ₂ ≥ 0, −λ₁ ≥ 0} = {(0, λ₂)}.
  const ComplementaryCone cone = complementary_cone(Rows{{0, 1}, {-1, 0}});
  EXPECT_EQ(cone.V.cols(), 2);
  EXPECT_TRUE((cone.G * Values{0, 1}).minCoeff() >= 0);
  EXPECT_FALSE((cone.G * Values{1, 1}).minCoeff() >= 0);
  EXPECT_ERROR(complementary_cone(Rows{{-1}}), "eigenvalue -2");
}

TEST(StateJump, EqualsTheFirstImpulseOfBackwardEuler) {  // TI:V-23, F:V04
  EXPECT_NEAR(consistent_jump({.A = {{-1}}, .B = {{1}}, .C = {{1}}}, Values{-1}).lambda[0], 1, 0);
  const StateJump circuit = consistent_jump(diode_circuit('d', 10), Values{1, -1});
  EXPECT_LE((circuit.x - Values{1, 0}).norm(), 1e-15);
  EXPECT_NEAR(circuit.lambda[0], 1, 1e-15);
}

}  // namespace
}  // namespace saltus
