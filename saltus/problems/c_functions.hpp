#pragma once

#include "saltus/base/fields.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

namespace saltus {

// C-functions (S:NCP-10a, S:NCP-10b, S:NCP-10c, S:NCP-10d, S:NCP-10e): functions of two numbers
// with
//
//     φ(w, z) = 0  ⇔  0 ≤ w ⟂ z ≥ 0,
//
// so that a complementarity problem becomes a system of equations. All of them carry here the sign
// with φ > 0 for w, z > 0 and φ < 0 as soon as w < 0 or z < 0, which lets them be nested for two
// bounds (see box_function); where the literature writes −φ the zeros are the same.

/// Partial derivatives of a C-function: an element of Clarke's generalised gradient (S:NCP-11).
struct CSlope {
  double by_w = 0, by_z = 0;
};

/// φ = min(w, z) (S:NCP-10a). Piecewise linear: Newton's method ends in finitely many steps near a
/// solution, but the merit ½φ² is not differentiable and hard to globalise.
struct Minimum {
  static constexpr std::string_view name = "Minimum";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
  [[nodiscard]] double value(double w, double z) const { return std::min(w, z); }
  /// At w = z that of the smaller one along the direction (dw, dz); if that does not tell, of w
  /// (resting contacts are closed), and without a direction of z.
  [[nodiscard]] CSlope slope(double w, double z, double dw, double dz) const {
    return w < z || (w == z && dw <= dz && dz != 0) ? CSlope{1, 0} : CSlope{0, 1};
  }
};

/// φ = z − max(0, z − ρ w) = min(z, ρ w), ρ > 0 (S:NCP-10b). The other form of the literature,
/// w − max(0, w − ρ z), is ρ times this one taken with 1/ρ.
struct Maximum {
  static constexpr std::string_view name = "Maximum";
  double rho = 1;  ///< weighs w against z: of the order of |z| / |w|, nominal 1
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"rho", "weight of w against z", positive}, s.rho);
  }
  [[nodiscard]] double value(double w, double z) const { return z - std::max(0.0, z - rho * w); }
  [[nodiscard]] CSlope slope(double w, double z, double dw, double dz) const {
    const bool smaller = rho * w < z || (rho * w == z && rho * dw <= dz && dz != 0);
    return smaller ? CSlope{rho, 0} : CSlope{0, 1};
  }
};

/// φ = w + z − √(w² + z²) (S:NCP-10c). Strongly semismooth, ½φ² continuously differentiable.
/// [Fischer 1992]
struct FischerBurmeister {
  static constexpr std::string_view name = "FischerBurmeister";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
  /// 2 w z / (w + z + √(w² + z²)) where w + z > 0: no cancellation near the solutions.
  [[nodiscard]] double value(double w, double z) const {
    const double norm = std::hypot(w, z);
    return w + z > 0 ? 2 * w / (w + z + norm) * z : w + z - norm;
  }
  /// At the kink w = z = 0 the limit along the direction (dw, dz), or along (1, 1) if that is zero.
  [[nodiscard]] CSlope slope(double w, double z, double dw, double dz) const {
    const bool kink = w == 0 && z == 0;
    const double x = kink ? dw : w, y = kink ? dz : z, norm = std::hypot(x, y);
    if (norm == 0) return {1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
    return {1 - x / norm, 1 - y / norm};
  }
};

/// φ = λ φ_FB + (1 − λ) w₊ z₊, 0 < λ < 1 (S:NCP-10d): grows where both are large, so that its merit
/// has bounded level sets for more problems. [Chen, Chen & Kanzow 2000]
struct PenalisedFischerBurmeister {
  static constexpr std::string_view name = "PenalisedFischerBurmeister";
  double share = 0.95;  ///< share of φ_FB, 0 < λ < 1; nominal 0.95
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"share", "share of Fischer-Burmeister", Range{0, 1, true}}, s.share);
  }
  [[nodiscard]] double value(double w, double z) const {
    return share * FischerBurmeister{}.value(w, z) +
           (1 - share) * std::max(w, 0.0) * std::max(z, 0.0);
  }
  [[nodiscard]] CSlope slope(double w, double z, double dw, double dz) const {
    const CSlope fb = FischerBurmeister{}.slope(w, z, dw, dz);
    const bool both = w > 0 && z > 0;
    return {share * fb.by_w + (both ? (1 - share) * z : 0.0),
            share * fb.by_z + (both ? (1 - share) * w : 0.0)};
  }
};

/// φ = w z − ½ min(0, w + z)² (S:NCP-10e). Continuously differentiable, but both derivatives vanish
/// at w = z = 0: no fast convergence to degenerate solutions. With the opposite sign of w z the
/// function has spurious zeros (S:V-21). [Evtushenko & Purtov 1984]
struct EvtushenkoPurtov {
  static constexpr std::string_view name = "EvtushenkoPurtov";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
  [[nodiscard]] double value(double w, double z) const {
    const double s = std::min(0.0, w + z);
    return w * z - s * s / 2;
  }
  [[nodiscard]] CSlope slope(double w, double z, double, double) const {
    const double s = std::min(0.0, w + z);
    return {z - s, w - s};
  }
};

using CFunction =
    std::variant<FischerBurmeister, PenalisedFischerBurmeister, Minimum, Maximum, EvtushenkoPurtov>;

/// Φ(w, z) = 0 ⇔ −w ∈ N_[lower, upper](z), and its slope along the direction (dw, dz) at kinks:
///
///     no bound     w
///     lower only   φ(w, z − lower)
///     upper only   −φ(−w, upper − z)
///     both         φ(−φ(−w, upper − z), z − lower)         [Billups 1995]
///
/// With Minimum and two bounds this is the natural map z − P(z − w).
struct BoxFunction {
  double value = 0;
  CSlope slope;
};
template <class Phi>
[[nodiscard]] BoxFunction box_function(const Phi& phi, double lower, double upper, double w,
                                       double z, double dw, double dz) {
  BoxFunction inner{w, {1, 0}};
  if (upper < inf) {
    const CSlope s = phi.slope(-w, upper - z, -dw, -dz);
    inner = {-phi.value(-w, upper - z), {s.by_w, s.by_z}};
  }
  if (lower == -inf) return inner;
  const double change = inner.slope.by_w * dw + inner.slope.by_z * dz;
  const CSlope s = phi.slope(inner.value, z - lower, change, dz);
  return {phi.value(inner.value, z - lower),
          {s.by_w * inner.slope.by_w, s.by_w * inner.slope.by_z + s.by_z}};
}

}  // namespace saltus
