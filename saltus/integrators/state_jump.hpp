#pragma once

#include "saltus/base/report.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// The cone Q_D of solutions of 0 ≤ λ ⟂ Dλ ≥ 0 (F:F018) for D ≥ 0: with the columns of V a basis of
/// ker(D + Dᵀ) and G the rows of V and DV that are not zero,
///     Q_D = {V η : G η ≥ 0},   Q_D* = {v : Vᵀv = Gᵀγ, γ ≥ 0}.
/// D = 0: the orthant and itself. D > 0: {0} and everything.
struct ComplementaryCone {
  Matrix V, G;
};
/// Throws Error if D + Dᵀ has a negative eigenvalue.
[[nodiscard]] ComplementaryCone complementary_cone(ConstMatrixRef D);

/// Three rules for the state jump of a passive system, x⁺ = x⁻ + B λ₀ (F:B14); they agree for every
/// storage matrix P.
enum class JumpRule {
  cone,   ///< (i)   Q_D ∋ λ₀ ⟂ Cx⁻ + b + CBλ₀ ∈ Q_D*                       (F:F201)
  state,  ///< (ii)  x⁺ = argmin ½ (z−x⁻)ᵀP(z−x⁻),  Cz + b ∈ Q_D*             (F:F202)
  multiplier  ///< (iii) λ₀ = argmin ½ (x⁻+Bλ)ᵀP(x⁻+Bλ) + λᵀb,  λ ∈ Q_D           (F:F203)
};
[[nodiscard]] std::string_view name(JumpRule rule);

struct StateJump {
  Vector x;            ///< x⁺; x⁻ if the solve failed
  Vector lambda;       ///< λ₀, the coefficient of δ
  SolveReport report;  ///< of the complementarity problem or quadratic program
};

/// The consistent state that x⁻ jumps to at t = 0, or where an input jumps. With rule (i), which
/// needs no P.
[[nodiscard]] StateJump consistent_jump(const Lcs& system, ConstVectorRef x);
/// With any rule; P is the storage matrix of rules (ii) and (iii).
[[nodiscard]] StateJump consistent_jump(const Lcs& system, ConstVectorRef x, JumpRule rule,
                                        ConstMatrixRef P);

}  // namespace saltus
