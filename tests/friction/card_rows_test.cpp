// Rows of the theory that name a method by what one of its steps does: the closed form of a contact
// without friction, hyperplane projection, the plane iterations FPMI and FPMII, islands of contacts
// in parallel. S:FC-27a, S:FC-31, FS:FS-105a, FS:FS-105b, FS:FS-106g.
#include "solvers/friction_cases.hpp"
#include "support/random_matrix.hpp"

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/faceted_friction.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/friction_convex_loops.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/panagiotopoulos.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <algorithm>

namespace saltus {
namespace {

BlockForm scalar_contacts(const Matrix& W, const Vector& q) {
  return {.W = BlockSparse::dense(W), .q = q, .K = {NonNegative{}}};
}

// S:FC-31: without friction a contact is solved by r_N = max(0, −(q_N + e u_N⁻)/W_NN), with the
// restitution in q as the schemes put it there; a sweep takes the latest r of the others.
TEST(LocalContact, WithoutFrictionIsSolvedInClosedForm) {
  Workspace work;
  const double e = 0.5;
  for (const double before : {-2.0, 0.5, 3.0}) {
    const double free = -1, W = 4, q = free + e * before;
    Vector r = Vector::Zero(1);
    ASSERT_TRUE(
        solve(scalar_contacts(Matrix::Constant(1, 1, W), Values{q}), r, Nsgs{}, work).converged());
    EXPECT_EQ(r[0], std::max(0.0, -q / W));
  }
  RandomMatrix matrix(3);
  const Matrix A = matrix(6, 6), W = A * A.transpose() + Matrix::Identity(6, 6);
  const Vector q = matrix(6, 1), start = matrix(6, 1).cwiseAbs();
  Vector r = start, expected = start;
  static_cast<void>(solve(scalar_contacts(W, q), r, Nsgs{.max_iterations = 1}, work));
  for (Index i = 0; i < 6; ++i)
    expected[i] = std::max(0.0, -(q[i] + W.row(i).dot(expected) - W(i, i) * expected[i]) / W(i, i));
  EXPECT_LE((r - expected).lpNorm<Eigen::Infinity>(), 1e-15);
}

Vector cone_projection(const FrictionContact& problem, Vector r) {
  const BlockForm form = to_block_form(problem);
  project_blocks(form, r);
  return r;
}

/// F(r) = u + g(u), u = W r + q, of contacts in space.
Vector shifted_velocity(const FrictionContact& problem, const Vector& r) {
  Vector u = problem.W.to_dense() * r + problem.q;
  for (Index c = 0; c < problem.mu.size(); ++c)
    u[3 * c] += problem.mu[c] * u.segment(3 * c + 1, 2).norm();
  return u;
}

// S:FC-27a: one step, by the definition.
TEST(HyperplaneProjection, ProjectsOnTheSeparatingHyperplane) {
  Workspace work;
  RandomMatrix matrix(5);
  const double tau = 0.7, sigma = 0.4;
  int halved = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const Matrix A = matrix(6, 6);
    const FrictionContact problem{
        3,
        BlockSparse::sparse(
            Eigen::SparseMatrix<double>((A * A.transpose() + Matrix::Identity(6, 6)).sparseView()),
            3),
        matrix(6, 1), Values{0.3, 0.8}};
    const Vector start = cone_projection(problem, matrix(6, 1));
    Vector r = start;
    static_cast<void>(solve(
        problem, r, HyperplaneProjection{.max_iterations = 1, .tau = tau, .sigma = sigma}, work));
    const Vector y = cone_projection(problem, start - tau * shifted_velocity(problem, start));
    const Vector back = start - y;
    double part = 1;
    Vector x = y, F = shifted_velocity(problem, x);
    while (F.dot(back) < sigma / tau * back.squaredNorm()) {
      part /= 2;
      x = start - part * back;
      F = shifted_velocity(problem, x);
    }
    halved += part < 1 ? 1 : 0;
    const Vector expected =
        cone_projection(problem, start - F.dot(start - x) / F.squaredNorm() * F);
    // products of entries up to 10 in another order
    EXPECT_LE((r - expected).lpNorm<Eigen::Infinity>(), 1e-13) << trial;
  }
  EXPECT_GT(halved, 5);
}

// S:FC-27a: F = 0 at the solution of a contact that sticks, linear convergence; where it opens or
// slides the steps shrink with the error and the tail is sublinear.
TEST(HyperplaneProjection, SolvesTheUnitCases) {
  Workspace work;
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    const bool sticks = c.name == "V5" || c.name == "V8-stick";
    Vector r = Vector::Zero(3);
    const double tolerance = sticks ? 1e-10 : 1e-2;
    const SolveReport report =
        solve(c.problem, r, HyperplaneProjection{.tolerance = tolerance}, work);
    EXPECT_TRUE(report.converged()) << c.name << " " << report.residual;
    EXPECT_LE((r - c.r).norm(), 10 * tolerance) << c.name;  // ‖W⁻¹‖ and the cone: below 10
  }
}

