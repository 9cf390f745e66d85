// Errors, certificate, status and diagnostics of contact problems. Covers FS:FS-03, FS:FS-08,
// FS:FS-10, FS:FS-30, FS:FS-110, FS:FS-111, FS:FS-115, FS:V4, FS:V6, FS:V13, FS:V14, FS:V15.
#include "saltus/problems/friction_measures.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/soclcp.hpp"
#include "support/expect_error.hpp"
#include "support/tower.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <random>

namespace saltus {
namespace {

BlockForm one_contact(const Matrix& W, const Vector& q, const BlockSet& K) {
  return {BlockSparse::dense(W), q, {K}};
}

BlockForm unit_contact(const Vector& q, double mu) {
  return one_contact(Matrix::Identity(3, 3), q, FrictionCone{mu});
}

/// FS:V7 and FS:V8 (sliding), their solutions to the digits of the card.
BlockForm coupled() {
  return one_contact(Rows{{1, .2, -.1}, {.2, 1.5, .3}, {-.1, .3, .8}}, Values{-1, .6, -.4},
                     FrictionCone{.3});
}
Vector coupled_solution() { return Values{1.0699203022, -.2472815867, .2046398486}; }
BlockForm unsymmetric() {
  return one_contact(Rows{{1, .5, 0}, {-.5, 1, .8}, {0, -.8, 1}}, Values{-1, 1, .5},
                     FrictionCone{.3});
}
Vector unsymmetric_solution() { return Values{1.0583683313, -.1167366627, -.2952718558}; }

/// Box on an incline on its four corners, FS:V10: W is 12×12 of rank 6.
GlobalBlockForm box(double mu) {
  GlobalFrictionContact problem;
  const double inertia = 0.1041667, h_g = 0.0981, slope = std::atan(0.5);
  const Vector mass = Values{1, 1, 1, inertia, inertia, 0.1666667};
  problem.M = Matrix(mass.asDiagonal()).sparseView();
  Matrix H = Matrix::Zero(6, 12);
  Index column = 0;
  for (const double x : {-.5, .5})
    for (const double y : {-.5, .5}) {
      const Eigen::Vector3d arm(x, y, -.25);
      const Eigen::Vector3d frame[] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                       Eigen::Vector3d::UnitY()};
      for (const Eigen::Vector3d& direction : frame) {
        H.col(column).head(3) = direction;
        H.col(column++).tail(3) = arm.cross(direction);
      }
    }
  problem.H = H.sparseView();
  problem.f = Values{h_g * std::sin(slope), 0, -h_g * std::cos(slope), 0, 0, 0};
  problem.w = Vector::Zero(12);
  problem.mu = Vector::Constant(4, mu);
  return to_global_block_form(problem);
}

TEST(FrictionErrors, VanishAtTakeOff) {  // FS:V4
  const BlockForm problem = unit_contact(Values{1, -.5, .3}, .5);
  const Vector r = Vector::Zero(3);
  const FrictionErrors errors = friction_errors(problem, r);
  EXPECT_EQ(errors.e1, 0);
  EXPECT_EQ(errors.e2, 0);
  EXPECT_EQ(errors.self_stress, 0);
  const double u[] = {1, -.5, .3};
  EXPECT_NEAR(u[0] + shift(problem.K[0], 3, u), 1.2915475947, 1e-10);
  const FrictionCertificate certificate = friction_certificate(problem, r);
  EXPECT_EQ(contact_status(problem.K, block_sizes(problem), certificate).front(),
            ContactStatus::open);
  EXPECT_LE(certificate.perturbation, 1e-15);
}

// FS:V6: the values of the card are relative, ‖q‖ = √2.
TEST(FrictionErrors, MatchTheReferenceValuesWhileSliding) {
  const BlockForm problem = unit_contact(Values{-1, 1, 0}, .5);
  const Vector start = Vector::Zero(3), near = Values{1, 0, 0};
  EXPECT_NEAR(friction_errors(problem, start).e1, .6324555320, 1e-10);
  EXPECT_NEAR(friction_errors(problem, near).e1, .3162277660, 1e-10);
  EXPECT_NEAR(residual(problem, start), friction_errors(problem, start).e1 * std::sqrt(2.0), 1e-15);
  EXPECT_LE(friction_errors(problem, Values{1, -.5, 0}).worst(), 1e-15);
}

TEST(FrictionErrors, TellTheConvexRelaxationFromCoulombsLaw) {  // FS:V6, FS:FS-10
  const Vector relaxed = Values{1.2, -.6, 0}, q = Values{-1, 1, 0};
  const Soclcp soclcp{BlockSparse::dense(Matrix::Identity(3, 3)), q, {3}, Values{.5}};
  EXPECT_LE(residual(to_block_form(soclcp), relaxed), 1e-15);
  EXPECT_NEAR(residual(soclcp, relaxed), residual(to_block_form(soclcp), relaxed), 1e-15);
  EXPECT_GT(friction_errors(unit_contact(q, .5), relaxed).e1, .05);
}

TEST(FrictionErrors, OfAZeroFreeVelocityAreAbsolute) {  // FS:V13
  const BlockForm problem = unit_contact(Vector::Zero(3), .5);
  const FrictionErrors rest = friction_errors(problem, Vector::Zero(3));
  EXPECT_EQ(rest.worst(), 0);
  EXPECT_EQ(rest.self_stress, 0);
  const FrictionErrors pushed = friction_errors(problem, Values{1, 0, 0});
  EXPECT_NEAR(pushed.e1, 1, 1e-15);
  EXPECT_EQ(friction_certificate(problem, Vector::Zero(3)).relative, 0);
}

TEST(FrictionErrors, AreInfiniteOnNaN) {
  const BlockForm problem = unit_contact(Values{-1, 1, 0}, .5);
  EXPECT_EQ(friction_errors(problem, Values{std::nan(""), 0, 0}).worst(), inf);
  EXPECT_EQ(friction_certificate(problem, Values{0, inf, 0}).relative, inf);
  EXPECT_ERROR(friction_errors(problem, Vector::Zero(4)), "r has size 4, the problem 3");
}

// Two opposite contacts that both want to separate: r = s (1, 1) grows without end. The difference
// r − û loses û at |r| = 1e17, e1 = 0 there; e2 and the self-stress do not.
TEST(FrictionErrors, SeeThroughCancellationAtLargeReactions) {
  const BlockForm problem{BlockSparse::dense(Rows{{1, -1}, {-1, 1}}, 1),
                          Values{-1, -1},
                          {NonNegative{}, NonNegative{}}};
  const FrictionErrors errors = friction_errors(problem, Values{1e17, 1e17});
  EXPECT_EQ(errors.e1, 0);
  EXPECT_NEAR(errors.e2, 1, 1e-15);
  EXPECT_GT(errors.self_stress, 1e16);
}

// ‖r‖² = n³/6, ‖q‖ = √2, ρ₀ = n/(4n − 2): a tall tower bears more than 1e4 by its weight alone, and
// that is no self-stress. Two legs that pull at each other are.
TEST(FrictionErrors, TrustReactionsThatTheLoadAsksFor) {
  for (const Index n : {20, 2000}) {
    const GlobalBlockForm problem = testing::tower(n);
    Vector r = testing::tower_reactions(n);
    const FrictionErrors errors = friction_errors(problem, r);
    const auto size = static_cast<double>(n);
    EXPECT_LE(errors.worst(), 1e-15 * size * size);  // roundings of numbers up to n
    EXPECT_NEAR(errors.self_stress, 4 * std::pow(size, 1.5) / std::sqrt(12),
                0.1 * errors.self_stress);
    EXPECT_TRUE(errors.trusted());
    EXPECT_TRUE(friction_errors(reduce(problem), r).trusted());
    for (Index leg = 0; leg < 2 * n; leg += 2) {
      r[leg] += 100 * size;
      r[leg + 1] -= 100 * size;
    }
    EXPECT_FALSE(friction_errors(problem, r).trusted());
    EXPECT_FALSE(friction_errors(reduce(problem), r).trusted());
  }
  EXPECT_EQ(self_stress_limit(testing::tower(20)), 1e4);
  EXPECT_EQ(self_stress_limit(held_self_stress(reduce(testing::tower(20)))), 1e4);
}

// The least r of the global form solves W r = −q; ρ₀ counts rows of W, two for each mass.
// Velocities that no reaction can stop (one leg of two is pushed down) ask for none.
TEST(FrictionErrors, TheReducedFormKnowsItsLoadByTheVelocitiesItCanStop) {
  const GlobalBlockForm problem = testing::tower(2000);
  BlockForm reduced = reduce(problem);
  const double held = held_self_stress(reduced);
  // ε = 1e-10 · 4 shifts the least eigenvalue of W, about 5/n², by 3e-4 of it
  EXPECT_NEAR(self_stress_limit(held), 0.5 * self_stress_limit(problem), 4e-3 * held);
  const double norm = reduced.q.norm();
  reduced.q[0] += 1e-3;
  reduced.q[1] -= 1e-3;
  EXPECT_NEAR(held_self_stress(reduced) * reduced.q.norm(), held * norm, 1e-6 * held * norm);
}

TEST(FrictionErrors, BelieveASolverOfTheHeldBodiesOnlyIfItSolves) {
  const GlobalBlockForm problem = testing::tower(2000);
  const double limit = self_stress_limit(problem);
  EXPECT_GT(limit, 1e4);
  const auto none = [](double) { return LinearSolve{}; };
  const auto wrong = [](double) -> LinearSolve {
    return [](ConstVectorRef b) -> Vector { return 2 * b; };
  };
  EXPECT_EQ(self_stress_limit(problem, {}, none), limit);
  EXPECT_EQ(self_stress_limit(problem, {}, wrong), limit);
  int asked = 0;
  const auto held = [&](double epsilon) -> LinearSolve {
    const Eigen::SparseMatrix<double> H = problem.H, A = H * H.transpose() + epsilon * problem.M;
    return [&asked, solve = factorise("held", A)](ConstVectorRef b) {
      ++asked;
      return solve(b);
    };
  };
  // the condition of H Hᵀ, about n², times 2⁻⁵³
  EXPECT_NEAR(self_stress_limit(problem, {}, held), limit, 1e-9 * limit);
  EXPECT_EQ(asked, 2);  // once refined
  const BlockForm reduced = reduce(problem);
  const double other = held_self_stress(reduced);
  EXPECT_EQ(held_self_stress(reduced, none), other);
  EXPECT_EQ(held_self_stress(reduced, wrong), other);
  const auto by_bodies = [&](double epsilon) -> LinearSolve {  // M = I
    return [&, once = held(epsilon)](ConstVectorRef q) -> Vector {
      return problem.H.transpose() * once(once(problem.H * q));
    };
  };
  EXPECT_NEAR(held_self_stress(reduced, by_bodies), other, 1e-6 * other);
  EXPECT_EQ(asked, 4);
}

TEST(CheapError, IsTheRelativeStep) {  // FS:FS-111
  EXPECT_NEAR(cheap_error(Values{3, 4.5}, Values{3, 4}), .1, 1e-16);
  EXPECT_EQ(cheap_error(Values{3, 4}, Values{0, 0}), 5);
}

TEST(Shift, PutsTheVelocityInTheDualConeExactlyIfTheNormalOneIsNonnegative) {  // FS:V14, FS:FS-03
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> positive(0, 3);
  for (int k = 0; k < 10000; ++k) {
    const double mu = positive(random), other = positive(random);
    for (const BlockSet& K : {BlockSet(FrictionCone{mu}), BlockSet(EllipticCone{mu, other}),
                              BlockSet(RollingCone{mu, other})}) {
      Vector u(std::holds_alternative<RollingCone>(K) ? 5 : 3), p(u.size());
      for (double& x : u) x = normal(random);
      Vector shifted = u;
      shifted[0] += shift(K, u.size(), u.data());
      project_dual(K, shifted, p);
      if (std::abs(u[0]) <= 1e-14) continue;  // rounding of the shift decides there
      EXPECT_EQ((p - shifted).norm() <= 1e-14, u[0] > 0) << u.transpose();
    }
  }
}

TEST(Shift, HasTheDerivativeThatIsAdded) {
  const Values u{.3, -.7, .4, .2, -.5};
  for (const auto& [K, size] : {std::pair{BlockSet(FrictionCone{.4}), 3},
                                {BlockSet(EllipticCone{.4, .9}), 3},
                                {BlockSet(RollingCone{.4, .1}), 5},
                                {BlockSet(SecondOrderCone{.4}), 3}}) {
    Matrix J = Matrix::Identity(size, size);
    add_shift_jacobian(K, u.head(size), J);
    for (Index j = 0; j < size; ++j) {
      Vector plus = u.head(size), minus = u.head(size);
      plus[j] += 1e-6;
      minus[j] -= 1e-6;
      // truncation h²|g'''| ~ 1e-11, rounding 1e-16/h
      const double slope = (shift(K, size, plus.data()) - shift(K, size, minus.data())) / 2e-6;
      EXPECT_NEAR(J(0, j) - (j == 0 ? 1 : 0), slope, 1e-9) << name(K);
    }
  }
}

/// The other functions whose zeros are the solutions, from their definitions, ρ = 1.
struct Residuals {
  double nat, mj, ac, fb, hsw, xsw;
};

Eigen::Vector3d square_root_of_squares(const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
  const double n = x.squaredNorm() + y.squaredNorm();
  const Eigen::Vector2d t = 2 * (x[0] * x.tail<2>() + y[0] * y.tail<2>());
  const double low = std::sqrt(std::max(0.0, n - t.norm())), high = std::sqrt(n + t.norm());
  Eigen::Vector3d root(.5 * (low + high), 0, 0);
  if (t.norm() > 0) root.tail<2>() = .5 * (high - low) * t.normalized();
  return root;
}

Residuals residuals(const BlockForm& problem, const Vector& r) {
  const double mu = std::get<FrictionCone>(problem.K[0]).mu;
  const Vector u = problem.W.to_dense() * r + problem.q;
  const Vector ut = u.tail(2), rt = r.tail(2), x = rt - ut;
  const double xn = r[0] - u[0];
  const auto disk = [&](double radius) -> Vector {
    return x.norm() > radius ? Vector(radius / x.norm() * x) : x;
  };
  const double normal = r[0] - std::max(0.0, xn);
  const Eigen::Vector3d a(mu * r[0], r[1], r[2]);
  const Eigen::Vector3d b(u[0] / mu + ut.norm(), u[1], u[2]);
  const double bound = mu * xn, larger = std::max(bound, x.norm());
  return {residual(problem, r),
          std::hypot(normal, (rt - disk(mu * std::max(0.0, r[0]))).norm()),
          std::hypot(normal, (rt - disk(mu * std::max(0.0, xn))).norm()),
          (a + b - square_root_of_squares(a, b)).norm(),
          std::hypot(normal, (larger * rt - std::max(0.0, bound) * x).norm()),
          std::abs(std::min(u[0], r[0])) + std::abs(std::min(ut.norm(), mu * r[0] - rt.norm())) +
              std::abs(ut[0] * rt[1] - ut[1] * rt[0]) + std::max(0.0, ut[0] * rt[0])};
}

// The solutions carry ten digits: residuals below 1e-8, and the root in F_FB below 1e-4 of them.
TEST(Residuals, OfAllFormulationsVanishTogether) {  // FS:V15
  const std::pair<BlockForm, Vector> cases[] = {
      {unit_contact(Values{-1, 1, 0}, .5), Values{1, -.5, 0}},
      {coupled(), coupled_solution()},
      {unsymmetric(), unsymmetric_solution()}};
  for (const auto& [problem, r] : cases) {
    const Residuals solved = residuals(problem, r);
    const Residuals start = residuals(problem, Vector(r + Values{.1, .1, -.1}));
    EXPECT_LE(std::max({solved.nat, solved.mj, solved.ac, solved.hsw, solved.xsw}), 2e-9);
    EXPECT_LE(solved.fb, 2e-9);
    EXPECT_GE(std::min({start.nat, start.mj, start.ac, start.fb, start.hsw, start.xsw}), 1e-2);
  }
}

TEST(Certificate, IsAnExactSolutionOfThePerturbedProblem) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const BlockSet& K : {BlockSet(FrictionCone{.4}), BlockSet(EllipticCone{.4, .9}),
                            BlockSet(SecondOrderCone{.4}), BlockSet(FrictionCylinder{.3}),
                            BlockSet(NonNegative{}), BlockSet(Interval{-1, 2}), BlockSet(Reals{})})
    for (int k = 0; k < 50; ++k) {
      const BlockForm problem = one_contact(coupled().W.to_dense(), coupled().q, K);
      const Vector r = Values{normal(random), normal(random), normal(random)};
      const FrictionCertificate c = friction_certificate(problem, r);
      const BlockForm perturbed = one_contact(problem.W.to_dense(), problem.q + c.dq, K);
      // numbers below 10, a dozen roundings
      EXPECT_LE(residual(perturbed, c.r), 1e-13) << name(K);
      EXPECT_NEAR(c.perturbation, c.dq.norm(), 1e-15);
    }
}

