// Bodies on a plane, on each other and in joints move the same whatever the axes of the world are.

#include "turned_scene.hpp"

namespace saltus::mechanics {
namespace {

void slide(TurnedScene& s) {
  s.add(Vector3{0.2, 0.1, 0.1}, {0, 0, 0.1}, {0.5, 0.2, 0}, {0, 0, 0.3});
}

void tumble(TurnedScene& s) {
  s.add(Vector3{0.2, 0.1, 0.1}, {0, 0, 0.2}, {0.5, 0.2, 0}, {0.3, 1, 0.3});
}

void stack(TurnedScene& s) {
  s.add(Vector3{0.2, 0.2, 0.1}, {0, 0, 0.1});
  s.add(Vector3{0.15, 0.15, 0.1}, {0.02, 0.01, 0.3}, {0.3, 0, 0}, {0, 0, 0.2});
  s.add(Vector3{0.1, 0.1, 0.1}, {-0.03, 0.02, 0.52});
}

void rest(TurnedScene& s) {
  s.add(Vector3{0.2, 0.2, 0.1}, {0, 0, 0.1});
  s.add(Vector3{0.2, 0.2, 0.1}, {0, 0, 0.3});
  s.add(Vector3{0.2, 0.2, 0.1}, {0, 0, 0.5}, Vector3::Zero(), Vector3::Zero(), 0.5);
}

void joints(TurnedScene& s) {
  for (int k = 0; k < 3; ++k)
    s.add(Vector3{0.1, 0.08, 0.06}, {0.3 * k, 0, 0.12 + 0.05 * k}, {0.5, 0.2, 0});
  s.scene.hinge(0, 1, s.turned(0.15, 0, 0.14), s.turned(0, 1, 0));
  s.scene.universal(1, 2, s.turned(0.45, 0, 0.2), s.turned(0, 1, 0), s.turned(0, 0, 1));
}

// More than 100 rows in a one-step problem. The velocity is unique: balls have one point of contact
// with each neighbour, boxes on faces stick. (Boxes that slide and spin on their faces have more
// than one solution of Coulomb's law, because the pressures under the corners have.)

/// Balls that fall onto each other and roll apart.
void pile_of_balls(TurnedScene& s) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(-1, 1);
  for (int i = 0; i < 36; ++i) {
    const double x = 0.24 * (i % 3 - 1) + 0.02 * jitter(random);
    const double y = 0.24 * (i / 3 % 3 - 1) + 0.02 * jitter(random);
    const Vector3 v(0.3 * jitter(random), 0.3 * jitter(random), 0);
    s.add(Sphere{.radius = 0.1}, {x, y, 0.1 + 0.205 * (i / 9)}, v, {0, 0, 0.5 * jitter(random)});
  }
}

/// Piles of boxes that fall by a millimetre and then stand.
void pile_of_boxes(TurnedScene& s) {
  for (int i = 0; i < 30; ++i)
    s.add(Vector3{0.11, 0.1, 0.1}, {0.5 * (i % 3), 0.01 * (i / 3), 0.101 + 0.201 * (i / 3)},
          Vector3::Zero(), Vector3::Zero(), 0.2 * (i / 3));
}

/// Balls in a row with ball joints between them, dragged sideways over the ground.
void chain(TurnedScene& s) {
  const int links = 40;
  for (int k = 0; k < links; ++k)
    s.add(Sphere{.radius = 0.1}, {0.25 * k, 0, 0.1}, {0, 0.5 * std::sin(k), 0});
  for (int k = 0; k + 1 < links; ++k) s.scene.ball(k, k + 1, s.turned(0.25 * k + 0.125, 0, 0.1));
}

/// Two pillars of boxes and a beam across, on which a ball falls.
void portal(TurnedScene& s) {
  for (int i = 0; i < 6; ++i)
    for (const double x : {-0.6, 0.6}) s.add(Vector3{0.15, 0.15, 0.1}, {x, 0, 0.1 + 0.2 * i});
  s.add(Vector3{0.8, 0.15, 0.05}, {0, 0, 1.25});
  s.add(Sphere{.radius = 0.1}, {0, 0, 1.45});
}

class FrameInvariance : public testing::TestWithParam<TurnedScenario> {};
class FrameInvarianceOfManyContacts : public testing::TestWithParam<TurnedScenario> {};

TEST_P(FrameInvariance, TurningTheWorldTurnsTheMotion) {  // F:F119, F:F123
  // Normals, points and tangents of the contacts turn with the world, and so does every iterate of
  // the solver, in exact arithmetic. Rounding is multiplied by the solver up to its tolerance,
  // 1e-8, which would show: each step is polished to rounding, and impacts multiply it by some
  // hundreds.
  expect_invariance(GetParam(), 200, 4, 3);
}

TEST_P(FrameInvarianceOfManyContacts, TurningTheWorldTurnsTheMotion) {  // F:F119, F:F123
  expect_invariance(GetParam(), 60, 2, 100);
}

INSTANTIATE_TEST_SUITE_P(Boxes, FrameInvariance,
                         testing::Values(TurnedScenario{"sliding", slide},
                                         TurnedScenario{"tumbling", tumble},
                                         TurnedScenario{"stack in motion", stack},
                                         TurnedScenario{"stack at rest", rest},
                                         TurnedScenario{"in joints", joints}));
INSTANTIATE_TEST_SUITE_P(Scenes, FrameInvarianceOfManyContacts,
                         testing::Values(TurnedScenario{"pile of balls", pile_of_balls},
                                         TurnedScenario{"pile of boxes", pile_of_boxes},
                                         TurnedScenario{"chain of balls", chain},
                                         TurnedScenario{"portal", portal}));

}  // namespace
}  // namespace saltus::mechanics
