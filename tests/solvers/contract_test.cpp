// Every algorithm on the same problems: `converged` means a small residual, and independent
// algorithms agree where the solution is unique.
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace saltus {
namespace {

struct Class {
  std::string name;
  std::function<Lcp(Index, library::Random&)> make;
  std::vector<std::string> must_converge;
  bool unique = false;  // positive definite: error bound available
};

std::vector<Class> classes() {
  using namespace library;
  return {
      {"spd",
       random_spd_lcp,
       {"Automatic", "Lemke", "Murty", "BlockPivoting", "Psor", "Nsgs"},
       true},
      {"pd", random_pd_lcp, {"Automatic", "Lemke", "Murty", "BlockPivoting"}, true},
      {"psd", random_psd_lcp, {"Automatic", "Lemke", "BlockPivoting"}},
      {"p", random_p_lcp, {"Automatic", "Lemke", "Murty", "BlockPivoting"}},
      {"copositive", random_copositive_lcp, {"Automatic", "Lemke"}},
      {"degenerate", random_degenerate_lcp, {"Automatic", "Lemke", "Murty", "BlockPivoting"}, true},
      {"infeasible", random_infeasible_lcp, {}},
  };
}

/// The algorithm with its default options, but a budget that the classes below stay well under when
/// the theory says they converge.
template <class Options>
Options with_budget(int iterations) {
  Options options;
  Options::fields(options, [&]<class V>(const Field& field, V& value) {
    if constexpr (std::is_same_v<V, int>)
      if (field.name == "max_iterations" && value != 0) value = std::min(value, iterations);
  });
  return options;
}

/// Every alternative of the variant: an algorithm enters the contract by existing.
template <std::size_t... I>
std::vector<Algorithm> every_algorithm(std::index_sequence<I...>) {
  return {with_budget<std::variant_alternative_t<I, Algorithm>>(2000)...};
}

std::vector<Algorithm> algorithms() {
  return every_algorithm(std::make_index_sequence<std::variant_size_v<Algorithm>>{});
}

std::string name_of(const Algorithm& algorithm) {
  return std::visit([](const auto& a) { return std::string(a.name); }, algorithm);
}

/// ‖z − z*‖ ≤ (1 + ‖M‖) / λ_min(sym M) · ‖min(z, w)‖ for positive definite M.
double error_factor(const Lcp& problem) {
  const Matrix M = problem.M.to_dense(), S = (M + M.transpose()) / 2;
  return (1 + M.norm()) / Eigen::SelfAdjointEigenSolver<Matrix>(S).eigenvalues()[0];
}

class Contract : public ::testing::TestWithParam<Class> {};

TEST_P(Contract, ConvergedMeansASmallResidualAndAlgorithmsAgree) {
  const Class& c = GetParam();
  library::Random random(42);
  Workspace work;  // shared on purpose: nothing may leak from one solve into the next
  for (const Index n : {1, 2, 3, 5, 8, 13, 30, 70})
    for (int trial = 0; trial < 4; ++trial) {
      const Lcp problem = c.make(n, random);
      const BlockForm form = to_block_form(problem);
      const double limit = 1e-8 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
      Vector reference;
      for (const Algorithm& algorithm : algorithms()) {
        Vector z = trial % 2 == 0 ? Vector(Vector::Zero(n)) : random.vector(n);
        const SolveReport report = solve(form, z, algorithm, work);
        const std::string where = c.name + " n=" + std::to_string(n) + " " + name_of(algorithm);
        EXPECT_NE(report.status, SolveStatus::not_run) << where;
        EXPECT_EQ(report.residual, residual(form, z)) << where;
        if (std::holds_alternative<CoulombCascade>(algorithm)) {  // relative to ‖q‖₂, and e₂ too
          EXPECT_TRUE(!report.converged() || report.residual <= 1e-8 * problem.q.norm()) << where;
        } else {
          EXPECT_EQ(report.converged(), report.residual <= limit) << where;
        }
        EXPECT_GE(report.seconds, 0) << where;
        const auto& must = c.must_converge;
        if (std::find(must.begin(), must.end(), name_of(algorithm)) != must.end()) {
          EXPECT_TRUE(report.converged()) << where << ": " << name(report.status) << ", residual "
                                          << report.residual << ", trial " << trial;
        }
        if (c.name == "infeasible") {
          EXPECT_FALSE(report.converged()) << where;
        }
        if (!c.unique || !report.converged()) continue;
        if (reference.size() == 0) reference = z;
        const double gap = 2 * limit * std::sqrt(static_cast<double>(n)) * error_factor(problem);
        EXPECT_LE((z - reference).norm(), gap) << where;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(MatrixClasses, Contract, ::testing::ValuesIn(classes()),
                         [](const auto& param_info) { return param_info.param.name; });

TEST(EveryAlgorithm, LcpAndBlockFormGiveTheSameSolution) {
  library::Random random(1);
  Workspace work;
  for (Index n : {1, 4, 9, 80}) {
    const Lcp problem = library::random_spd_lcp(n, random);
    for (const ComplementarityAlgorithm& algorithm :
         {ComplementarityAlgorithm(Lemke{}), ComplementarityAlgorithm(Murty{}),
          ComplementarityAlgorithm(BlockPivoting{}), ComplementarityAlgorithm(Automatic{})}) {
      Vector z = Vector::Zero(n), r = Vector::Zero(n);
      EXPECT_TRUE(solve(problem, z, algorithm, work).converged());
      std::visit(
          [&](const auto& a) {
            EXPECT_TRUE(solve(to_block_form(problem), r, a, work).converged());
          },
          algorithm);
      EXPECT_EQ(z, r);
    }
  }
}

TEST(EveryAlgorithm, EmptyProblemsConvergeAtOnce) {
  BlockForm form;
  form.W = BlockSparse::dense(Matrix(0, 0), 1);
  Workspace work;
  Vector r;
  for (const Algorithm& algorithm : algorithms()) {
    const SolveReport report = solve(form, r, algorithm, work);
    EXPECT_TRUE(report.converged()) << name_of(algorithm);
    EXPECT_EQ(report.iterations, 0) << name_of(algorithm);
  }
}

TEST(EveryAlgorithm, NaNInTheDataEndsInNumericalError) {
  Lcp problem = library::spd();
  problem.q[0] = std::nan("");
  const BlockForm form{problem.M, problem.q, {NonNegative{}}};
  Workspace work;
  for (const Algorithm& algorithm : algorithms()) {
    Vector r = Vector::Zero(2);
    EXPECT_EQ(solve(form, r, algorithm, work).status, SolveStatus::numerical_error)
        << name_of(algorithm);
  }
}

}  // namespace
}  // namespace saltus