TEST(Certificate, IsSmallAtASolution) {
  const FrictionCertificate c = friction_certificate(coupled(), coupled_solution());
  EXPECT_LE(c.relative, 1e-9);  // ten digits of r
  EXPECT_LE((c.r - coupled_solution()).norm(), 1e-9);
}

TEST(ContactStatus, TellsOpenStickAndSlide) {  // FS:FS-08, FS:FS-30
  Matrix W = Matrix::Identity(9, 9);
  Vector q(9);
  q << 1, -.5, .3, -1, .2, -.3, -1, 1, 0;  // FS:V4, FS:V5, FS:V6
  const BlockForm problem{
      BlockSparse::dense(W, 3), q, {FrictionCone{.5}, FrictionCone{.5}, FrictionCone{.5}}};
  Vector r(9);
  r << 0, 0, 0, 1, -.2, .3, 1, -.5, 0;
  EXPECT_LE(friction_errors(problem, r).worst(), 1e-15);
  const auto status =
      contact_status(problem.K, block_sizes(problem), friction_certificate(problem, r));
  EXPECT_EQ(status, (std::vector{ContactStatus::open, ContactStatus::stick, ContactStatus::slide}));
  EXPECT_EQ(count(status), (std::array<Index, 3>{1, 1, 1}));
  EXPECT_EQ(name(status[2]), "slide");
}

