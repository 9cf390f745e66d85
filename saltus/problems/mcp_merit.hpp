#pragma once

#include "saltus/problems/mcp.hpp"

namespace saltus {

/// The MCP as the semismooth equation Φ(z) = 0 with ψ(a, b) = a + b − √(a² + b²), the
/// Fischer–Burmeister function (S:NCP-05, S:NCP-10c) with the sign that makes it increase:
///
///     free row          Φ_i = F_i
///     lower bound       Φ_i = ψ_λ(z_i − l_i, F_i)
///     upper bound       Φ_i = −ψ_λ(u_i − z_i, −F_i)
///     both              Φ_i = ψ_λ(z_i − l_i, −ψ(u_i − z_i, −F_i))
///
/// ψ_λ = λ ψ + (1 − λ) a₊ b₊ is the penalised function (S:NCP-10d), λ = 1 the plain one. Φ is zero
/// exactly at solutions and ½‖Φ‖² is continuously differentiable (λ = 1). [Billups 1995] [Chen,
/// Chen & Kanzow 2000]
void fischer_map(const Mcp& problem, ConstVectorRef z, ConstVectorRef F, double lambda,
                 VectorRef phi);

/// One element H = diag(a) + diag(b) ∇F of the generalised Jacobian of Φ (S:NCP-11), `J` = ∇F(z).
/// At a kink the element is the limit along the direction (1 … 1).
void fischer_jacobian(const Mcp& problem, ConstVectorRef z, ConstVectorRef F, ConstMatrixRef J,
                      double lambda, MatrixRef H);

/// ½‖Φ(z)‖² with λ = 1; infinite if anything is NaN.
[[nodiscard]] double fischer_burmeister_merit(const Mcp& problem, ConstVectorRef z);

}  // namespace saltus
