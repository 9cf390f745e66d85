#include "saltus/circuits/waveform.hpp"

#include "saltus/base/overloaded.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus::circuits {

namespace {

/// Instants closer than this belong to the same edge: what a sum of steps may be off.
double edge_width(const Pulse& pulse, double t) {
  return pulse.period < inf ? 1e-9 * pulse.period : 1e-12 * std::max({t, pulse.delay, 1e-6});
}

/// Within a period, 0 < p ≤ period.
double pulse_piece(const Pulse& pulse, double p, double width) {
  if (p < pulse.rise - width) return pulse.low + (pulse.high - pulse.low) * p / pulse.rise;
  if (p <= pulse.rise + pulse.width + width) return pulse.high;
  const double down = p - pulse.rise - pulse.width;
  if (down < pulse.fall - width) return pulse.high + (pulse.low - pulse.high) * down / pulse.fall;
  return pulse.low;
}

double value_of(const Pulse& pulse, double t) {
  const double width = edge_width(pulse, t), since = t - pulse.delay;
  if (since <= width) return pulse.low;
  if (pulse.period == inf) return pulse_piece(pulse, since, width);
  const double p = since - std::floor(since / pulse.period) * pulse.period;
  return pulse_piece(pulse, p <= width ? pulse.period : p, width);
}

double break_of(const Pulse& pulse, double t) {
  const double width = edge_width(pulse, t), since = t - pulse.delay;
  const double periods = pulse.period < inf ? std::floor(since / pulse.period) : 0;
  const double corners[] = {0, pulse.rise, pulse.rise + pulse.width,
                            pulse.rise + pulse.width + pulse.fall};
  for (double k = std::max(periods, 0.0); k <= std::max(periods, 0.0) + 2; ++k) {
    const double begin = k > 0 ? pulse.delay + k * pulse.period : pulse.delay;
    for (const double corner : corners)
      if (begin + corner > t + width) return begin + corner;
  }
  return inf;
}

double value_of(const Sine& sine, double t) {
  const double since = std::max(t - sine.delay, 0.0);
  const double angle = 2 * std::numbers::pi * sine.frequency * since + sine.phase;
  const double decay = sine.damping == 0 ? 1.0 : std::exp(-sine.damping * since);
  return sine.offset + sine.amplitude * decay * std::sin(angle);
}

double value_of(const PiecewiseLinear& line, double t) {
  const auto& points = line.points;
  if (points.empty()) return 0;
  // the first point at t or later: at a jump the one before it
  const auto after =
      std::lower_bound(points.begin(), points.end(), t,
                       [](const auto& point, double at) { return point.first < at; });
  if (after == points.end()) return points.back().second;
  if (after == points.begin() || after->first <= t) return after->second;
  const auto before = after - 1;
  const double part = (t - before->first) / (after->first - before->first);
  return before->second + part * (after->second - before->second);
}

double break_of(const PiecewiseLinear& line, double t) {
  const auto after =
      std::upper_bound(line.points.begin(), line.points.end(), t + 1e-12 * std::abs(t),
                       [](double at, const auto& point) { return at < point.first; });
  return after == line.points.end() ? inf : after->first;
}

}  // namespace

double value(const Waveform& waveform, double t) {
  return std::visit(Overloaded{[](const Constant& c) { return c.value; },
                               [&](const auto& w) { return value_of(w, t); }},
                    waveform);
}

double break_width(const Waveform& waveform) {
  const auto* pulse = std::get_if<Pulse>(&waveform);
  return pulse != nullptr ? edge_width(*pulse, 0) : 0.0;
}

double resolution(const Waveform& waveform) {
  constexpr double per_period = 16;
  const auto* sine = std::get_if<Sine>(&waveform);
  if (sine == nullptr) return inf;
  const double swing = sine->frequency > 0 ? 1 / (per_period * sine->frequency) : inf;
  const double decay = sine->damping > 0 ? 4 / (per_period * sine->damping) : inf;
  return std::min(swing, decay);
}

double next_break(const Waveform& waveform, double t) {
  return std::visit(Overloaded{[](const Constant&) { return inf; },
                               [&](const Sine& sine) { return sine.delay > t ? sine.delay : inf; },
                               [&](const auto& w) { return break_of(w, t); }},
                    waveform);
}

}  // namespace saltus::circuits
