#pragma once

#include "saltus/model/model.hpp"

namespace saltus::mechanics {

/// A ball dropped on the ground (PL:C-02, TI:V-19, PL:EX-02): m z̈ = −m g + r, y = z ≥ 0,
/// restitution e. It touches down at √(2·height/g) and, for e < 1, comes to rest at that time ×
/// (1+e)/(1−e), after infinitely many bounces.
struct BouncingBall {
  static constexpr std::string_view name = "BouncingBall";
  double height = 1;      ///< of the drop [m]
  double e = 0.9;         ///< coefficient of restitution
  double mass = 1;        ///< [kg]
  double gravity = 9.81;  ///< [m/s²]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"height", "height of the drop [m]", non_negative}, s.height);
    visit(Field{"e", "coefficient of restitution", unit_interval}, s.e);
    visit(Field{"mass", "mass of the ball [kg]", positive}, s.mass);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
  }

  [[nodiscard]] Model model() const;
};

}  // namespace saltus::mechanics
