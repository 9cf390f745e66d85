#pragma once

#include "saltus/algebra/block_sparse.hpp"

#include <vector>

namespace saltus {

// What contacts tell of the bodies that they lie between, W = Hᵀ M⁻¹ H given (body_recovery.hpp).

/// A row of W: block row and component.
struct ContactRow {
  Index block, component;
};

/// Contacts between the same two bodies.
struct BodyInterface {
  std::vector<ContactRow> rows;
  std::vector<ContactRow> kept;  ///< those that span the rest
  Matrix spread;                 ///< rows of W = spread · kept rows of W
  double scale = 0;              ///< largest diagonal entry of W
  double lever = 0;              ///< the last pivot of the kept rows, over `scale`
};

/// W on the given rows and columns.
[[nodiscard]] Matrix entries(const BlockSparse& W, const std::vector<ContactRow>& rows,
                             const std::vector<ContactRow>& columns);

void copy_entries(const BlockSparse& W, const std::vector<ContactRow>& rows,
                  const std::vector<ContactRow>& columns, Eigen::Ref<Matrix> out);

/// Keeps the rows of an interface that span all of it, in their order, by Cholesky's factorisation
/// of W_II with complete pivoting, a column when it is needed. False if they are more than bodies
/// can have.
[[nodiscard]] bool keep_rows(const BlockSparse& W, Index limit, BodyInterface& g);

/// Block rows of W that have the same blocks, with the columns of these.
struct AlikeRows {
  std::vector<Index> blocks;
  std::vector<int> neighbours;
};
/// All block rows in such groups: the contacts of an interface, each. Bodies with one contact each
/// on one other, and on nothing else, are groups of their own. Empty if bodies look elastic.
[[nodiscard]] std::vector<AlikeRows> interfaces_of(const BlockSparse& W);

/// What a body adds to its interfaces with others, if it alone ties them to each other: U of at
/// most six rows with S_ab = U_aᵀ U_b for a ≠ b. With three parts X, Y, Z of the interfaces,
///
///     U_Yᵀ U_Y = S_YX (S_ZX)⁺ S_ZY,    U_Yᵀ U = S_Y·
///
/// `panel` is S with the rows and columns of the interfaces, cut at `begin`. Of the three choices
/// of Y the best is taken; empty if it leaves more than `rounding`, relative to S: there is no such
/// body.
[[nodiscard]] Matrix common_body(const Matrix& panel, const std::vector<Index>& begin,
                                 const std::vector<double>& lever, double rounding);

constexpr Index body_rows = 6;  ///< velocities of a body in space

}  // namespace saltus