TEST(GlobalMeasures, AreThoseOfTheReducedProblem) {  // FS:V10 data
  const GlobalBlockForm global = box(.3);
  const BlockForm reduced = reduce(global);
  for (Index i = 0; i < 4; ++i)
    EXPECT_LE((reduced.q.segment(3 * i, 3) - Values{-.0877433074, .0438716537, 0}).norm(), 1e-9);
  // sliding with the least-norm split of the card: front two, rear two (seven digits)
  Vector r(12);
  for (Index i = 0; i < 4; ++i) {
    const double n = i < 2 ? .0186455 : .0252262;
    r.segment(3 * i, 3) = Values{n, -.3 * n, 0};
  }
  const FrictionErrors a = friction_errors(reduced, r), b = friction_errors(global, r);
  EXPECT_LE(a.e1, 1e-5);
  EXPECT_NEAR(a.e1, b.e1, 1e-12);
  EXPECT_NEAR(a.e2, b.e2, 1e-12);
  EXPECT_LE(b.self_stress, 10);
  const FrictionErrors passed = friction_errors(global, r, factorise("box", global.M));
  EXPECT_EQ(passed.e1, b.e1);
  const FrictionCertificate c = friction_certificate(global, r);
  EXPECT_LE(c.relative, 1e-5);
  const auto status = contact_status(global.K, global.sizes, c);
  EXPECT_EQ(count(status), (std::array<Index, 3>{0, 0, 4}));
}

