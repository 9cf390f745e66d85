#pragma once

#include "saltus/problems/vi.hpp"

namespace saltus {

/// Affine variational inequality (S:VI-01b): find z ∈ X with
///
///     0 ∈ M z + q + N_X(z).
///
/// X = NonNegative is the LCP, X = a box the box problem (S:VI-01c), X = a product of second-order
/// cones the SOCLCP (soclcp.hpp). For X = {z : A z ≥ b} see linearly_constrained in mcp.hpp.
struct Avi {
  BlockSparse M;
  Vector q;
  Set X = Reals{};
};

/// ‖z − P_X(z − M z − q)‖₂, computed as that of the Vi; infinite if anything is NaN.
[[nodiscard]] double residual(const Avi& problem, ConstVectorRef z);
/// Throws Error on a matrix that is not square, sizes that do not fit, NaN, infinity, a wrong set.
void validate(const Avi& problem);

[[nodiscard]] Avi to_avi(LcpView problem);
/// Copies the data.
[[nodiscard]] Vi to_vi(const Avi& problem);

}  // namespace saltus
