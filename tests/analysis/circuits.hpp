#pragma once

#include "saltus/systems/lcs.hpp"

#include <cmath>

namespace saltus::testing {

/// The four RLC circuits with an ideal diode, L = 1 and C = 1/(2π)².
inline Lcs diode_circuit(char which, double R) {
  const double L = 1, C = 1 / (4 * M_PI * M_PI);
  const Rows A{{-1 / (R * C), 1}, {-1 / (L * C), 0}};
  if (which == 'a')
    return {.A = A, .B = {{-1 / R}, {-1 / L}}, .C = {{1 / (R * C), -1}}, .D = {{1 / R}}};
  if (which == 'b')
    return {.A = {{0, -1}, {1 / (L * C), 0}}, .B = {{1}, {0}}, .C = {{1 / C, 0}}, .D = {{R}}};
  if (which == 'c')
    return {.A = {{0, 1}, {-1 / (L * C), -R / L}}, .B = {{0}, {-1 / L}}, .C = {{0, -1}}};
  return {.A = A, .B = {{0}, {1 / L}}, .C = {{0, 1}}};
}

/// A circuit with two diodes: L2 = 1, L3 = 2, C4 = 1/2, R1 = 1, R2 = 2, R3 = 3; x = (charge, i3,
/// i2).
inline Lcs two_diodes() {
  const double L2 = 1, L3 = 2, C4 = 0.5, R1 = 1, R2 = 2, R3 = 3;
  return {
      .A = {{0, 1, 0}, {-1 / (L3 * C4), -(R1 + R3) / L3, R1 / L3}, {0, R1 / L2, -(R1 + R2) / L2}},
      .B = {{0, 0}, {1 / L3, 1 / L3}, {-1 / L2, 0}},
      .C = {{0, 1, -1}, {0, 1, 0}}};
}

}  // namespace saltus::testing
