#pragma once

#include "saltus/integrators/law_sets.hpp"
#include "saltus/solvers/affine_inclusion.hpp"

namespace saltus {

/// The one-step problem with every row whose law is a broken line cut into the pieces of the line
/// (PL:B10): a row y with pieces j becomes rows
///     u_j = y + compliance_j λ_j − shift_j,   −u_j ∈ N_[lower_j, upper_j](λ_j),   λ = Σ_j λ_j,
/// one block each; other blocks stay as they are. Any algorithm for intervals solves it.
///
/// A block with two bounds on one normal force n that no set has (splits() of law_sets.hpp,
/// spinning friction) becomes a block with n, all rows but the last, and a block (n₂, last row),
/// tied by an unknown a of their own,
///     u_N − a in the first,   a in the second,   a = c (n₂ − n),   c = W_NN:
/// a > 0 needs n₂ > 0, which the second block answers with a = 0, and a < 0 it does not allow. So
/// a = 0 and n₂ = n at every solution; the matrix stays symmetric and positive semidefinite.
struct SegmentRows {
  struct Split {
    Index normal;      ///< row of n in the whole problem
    Index last;        ///< its last row there
    Index twin;        ///< row of n₂ in `problem`, before that of the last row
    FrictionCone set;  ///< of (n₂, last row)
  };
  enum Cut : char { whole_block, broken_line, split_block };

  bool needed = false;               ///< some active block is cut
  bool general = false;              ///< some active block is a cone to a set of its own
  std::vector<Segment> segments;     ///< of all rows of the problem, one empty for rows without
  std::vector<Index> first;          ///< first segment of each row, and the end
  std::vector<Cut> cut;              ///< block by block
  std::vector<Split> twins;          ///< of the blocks that are split, in their order
  std::vector<Index> place;          ///< first block of `problem` that a block becomes, and the end
  std::vector<Index> sizes;          ///< of the blocks of `problem`
  std::vector<InclusionRule> rules;  ///< block by block of `problem`, for `general`
  BlockForm problem;
  Vector r;
  AffineInclusionWorkspace solver;

  /// Empties the list of blocks.
  void clear();
  /// The next block of the problem, with its law.
  void add(const Law& law, Index rows, double scale);
  /// W and K of `problem`; once per matrix.
  void expand(const BlockForm& whole);
  /// q and the guess: of a row with pieces, clipped to one after the other.
  void expand(const Vector& q, const Vector& guess);
  /// r_whole = Σ_j λ_j
  void contract(VectorRef whole) const;
};

}  // namespace saltus
