#include "saltus/solvers/task_forest.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <utility>

namespace saltus {

namespace {

constexpr int spins = 2000;  // before a thread that finds no task gives way to others

/// Orders tasks by the work between them and the end.
struct Nearer {
  const std::vector<double>& way;
  bool operator()(int a, int b) const { return way[a] < way[b]; }
};

/// Keeps others out for less than a microsecond.
class Hold {
 public:
  explicit Hold(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) ThreadTeam::relax();
  }
  ~Hold() { flag_.clear(std::memory_order_release); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

 private:
  std::atomic_flag& flag_;
};

}  // namespace

void TaskForest::plan(const std::vector<Pass>& passes, double limit) {
  cut_into_tasks(passes, limit);
  measure_ways();
  pending_.resize(tasks_.size());
  home_.assign(tasks_.size(), 0);
  ready_.clear();
}

void TaskForest::cut_into_tasks(const std::vector<Pass>& passes, double limit) {
  const std::size_t count = passes.size();
  std::vector<double> below(count, 0.0);  // work of the subtree
  for (std::size_t i = 0; i < count; ++i) {
    below[i] += passes[i].work;
    if (passes[i].parent >= 0) below[passes[i].parent] += below[i];
  }
  const auto small = [&](Index i) { return below[i] <= limit && !passes[i].apart; };
  std::vector<Index> parent;                                // of each task, a pass
  std::vector<int> children(count, 0), task_of(count, -1);  // tasks below, or with, a pass
  bool subtrees = false;                                    // are what the last task consists of
  tasks_.clear();
  for (Index i = 0, begin = 0; i < static_cast<Index>(count); ++i) {
    const Index up = passes[i].parent;
    if (small(i) && up >= 0 && small(up)) continue;  // within a subtree
    const Index first = std::exchange(begin, i + 1);
    if (passes[i].apart) continue;
    const double work = small(i) ? below[i] : passes[i].work;
    const bool follows = !tasks_.empty() && tasks_.back().end == first;
    const bool neighbour = follows && small(i) && subtrees && parent.back() == up &&
                           tasks_.back().work + work <= limit;
    const bool only_child = follows && !small(i) && parent.back() == i && children[i] == 1;
    if (neighbour || only_child) {
      tasks_.back().end = i + 1;
      tasks_.back().work += work;
      parent.back() = up;
    } else {
      tasks_.push_back({first, i + 1, work, -1});
      parent.push_back(up);
    }
    if (!neighbour && up >= 0) ++children[up];
    subtrees = small(i);
    task_of[i] = static_cast<int>(tasks_.size()) - 1;
  }
  for (std::size_t t = 0; t < tasks_.size(); ++t)
    if (parent[t] >= 0) tasks_[t].parent = task_of[parent[t]];
}

/// The tasks below each, and the work on the longest way from it to the end.
void TaskForest::measure_ways() {
  const std::size_t count = tasks_.size();
  child_begin_.assign(count + 1, 0);
  for (const Task& task : tasks_)
    if (task.parent >= 0) ++child_begin_[task.parent + 1];
  std::partial_sum(child_begin_.begin(), child_begin_.end(), child_begin_.begin());
  child_.resize(static_cast<std::size_t>(child_begin_.back()));
  std::vector<int> next(child_begin_.begin(), child_begin_.end() - 1);
  way_up_.assign(count, 0);
  way_down_.assign(count, 0);
  for (std::size_t t = 0; t < count; ++t) {
    way_down_[t] += tasks_[t].work;
    if (const int parent = tasks_[t].parent; parent >= 0) {
      child_[next[parent]++] = static_cast<int>(t);
      way_down_[parent] = std::max(way_down_[parent], way_down_[t]);
    }
  }
  for (std::size_t t = count; t-- > 0;) {
    const int parent = tasks_[t].parent;
    way_up_[t] = tasks_[t].work + (parent >= 0 ? way_up_[parent] : 0);
  }
}

void TaskForest::start(const Run& run) {
  for (std::vector<int>& own : ready_) own.clear();
  for (int t = 0; t < static_cast<int>(tasks_.size()); ++t) {
    pending_[t] = run.up ? child_begin_[t + 1] - child_begin_[t] : tasks_[t].parent >= 0;
    if (pending_[t] == 0) make_ready(run, t);
  }
}

void TaskForest::make_ready(const Run& run, int task) {
  std::vector<int>& own = ready_[home_[task]];
  own.push_back(task);
  std::push_heap(own.begin(), own.end(), Nearer{run.way});
}

/// A task that is ready after the one that this thread has done (−1: none), or −1 if all are taken.
int TaskForest::take(Run& run, int thread, int done) {
  const std::size_t homes = ready_.size();
  for (int k = 0; run.waiting > 0; ++k) {
    {
      const Hold hold(run.locked);
      if (done >= 0) finish(run, std::exchange(done, -1));
      for (std::size_t i = 0; i < homes; ++i) {
        std::vector<int>& own = ready_[(static_cast<std::size_t>(thread) + i) % homes];
        if (own.empty()) continue;
        std::pop_heap(own.begin(), own.end(), Nearer{run.way});
        const int task = own.back();
        own.pop_back();
        home_[task] = thread;
        --run.waiting;
        return task;
      }
    }
    k < spins ? ThreadTeam::relax() : std::this_thread::yield();
  }
  return -1;
}

/// Makes those ready that waited for the task alone.
void TaskForest::finish(const Run& run, int task) {
  if (run.up) {
    if (const int parent = tasks_[task].parent; parent >= 0 && --pending_[parent] == 0)
      make_ready(run, parent);
  } else {
    for (int c = child_begin_[task]; c < child_begin_[task + 1]; ++c) make_ready(run, child_[c]);
  }
}

}  // namespace saltus
