// Quadratic programs over bounds, disks and cones by conjugate gradients on their faces, alone and
// within the loops for Coulomb friction (FS:FS-106h, S:FC-37).
#include "friction/mixed_sets.hpp"
#include "solvers/friction_cases.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/friction_convex_loops.hpp"
#include "saltus/solvers/friction_parts.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/panagiotopoulos.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(Mprgp, SolvesBoundsDisksAndConesTogether) {  // FS:FS-106h
  Workspace work;
  for (unsigned seed = 1; seed < 8; ++seed) {
    const BlockForm form = mixed_sets::convex_sets(seed);
    Vector reference = Vector::Zero(form.q.size()), r = reference;
    ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-12}, work).converged());
    const SolveReport report = solve(form, r, Mprgp{.tolerance = 1e-10}, work);
    EXPECT_TRUE(report.converged()) << name(report.status);
    EXPECT_LE((r - reference).norm(), 1e-8);  // λ_min(W) about 0.1
  }
}

TEST(Mprgp, AgreesWithPivotingOnBounds) {  // FS:FS-106h
  Workspace work;
  library::Random random(4);
  for (const Index n : {1, 10, 60}) {
    const Lcp lcp = library::random_spd_lcp(n, random);
    Vector z = Vector::Zero(n), r = Vector::Zero(n);
    ASSERT_TRUE(solve(lcp, z, Lemke{}, work).converged());
    const SolveReport report = solve(to_block_form(lcp), r, Mprgp{.tolerance = 1e-10}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_LE((r - z).norm(), 1e-8);
  }
}

/// A long bar on Tresca supports: one matrix of condition 1e4, cylinders of every threshold.
BlockForm tresca_bar(Index contacts) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < 2 * contacts; ++i) {
    entries.emplace_back(i, i, 2.0005);
    if (i > 1) entries.emplace_back(i, i - 2, -1);
    if (i + 2 < 2 * contacts) entries.emplace_back(i, i + 2, -1);
  }
  Eigen::SparseMatrix<double> W(2 * contacts, 2 * contacts);
  W.setFromTriplets(entries.begin(), entries.end());
  BlockForm form{BlockSparse::sparse(W, 2), Vector(2 * contacts), {}};
  for (Index i = 0; i < contacts; ++i) {
    form.q[2 * i] = -0.1 + 0.2 * std::sin(0.2 * static_cast<double>(i));
    form.q[2 * i + 1] = 0.05 * std::cos(0.3 * static_cast<double>(i));
    form.K.push_back(FrictionCylinder{0.01 * static_cast<double>(i % 5)});
  }
  return form;
}

TEST(Mprgp, NeedsManyFewerProductsThanGradients) {  // FS:FS-106h
  Workspace work;
  const BlockForm form = tresca_bar(100);
  Vector r = Vector::Zero(200), s = Vector::Zero(200);
  const SolveReport fast = solve(form, r, Mprgp{}, work);
  const SolveReport slow = solve(form, s, ConvexProjectedGradient{}, work);
  ASSERT_TRUE(fast.converged()) << name(fast.status);
  EXPECT_LE(5 * fast.iterations, slow.iterations);
}

TEST(Mprgp, SolvesSemiDefiniteProblemsAndStopsOnUnboundedOnes) {  // FS:FS-106h, FS:V10, FS:V11
  Workspace work;
  BlockForm incline = to_block_form(reduce(friction_cases::incline(0.8)));
  for (BlockSet& K : incline.K) K = FrictionCylinder{0.01};
  Vector r = Vector::Zero(12);
  EXPECT_TRUE(solve(incline, r, Mprgp{}, work).converged());
  BlockForm squeezed = to_block_form(reduce(friction_cases::squeezed()));
  Vector s = Vector::Zero(6);
  const SolveReport report = solve(squeezed, s, Mprgp{}, work);
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.status, SolveStatus::stalled);
}

TEST(Mprgp, RefusesUnsymmetricMatricesAndOtherCones) {  // FS:FS-106h
  Workspace work;
  Vector r = Vector::Zero(3);
  const FrictionContact skew = friction_cases::asymmetric(false).problem;
  EXPECT_EQ(solve(skew, r, Mprgp{}, work).status, SolveStatus::nonconvex);
  BlockForm form = to_block_form(friction_cases::coupled_slide().problem);
  form.K[0] = EllipticCone{0.3, 0.4};
  EXPECT_ERROR(static_cast<void>(solve(form, r, Mprgp{}, work)), "there is no associated law");
  EXPECT_ERROR(static_cast<void>(solve(form, r, Mprgp{.step = 2}, work)), "step is 2");
}

TEST(Mprgp, DoesNotAllocateOnceWarm) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  Workspace work;
  BlockForm form = mixed_sets::convex_sets(3);
  Vector r = Vector::Zero(form.q.size());
  ASSERT_TRUE(solve(form, r, Mprgp{}, work).converged());
  r.setZero();
  form.q *= 1.5;
  const testing::AllocationGuard guard;
  const SolveReport report = solve(form, r, Mprgp{}, work);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(report.converged());
}

TEST(Mprgp, TakesFrictionConesForAssociatedOnes) {  // FS:FS-106h, FS:V6, FS:V7
  Workspace work;
  Vector r = Vector::Zero(3);
  EXPECT_EQ(solve(friction_cases::slide().problem, r, Mprgp{}, work).status, SolveStatus::stalled);
  EXPECT_LE((r - Values{1.2, -0.6, 0}).norm(), 1e-7);
  r.setZero();
  static_cast<void>(
      solve(friction_cases::coupled_slide().problem, r, Mprgp{.tolerance = 1e-10}, work));
  EXPECT_LE((r - Values{1.2765847598, -0.2920359374, 0.2477603473}).norm(), 1e-8);
}

