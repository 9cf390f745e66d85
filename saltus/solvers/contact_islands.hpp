#pragma once

#include "saltus/problems/global_block_form.hpp"

#include <vector>

namespace saltus {

/// Groups of blocks that no body and no entry of M or W joins (FS:FS-106g), domains of a kind: each
/// is a problem of its own. Small ones are put together, up to some fifty blocks; all, if one holds
/// most of the blocks. Velocities of a global form that no block touches are in none of them.
class ContactIslands {
 public:
  explicit ContactIslands(const GlobalBlockForm& problem);
  explicit ContactIslands(const BlockForm& problem);

  [[nodiscard]] Index count() const { return static_cast<Index>(blocks_.size()); }
  /// Blocks of island k.
  [[nodiscard]] Index size(Index k) const { return static_cast<Index>(blocks_[k].size()); }
  /// There are several, or many velocities are in none.
  [[nodiscard]] bool worth_splitting() const;

  /// Island k as a problem.
  [[nodiscard]] GlobalBlockForm part(const GlobalBlockForm& problem, Index k) const;
  [[nodiscard]] BlockForm part(const BlockForm& problem, Index k) const;
  /// The entries of r that belong to island k, and back.
  [[nodiscard]] Vector gather(ConstVectorRef r, Index k) const;
  void scatter(ConstVectorRef own, Index k, VectorRef r) const;

 private:
  void number(std::vector<Index>& group, Index unknowns);

  std::vector<Index> row_begin_ = {0};          // rows of each block
  std::vector<std::vector<Index>> blocks_;      // of each island
  std::vector<std::vector<Index>> velocities_;  // of a global form
  std::vector<Index> block_place_, place_;      // of a block, of a velocity in its island
  Index unknowns_ = 0;
};

}  // namespace saltus
