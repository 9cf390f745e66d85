#pragma once

#include "saltus/integrators/descriptor_step.hpp"
#include "saltus/simulation/trajectory.hpp"

#include <functional>

namespace saltus {

/// How a descriptor system is run: with fixed steps by DescriptorTheta, or (accuracy > 0) with
/// steps that the error chooses by DescriptorTrBdf2.
struct DescriptorRun {
  static constexpr std::string_view name = "DescriptorRun";
  double step = 0;  ///< longest fixed step, or distance of the instants recorded [s]; must be given
  double end = 0;   ///< last instant [s]; must be given
  double accuracy = 0;     ///< error of a step in parts of full scale; 0: fixed steps
  double longest = 0;      ///< longest chosen step [s]; 0: end/50
  double record_from = 0;  ///< first instant that is recorded [s]
  int every = 1;           ///< record each every-th fixed step, and the last
  bool at_rest = false;    ///< start from the operating point, not from system.initial
  DescriptorTheta scheme = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"step", "longest fixed step, or distance of the instants recorded [s]", positive},
          s.step);
    visit(Field{"end", "last instant [s]", positive}, s.end);
    visit(Field{"accuracy", "error of a step; 0: fixed steps", Range{0, 0.5}}, s.accuracy);
    visit(Field{"longest", "longest chosen step [s]; 0: end/50", non_negative}, s.longest);
    visit(Field{"record_from", "first instant recorded [s]", non_negative}, s.record_from);
    visit(Field{"every", "record each every-th fixed step, and the last", Range{1, 1e9}}, s.every);
    visit(Field{"at_rest", "start from the operating point"}, s.at_rest);
    visit(Field{"scheme", "of fixed steps; its solver serves both"}, s.scheme);
  }
};

/// What a run of a descriptor system gives: the probes are the columns of trajectory.x.
struct DescriptorResult {
  Trajectory trajectory;
  Trajectory steps;     ///< of `at_steps`: at all instants recorded and all ends of steps; at a
                        ///< break twice, before and after it
  Vector start;         ///< z at t = 0, made consistent
  std::string failure;  ///< why the run ended early, naming the worst row; empty if it did not
};

/// Runs from t = 0. Instants at which the sources jump or bend (next_break) and the ticks of
/// clocked switches are met exactly. Fixed steps: between them the steps are equal, as long as
/// `step` allows, and each is recorded. Chosen steps: what stands between two such instants is
/// halved as often as the accuracy asks, around commutations, too, and `step` · k is recorded, from
/// parabolas through the points of the steps. Steps are at least 1e-6 of the longest: what jumps
/// (charges of capacitors that an ideal switch connects) does so in one of those.
[[nodiscard]] DescriptorResult run(const Descriptor& system,
                                   const std::vector<DescriptorProbe>& probes,
                                   const DescriptorRun& options,
                                   const std::vector<DescriptorProbe>& at_steps = {});

}  // namespace saltus
