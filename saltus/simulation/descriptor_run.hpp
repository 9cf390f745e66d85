#pragma once

#include "saltus/integrators/descriptor_step.hpp"
#include "saltus/simulation/trajectory.hpp"

#include <functional>

namespace saltus {

/// How a descriptor system is run.
struct DescriptorRun {
  static constexpr std::string_view name = "DescriptorRun";
  double step = 0;         ///< longest step [s]; must be given
  double end = 0;          ///< last instant [s]; must be given
  double record_from = 0;  ///< first instant that is recorded [s]
  int every = 1;           ///< record each every-th step, and the last
  bool at_rest = false;    ///< start from the operating point, not from system.initial
  DescriptorTheta scheme = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"step", "longest step [s]", positive}, s.step);
    visit(Field{"end", "last instant [s]", positive}, s.end);
    visit(Field{"record_from", "first instant recorded [s]", non_negative}, s.record_from);
    visit(Field{"every", "record each every-th step, and the last", Range{1, 1e9}}, s.every);
    visit(Field{"at_rest", "start from the operating point"}, s.at_rest);
    visit(Field{"scheme", "the time-stepping scheme"}, s.scheme);
  }
};

/// What a run of a descriptor system gives: the probes are the columns of trajectory.x.
struct DescriptorResult {
  Trajectory trajectory;
  Vector start;         ///< z at t = 0, made consistent
  std::string failure;  ///< why the run ended early, naming the worst row; empty if it did not
};

/// Runs from t = 0. Instants at which the sources jump or bend (next_break) and the ticks of
/// clocked switches are met exactly; between them the steps are equal, as long as `step` allows.
[[nodiscard]] DescriptorResult run(const Descriptor& system,
                                   const std::vector<DescriptorProbe>& probes,
                                   const DescriptorRun& options);

}  // namespace saltus
