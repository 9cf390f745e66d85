#include "saltus/circuits/measure.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace saltus::circuits {

namespace {

/// x(t) between `from` and `to`, both included.
struct Window {
  std::vector<double> t, x;
};

double interpolate(std::span<const double> t, std::span<const double> x, double at) {
  const auto after = std::lower_bound(t.begin(), t.end(), at) - t.begin();
  if (after == 0) return x.front();
  if (after == static_cast<std::ptrdiff_t>(t.size())) return x.back();
  const double length = t[after] - t[after - 1];
  const double part = length > 0 ? (at - t[after - 1]) / length : 1.0;
  return x[after - 1] + part * (x[after] - x[after - 1]);
}

Window cut(const std::string& name, std::span<const double> t, std::span<const double> x,
           double from, double to) {
  require(t.size() == x.size() && t.size() > 1, "measure {}: there are {} instants, expected two",
          name, t.size());
  from = std::max(from, t.front());
  to = std::min(to, t.back());
  require(from < to, "measure {}: from {} to {} nothing was recorded, expected a part of {} to {}",
          name, from, to, t.front(), t.back());
  Window window{{from}, {interpolate(t, x, from)}};
  for (std::size_t k = 0; k < t.size(); ++k)
    if (t[k] > from && t[k] < to) {
      window.t.push_back(t[k]);
      window.x.push_back(x[k]);
    }
  window.t.push_back(to);
  window.x.push_back(interpolate(t, x, to));
  return window;
}

double length(const Window& w) { return w.t.back() - w.t.front(); }

double average(const Window& w) {
  double sum = 0;
  for (std::size_t k = 1; k < w.t.size(); ++k)
    sum += (w.t[k] - w.t[k - 1]) * (w.x[k] + w.x[k - 1]) / 2;
  return sum / length(w);
}

/// The square of a straight line is integrated exactly.
double mean_square(const Window& w) {
  double sum = 0;
  for (std::size_t k = 1; k < w.t.size(); ++k) {
    const double a = w.x[k - 1], b = w.x[k];
    sum += (w.t[k] - w.t[k - 1]) * (a * a + a * b + b * b) / 3;
  }
  return sum / length(w);
}

/// Amplitude of the part with frequency f.
double amplitude(const Window& w, double f) {
  const auto wave = [&](std::size_t k) {
    return w.x[k] * std::polar(1.0, -2 * std::numbers::pi * f * (w.t[k] - w.t[0]));
  };
  std::complex<double> sum = 0;
  for (std::size_t k = 1; k < w.t.size(); ++k)
    sum += (w.t[k] - w.t[k - 1]) * (wave(k) + wave(k - 1)) / 2.0;
  return 2 * std::abs(sum) / length(w);
}

double distortion(const Measure& what, std::span<const double> t, std::span<const double> x) {
  constexpr int harmonics = 40;
  const double to = std::min(what.to, t.back());
  const double from = std::max(what.from, t.front());
  const double periods = std::floor((to - from) * what.frequency * (1 + 1e-9));
  require(periods >= 1, "measure {}: from {} to {} is less than a period of {} Hz", what.name, from,
          to, what.frequency);
  const Window w = cut(what.name, t, x, to - periods / what.frequency, to);
  double sum = 0;
  for (int k = 2; k <= harmonics; ++k) sum += std::pow(amplitude(w, k * what.frequency), 2);
  return std::sqrt(sum) / amplitude(w, what.frequency);
}

}  // namespace

double measure(const Measure& what, std::span<const double> t, std::span<const double> x) {
  if (what.kind == MeasureKind::thd && !t.empty()) return distortion(what, t, x);
  const Window w = cut(what.name, t, x, what.from, what.to);
  const auto [least, largest] = std::minmax_element(w.x.begin(), w.x.end());
  switch (what.kind) {
    case MeasureKind::rms:
      return std::sqrt(mean_square(w));
    case MeasureKind::max:
      return *largest;
    case MeasureKind::min:
      return *least;
    case MeasureKind::pp:
      return *largest - *least;
    case MeasureKind::last:
      return w.x.back();
    default:
      return average(w);
  }
}

}  // namespace saltus::circuits