/// Contacts in the plane between bodies of three velocities each, W positive definite.
FrictionContact plane_contacts(unsigned seed, Index contacts, double mu) {
  RandomMatrix matrix(seed);
  const Matrix A = matrix(2 * contacts, 2 * contacts + 2);
  FrictionContact problem;
  problem.dimension = 2;
  problem.W = BlockSparse::sparse(Eigen::SparseMatrix<double>((A * A.transpose()).sparseView()), 2);
  problem.q = matrix(2 * contacts, 1);
  for (Index c = 0; c < contacts; ++c) problem.q[2 * c] -= 1;
  problem.mu = Vector::Constant(contacts, mu);
  return problem;
}

/// A problem of scalar sets: one row per set.
BlockForm rows_of(const Matrix& W, const Vector& q, std::vector<BlockSet> K) {
  return {.W = BlockSparse::sparse(Eigen::SparseMatrix<double>(W.sparseView()), 1),
          .q = q,
          .K = std::move(K)};
}

/// The reactions after k iterations from r = 0; exact arithmetic apart, deterministic.
template <class Loop>
Vector after(const FrictionContact& problem, Loop loop, int k) {
  Workspace work;
  Vector r = Vector::Zero(problem.q.size());
  loop.tolerance = 1e-15;  // never reached
  loop.max_iterations = k;
  if (k == 0) return r;
  EXPECT_EQ(solve(problem, r, loop, work).iterations, k);
  return r;
}

// FS:FS-105a: an iterate of FPMI solves, to a tenth of the residual before, the program
// min ½ rᵀW r + rᵀq over the box r_N ≥ 0, |r_T| ≤ μ θ, with the normal forces θ of the iterate
// before.
TEST(PlaneTresca, EveryIterateIsABoxConstrainedProgram) {
  const TrescaFixedPoint loop{.inner = Nsgs{.max_iterations = 100000}};
  for (const unsigned seed : {1u, 2u, 3u}) {
    const FrictionContact problem = plane_contacts(seed, 4, 0.4);
    int changed = 0;
    for (int k = 1; k <= 4; ++k) {
      const Vector before = after(problem, loop, k - 1), r = after(problem, loop, k);
      std::vector<BlockSet> K;
      for (Index c = 0; c < 4; ++c) {
        const double bound = 0.4 * before[2 * c];
        K.emplace_back(NonNegative{});
        K.emplace_back(Interval{-bound, bound});
      }
      const BlockForm box = rows_of(problem.W.to_dense(), problem.q, K);
      EXPECT_LE(residual(box, r), 0.1 * residual(problem, before) * (1 + 1e-9)) << seed << " " << k;
      changed += residual(box, before) > residual(box, r) ? 1 : 0;
    }
    EXPECT_GE(changed, 3) << seed;
  }
}

/// In the plane two facets are the law itself: pivoting gives a solution to compare with.
Vector by_facets(const FrictionContact& problem, Workspace& work) {
  Vector r = Vector::Zero(problem.q.size());
  EXPECT_TRUE(solve(problem, r, FacetedFriction{.tolerance = 1e-10}, work).converged());
  return r;
}

// FS:FS-105a, FS:FS-105b: for W positive definite and little friction the solution is unique (small
// μ makes the law strictly monotone), so that both loops must end where the LCP of the facets does.
TEST(PlaneFriction, FpmiAndFpmiiEndAtTheSolutionOfTheLcp) {
  Workspace work;
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    const FrictionContact problem = plane_contacts(seed, 5, 0.1);
    const Vector expected = by_facets(problem, work);
    const double least =
        Eigen::SelfAdjointEigenSolver<Matrix>(problem.W.to_dense()).eigenvalues()[0];
    Vector tresca = Vector::Zero(10), split = Vector::Zero(10);
    ASSERT_TRUE(solve(problem, tresca,
                      TrescaFixedPoint{.tolerance = 1e-9, .inner = Nsgs{.max_iterations = 100000}},
                      work)
                    .converged())
        << seed;
    ASSERT_TRUE(solve(problem, split,
                      Panagiotopoulos{.tolerance = 1e-9,
                                      .normal = Psor{.max_iterations = 100000},
                                      .tangent = FixedPointProjection{.max_iterations = 100000}},
                      work)
                    .converged())
        << seed;
    // distance ≤ residual (1 + ‖W‖)/λ_min for strongly monotone maps, here with friction: ten times
    const double bound = 1e-8 * 10 * (1 + problem.W.to_dense().norm()) / least;
    EXPECT_LE((tresca - expected).norm(), bound) << seed;
    EXPECT_LE((split - expected).norm(), bound) << seed;
  }
}

