#pragma once

#include "saltus/algebra/types.hpp"

#include <vector>

namespace saltus {

/// An undirected graph without loops; neighbours ascending.
struct Graph {
  std::vector<int> begin = {0};
  std::vector<int> neighbour;
  [[nodiscard]] int size() const { return static_cast<int>(begin.size()) - 1; }
};

/// An elimination order that cuts the graph by small separators, again and again (METIS).
[[nodiscard]] std::vector<int> nested_dissection(const Graph& graph,
                                                 const std::vector<Index>& weight);

/// 0 or 1 for the vertices of two halves without an edge between them, 2 for the separator.
[[nodiscard]] std::vector<int> bisection(const Graph& graph);

/// Cells cut into parts by bisection, the separators being parts, too. Levels of parts follow each
/// other; parts of one level share no row, whatever touches what: threads may work on them at once.
/// Cells of a part ascend.
class Dissection {
 public:
  /// One part.
  explicit Dissection(Index cells = 0);
  /// `depth` bisections of the cells, of which cell c touches the rows row[begin[c]…begin[c+1]−1],
  /// all below `rows`. One part if a row is touched by so many cells that cutting is hopeless.
  Dissection(const std::vector<Index>& begin, const std::vector<int>& row, Index rows, int depth);

  [[nodiscard]] Index levels() const { return static_cast<Index>(level_begin_.size()) - 1; }
  [[nodiscard]] Index parts(Index level) const {
    return level_begin_[level + 1] - level_begin_[level];
  }
  /// Cells by levels and parts; body(k) for the places k of a part in that order.
  [[nodiscard]] const std::vector<Index>& order() const { return cell_; }
  template <class Body>
  void for_places(Index level, Index part, const Body& body) const {
    const Index p = level_begin_[level] + part;
    for (Index k = part_begin_[p]; k < part_begin_[p + 1]; ++k) body(k);
  }

 private:
  using Levels = std::vector<std::vector<std::vector<int>>>;
  explicit Dissection(const Levels& levels);

  std::vector<Index> cell_, part_begin_ = {0}, level_begin_ = {0};
};

}  // namespace saltus
