#include "saltus/mechanics/cohesive_zone.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

/// G = c_N g² + c_T g_T², g > 0
double driving_force(const CohesiveZone& zone, double g, double g_T) {
  const double opening = std::max(g, 0.0);
  return zone.c_N * opening * opening + zone.c_T * g_T * g_T;
}

/// β⁺ ∈ [0, β] with b ((β − β⁺)/h)ᵖ = (A β⁺ − c)⁺: the left side falls with β⁺, the right one
/// grows.
double damaged(const CohesiveZone& zone, double beta, double A, double c, double h) {
  if (beta * A <= c) return beta;
  double low = c / A, high = beta;
  if (zone.b == 0) return low;
  if (zone.p == 1) return (zone.b * beta + h * c) / (zone.b + h * A);
  for (double middle = 0.5 * (low + high); low < middle && middle < high;
       middle = 0.5 * (low + high)) {
    const bool above = zone.b * std::pow((beta - middle) / h, zone.p) <= A * middle - c;
    (above ? high : low) = middle;
  }
  return high;
}

}  // namespace

double CohesiveZone::adhesion(double beta, double g, double g_T, double h) const {
  return damaged(*this, beta, driving_force(*this, g, g_T), w, h);
}

/// Point after point with its neighbours fixed. From β, which is an upper bound, the values fall
/// to the solution: the more adhesion the neighbours keep, the more a point does.
Vector CohesiveZone::adhesion_along(ConstVectorRef beta, ConstVectorRef g, ConstVectorRef g_T,
                                    double spacing, double h) const {
  const Index n = beta.size();
  require(g.size() == n && g_T.size() == n,
          "CohesiveZone: beta, g and g_T have {}, {} and {} points, expected the same number", n,
          g.size(), g_T.size());
  require(beta.allFinite() && g.allFinite() && g_T.allFinite(),
          "CohesiveZone: beta, g or g_T is not finite");
  require(spacing > 0, "CohesiveZone: spacing is {}, expected > 0", spacing);
  const double flux = k / (spacing * spacing);
  Vector next = beta;
  for (double change = 1; change > 1e-15;) {
    change = 0;
    for (Index i = 0; i < n; ++i) {
      const bool left = i > 0, right = i + 1 < n;
      const double neighbours = (left ? next[i - 1] : 0) + (right ? next[i + 1] : 0);
      const double A = driving_force(*this, g[i], g_T[i]) + flux * (left + right);
      const double value = damaged(*this, beta[i], A, w + flux * neighbours, h);
      change = std::max(change, next[i] - value);
      next[i] = value;
    }
  }
  return next;
}

double CohesiveZone::energy(double beta, double g, double g_T) const {
  return 0.5 * beta * beta * driving_force(*this, g, g_T);
}

}  // namespace saltus::mechanics