TEST(Diagnostics, FindTheRankDeficiencyOfTheBox) {  // FS:FS-115, FS:V10
  const FrictionDiagnostics d = diagnose(box(.3));
  EXPECT_EQ(d.contacts, 4);
  EXPECT_EQ(d.rows, 12);
  EXPECT_EQ(d.velocities, 6);
  EXPECT_EQ(d.density, 2);
  EXPECT_EQ(d.rank, 6);
  EXPECT_EQ(d.rank_ratio, 2);
  EXPECT_LE(d.asymmetry, 1e-14);
  EXPECT_GE(d.condition_svd, 1);
  EXPECT_LE(d.condition, d.condition_svd * (1 + 1e-10));
}

TEST(Diagnostics, MeasureAsymmetryAndCondition) {
  const FrictionDiagnostics d = diagnose(unsymmetric());
  const Matrix W = unsymmetric().W.to_dense();
  EXPECT_NEAR(d.asymmetry, (W - W.transpose()).norm() / W.norm(), 1e-15);
  const BlockForm scaled =
      one_contact(Matrix(Values{1, 10, 100}.asDiagonal()), Values{1, 1, 1}, FrictionCone{.5});
  EXPECT_NEAR(diagnose(scaled).condition_svd, 100, 1e-10);
  EXPECT_NEAR(diagnose(scaled).condition, 100, 1e-8);
  EXPECT_EQ(diagnose(scaled, 2).rank, 0);  // too large for singular values
}

}  // namespace
}  // namespace saltus