/// The rows 2i + part of a plane problem, given the other rows of r.
BlockForm half_of(const FrictionContact& problem, const Vector& r, Index part,
                  std::vector<BlockSet> K) {
  const Matrix W = problem.W.to_dense();
  const Index n = problem.mu.size();
  Matrix own(n, n);
  Vector q(n);
  for (Index i = 0; i < n; ++i) {
    q[i] = problem.q[2 * i + part];
    for (Index j = 0; j < n; ++j) {
      own(i, j) = W(2 * i + part, 2 * j + part);
      q[i] += W(2 * i + part, 2 * j + 1 - part) * r[2 * j + 1 - part];
    }
  }
  return rows_of(own, q, std::move(K));
}
Vector part_of(const Vector& r, Index part) { return r(Eigen::seq(part, r.size() - 2 + part, 2)); }

// FS:FS-105b: an iteration of FPMII solves, each to a tenth of the residual before, the box program
// of the normal forces with the last tangential ones, then that of the tangential forces with the
// new normal ones.
TEST(PlanePanagiotopoulos, AlternatesBetweenTwoBoxConstrainedPrograms) {
  const Panagiotopoulos loop{.normal = Psor{.max_iterations = 100000},
                             .tangent = FixedPointProjection{.max_iterations = 100000}};
  for (const unsigned seed : {7u, 8u, 9u}) {
    const FrictionContact problem = plane_contacts(seed, 4, 0.3);
    for (int k = 1; k <= 4; ++k) {
      const Vector before = after(problem, loop, k - 1), r = after(problem, loop, k);
      const double tenth = 0.1 * residual(problem, before) * (1 + 1e-9);
      std::vector<BlockSet> boxes;
      for (Index c = 0; c < 4; ++c) boxes.emplace_back(Interval{-0.3 * r[2 * c], 0.3 * r[2 * c]});
      const BlockForm normal = half_of(problem, before, 0, std::vector<BlockSet>(4, NonNegative{}));
      const BlockForm tangent = half_of(problem, r, 1, boxes);
      EXPECT_LE(residual(normal, part_of(r, 0)), tenth) << seed << " " << k;
      EXPECT_LE(residual(tangent, part_of(r, 1)), tenth) << seed << " " << k;
    }
  }
}

/// Boxes on inclines side by side that nothing joins.
GlobalFrictionContact inclines(const std::vector<double>& mu) {
  std::vector<Eigen::Triplet<double>> mass, columns;
  GlobalFrictionContact all;
  all.dimension = 3;
  const auto n = static_cast<Index>(mu.size());
  all.f.resize(6 * n);
  all.w.resize(12 * n);
  all.mu.resize(4 * n);
  for (Index b = 0; b < n; ++b) {
    const GlobalFrictionContact own = friction_cases::incline(mu[static_cast<std::size_t>(b)]);
    for (Index j = 0; j < 6; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(own.M, j); it; ++it)
        mass.emplace_back(6 * b + it.row(), 6 * b + j, it.value());
    for (Index j = 0; j < 12; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(own.H, j); it; ++it)
        columns.emplace_back(6 * b + it.row(), 12 * b + j, it.value());
    all.f.segment(6 * b, 6) = own.f;
    all.w.segment(12 * b, 12) = own.w;
    all.mu.segment(4 * b, 4) = own.mu;
  }
  all.M.resize(6 * n, 6 * n);
  all.H.resize(6 * n, 12 * n);
  all.M.setFromTriplets(mass.begin(), mass.end());
  all.H.setFromTriplets(columns.begin(), columns.end());
  return all;
}

// FS:FS-106g: domains that no body joins are solved on their own, whoever solves the others; any
// number of threads gives the same bits.
TEST(ContactDomains, AreSolvedInParallelToTheSameBits) {
  std::vector<double> mu;
  for (int b = 0; b < 60; ++b) mu.push_back(b % 2 == 0 ? 0.3 : 0.8);
  const GlobalFrictionContact problem = inclines(mu);
  Vector first;
  for (const int threads : {1, 2, 3}) {
    Workspace work;
    Vector v(problem.f.size()), r = Vector::Zero(problem.w.size());
    ASSERT_TRUE(solve(problem, v, r, CoulombCascade{.threads = threads}, work).converged());
    if (threads == 1) first = r;
    EXPECT_EQ(first, r) << threads << " threads";
    for (Index b = 0; b < 60; ++b)  // FS:V10: slides at μ = 0.3, sticks at 0.8
      EXPECT_NEAR(v[6 * b], b % 2 == 0 ? 0.0175486615 : 0, 1e-7) << b;
  }
}

}  // namespace
}  // namespace saltus
