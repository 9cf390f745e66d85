// Normal map, skewed projection and smoothed functions of the cone (FS:FS-16, FS:FS-17, FS:FS-25).
#include "friction/mixed_sets.hpp"
#include "solvers/friction_cases.hpp"
#include "support/expect_error.hpp"

#include "saltus/problems/skewed_projection.hpp"
#include "saltus/solvers/nonsmooth_newton.hpp"
#include "saltus/solvers/nsgs.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

struct SetOfSize {
  BlockSet K;
  Index size;
};
const std::vector<SetOfSize> sets{{FrictionCone{0.5}, 3},      {FrictionCone{0.3}, 2},
                                  {EllipticCone{0.3, 0.8}, 3}, {RollingCone{0.6, 0.2}, 5},
                                  {FrictionCylinder{0.4}, 3},  {SecondOrderCone{0.7}, 4},
                                  {NonNegative{}, 2},          {Interval{-0.2, 0.5}, 2}};

/// Element of K* (or of the normal cone) checks are made by P_K: p = P_{K,R}(x) exactly if
/// p = P_K(p + R(x − p)).
TEST(SkewedProjection, IsTheMinimiserInItsMetric) {  // FS:FS-17
  library::Random random(1);
  for (const SetOfSize& set : sets)
    for (int trial = 0; trial < 100; ++trial) {
      const BlockMetric R{std::exp(random()), std::exp(random())};
      const Vector x = random.vector(set.size);
      Vector p(set.size), q(set.size), weights = Vector::Constant(set.size, R.tangent);
      weights[0] = R.normal;
      project_skewed(set.K, R, x, p);
      project(set.K, p + weights.cwiseProduct(x - p), q);
      EXPECT_LE((p - q).norm(), 1e-13 * (1 + weights.maxCoeff()) * (1 + x.norm())) << name(set.K);
    }
}

TEST(SkewedProjection, IsThePlainOneForEqualWeightsAndRefusesOthers) {  // FS:FS-17
  library::Random random(2);
  for (const SetOfSize& set : sets)
    for (int trial = 0; trial < 20; ++trial) {
      const Vector x = random.vector(set.size);
      Vector p(set.size), q(set.size);
      project_skewed(set.K, {7, 7}, x, p);
      project(set.K, x, q);
      EXPECT_EQ(p, q) << name(set.K);
    }
  Vector x = Values{1, 2, 3};
  EXPECT_ERROR(project_skewed(FrictionCone{0.5}, {0, 1}, x, x), "the weights are 0 and 1");
  EXPECT_ERROR(project_skewed(FrictionCone{0.5}, {1, std::nan("")}, x, x), "expected finite");
}

TEST(SkewedProjection, HasTheDerivativeOfCentralDifferences) {  // FS:FS-17
  library::Random random(3);
  for (const SetOfSize& set : sets)
    for (int trial = 0; trial < 100; ++trial) {
      const BlockMetric R{std::exp(random()), std::exp(random())};
      const Vector x = random.vector(set.size);
      Matrix J(set.size, set.size), fine(set.size, set.size), coarse(set.size, set.size);
      skewed_projection_jacobian(set.K, R, x, J);
      const auto difference = [&](Index j, double h) {
        Vector up(set.size), down(set.size);
        project_skewed(set.K, R, x + h * Vector::Unit(set.size, j), up);
        project_skewed(set.K, R, x - h * Vector::Unit(set.size, j), down);
        return Vector((up - down) / (2 * h));
      };
      for (Index j = 0; j < set.size; ++j) {
        fine.col(j) = difference(j, 1e-6);
        coarse.col(j) = difference(j, 1e-4);
      }
      if ((fine - coarse).norm() > 1e-3) continue;        // a kink
      EXPECT_LE((J - fine).norm(), 1e-5) << name(set.K);  // h² times third derivatives, 1e-16/h
    }
}

