#pragma once

#include "saltus/problems/vi.hpp"

namespace saltus {

/// Quasi-variational inequality (S:VI-02): the set moves with the unknown. Find z ∈ X(z) with
///
///     F(z)·(y − z) ≥ 0 for all y ∈ X(z)    ⇔    0 ∈ F(z) + N_X(z)(z).
///
/// Coulomb friction is one: the disk of radius μ r_N. No general existence or uniqueness.
struct Qvi {
  Index n = 0;
  std::function<Set(ConstVectorRef z)> X = {};
  VectorFunction F = {};
  JacobianFunction jacobian = {};  ///< empty: central differences of F
};

/// ‖z − P_X(z)(z − F(z))‖₂; infinite if anything is NaN.
[[nodiscard]] double residual(const Qvi& problem, ConstVectorRef z);
/// Throws Error on a missing function or a negative n.
void validate(const Qvi& problem);

/// The VI with the set held fixed at X(point).
[[nodiscard]] Vi freeze(const Qvi& problem, ConstVectorRef point);
/// A VI is a QVI whose set does not move.
[[nodiscard]] Qvi to_qvi(const Vi& problem);

}  // namespace saltus
