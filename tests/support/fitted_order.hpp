#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace saltus::testing {

/// n step sizes from `largest` to `smallest`, equally spaced in the logarithm, hence
/// incommensurate.
inline std::vector<double> steps(double largest, double smallest, int n) {
  std::vector<double> h(n);
  for (int i = 0; i < n; ++i) h[i] = largest * std::pow(smallest / largest, i / double(n - 1));
  return h;
}

/// Least-squares slope of log(error) over log(h). Across impacts the error is not monotone in h, so
/// fit many steps and never compare two.
inline double fitted_order(const std::vector<double>& h,
                           const std::function<double(double)>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const double n = double(h.size());
  for (double step : h) {
    const double x = std::log(step), y = std::log(error(step));
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace saltus::testing
