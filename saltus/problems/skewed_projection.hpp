#pragma once

#include "saltus/problems/block_form.hpp"

namespace saltus {

/// Metric of one block, R = diag(normal, tangent, …, tangent): one weight for the normal component
/// and one for the others. On scalar sets, whose projection no weights change, it has no effect.
struct BlockMetric {
  double normal = 1, tangent = 1;  ///< > 0
};

/// The skewed projection (FS:FS-17)
///
///     P_{K,R}(x) = argmin ½ (y − x)ᵀR(y − x),  y ∈ K,
///
/// in closed form: with S = diag(1, f, …, f), f = (tangent/normal)^½, it is S⁻¹ P_SK(S x), and S K
/// is a set of the same kind (a cone of μ f, a cylinder of radius f·radius). No allocation.
void project_skewed(const BlockSet& K, const BlockMetric& R, ConstVectorRef x, VectorRef p);
/// S⁻¹ V S, V a Clarke element of the Jacobian of P_SK at S x.
void skewed_projection_jacobian(const BlockSet& K, const BlockMetric& R, ConstVectorRef x,
                                MatrixRef J);

}  // namespace saltus