/// G and its derivative by r (by x for the normal map) of one contact alone.
Vector value(const ContactEquation& equation, const BlockSet& K, const Matrix& W, const Vector& q,
             const Vector& r, Matrix* slope = nullptr) {
  const Index n = q.size();
  Vector p = r;
  const bool normal = std::holds_alternative<NormalMap>(equation);
  if (normal) project(K, r, p);
  const Vector u = W * p + q;
  Vector G(n);
  Matrix A(n, n), B(n, n);
  contact_function(equation, K, n, u.data(), r.data(), {0.7, 0.6}, G.data(), A.data(), B.data());
  if (slope != nullptr)
    *slope = (normal ? Matrix(A * W * (Matrix::Identity(n, n) - B)) : Matrix(A * W)) + B;
  return G;
}

Matrix differences(const ContactEquation& equation, const BlockSet& K, const Matrix& W,
                   const Vector& q, const Vector& r, double h) {
  const Index n = q.size();
  Matrix D(n, n);
  for (Index j = 0; j < n; ++j) {
    const Vector e = h * Vector::Unit(n, j);
    D.col(j) = (value(equation, K, W, q, r + e) - value(equation, K, W, q, r - e)) / (2 * h);
  }
  return D;
}

TEST(ContactMaps, HaveTheDerivativesOfCentralDifferences) {  // FS:FS-16, FS:FS-17, FS:V16
  library::Random random(4);
  for (const ContactEquation& equation :
       {ContactEquation(NormalMap{}), ContactEquation(SkewedNaturalMap{})})
    for (const SetOfSize& set : sets) {
      if (row_by_row(set.K)) continue;
      for (int trial = 0; trial < 100; ++trial) {
        const Matrix W = library::random_spd(set.size, random);
        const Vector q = random.vector(set.size), r = random.vector(set.size);
        Matrix slope;
        value(equation, set.K, W, q, r, &slope);
        const Matrix fine = differences(equation, set.K, W, q, r, 1e-6);
        if ((fine - differences(equation, set.K, W, q, r, 1e-4)).norm() > 1e-3) continue;
        EXPECT_LE((slope - fine).norm(), 1e-4) << describe(equation) << name(set.K);
      }
    }
}

TEST(SmoothedFunctions, HaveDerivativesEverywhere) {  // FS:FS-25, FS:FS-61
  library::Random random(5);
  for (const ContactEquation& equation :
       {ContactEquation(SmoothedFischerBurmeister{0.1}), ContactEquation(SmoothedNaturalMap{0.1})})
    for (const SetOfSize& set : sets) {
      if (row_by_row(set.K) || std::holds_alternative<RollingCone>(set.K) ||
          std::holds_alternative<FrictionCylinder>(set.K))
        continue;
      for (int trial = 0; trial < 60; ++trial) {
        const Matrix W = library::random_spd(set.size, random);
        Vector r = random.vector(set.size), q = random.vector(set.size);
        // the kinks of the functions themselves: no slip, no force, the vertex
        if (trial % 3 == 0) q.tail(set.size - 1) = -(W * r).tail(set.size - 1);
        if (trial % 4 == 0) r.tail(set.size - 1).setZero();
        if (trial % 12 == 0) r.setZero(), q.setZero();
        Matrix slope;
        value(equation, set.K, W, q, r, &slope);
        // third derivatives of the order of 1/ε² times h² = 1e-12, roundings of 1e-16/h
        EXPECT_LE((slope - differences(equation, set.K, W, q, r, 1e-6)).norm(), 1e-7)
            << describe(equation) << name(set.K) << " " << trial;
      }
    }
}

TEST(SmoothedFunctions, TendToTheExactOnes) {  // FS:FS-25, FS:FS-24
  library::Random random(6);
  const Matrix W = library::random_spd(3, random);
  for (int trial = 0; trial < 100; ++trial) {
    const Vector q = random.vector(3), r = random.vector(3);
    // FB: (x² + y² + 2ε²e)^½ differs from the root by at most 2^½ ε in each spectral value, the
    // shift by m ε/ρ; natural map by ε
    const FrictionCone K{0.5};
    for (const double epsilon : {1e-2, 1e-4, 0.0}) {
      const Vector natural = value(SmoothedNaturalMap{epsilon}, K, W, q, r);
      EXPECT_LE((natural - value(SmoothedNaturalMap{0}, K, W, q, r)).norm(), 4 * epsilon);
      const Vector fischer = value(SmoothedFischerBurmeister{epsilon}, K, W, q, r);
      EXPECT_LE((fischer - value(SmoothedFischerBurmeister{0}, K, W, q, r)).norm(), 6 * epsilon);
    }
  }
}

