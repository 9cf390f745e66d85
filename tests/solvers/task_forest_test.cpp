#include "saltus/solvers/task_forest.hpp"

#include "saltus/solvers/front_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

namespace saltus {
namespace {

/// A forest numbered so that children come before parents and subtrees are consecutive.
std::vector<TaskForest::Pass> random_forest(int size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> work(0, 1);
  std::vector<TaskForest::Pass> passes;
  std::vector<Index> open;  // roots so far, the last ones become children
  for (int i = 0; i < size; ++i) {
    const auto most = std::min<std::size_t>(open.size(), random() % 4);
    for (std::size_t k = 0; k < most; ++k) {
      passes[open.back()].parent = i;
      open.pop_back();
    }
    passes.push_back({-1, work(random)});
    open.push_back(i);
  }
  return passes;
}

double sum(const std::vector<TaskForest::Pass>& passes) {
  double all = 0;
  for (const TaskForest::Pass& pass : passes) all += pass.work;
  return all;
}

TEST(ThreadTeam, TellsWhichThreadMakesAPassAndMakesItOnce) {
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    std::vector<int> made(1000, 0), thread_of(1000, -1);
    team.for_range(1000, [&](Index k, int thread) {
      ++made[k];
      thread_of[k] = thread;
    });
    EXPECT_EQ(made, std::vector<int>(1000, 1));
    EXPECT_GE(*std::min_element(thread_of.begin(), thread_of.end()), 0);
    EXPECT_LT(*std::max_element(thread_of.begin(), thread_of.end()), threads);
  }
}

TEST(TaskForest, RunsEveryPassOnceChildrenFirstOrParentsFirst) {
  for (unsigned seed = 0; seed < 12; ++seed)
    for (const double share : {0.0, 0.02, 0.2, 2.0})
      for (const int threads : {1, 2, 4}) {
        const std::vector<TaskForest::Pass> passes = random_forest(300, seed);
        TaskForest forest;
        forest.plan(passes, share * sum(passes));
        ThreadTeam team(threads);
        for (const bool up : {true, false, true}) {
          std::vector<std::atomic<int>> done(passes.size());
          std::atomic<int> too_early = 0;
          const auto run = [&](Index i, int) {
            for (std::size_t k = 0; k < passes.size(); ++k)
              if (up && passes[k].parent == i && done[k] != 1) ++too_early;
            const Index parent = passes[i].parent;
            if (!up && parent >= 0 && done[parent] != 1) ++too_early;
            ++done[i];
          };
          if (up)
            forest.upward(team, run);
          else
            forest.downward(team, run);
          EXPECT_EQ(too_early, 0) << seed << " " << share << " " << threads;
          for (const auto& count : done) EXPECT_EQ(count, 1);
        }
      }
}

TEST(TaskForest, LeavesOutWhatIsApart) {
  std::vector<TaskForest::Pass> passes = random_forest(200, 3);
  std::vector<double> below(passes.size());
  for (std::size_t i = 0; i < passes.size(); ++i) {
    below[i] += passes[i].work;
    passes[i].apart = passes[i].apart || below[i] > 0.1 * sum(passes);
    if (const Index parent = passes[i].parent; parent >= 0) {
      below[parent] += below[i];
      if (passes[i].apart) passes[parent].apart = true;
    }
  }
  TaskForest forest;
  forest.plan(passes, 0.05 * sum(passes));
  ThreadTeam team(2);
  std::vector<std::atomic<int>> done(passes.size());
  forest.upward(team, [&](Index i, int) { ++done[i]; });
  for (std::size_t i = 0; i < passes.size(); ++i) EXPECT_EQ(done[i], passes[i].apart ? 0 : 1) << i;
}

/// Bodies of six rows in a row, each tied to the next.
TEST(FrontTree, HalvesALongRowOfBodies) {
  constexpr int bodies = 700;
  std::vector<int> begin = {0}, row;
  for (int j = 0; j < 6 * bodies; ++j) {
    for (int b = std::max(0, j / 6 - 1); b <= std::min(bodies - 1, j / 6 + 1); ++b)
      for (int i = 0; i < 6; ++i) row.push_back(6 * b + i);
    begin.push_back(static_cast<int>(row.size()));
  }
  const FrontTree tree = front_tree(begin, row);
  std::vector<double> path(tree.fronts.size(), 0.0);
  for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
    path[f] += tree.fronts[f].flops;
    if (const Index parent = tree.fronts[f].parent; parent >= 0)
      path[parent] = std::max(path[parent], path[f]);
  }
  EXPECT_LT(path.back(), 0.55 * tree.flops);
  // a body, and what is left of it for the next: Σ 2 k², k from 6 to 11, and a few zeros
  EXPECT_LT(tree.flops, 2 * 2.0 * bodies * (36 + 49 + 64 + 81 + 100 + 121));
}

}  // namespace
}  // namespace saltus
