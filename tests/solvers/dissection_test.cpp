#include "saltus/solvers/dissection.hpp"
#include "saltus/solvers/coulomb_sweeps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <random>
#include <thread>

namespace saltus {
namespace {

/// Edges of a grid of n × n points: what a cell touches is its two points.
struct Grid {
  explicit Grid(int n) : points(n * n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (i + 1 < n) add(i * n + j, i * n + n + j);
        if (j + 1 < n) add(i * n + j, i * n + j + 1);
      }
  }
  void add(int a, int b) {
    row.push_back(a);
    row.push_back(b);
    begin.push_back(static_cast<Index>(row.size()));
  }
  [[nodiscard]] Index cells() const { return static_cast<Index>(begin.size()) - 1; }
  int points;
  std::vector<Index> begin = {0};
  std::vector<int> row;
};

std::vector<std::vector<std::vector<Index>>> listed(const Dissection& parts) {
  std::vector<std::vector<std::vector<Index>>> levels;
  for (Index level = 0; level < parts.levels(); ++level) {
    levels.emplace_back();
    for (Index part = 0; part < parts.parts(level); ++part) {
      levels.back().emplace_back();
      parts.for_places(level, part,
                       [&](Index k) { levels.back().back().push_back(parts.order()[k]); });
    }
  }
  return levels;
}

TEST(Dissection, PartsOfALevelShareNoRowAndEveryCellIsInOnePart) {
  const Grid grid(30);
  for (const int depth : {1, 2, 3, 4}) {
    const auto levels = listed(Dissection(grid.begin, grid.row, grid.points, depth));
    ASSERT_EQ(levels.size(), static_cast<std::size_t>(depth) + 1);
    EXPECT_EQ(levels.front().size(), 1u << depth);
    std::vector<int> seen(static_cast<std::size_t>(grid.cells()), 0);
    std::size_t bottom = 0;
    for (const auto& level : levels) {
      std::vector<int> owner(static_cast<std::size_t>(grid.points), -1);
      for (std::size_t p = 0; p < level.size(); ++p)
        for (const Index c : level[p]) {
          ++seen[c];
          for (Index k = grid.begin[c]; k < grid.begin[c + 1]; ++k) {
            int& mine = owner[grid.row[k]];
            EXPECT_TRUE(mine < 0 || mine == static_cast<int>(p)) << "row " << grid.row[k];
            mine = static_cast<int>(p);
          }
        }
    }
    for (const auto& part : levels.front()) bottom += part.size();
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
    // 2^depth squares of a grid leave out at most that many lines of 30 edges across
    EXPECT_GE(bottom, static_cast<std::size_t>(grid.cells()) - (30u << depth));
  }
}

TEST(Dissection, IsLeftOutWhereOneRowIsTouchedByAll) {
  std::vector<Index> begin = {0};
  std::vector<int> row;
  for (int c = 0; c < 1000; ++c) {
    row.push_back(0);
    row.push_back(1 + c);
    begin.push_back(static_cast<Index>(row.size()));
  }
  const Dissection parts(begin, row, 1001, 3);
  EXPECT_EQ(parts.levels(), 1);
  EXPECT_EQ(parts.parts(0), 1);
  EXPECT_EQ(Dissection(7).parts(0), 1);
}

TEST(Dissection, IsTheSameWhenSeveralThreadsDissectAtOnce) {
  const Grid grid(40), other(25);
  const auto alone = listed(Dissection(grid.begin, grid.row, grid.points, 3));
  std::vector<std::thread> threads;
  std::vector<int> same(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 5; ++k) {
        same[t] += listed(Dissection(grid.begin, grid.row, grid.points, 3)) == alone;
        (void)Dissection(other.begin, other.row, other.points, t % 3 + 1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(4, 5));
}

/// Balls on the points of a grid and contacts along its edges, in frames that are turned at random.
GlobalBlockForm grid_of_balls(int n) {
  const Grid grid(n);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  GlobalBlockForm form;
  const Index rows = 3 * grid.points;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index c = 0; c < grid.cells(); ++c) {
    const Eigen::Matrix3d frame =
        Eigen::Quaterniond(Eigen::Vector4d::NullaryExpr([&] { return uniform(random); }))
            .normalized()
            .toRotationMatrix();
    for (int side : {0, 1})
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
          entries.emplace_back(3 * grid.row[2 * c + side] + i, 3 * c + j,
                               (side == 0 ? 1 : -1) * frame(i, j));
  }
  form.M.resize(rows, rows);
  form.M.setIdentity();
  form.H.resize(rows, 3 * grid.cells());
  form.H.setFromTriplets(entries.begin(), entries.end());
  form.f = Vector::NullaryExpr(rows, [&] { return uniform(random); });
  form.w = Vector::Zero(3 * grid.cells());
  form.sizes.assign(static_cast<std::size_t>(grid.cells()), 3);
  form.K.assign(static_cast<std::size_t>(grid.cells()), FrictionCone{0.5});
  return form;
}

TEST(CoulombSweeps, GiveTheSameBitsWhateverTheNumberOfThreads) {
  const GlobalBlockForm problem = grid_of_balls(36);  // 2520 contacts: the sweeps are dissected
  Vector first;
  for (const int threads : {1, 2, 3}) {
    CoulombSystem system(threads);
    ASSERT_TRUE(system.load(problem));
    CoulombSweeps sweeps;
    ASSERT_TRUE(sweeps.prepare(system));
    CoulombBest best;
    best.y = Vector::Zero(3 * system.cells());
    int asked = 0;
    const auto budget = [&] {  // asking for the flops brings the threads in
      asked += system.factor_flops() > 0;
      return inf;
    };
    const int made = sweeps.run({1e-6, 5, 5}, budget, best);
    EXPECT_EQ(asked, 1);
    EXPECT_GT(made, 20);
    EXPECT_EQ(system.team().size(), threads);
    EXPECT_LE(best.error, 1e-6);
    if (first.size() == 0) first = best.y;
    EXPECT_EQ(first, best.y) << threads << " threads";
  }
}

}  // namespace
}  // namespace saltus
