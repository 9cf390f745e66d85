#include "saltus/solvers/dissection.hpp"

#include <metis.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>

namespace saltus {

namespace {

constexpr Index most_neighbours = 200;  // of a cell on the average, for the cut to be tried

/// METIS draws from the generator of the C library, seeded anew by every call: two calls at a time
/// would draw from each other's numbers, and the order would depend on the threads.
std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

struct MetisGraph {
  explicit MetisGraph(const Graph& graph)
      : size(graph.size()),
        begin(graph.begin.begin(), graph.begin.end()),
        neighbour(graph.neighbour.begin(), graph.neighbour.end()) {}
  idx_t size;
  std::vector<idx_t> begin, neighbour;
};

/// The cells of each row, but for rows with the same cells as the row before (one body).
std::vector<std::vector<int>> cells_of_rows(const std::vector<Index>& begin,
                                            const std::vector<int>& row, Index rows) {
  std::vector<std::vector<int>> lists(static_cast<std::size_t>(rows));
  for (std::size_t c = 0; c + 1 < begin.size(); ++c)
    for (Index k = begin[c]; k < begin[c + 1]; ++k) {
      std::vector<int>& list = lists[row[k]];
      if (list.empty() || list.back() != static_cast<int>(c)) list.push_back(static_cast<int>(c));
    }
  lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
  return lists;
}

/// Cells are neighbours that share a row; none if there are too many neighbours.
std::optional<Graph> cell_graph(const std::vector<Index>& begin, const std::vector<int>& row,
                                Index rows) {
  const std::vector<std::vector<int>> lists = cells_of_rows(begin, row, rows);
  const Index cells = static_cast<Index>(begin.size()) - 1;
  Index pairs = 0;
  for (const auto& list : lists) pairs += static_cast<Index>(list.size() * list.size());
  if (pairs > most_neighbours * cells) return std::nullopt;
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(cells));
  for (const auto& list : lists)
    for (const int c : list) neighbours[c].insert(neighbours[c].end(), list.begin(), list.end());
  Graph graph;
  for (Index c = 0; c < cells; ++c) {
    std::vector<int>& list = neighbours[c];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::copy_if(list.begin(), list.end(), std::back_inserter(graph.neighbour),
                 [c](int other) { return other != c; });
    graph.begin.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

/// The graph of some of the vertices, ascending.
Graph induced(const Graph& graph, const std::vector<int>& vertices) {
  std::vector<int> place(static_cast<std::size_t>(graph.size()), -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) place[vertices[i]] = static_cast<int>(i);
  Graph part;
  for (const int v : vertices) {
    for (int k = graph.begin[v]; k < graph.begin[v + 1]; ++k)
      if (place[graph.neighbour[k]] >= 0) part.neighbour.push_back(place[graph.neighbour[k]]);
    part.begin.push_back(static_cast<int>(part.neighbour.size()));
  }
  return part;
}

using Levels = std::vector<std::vector<std::vector<int>>>;

void divide(const Graph& graph, const std::vector<int>& vertices, int depth, Levels& levels) {
  if (depth == 0 || vertices.size() < 2) {
    levels[depth].push_back(vertices);
    return;
  }
  const Graph part = induced(graph, vertices);
  const std::vector<int> side = bisection(part);
  std::vector<int> piece[3];
  for (std::size_t i = 0; i < vertices.size(); ++i) piece[side[i]].push_back(vertices[i]);
  divide(graph, piece[0], depth - 1, levels);
  divide(graph, piece[1], depth - 1, levels);
  levels[depth].push_back(std::move(piece[2]));
}

Levels whole(Index cells) {
  std::vector<int> all(static_cast<std::size_t>(cells));
  std::iota(all.begin(), all.end(), 0);
  return {{all}};
}

Levels dissected(const std::optional<Graph>& graph, Index cells, int depth) {
  Levels levels = whole(cells);
  if (!graph) return levels;
  const std::vector<int> all = std::move(levels.front().front());
  levels.assign(static_cast<std::size_t>(depth) + 1, {});
  divide(*graph, all, depth, levels);
  return levels;
}

}  // namespace

std::vector<int> nested_dissection(const Graph& graph, const std::vector<Index>& weight) {
  MetisGraph g(graph);
  std::vector<idx_t> weights(weight.begin(), weight.end()), order(weight.size()),
      position(weight.size());
  const std::lock_guard lock(one_at_a_time());
  METIS_NodeND(&g.size, g.begin.data(), g.neighbour.data(), weights.data(), nullptr, order.data(),
               position.data());
  return {order.begin(), order.end()};
}

std::vector<int> bisection(const Graph& graph) {
  MetisGraph g(graph);
  std::vector<idx_t> side(static_cast<std::size_t>(graph.size()), 0);
  if (graph.neighbour.empty()) {  // any two halves
    std::fill(side.begin() + graph.size() / 2, side.end(), 1);
  } else {
    idx_t size = 0;
    const std::lock_guard lock(one_at_a_time());
    METIS_ComputeVertexSeparator(&g.size, g.begin.data(), g.neighbour.data(), nullptr, nullptr,
                                 &size, side.data());
  }
  return {side.begin(), side.end()};
}

Dissection::Dissection(Index cells) : Dissection(whole(cells)) {}

Dissection::Dissection(const std::vector<Index>& begin, const std::vector<int>& row, Index rows,
                       int depth)
    : Dissection(
          dissected(cell_graph(begin, row, rows), static_cast<Index>(begin.size()) - 1, depth)) {}

Dissection::Dissection(const Levels& levels) {
  for (const auto& level : levels) {
    for (const auto& part : level) {
      cell_.insert(cell_.end(), part.begin(), part.end());
      part_begin_.push_back(static_cast<Index>(cell_.size()));
    }
    level_begin_.push_back(static_cast<Index>(part_begin_.size()) - 1);
  }
}

}  // namespace saltus
