#pragma once

#include "saltus/integrators/one_step.hpp"

namespace saltus {

/// The right-hand side of a first-order model for given multipliers, ẋ = E⁻¹ (f(t, x) + B λ), and
/// its outputs y = h(x, t); what explicit schemes are made of.
struct ExplicitField {
  const Model& model;
  const State& state;  ///< for its parameters z
  StepWorkspace& work;

  /// y, the matrices C and E⁻¹B, and f at (t, x); the last as E⁻¹f in work.inclusion.f.
  void evaluate(double t, const Vector& x) const;
  /// out = E⁻¹f + E⁻¹B λ at the point last evaluated.
  void rate(ConstVectorRef lambda, Vector& out) const;
  /// The law of a row.
  [[nodiscard]] const Law& law(Index row) const;
};

/// Sizes the buffers; throws Error unless the model is of first order with bounded multipliers and
/// D = 0, with at most `rows` rows.
void prepare_explicit(const Model& model, std::string_view who, Index rows, StepWorkspace& work);

/// x⁺ of the classical Runge–Kutta method over h from (t, x); rate(t, x, ẋ) is the field. `k` holds
/// five vectors.
template <class Rate>
void runge_kutta(const Rate& rate, double t, const Vector& x, double h, std::vector<Vector>& k,
                 Vector& next) {
  rate(t, x, k[0]);
  k[4] = x + 0.5 * h * k[0];
  rate(t + 0.5 * h, k[4], k[1]);
  k[4] = x + 0.5 * h * k[1];
  rate(t + 0.5 * h, k[4], k[2]);
  k[4] = x + h * k[2];
  rate(t + h, k[4], k[3]);
  next = x + h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
}

}  // namespace saltus
