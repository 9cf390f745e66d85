#pragma once

#include "saltus/base/report.hpp"

#include <utility>
#include <variant>
#include <vector>

namespace saltus::circuits {

/// A constant [V or A].
struct Constant {
  double value = 0;
};

/// offset + amplitude exp(−damping τ) sin(2π frequency τ + phase), τ = max(t − delay, 0).
struct Sine {
  double offset = 0, amplitude = 0, frequency = 0;
  double delay = 0, damping = 0;
  double phase = 0;  ///< [rad]; a netlist gives degrees
};

/// From `low` to `high` and back: after `delay`, up in `rise`, high for `width`, down in `fall`,
/// again after `period`. Rise and fall may be 0: a jump.
struct Pulse {
  double low = 0, high = 0;
  double delay = 0, rise = 0, fall = 0;
  double width = inf, period = inf;
};

/// Straight lines between (t, value), constant before and after; two points at one time: a jump.
struct PiecewiseLinear {
  std::vector<std::pair<double, double>> points;
};

/// The course of a source over time (F:F045).
using Waveform = std::variant<Constant, Sine, Pulse, PiecewiseLinear>;

/// At time t; at a jump, the limit from the left.
[[nodiscard]] double value(const Waveform& waveform, double t);

/// An instant this close to a break counts as the break [s].
[[nodiscard]] double break_width(const Waveform& waveform);

/// Longest step that resolves the waveform between its breaks [s]: 1/16 of the period of a sine.
[[nodiscard]] double resolution(const Waveform& waveform);

/// The first instant after t at which the waveform jumps or bends; infinity if there is none.
[[nodiscard]] double next_break(const Waveform& waveform, double t);

}  // namespace saltus::circuits