TEST(SmoothedFunctions, OfRowsHaveTheirLimitsAndDerivatives) {  // FS:FS-25
  library::Random random(7);
  const std::vector<BlockSet> rows{NonNegative{}, Interval{-0.2, 0.5}, Interval{-inf, 0.3},
                                   Interval{0.1, inf}, Reals{}};
  for (const BlockSet& K : rows)
    for (int trial = 0; trial < 100; ++trial) {
      const double u = random(), r = random(), h = 1e-6;
      for (const ContactEquation& equation : {ContactEquation(SmoothedFischerBurmeister{0.1}),
                                              ContactEquation(SmoothedNaturalMap{0.1})}) {
        const RowFunction at = row_function(equation, K, u, r, 0.7);
        const auto G = [&](double du, double dr) {
          return row_function(equation, K, u + du, r + dr, 0.7).G;
        };
        EXPECT_NEAR(at.by_u, (G(h, 0) - G(-h, 0)) / (2 * h), 1e-8);
        EXPECT_NEAR(at.by_r, (G(0, h) - G(0, -h)) / (2 * h), 1e-8);
      }
      const double exact = row_function(NaturalMap{}, K, u, r, 0.7).G;
      EXPECT_NEAR(row_function(SmoothedNaturalMap{1e-9}, K, u, r, 0.7).G, exact, 2.1e-9);
      EXPECT_EQ(row_function(SmoothedNaturalMap{0}, K, u, r, 0.7).G, exact);
    }
}

const std::vector<ContactEquation> equations{NormalMap{}, SkewedNaturalMap{},
                                             SmoothedFischerBurmeister{}, SmoothedNaturalMap{}};

TEST(ContactMaps,
     SolveTheUnitCases) {  // FS:FS-16, FS:FS-17, FS:FS-25, FS:V4, FS:V5, FS:V6, FS:V7, FS:V8
  Workspace work;
  for (const ContactEquation& equation : equations)
    for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
      Vector r = Vector::Zero(3);
      const NonsmoothNewton newton{.tolerance = 1e-12, .equation = equation};
      const SolveReport report = solve(c.problem, r, newton, work);
      EXPECT_TRUE(report.converged()) << c.name << " " << describe(equation) << " "
                                      << name(report.status) << " " << report.residual;
      EXPECT_LE((r - c.r).norm(), 1e-9) << c.name << " " << describe(equation);
      EXPECT_LE(report.iterations, 30) << c.name << " " << describe(equation);
    }
}

TEST(ContactMaps, SolveEverySet) {  // FS:FS-16, FS:FS-17, FS:FS-25
  Workspace work;
  for (const unsigned seed : {7u, 8u, 9u}) {
    const BlockForm form = mixed_sets::every_set(seed);
    Vector reference = Vector::Zero(form.q.size());
    ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-11}, work).converged());
    for (const ContactEquation& equation : equations) {
      Vector r = Vector::Zero(form.q.size());
      const NonsmoothNewton newton{.equation = equation, .line_search = GoldsteinPrice{}};
      const SolveReport report = solve(form, r, newton, work);
      EXPECT_TRUE(report.converged()) << describe(equation) << " " << name(report.status);
      // smallest eigenvalue of W about 0.1: an error of 1e-8 in the natural map, ten times that in
      // r
      EXPECT_LE((r - reference).norm(), 1e-6) << describe(equation);
    }
  }
}

