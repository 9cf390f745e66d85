#pragma once

#include "saltus/laws/law.hpp"
#include "saltus/model/model.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"

namespace saltus::testing {

/// TI:V-18: three equal balls in a row that touch, the first one moving at speed 1 into the others.
struct ThreeBalls {
  double e;
  double after[3];  ///< velocities behind the impact by Newton's law

  [[nodiscard]] Model model() const {
    Model model;
    const auto balls = model.add(PointMasses{.m = {1.0, 1.0, 1.0}, .gravity = {0.0}},
                                 {.q = {0.0, 0.0, 0.0}, .v = {1.0, 0.0, 0.0}});
    for (Index i = 0; i < 2; ++i)
      model.link({Endpoint(balls, i), Endpoint(balls, i + 1)}, LinearRelation{.H = {{-1.0, 1.0}}},
                 NewtonImpact{.e = e});
    return model;
  }
};

inline constexpr ThreeBalls three_balls[] = {
    {0, {1 / 3., 1 / 3., 1 / 3.}}, {0.5, {0, 0.5, 0.5}}, {1, {-1 / 3., 2 / 3., 2 / 3.}}};

}  // namespace saltus::testing
