#include "saltus/mechanics/cohesive_zone.hpp"

#include <algorithm>

namespace saltus::mechanics {

namespace {

/// G = c_N g² + c_T g_T², g > 0
double driving_force(const CohesiveZone& zone, double g, double g_T) {
  const double opening = std::max(g, 0.0);
  return zone.c_N * opening * opening + zone.c_T * g_T * g_T;
}

}  // namespace

double CohesiveZone::adhesion(double beta, double g, double g_T, double h) const {
  const double G = driving_force(*this, g, g_T);
  if (beta * G <= w) return beta;
  // b (β⁺ − β) = h (w − β⁺ G)
  return b == 0 ? w / G : std::min(beta, (b * beta + h * w) / (b + h * G));
}

double CohesiveZone::energy(double beta, double g, double g_T) const {
  return 0.5 * beta * beta * driving_force(*this, g, g_T);
}

}  // namespace saltus::mechanics