TEST(FrictionParts, AreTheTwoProblemsOfTheAlternation) {  // FS:FS-27, FS:B.10
  library::Random random(8);
  BlockForm form = to_block_form(library::random_contacts(3, 4, random));
  form.K[2] = Interval{-0.2, 0.3};
  const Vector z = random.vector(12).cwiseAbs();
  const Vector u = form.W.to_dense() * z + form.q;
  std::vector<Index> rows;
  BlockForm normal, tangent;
  Vector scratch;
  build_normal_part(form, rows, normal);
  update_normal_part(form, z, rows, scratch, normal);
  EXPECT_EQ(rows, (std::vector<Index>{0, 3, 6, 7, 8, 9}));
  Vector part(6);
  for (Index i = 0; i < 6; ++i) part[i] = z[rows[i]];
  const Vector u_normal = normal.W.to_dense() * part + normal.q;
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(u_normal[i], u[rows[i]], 1e-14 * (1 + u.norm()));
  build_tangent_part(form, tangent);
  update_tangent_part(form, z, scratch, tangent);
  EXPECT_TRUE(tangent.W.symmetric());
  const Vector u_tangent = tangent.W.to_dense() * z + tangent.q;
  for (Index i = 0; i < 12; ++i) {
    const bool held = i % 3 == 0 || i / 3 == 2;
    EXPECT_NEAR(u_tangent[i], held ? 0 : u[i], 1e-14 * (1 + u.norm())) << i;
  }
}

/// The loops with conjugate gradients inside.
const std::vector<Panagiotopoulos> alternations{
    {.normal = Mprgp{}, .tangent = Mprgp{}},
    {.normal = Gpcg{}, .tangent = Mprgp{}},
    {.normal = Gpcg{.jacobi = true}},
    {.normal = TwoPhaseProjection{}},
    {.normal = TwoPhaseProjection{.jacobi = true}, .tangent = Mprgp{}}};

// FS:FS-106h, S:FC-37, FS:FS-27, FS:FS-28, FS:FS-29, FS:V4, FS:V5, FS:V6, FS:V7
TEST(ConjugateGradientLoops, SolveTheUnitCases) {
  Workspace work;
  for (const friction_cases::OneContact& c :
       {friction_cases::take_off(), friction_cases::stick(), friction_cases::slide(),
        friction_cases::coupled_slide()}) {
    const auto check = [&](const auto& options) {
      Vector r = Vector::Zero(3);
      const SolveReport report = solve(c.problem, r, options, work);
      EXPECT_TRUE(report.converged()) << c.name << " " << describe(options);
      EXPECT_LE((r - c.r).norm(), 1e-7) << c.name << " " << describe(options);
    };
    for (const Panagiotopoulos& options : alternations) check(options);
    check(TrescaFixedPoint{.inner = Mprgp{}});
    check(Aclm{.inner = Mprgp{}});
  }
}

TEST(ConjugateGradientLoops, SolveManyContactsBesideOtherRows) {  // FS:FS-106h, S:FC-37
  Workspace work;
  library::Random random(12);
  for (const Index dimension : {2, 3}) {
    BlockForm form = to_block_form(library::random_contacts(dimension, 12, random));
    for (BlockSet& K : form.K)
      if (auto* cone = std::get_if<FrictionCone>(&K)) cone->mu *= 0.5;
    form.K[3] = Interval{-0.1, 0.2};
    form.K[7] = Reals{};
    Vector reference = Vector::Zero(form.q.size());
    ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-11}, work).converged());
    const auto check = [&](const auto& options) {
      Vector r = Vector::Zero(form.q.size());
      const SolveReport report = solve(form, r, options, work);
      EXPECT_TRUE(report.converged()) << describe(options) << name(report.status);
      EXPECT_LE((r - reference).norm(), 1e-6) << describe(options);  // λ_min(W) about 0.1
    };
    for (const Panagiotopoulos& options : alternations) check(options);
    check(TrescaFixedPoint{.inner = Mprgp{}});
    check(Aclm{.inner = Mprgp{}});
  }
}

TEST(PreconditionedGradients, DoNotCareForTheUnitsOfTheRows) {  // S:FC-37
  // S D L D: a chain whose rows are scaled over six decades; z scales with them
  const Index n = 100;
  std::vector<Eigen::Triplet<double>> entries;
  Vector d(n), q(n);
  for (Index i = 0; i < n; ++i) d[i] = std::pow(10.0, static_cast<double>(i % 7) - 3);
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2.1 * d[i] * d[i]);
    if (i > 0) entries.emplace_back(i, i - 1, -d[i] * d[i - 1]);
    if (i + 1 < n) entries.emplace_back(i, i + 1, -d[i] * d[i + 1]);
    q[i] = d[i] * (0.3 * std::sin(0.5 * i) - 0.1);
  }
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  const Lcp lcp{BlockSparse::sparse(W), q};
  Workspace work;
  Vector exact = Vector::Zero(n);
  ASSERT_TRUE(solve(lcp, exact, Lemke{}, work).converged());
  Vector z = Vector::Zero(n);
  const SolveReport with = solve(
      lcp, z, TwoPhaseProjection{.tolerance = 1e-12, .max_iterations = 200, .jacobi = true}, work);
  EXPECT_TRUE(with.converged()) << name(with.status) << with.residual;
  // residuals of 1e-9 (‖q‖∞ = 400) over rows of which the smallest W_ii is 2e-6
  EXPECT_LE((d.asDiagonal() * (z - exact)).lpNorm<Eigen::Infinity>(), 1e-5);
}

}  // namespace
}  // namespace saltus
