#pragma once

#include "saltus/problems/ncp.hpp"

namespace saltus {

/// What a sample of points says about a map F (S:NCP-02, S:VI-04). A sample refutes a property or
/// leaves it possible; it proves nothing, except for affine F, where one Jacobian decides.
///
///     strong       min (F(x) − F(y))·(x − y) / ‖x − y‖²              monotone ⇒ ≥ 0, strongly ⇒ >
///     0 uniform_p    min max_i (F_i(x) − F_i(y))(x_i − y_i) / ‖x − y‖²     P-function ⇒ > 0
///     lipschitz    max ‖F(x) − F(y)‖ / ‖x − y‖
///     cocoercive   min (F(x) − F(y))·(x − y) / ‖F(x) − F(y)‖²
///     eigenvalue   min λ_min((∇F + ∇Fᵀ)/2)             monotone ⇔ ≥ 0 everywhere
///     asymmetry    max ‖∇F − ∇Fᵀ‖_max / max(1, ‖∇F‖_max)      gradient map ⇔ 0 everywhere
struct MapDiagnostics {
  double strong = 0;
  double uniform_p = 0;
  double lipschitz = 0;
  double cocoercive = 0;
  double eigenvalue = 0;
  double asymmetry = 0;
  bool pseudo_monotone = true;  ///< no pair has F(y)·(x − y) ≥ 0 and F(x)·(x − y) < 0

  // With `slack` for rounding and for Jacobians by differences.
  [[nodiscard]] bool may_be_monotone(double slack = 1e-8) const {
    return strong >= -slack && eigenvalue >= -slack;
  }
  [[nodiscard]] bool may_be_p_function() const { return uniform_p > 0; }
  [[nodiscard]] bool may_be_gradient(double slack = 1e-8) const { return asymmetry <= slack; }
};

/// Diagnostics of F on points drawn uniformly from the box [lower, upper] (finite): `samples`
/// pairs, as many that differ in a random part of the components only, and as many Jacobians. The
/// same seed gives the same answer.
[[nodiscard]] MapDiagnostics diagnose(const VectorFunction& F, const JacobianFunction& jacobian,
                                      ConstVectorRef lower, ConstVectorRef upper, int samples = 100,
                                      unsigned seed = 1);

}  // namespace saltus
