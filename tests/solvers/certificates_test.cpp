// Proofs of infeasibility, and the default on random problems of every class.
#include "saltus/problems/certificates.hpp"

#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"
#include "saltus/solvers/infeasibility.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace saltus {
namespace {

/// Infeasible although no row tells and M is in no class: y ≥ 0 with Mᵀy ≤ 0, qᵀy = −1.
Lcp hidden_infeasible(Index n, library::Random& random) {
  const Vector y = random.vector(n).cwiseAbs() + Vector::Constant(n, 0.1);
  Matrix M = random.matrix(n, n);
  Vector q = random.vector(n);
  for (Index j = 0; j < n; ++j) {
    const double excess = M.col(j).dot(y) + random.uniform(0, 1);
    if (excess > 0) M.col(j) -= excess / y.squaredNorm() * y;
  }
  q -= (q.dot(y) + 1) / y.squaredNorm() * y;
  return library::dense(M, q);
}

/// n×n with zᵀMz ≥ 0 on z ≥ 0 but indefinite: semi-definite plus nonnegative. Feasible by q = w − M
/// z.
Lcp copositive(Index n, library::Random& random) {
  const Matrix A = random.matrix(n, n / 2 + 1), N = random.matrix(n, n).cwiseAbs();
  const Matrix M = A * A.transpose() / static_cast<double>(n) + N;
  return library::dense(M, random.vector(n));
}

/// Semi-definite, skew part included, with a solution where a third of the rows have z_i = w_i = 0.
Lcp degenerate_psd(Index n, library::Random& random) {
  const Matrix A = random.matrix(n, n / 2 + 1), S = random.matrix(n, n);
  const Matrix M = A * A.transpose() / static_cast<double>(n) + S - S.transpose();
  Vector z = Vector::Zero(n), w = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) {
    if (i % 3 == 0) z[i] = random.uniform(0.5, 2);
    if (i % 3 == 1) w[i] = random.uniform(0.5, 2);
  }
  return library::dense(M, w - M * z);
}

struct Class {
  std::string name;
  std::function<Lcp(Index, library::Random&)> make;
};

TEST(Certificate, OfASingleRowIsAUnitVector) {  // S:LCP-26, S:V-12
  const Lcp problem = library::dense(Rows{{-1, 0}, {0, 1}}, Values{-1, 0});
  EXPECT_TRUE(proves_infeasible(problem, Values{1, 0}));
  EXPECT_FALSE(proves_infeasible(problem, Values{0, 1}));   // qᵀy = 0
  EXPECT_FALSE(proves_infeasible(problem, Values{1, -1}));  // sign
  EXPECT_FALSE(proves_infeasible(problem, Values{1, 1}));   // Mᵀy = (−1, 1)
  EXPECT_FALSE(proves_infeasible(problem, Values{1}));
  EXPECT_FALSE(proves_infeasible(problem, Values{std::nan(""), 0}));
}

TEST(Certificate, IsRefusedForASolvableProblem) {
  library::Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Lcp problem = library::random_spd_lcp(5, random);
    EXPECT_FALSE(proves_infeasible(problem, random.vector(5).cwiseAbs()));
    Workspace work;
    const Vector z = Vector::Zero(5);
    EXPECT_FALSE(certify_infeasible(as_box(problem, z, "test", work), work));
    EXPECT_EQ(work.certificate.size(), 0);
  }
}

