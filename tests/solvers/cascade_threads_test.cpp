// The default friction solver on problems that threads share from the first step on.
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

/// Bodies in a row, each on the ground and against its neighbours: M has gyroscopic terms, contacts
/// have frames and arms at random, `rows` each.
GlobalBlockForm row_of_bodies(int bodies, Index rows, const BlockSet& K, bool gyroscopic = true) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Eigen::Triplet<double>> mass, columns;
  Index contacts = 0;
  const auto touch = [&](Index body, double sign) {
    for (Index a = 0; a < rows; ++a)
      for (Index k = 0; k < 6; ++k) {
        const double along = k == (a == 0 ? 2 : a - 1) ? 1 : 0;
        columns.emplace_back(6 * body + k, rows * contacts + a,
                             sign * along + 0.2 * uniform(random));
      }
  };
  for (Index b = 0; b < bodies; ++b) {
    for (Index k = 0; k < 6; ++k)
      mass.emplace_back(6 * b + k, 6 * b + k, 1 + 0.5 * uniform(random));
    for (Index k = 3; k < 6 && gyroscopic; ++k) {
      const double turn = 0.3 * uniform(random);
      mass.emplace_back(6 * b + k, 6 * b + 3 + (k + 1) % 3, turn);
      mass.emplace_back(6 * b + 3 + (k + 1) % 3, 6 * b + k, -turn);
    }
    touch(b, 1);
    ++contacts;
    if (b == 0) continue;
    touch(b, 1);
    touch(b - 1, -1);
    ++contacts;
  }
  GlobalBlockForm form;
  form.M.resize(6 * bodies, 6 * bodies);
  form.M.setFromTriplets(mass.begin(), mass.end());
  form.H.resize(6 * bodies, rows * contacts);
  form.H.setFromTriplets(columns.begin(), columns.end());
  form.f = Vector::NullaryExpr(6 * bodies, [&] { return 0.3 * uniform(random); });
  for (Index b = 0; b < bodies; ++b) form.f[6 * b + 2] -= 1;
  form.w = Vector::Zero(rows * contacts);
  form.sizes.assign(static_cast<std::size_t>(contacts), rows);
  form.K.assign(static_cast<std::size_t>(contacts), K);
  return form;
}

struct Result {
  Vector v, r;
  SolveReport report;
};

Result solve_by(int threads, const GlobalBlockForm& problem) {
  Result result{Vector(problem.f.size()), Vector::Zero(problem.w.size()), {}};
  Workspace work;
  result.report = solve(problem, result.v, result.r, CoulombCascade{.threads = threads}, work);
  return result;
}

Result solve_by(int threads, const BlockForm& problem) {
  Result result{{}, Vector::Zero(problem.q.size()), {}};
  Workspace work;
  result.report = solve(problem, result.r, CoulombCascade{.threads = threads}, work);
  return result;
}

template <class Form>
void expect_same_bits(const Form& problem) {
  const Result alone = solve_by(1, problem);
  EXPECT_TRUE(alone.report.converged());
  EXPECT_GT(alone.report.factorisations, 0);  // not by sweeps alone
  EXPECT_LE(friction_errors(problem, alone.r).worst(), 1e-8);
  for (const int threads : {2, 3}) {
    const Result shared = solve_by(threads, problem);
    EXPECT_EQ(shared.r, alone.r) << threads << " threads";
    EXPECT_EQ(shared.v, alone.v) << threads << " threads";
    EXPECT_EQ(shared.report.residual, alone.report.residual) << threads << " threads";
    EXPECT_EQ(shared.report.iterations, alone.report.iterations) << threads << " threads";
  }
}

constexpr int many = 600;  // bodies: more than a thousand contacts

TEST(CascadeThreads, GiveTheSameBitsOnBodiesWithGyroscopicTerms) {
  expect_same_bits(row_of_bodies(many, 3, FrictionCone{0.6}));
}

TEST(CascadeThreads, GiveTheSameBitsWithRollingFriction) {
  expect_same_bits(row_of_bodies(many, 5, RollingCone{0.6, 0.1}));
}

TEST(CascadeThreads, GiveTheSameBitsOnAReducedForm) {
  expect_same_bits(reduce(row_of_bodies(many, 3, FrictionCone{0.6}, false)));
}

TEST(CascadeThreads, GiveTheSameBitsOnIslands) {
  const GlobalBlockForm one = row_of_bodies(many, 3, FrictionCone{0.6});
  GlobalBlockForm two;
  const auto twice = [](const Eigen::SparseMatrix<double>& A) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < A.cols(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it)
        for (Index k : {0, 1})
          entries.emplace_back(it.row() + k * A.rows(), j + k * A.cols(), it.value());
    Eigen::SparseMatrix<double> B(2 * A.rows(), 2 * A.cols());
    B.setFromTriplets(entries.begin(), entries.end());
    return B;
  };
  two.M = twice(one.M);
  two.H = twice(one.H);
  two.f.resize(2 * one.f.size());
  two.f << one.f, 2 * one.f;
  two.w = Vector::Zero(2 * one.w.size());
  two.sizes.assign(2 * one.sizes.size(), 3);
  two.K.assign(2 * one.K.size(), FrictionCone{0.6});
  expect_same_bits(two);
}

}  // namespace
}  // namespace saltus
