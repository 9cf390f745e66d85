#pragma once

#include "saltus/inclusions/moving_relation.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

/// Perturbed sweeping process (F:F063, F:F065, F:F066, TI:TI-081) with a set that moves and grows:
///     −ẋ + f(t, x) ∈ N_K(t)(x),   K(t) = c(t) + s(t) K,   s(t) > 0.
/// As a model: ẋ = f + λ, y = (x − c)/s, −λ ∈ N_K(y). K(t) may jump: the state follows by the
/// nearest point. CatchingUp, or backward Euler (MoreauJean with θ = 1), which is the same without
/// f.
struct SweepingProcess {
  Values x0 = {};                                          ///< in K(0); else the first step jumps
  Set set = NonNegative{};                                 ///< K
  std::function<void(double t, VectorRef c)> center = {};  ///< empty: 0
  std::function<double(double t)> scale = {};              ///< empty: 1
  TimeField f = {};                                        ///< empty: 0
  /// Throws Error on a set that does not fit x0.
  [[nodiscard]] Model model() const;
};

/// Sweeping process with a moving polyhedron (F:F070, TI:TI-083):
///     −ẋ + f(t, x) ∈ N_K(t)(x),   K(t) = {x : A x + b(t) ≥ 0}.
/// As a model: ẋ = f + Aᵀλ, 0 ≤ A x + b ⟂ λ ≥ 0. The multipliers are not unique where rows of A
/// that are active depend on each other; x is.
struct PolyhedralSweeping {
  Values x0 = {};
  Rows A = {};
  std::function<void(double t, VectorRef b)> b = {};
  TimeField f = {};  ///< empty: 0
  [[nodiscard]] Model model() const;
};

/// Play operator (hysteresis) of half width r on an input u(t) (TI:V-25): x follows u at a distance
/// of at most r, lazily: the sweeping process of [u − r, u + r]. The stop operator is u − x.
struct Play {
  double radius = 1;
  std::function<double(double t)> input = {};
  double x0 = 0;
  [[nodiscard]] Model model() const;
};

/// Adds the play of half width `radius` on the output C x of a first-order system of `model` as a
/// system of its own (hysteresis in a loop, F:V58); its state starts at x0.
SystemId add_play(Model& model, SystemId source, const Rows& C, double radius, double x0,
                  std::string name = {});

}  // namespace saltus
