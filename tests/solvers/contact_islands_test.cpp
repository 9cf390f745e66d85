// Contact problems that fall apart: groups of contacts that no body joins.
#include "friction_cases.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/contact_islands.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Problems side by side; contact k of problem p is number k·P + p, so that they are interleaved,
/// and every problem is followed by `idle` velocities that nothing touches.
GlobalBlockForm side_by_side(const std::vector<GlobalFrictionContact>& problems, Index idle) {
  std::vector<Eigen::Triplet<double>> mass, columns;
  std::vector<double> mu, f, w;
  Index most = 0;
  for (const GlobalFrictionContact& p : problems) most = std::max<Index>(most, p.mu.size());
  Index contacts = 0;
  std::vector<std::vector<Index>> number(problems.size());
  for (Index k = 0; k < most; ++k)
    for (std::size_t p = 0; p < problems.size(); ++p)
      if (k < problems[p].mu.size()) {
        number[p].push_back(contacts++);
        mu.push_back(problems[p].mu[k]);
        for (Index a = 0; a < 3; ++a) w.push_back(problems[p].w[3 * k + a]);
      }
  Index row = 0;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    const GlobalFrictionContact& own = problems[p];
    for (Index j = 0; j < own.M.cols(); ++j)
      for (Sparse::InnerIterator it(own.M, j); it; ++it)
        mass.emplace_back(row + it.row(), row + j, it.value());
    for (Index j = 0; j < own.H.cols(); ++j)
      for (Sparse::InnerIterator it(own.H, j); it; ++it)
        columns.emplace_back(row + it.row(), 3 * number[p][j / 3] + j % 3, it.value());
    f.insert(f.end(), own.f.begin(), own.f.end());
    row += own.M.rows();
    for (Index i = 0; i < idle; ++i, ++row) {
      mass.emplace_back(row, row, 2.0);
      f.push_back(1.0);
    }
  }
  GlobalFrictionContact all;
  all.M = Sparse(row, row);
  all.M.setFromTriplets(mass.begin(), mass.end());
  all.H = Sparse(row, 3 * contacts);
  all.H.setFromTriplets(columns.begin(), columns.end());
  all.f = Eigen::Map<Vector>(f.data(), row);
  all.w = Eigen::Map<Vector>(w.data(), 3 * contacts);
  all.mu = Eigen::Map<Vector>(mu.data(), contacts);
  return to_global_block_form(all);
}

/// `count` boxes on an incline of slope 0.5, every third of them below the friction that holds it.
std::vector<GlobalFrictionContact> boxes(int count) {
  std::vector<GlobalFrictionContact> list;
  for (int k = 0; k < count; ++k) list.push_back(friction_cases::incline(k % 3 == 0 ? 0.3 : 0.7));
  return list;
}

Vector velocity_alone(const GlobalFrictionContact& problem) {
  Workspace work;
  Vector v(problem.f.size()), r = Vector::Zero(problem.w.size());
  EXPECT_TRUE(solve(problem, v, r, CoulombCascade{.tolerance = 1e-12}, work).converged());
  return v;
}

TEST(ContactIslands, HoldEveryContactOnceAndPutSmallOnesTogether) {
  const GlobalBlockForm problem = side_by_side(boxes(40), 0);  // 4 contacts each
  for (const ContactIslands& islands : {ContactIslands(problem), ContactIslands(reduce(problem))}) {
    ASSERT_EQ(islands.count(), 4);  // 13 boxes, 52 contacts, three times, and one box
    EXPECT_TRUE(islands.worth_splitting());
    Vector count = Vector::Zero(problem.w.size());
    for (Index k = 0; k < islands.count(); ++k) {
      Vector seen = Vector::Zero(count.size());
      islands.scatter(Vector::Ones(islands.gather(count, k).size()), k, seen);
      count += seen;
    }
    EXPECT_EQ(count, Vector::Ones(count.size()));
  }
}

TEST(ContactIslands, LeaveAProblemWholeInWhichOneDominates) {
  const GlobalBlockForm one = to_global_block_form(friction_cases::incline(0.7));
  EXPECT_FALSE(ContactIslands(one).worth_splitting());
  EXPECT_FALSE(ContactIslands(reduce(one)).worth_splitting());
  const ContactIslands idle(side_by_side({friction_cases::incline(0.7)}, 10));
  EXPECT_EQ(idle.count(), 1);
  EXPECT_TRUE(idle.worth_splitting());  // 10 of 16 velocities are untouched
}

TEST(ContactIslands, PartsAreTheProblemsThatWerePutTogether) {
  const std::vector<GlobalFrictionContact> list = boxes(26);
  const GlobalBlockForm problem = side_by_side(list, 3);
  const ContactIslands islands(problem);
  ASSERT_EQ(islands.count(), 2);
  const GlobalBlockForm part = islands.part(problem, 0);
  EXPECT_EQ(part.M.rows(), 13 * 6);
  EXPECT_EQ(part.K.size(), 52u);
  Matrix H = Matrix::Zero(13 * 6, 156);
  for (Index b = 0; b < 13; ++b)
    for (Index j = 0; j < 12; ++j)
      H.block(6 * b, 3 * (13 * (j / 3) + b) + j % 3, 6, 1) = list[b].H.col(j);
  EXPECT_EQ(Matrix(part.H), H);
  EXPECT_EQ(part.w, islands.gather(problem.w, 0));
}

TEST(ContactIslands, SolveToTheVelocitiesOfEachBoxAlone) {
  std::vector<GlobalFrictionContact> list = boxes(40);
  list[7].f *= 1e3;  // its share of ‖q‖ is almost all
  const GlobalBlockForm problem = side_by_side(list, 2);
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    Workspace work;
    Vector v(problem.f.size()), r = Vector::Zero(problem.w.size());
    const SolveReport report = solve(problem, v, r, CoulombCascade{.tolerance = tolerance}, work);
    ASSERT_TRUE(report.converged());
    EXPECT_LE(friction_errors(problem, r).worst(), tolerance);
    Vector reduced = Vector::Zero(r.size());
    EXPECT_TRUE(
        solve(reduce(problem), reduced, CoulombCascade{.tolerance = tolerance}, work).converged());
    EXPECT_LE(friction_errors(reduce(problem), reduced).worst(), tolerance);
    if (tolerance > 1e-12) continue;
    const double size = problem.f.cwiseAbs().maxCoeff();
    for (std::size_t p = 0; p < list.size(); ++p) {
      const auto row = 8 * static_cast<Index>(p);
      EXPECT_LT((v.segment(row, 6) - velocity_alone(list[p])).norm(), 1e-10 * size) << p;
      EXPECT_DOUBLE_EQ(v[row + 6], 0.5);  // M⁻¹ f
    }
  }
}

TEST(ContactIslands, AProofOfOneIsAProofOfTheWhole) {  // FS:V11
  std::vector<GlobalFrictionContact> list = boxes(30);
  list.insert(list.begin() + 20, friction_cases::squeezed());
  const GlobalBlockForm problem = side_by_side(list, 0);
  Workspace work;
  Vector v(problem.f.size()), r = Vector::Zero(problem.w.size());
  EXPECT_EQ(solve(problem, v, r, CoulombCascade{}, work).status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(problem, work.certificate));
}

}  // namespace
}  // namespace saltus