TEST(ContactMaps, SolveTheGlobalForm) {  // FS:FS-16, FS:FS-25, S:FC-19a
  library::Random random(31);
  Workspace work;
  const Index n = 40, contacts = 6, m = 3 * contacts;
  const Matrix A = random.matrix(n, n);
  const GlobalFrictionContact problem{
      3,
      Matrix(A * A.transpose() / n + Matrix::Identity(n, n)).sparseView(),
      random.matrix(n, m).sparseView(),
      random.vector(n),
      random.vector(m),
      Vector::Constant(contacts, 0.4)};
  Vector reference = Vector::Zero(m);
  ASSERT_TRUE(solve(reduce(problem), reference, Nsgs{.tolerance = 1e-12}, work).converged());
  for (const ContactEquation& equation : equations) {
    Vector v = Vector::Zero(n), r = Vector::Zero(m);
    const NonsmoothNewton newton{
        .tolerance = 1e-10, .equation = equation, .line_search = GoldsteinPrice{}};
    const SolveReport report = solve(problem, v, r, newton, work);
    EXPECT_TRUE(report.converged()) << describe(equation) << ": " << name(report.status);
    EXPECT_LE((v - velocity(problem, reference)).norm(), 1e-7) << describe(equation);
  }
}

TEST(ContactMaps, SolveOneContactInSweeps) {  // FS:FS-16, FS:FS-25, FS:FS-70
  library::Random random(9);
  Workspace work;
  for (const Index dimension : {2, 3}) {
    const FrictionContact problem = library::random_contacts(dimension, 10, random);
    for (const ContactEquation& equation : equations) {
      Vector r = Vector::Zero(problem.q.size());
      const Nsgs sweeps{.local = LocalNonsmoothNewton{.equation = equation}};
      EXPECT_TRUE(solve(problem, r, sweeps, work).converged()) << describe(equation);
    }
  }
}

TEST(SmoothedFunctions, FollowTheirPathOnRankDeficientProblems) {  // FS:FS-25, FS:V10
  Workspace work;
  for (const double mu : {0.3, 0.8}) {
    const GlobalFrictionContact global = friction_cases::incline(mu);
    const FrictionContact problem = reduce(global);
    for (const ContactEquation& equation :
         {ContactEquation(SmoothedFischerBurmeister{}), ContactEquation(SmoothedNaturalMap{})}) {
      Vector r = Vector::Zero(12);
      const NonsmoothNewton newton{.equation = equation, .line_search = GoldsteinPrice{}};
      const SolveReport report = solve(problem, r, newton, work);
      ASSERT_TRUE(report.converged()) << mu << describe(equation) << " " << name(report.status);
      Vector v = Vector::Zero(6);
      if (mu == 0.3) v[0] = 0.0175486615;  // hg (sin θ − μ cos θ)
      EXPECT_LE((velocity(global, r) - v).lpNorm<Eigen::Infinity>(), 1e-7);
    }
  }
}

TEST(SmoothedFunctions, NeverClaimToSolveAProblemWithoutSolution) {  // FS:FS-25, FS:V11
  Workspace work;
  const FrictionContact problem = reduce(friction_cases::squeezed());
  for (const ContactEquation& equation : equations) {
    Vector r = Vector::Zero(problem.q.size());
    const NonsmoothNewton newton{.equation = equation, .line_search = GoldsteinPrice{}};
    EXPECT_FALSE(solve(problem, r, newton, work).converged()) << describe(equation);
  }
}

TEST(SmoothedFunctions, AreDrivenToTheirLimit) {  // FS:FS-25
  ContactEquation equation = SmoothedNaturalMap{.smoothing = 0.5, .reduction = 0.2};
  EXPECT_FALSE(drive_smoothing(equation, 0.6));  // not solved well enough
  EXPECT_EQ(*driven_smoothing(equation), 0.5);
  EXPECT_TRUE(drive_smoothing(equation, 0.4));
  EXPECT_EQ(*driven_smoothing(equation), 0.1);
  EXPECT_TRUE(drive_smoothing(equation, 0));
  EXPECT_EQ(*driven_smoothing(equation), 0.2 * 0.1);
  ContactEquation other = AlartCurnier{};
  EXPECT_EQ(driven_smoothing(other), nullptr);
  EXPECT_FALSE(drive_smoothing(other, 0));
}

}  // namespace
}  // namespace saltus
