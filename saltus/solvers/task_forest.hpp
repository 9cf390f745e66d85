#pragma once

#include "saltus/solvers/thread_team.hpp"

#include <atomic>
#include <vector>

namespace saltus {

/// Passes of which each but the roots has a parent, shared out among a team in tasks of several. Of
/// the tasks that wait for no other, a thread takes the one with the most work between it and its
/// root [Hu 1961]: the longest path, which no number of threads shortens, is never left lying. It
/// prefers those that it did the last time, since their data are in its cache.
class TaskForest {
 public:
  struct Pass {
    Index parent = -1;  ///< a later pass; −1: none
    double work = 0;
    bool apart = false;  ///< not done here, nor is what is above it
  };
  /// Subtrees of work up to `limit` are done by one thread, neighbouring ones in one task; so is a
  /// pass with the only task below it. Children come before parents, and before them whatever is
  /// below them.
  void plan(const std::vector<Pass>& passes, double limit);

  /// body(pass, thread), children before parents.
  template <class Body>
  void upward(ThreadTeam& team, const Body& body) {
    if (team.size() == 1) {
      for (const Task& task : tasks_)
        for (Index i = task.begin; i < task.end; ++i) body(i, 0);
      return;
    }
    run(team, true, [&](const Task& task, int thread) {
      for (Index i = task.begin; i < task.end; ++i) body(i, thread);
    });
  }

  /// body(pass, thread), parents before children, and the passes of a task backwards.
  template <class Body>
  void downward(ThreadTeam& team, const Body& body) {
    if (team.size() == 1) {
      for (auto task = tasks_.rbegin(); task != tasks_.rend(); ++task)
        for (Index i = task->end - 1; i >= task->begin; --i) body(i, 0);
      return;
    }
    run(team, false, [&](const Task& task, int thread) {
      for (Index i = task.end - 1; i >= task.begin; --i) body(i, thread);
    });
  }

 private:
  struct Task {
    Index begin, end;  // passes, one after the other
    double work;
    int parent;  // −1: none
  };
  void cut_into_tasks(const std::vector<Pass>& passes, double limit);
  void measure_ways();

  /// What the threads of one run agree on.
  struct Run {
    const std::vector<double>& way;  // the longest to the end
    bool up;
    std::atomic<int> waiting;  // tasks that no thread has taken
    std::atomic_flag locked = {};
  };
  template <class Body>
  void run(ThreadTeam& team, bool up, const Body& body) {
    ready_.resize(std::max(ready_.size(), static_cast<std::size_t>(team.size())));
    Run state{up ? way_up_ : way_down_, up, static_cast<int>(tasks_.size())};
    start(state);
    team.for_each(team.size(), [&](Index, int thread) {
      for (int task = take(state, thread, -1); task >= 0; task = take(state, thread, task))
        body(tasks_[task], thread);
    });
  }
  void start(const Run& run);
  [[nodiscard]] int take(Run& run, int thread, int done);
  void finish(const Run& run, int task);
  void make_ready(const Run& run, int task);

  std::vector<Task> tasks_;
  std::vector<int> child_, child_begin_;
  std::vector<double> way_up_, way_down_;  // work from a task to its root, to its furthest leaf
  std::vector<int> pending_;               // children, or the parent, that are not done
  std::vector<int> home_;                  // the thread that did the task last
  std::vector<std::vector<int>> ready_;    // heaps, by their home
};

}  // namespace saltus
