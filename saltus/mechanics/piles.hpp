#pragma once

#include "saltus/mechanics/rigid_scene.hpp"

namespace saltus::mechanics {

/// What the piles share: bodies on a jittered lattice fall into a box without lid, or on a plane.
struct PileOptions {
  int count = 200;
  double size = 0.1;      ///< mean diameter of a body [m]
  double spread = 0.3;    ///< diameters lie in size · [1 − spread, 1 + spread]
  double mu = 0.5;        ///< friction between bodies, and with the container
  double e = 0;           ///< restitution
  double density = 2000;  ///< [kg/m³]
  double gravity = 9.81;  ///< [m/s²]
  int columns = 0;        ///< bodies along each side of the lattice; 0: as high as wide
  int walls = 1;          ///< 1: four walls around, 0: an open plane
  int seed = 1;           ///< of the jitter
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"count", "number of bodies", Range{1, 1e6}}, s.count);
    visit(Field{"size", "mean diameter of a body [m]", positive}, s.size);
    visit(Field{"spread", "relative scatter of the diameters", Range{0, 0.9}}, s.spread);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"e", "coefficient of restitution", unit_interval}, s.e);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
    visit(Field{"columns", "bodies along a side of the lattice; 0: as high as wide", Range{0, 1e4}},
          s.columns);
    visit(Field{"walls", "1: four walls around, 0: an open plane", Range{0, 1}}, s.walls);
    visit(Field{"seed", "of the jitter", non_negative}, s.seed);
  }
};

/// Balls of different diameters (TI:TI-123).
struct PileOfSpheres : PileOptions {
  static constexpr std::string_view name = "PileOfSpheres";
  [[nodiscard]] Model model() const;
};

/// Boxes of different edges, turned at random.
struct PileOfBoxes : PileOptions {
  static constexpr std::string_view name = "PileOfBoxes";
  [[nodiscard]] Model model() const;
};

/// Capsules whose straight part is as long as they are thick.
struct PileOfCapsules : PileOptions {
  static constexpr std::string_view name = "PileOfCapsules";
  [[nodiscard]] Model model() const;
};

}  // namespace saltus::mechanics