TEST(Certificate, CoversEqualitiesAndIntervals) {
  // w₀ = z₁ + 1 = 0 is impossible with z₁ ≥ 0
  const Mlcp mlcp{BlockSparse::dense(Rows{{0, 1}, {1, 1}}), Values{1, 0}, {0}};
  EXPECT_TRUE(proves_infeasible(mlcp, Values{-1, 0}));
  EXPECT_FALSE(proves_infeasible(mlcp, Values{1, 0}));
  // w₀ = −r₁ − 3 ≥ 0 is impossible with r₁ in [−2, 2]; possible with r₁ in [−4, 2]
  const auto relay = [](double lower) {
    return BlockForm{BlockSparse::dense(Rows{{0, -1}, {0, 1}}, 1),
                     Values{-3, 0},
                     {NonNegative{}, Interval{lower, 2}}};
  };
  EXPECT_TRUE(proves_infeasible(relay(-2), Values{1, 0}));
  EXPECT_FALSE(proves_infeasible(relay(-4), Values{1, 0}));
  EXPECT_FALSE(proves_infeasible(relay(-2), Values{1, 1}));  // nothing is asked of w₁
  Workspace work;
  Vector r = Vector::Zero(2);
  EXPECT_EQ(solve(relay(-2), r, Automatic{}, work).status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(relay(-2), work.certificate));
  Vector z = Vector::Zero(2);
  EXPECT_EQ(solve(mlcp, z, Automatic{}, work).status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(mlcp, work.certificate));
}

TEST(Automatic, ProvesHiddenInfeasibilityForAnyMatrix) {
  library::Random random(2);
  Workspace work;
  for (const Index n : {1, 2, 3, 8, 20, 60, 90})
    for (int trial = 0; trial < 10; ++trial) {
      const Lcp problem = hidden_infeasible(n, random);
      Vector z = Vector::Zero(n);
      EXPECT_EQ(solve(problem, z, Automatic{}, work).status, SolveStatus::infeasible) << n;
      EXPECT_TRUE(proves_infeasible(problem, work.certificate)) << n;
    }
}

TEST(Automatic, EmptiesTheCertificateOfTheSolveBefore) {
  Workspace work;
  Vector z = Vector::Zero(2);
  const Lcp infeasible = library::dense(Rows{{1, -1}, {-1, 1}}, Values{-1, -1});
  EXPECT_EQ(solve(infeasible, z, Automatic{}, work).status, SolveStatus::infeasible);
  EXPECT_EQ(work.certificate.size(), 2);
  EXPECT_TRUE(solve(library::spd(), z, Automatic{}, work).converged());
  EXPECT_EQ(work.certificate.size(), 0);
}

/// `samples` random problems of each class, n up to 60. The environment variable SALTUS_SAMPLES
/// sets another number, 100 000 in the long run.
TEST(Automatic, NeverClaimsAWrongAnswerOnRandomProblems) {
  const char* given = std::getenv("SALTUS_SAMPLES");
  const int samples = given != nullptr ? std::atoi(given) / 7 : 60;
  const std::vector<Class> classes = {{"p", library::random_p_lcp},
                                      {"pd", library::random_pd_lcp},
                                      {"psd", library::random_psd_lcp},
                                      {"copositive", copositive},
                                      {"degenerate", library::random_degenerate_lcp},
                                      {"degenerate psd", degenerate_psd},
                                      {"infeasible", hidden_infeasible}};
  Workspace work;
  for (const Class& c : classes) {
    library::Random random(77);
    int decided = 0;
    for (int k = 0; k < samples; ++k) {
      const Index n = 1 + k % 60;
      const Lcp problem = c.make(n, random);
      Vector z = k % 2 == 0 ? Vector(Vector::Zero(n)) : random.vector(n);
      const SolveReport report = solve(problem, z, Automatic{}, work);
      const double limit = 1e-8 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
      ASSERT_EQ(report.converged(), residual(problem, z) <= limit) << c.name << " " << k;
      if (report.status == SolveStatus::infeasible) {
        ASSERT_TRUE(proves_infeasible(problem, work.certificate)) << c.name << " " << k;
      }
      const auto right = c.name == "infeasible" ? SolveStatus::infeasible : SolveStatus::converged;
      if (report.status == right) ++decided;
    }
    RecordProperty(c.name, decided);
    EXPECT_EQ(decided, samples) << c.name;
  }
}

}  // namespace
}  // namespace saltus
