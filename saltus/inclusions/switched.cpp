#include "saltus/inclusions/switched.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// `steps` steps of the classical Runge–Kutta method over `length`.
template <class Rate>
void flow(const Rate& rate, double t, double length, int steps, Vector& x) {
  const double h = length / steps;
  Vector k1(x.size()), k2(x.size()), k3(x.size()), k4(x.size());
  for (int i = 0; i < steps; ++i, t += h) {
    rate(t, x, k1);
    rate(t + h / 2, Vector(x + h / 2 * k1), k2);
    rate(t + h / 2, Vector(x + h / 2 * k2), k3);
    rate(t + h, Vector(x + h * k3), k4);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

void require_increasing(const char* who, const Values& times) {
  for (Index i = 1; i < times.size(); ++i)
    require(times[i] > times[i - 1], "{}: times[{}] is {}, not after {}", who, i, times[i],
            times[i - 1]);
}

}  // namespace

Index SwitchedSystem::mode(double t) const {
  const auto* end = times.data() + times.size();
  return modes[static_cast<std::size_t>(std::upper_bound(times.data(), end, t) - times.data())];
}

Model SwitchedSystem::model() const {
  require_increasing("SwitchedSystem", times);
  require(static_cast<Index>(modes.size()) == times.size() + 1,
          "SwitchedSystem: {} modes for {} switching times, expected one more", modes.size(),
          times.size());
  for (Index m : modes)
    require(m >= 0 && m < static_cast<Index>(fields.size()), "SwitchedSystem: mode {} of {} fields",
            m, fields.size());
  const SwitchedSystem self = *this;
  Model model;
  model.add(field_system(x0.size(),
                         [self](double t, ConstVectorRef x, VectorRef f) {
                           self.fields[static_cast<std::size_t>(self.mode(t))](t, x, f);
                         }),
            {.x = x0}, "x");
  return model;
}

Model ImpulsiveSystem::model() const {
  require(static_cast<bool>(g), "ImpulsiveSystem: g is missing");
  const ImpulsiveSystem self = *this;
  Model model;
  model.add(field_system(x0.size(),
                         [self](double t, ConstVectorRef x, VectorRef out) {
                           Vector push = Vector::Zero(x.size());
                           if (self.rate) {
                             self.g(x, push);
                             push *= self.rate(t);
                           }
                           out.setZero();
                           if (self.f) self.f(t, x, out);
                           out += push;
                         }),
            {.x = x0}, "x");
  return model;
}

Vector ImpulsiveSystem::after_jump(ConstVectorRef x, double jump, int steps) const {
  require(static_cast<bool>(g), "ImpulsiveSystem: g is missing");
  require(steps >= 1, "ImpulsiveSystem: {} steps over a jump, expected at least 1", steps);
  Vector z = x;
  flow([&](double, const Vector& at, Vector& out) { g(at, out); }, 0, jump, steps, z);
  return z;
}

Vector ImpulsiveSystem::solve(double t_end, double h) const {
  require_increasing("ImpulsiveSystem", times);
  require(jumps.size() == times.size(), "ImpulsiveSystem: {} jumps at {} times", jumps.size(),
          times.size());
  require(h > 0, "ImpulsiveSystem: h is {}, expected > 0", h);
  const Model smooth = model();
  const SystemEntry& entry = smooth.systems()[0];
  const auto field = [&](double at, const Vector& point, Vector& out) {
    entry.system.force({.t = at, .x = view_of(point.data(), point.size())}, out);
  };
  Vector x = x0;
  double t = 0;
  const auto advance = [&](double to) {
    if (to > t) flow(field, t, to - t, static_cast<int>(std::ceil((to - t) / h)), x);
    t = to;
  };
  for (Index k = 0; k < times.size() && times[k] <= t_end; ++k) {
    advance(times[k]);
    x = after_jump(x, jumps[k]);
  }
  advance(t_end);
  return x;
}

}  // namespace saltus
