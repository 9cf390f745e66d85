#pragma once

#include "saltus/algebra/types.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace saltus {

/// A dense matrix in which some columns of a sparse one are eliminated: its first `columns` rows
/// and columns are the pivots, the others receive what the elimination leaves.
struct Front {
  Index first = 0;        ///< of its pivots, in the order of elimination
  Index columns = 0;      ///< pivots
  Index rows = 0;         ///< pivots and the rows below
  Index row_begin = 0;    ///< its rows in FrontTree::row
  Index parent = -1;      ///< the front that takes what is left; −1: none
  Index value_begin = 0;  ///< its rows × rows numbers in the storage
  double flops = 0;       ///< of its elimination
};

/// Symbolic factorisation for the multifrontal method [Duff, Reid 1983; Liu 1992]: variables with
/// the same neighbours are one node (the rows of a body), and so are threes in a row whose blocks
/// of 3 × 3 are nearly full (the points of a mesh); the graph of A + Aᵀ is ordered by
/// approximate minimum degree (AMD), that of two halves (CAMD) or nested dissection (METIS),
/// whichever needs less time (operations, and the longest path of them), and chains of the
/// elimination tree become fronts, a few zeros allowed.
struct FrontTree {
  std::vector<int> position;  ///< of a variable in the order of elimination
  std::vector<Front> fronts;  ///< children before parents
  std::vector<int> front_of;  ///< of the k-th pivot
  std::vector<int> row;       ///< rows of all fronts, in the order of elimination, ascending
  std::vector<int> place;     ///< the same rows as rows of the parent's front; pivots: −1
  std::vector<int> child, child_begin;  ///< the children of each front
  Index storage = 0;                    ///< numbers in all fronts
  Index largest = 0;                    ///< rows of the largest front
  double flops = 0;

  /// Where entry (row, column) of the matrix lies in the storage.
  [[nodiscard]] Index entry(int r, int c) const;
  /// visit(r, entry(r, c)) for some rows of a column; rows in succession mostly stay so.
  template <class Visit>
  void for_entries(int c, std::span<const int> rows, const Visit& visit) const {
    Index at = 0;
    int last = -2, last_front = -1;
    for (const int r : rows) {
      const int i = position[r], front = front_of[std::min(i, position[c])];
      at = i == last + 1 && front == last_front ? at + 1 : entry(r, c);
      visit(r, at);
      last = i;
      last_front = front;
    }
  }
};

/// The tree of an n × n pattern given by columns. The last `kept` variables, if any, come last and
/// are the pivots of one front, the last.
[[nodiscard]] FrontTree front_tree(const std::vector<int>& column_begin,
                                   const std::vector<int>& row, Index kept = 0);

/// One front for all: a dense matrix.
[[nodiscard]] FrontTree single_front(Index n);

}  // namespace saltus
