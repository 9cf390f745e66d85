#pragma once

#include "saltus/model/model.hpp"

namespace saltus::mechanics {

/// A vertical column of equal beads above the ground (PL:C-03, PL:EX-03): one degree of freedom per
/// bead, contact of the lowest with the ground and of each with the next. At rest the contact below
/// bead i (from 1, the lowest) carries (count − i + 1) m g.
struct BeadColumn {
  static constexpr std::string_view name = "BeadColumn";
  int count = 1000;
  double radius = 0.0625;  ///< [m]
  double mass = 1;         ///< of a bead [kg]
  double gravity = 9.81;   ///< [m/s²]
  double e = 0;            ///< coefficient of restitution of every contact
  double drop = 0;         ///< initial height of the column above the ground [m]
  double gap = 0;          ///< initial gap between neighbours [m]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"count", "number of beads", Range{1, 1e8}}, s.count);
    visit(Field{"radius", "radius of a bead [m]", positive}, s.radius);
    visit(Field{"mass", "mass of a bead [kg]", positive}, s.mass);
    visit(Field{"gravity", "acceleration of gravity [m/s^2]", non_negative}, s.gravity);
    visit(Field{"e", "coefficient of restitution", unit_interval}, s.e);
    visit(Field{"drop", "initial height above the ground [m]", non_negative}, s.drop);
    visit(Field{"gap", "initial gap between neighbours [m]", non_negative}, s.gap);
  }

  /// One pool of `count` bodies; contact i is below bead i.
  [[nodiscard]] Model model() const;
};

}  // namespace saltus::mechanics
