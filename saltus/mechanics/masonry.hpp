#pragma once

#include "saltus/mechanics/rigid_scene.hpp"

namespace saltus::mechanics {

/// A tower of equal boxes on the ground: every contact is a face on a face.
struct BoxStack {
  static constexpr std::string_view name = "BoxStack";
  int count = 10;
  double edge = 0.2;      ///< of the square base [m]
  double height = 0.1;    ///< of a box [m]
  double mu = 0.5;        ///< coefficient of friction
  double density = 2000;  ///< [kg/m³]
  double gravity = 9.81;  ///< [m/s²]
  double tilt = 0;        ///< of the ground about the y-axis [rad]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"count", "number of boxes", Range{1, 1e5}}, s.count);
    visit(Field{"edge", "edge of the square base [m]", positive}, s.edge);
    visit(Field{"height", "height of a box [m]", positive}, s.height);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
    visit(Field{"tilt", "of gravity against the stack [rad]", Range{-1.5, 1.5}}, s.tilt);
  }
  [[nodiscard]] Model model() const;
};

/// A wall of bricks in running bond: each brick lies on two, half over half.
struct Wall {
  static constexpr std::string_view name = "Wall";
  int columns = 6;        ///< bricks in a row
  int rows = 6;           ///< number of rows
  double length = 0.2;    ///< of a brick [m]
  double height = 0.1;    ///< [m]
  double width = 0.1;     ///< [m]
  double mu = 0.6;        ///< coefficient of friction
  double density = 2000;  ///< [kg/m³]
  double gravity = 9.81;  ///< [m/s²]
  double speed = 0;       ///< of a ball that hits the wall [m/s]; 0: no ball
  double ball = 0.15;     ///< its radius [m]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"columns", "bricks in a row", Range{1, 1e4}}, s.columns);
    visit(Field{"rows", "number of rows", Range{1, 1e4}}, s.rows);
    visit(Field{"length", "length of a brick [m]", positive}, s.length);
    visit(Field{"height", "height of a brick [m]", positive}, s.height);
    visit(Field{"width", "width of a brick [m]", positive}, s.width);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
    visit(Field{"speed", "of a ball that hits the wall [m/s]; 0: no ball", non_negative}, s.speed);
    visit(Field{"ball", "radius of the ball [m]", positive}, s.ball);
  }
  [[nodiscard]] Model model() const;
};

/// A tower of planks: two on each level, at right angles to those below, on which they lie at both
/// ends. On ground that is tilted it stands while tan(tilt) is below μ and below width : height.
struct KaplaTower {
  static constexpr std::string_view name = "KaplaTower";
  int levels = 30;
  double length = 0.117;      ///< of a plank [m]
  double width = 0.0234;      ///< [m]
  double thickness = 0.0078;  ///< [m]
  double mu = 0.4;            ///< coefficient of friction
  double density = 600;       ///< [kg/m³]
  double gravity = 9.81;      ///< [m/s²]
  double tilt = 0;            ///< of the ground about the y-axis [rad]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"levels", "of two planks each", Range{1, 1e4}}, s.levels);
    visit(Field{"length", "length of a plank [m]", positive}, s.length);
    visit(Field{"width", "width of a plank [m]", positive}, s.width);
    visit(Field{"thickness", "thickness of a plank [m]", positive}, s.thickness);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
    visit(Field{"tilt", "of gravity against the tower [rad]", Range{-1.5, 1.5}}, s.tilt);
  }
  [[nodiscard]] Model model() const;
};

/// A semicircular arch of equal voussoirs between two abutments of the world. It stands if the
/// ratio of thickness to mean radius is above 0.1075 and friction is large enough.
struct Arch {
  static constexpr std::string_view name = "Arch";
  int count = 25;          ///< voussoirs
  double radius = 1;       ///< mean radius [m]
  double thickness = 0.2;  ///< [m]
  double width = 0.4;      ///< across [m]
  double mu = 0.7;         ///< coefficient of friction
  double density = 2000;   ///< [kg/m³]
  double gravity = 9.81;   ///< [m/s²]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"count", "voussoirs", Range{3, 1e4}}, s.count);
    visit(Field{"radius", "mean radius [m]", positive}, s.radius);
    visit(Field{"thickness", "thickness [m]", positive}, s.thickness);
    visit(Field{"width", "width across [m]", positive}, s.width);
    visit(Field{"mu", "coefficient of friction", non_negative}, s.mu);
    visit(Field{"density", "density [kg/m^3]", positive}, s.density);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
  }
  [[nodiscard]] Model model() const;
};

}  // namespace saltus::mechanics
