#pragma once

#include "saltus/integrators/law_sets.hpp"
#include "saltus/solvers/affine_inclusion.hpp"

namespace saltus {

/// The one-step problem with every row whose law is a broken line cut into the pieces of the line
/// (PL:B10): a row y with pieces j becomes rows
///     u_j = y + compliance_j λ_j − shift_j,   −u_j ∈ N_[lower_j, upper_j](λ_j),   λ = Σ_j λ_j,
/// one block each; other blocks stay as they are. Any algorithm for intervals solves it.
struct SegmentRows {
  bool needed = false;               ///< some active block has segments
  bool general = false;              ///< some active block is a cone to a set of its own
  std::vector<Segment> segments;     ///< of all rows of the problem, one empty for rows without
  std::vector<Index> first;          ///< first segment of each row, and the end
  std::vector<char> cut;             ///< block by block
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
