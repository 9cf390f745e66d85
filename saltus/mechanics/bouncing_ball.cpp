#include "saltus/mechanics/bouncing_ball.hpp"

#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"

namespace saltus::mechanics {

Model BouncingBall::model() const {
  validate(*this);
  Model model;
  const auto ball = model.add(PointMass{.m = mass, .gravity = {-gravity}}, {.q = {height}}, "ball");
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = e}, "ground");
  return model;
}

}  // namespace saltus::mechanics
