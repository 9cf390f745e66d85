#pragma once

#include "saltus/problems/block_form.hpp"

namespace saltus {

// The two problems of Panagiotopoulos' alternation as block forms of their own, for friction cones
// and scalar sets. `build` writes matrix and sets, once; `update` the constant terms that the
// other part gives at z, u being overwritten.

/// Normal rows of the contacts and the rows of scalar sets: rows of the problem, a set each,
///     min ½ r_NᵀW_NN r_N + r_Nᵀ(q_N + W_NT r_T).
void build_normal_part(const BlockForm& problem, std::vector<Index>& rows, BlockForm& part);
void update_normal_part(const BlockForm& problem, const Vector& z, const std::vector<Index>& rows,
                        Vector& u, BlockForm& part);

/// The tangents in cylinders of the radius μ r_N,
///     min ½ r_TᵀW_TT r_T + r_Tᵀ(q_T + W_TN r_N),
/// with the blocks of the problem: the rows of the normal part are in it, uncoupled from the others
/// and held at their z by W_ii (r_i − z_i) = 0.
void build_tangent_part(const BlockForm& problem, BlockForm& part);
void update_tangent_part(const BlockForm& problem, const Vector& z, Vector& u, BlockForm& part);

}  // namespace saltus
