#include "saltus/solvers/front_tree.hpp"

#include "saltus/solvers/dissection.hpp"

#include <amd.h>
#include <camd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace saltus {

namespace {

// operations above which METIS may pay for itself, in many factorisations or in one
constexpr double worth_dissecting = 2e7, worth_dissecting_once = 2e9;
// Rows of a matrix, and the share of the longest path in the operations, from which on the tree is
// halved: bodies in a row have one that no thread could share.
constexpr Index worth_halving = 3000;
constexpr double narrow_tree = 0.6;
// Chains are joined while they are narrow, or while few of their entries are zeros.
constexpr Index narrow = 16, medium = 48;
constexpr double medium_zeros = 0.25, few_zeros = 0.06;

// Variables come in threes, points of a mesh or positions and rotations of bodies: the graph is
// that of the threes where their blocks hold few zeros.
constexpr int three = 3;
constexpr double nearly_full = 1.25;

struct Pattern {
  std::vector<int> begin = {0}, row;
};

/// The pattern of blocks of 3 × 3; none if they are not nearly full.
std::optional<Pattern> in_threes(const std::vector<int>& begin, const std::vector<int>& row,
                                 Index kept) {
  const auto n = static_cast<int>(begin.size()) - 1;
  if (n % three != 0 || kept % three != 0) return std::nullopt;
  Pattern blocks;
  std::vector<int> seen(static_cast<std::size_t>(n / three), -1);
  for (int g = 0; g < n / three; ++g) {
    for (int k = begin[three * g]; k < begin[three * g + three]; ++k) {
      const int other = row[k] / three;
      if (std::exchange(seen[other], g) != g) blocks.row.push_back(other);
    }
    blocks.begin.push_back(static_cast<int>(blocks.row.size()));
  }
  const auto entries = static_cast<double>(three * three * blocks.row.size());
  if (entries > nearly_full * static_cast<double>(row.size())) return std::nullopt;
  return blocks;
}

Graph symmetric_graph(const std::vector<int>& begin, const std::vector<int>& row) {
  const std::size_t n = begin.size() - 1;
  std::vector<int> start(n + 1, 0), column(row.size());  // the pattern by rows
  for (const int i : row) ++start[i + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (std::size_t j = 0; j < n; ++j)
    for (int k = begin[j]; k < begin[j + 1]; ++k) column[next[row[k]]++] = static_cast<int>(j);
  Graph graph;
  std::vector<int> own, both;
  for (std::size_t j = 0; j < n; ++j) {
    own.assign(row.begin() + begin[j], row.begin() + begin[j + 1]);
    std::sort(own.begin(), own.end());
    both.clear();
    std::set_union(own.begin(), own.end(), column.begin() + start[j], column.begin() + start[j + 1],
                   std::back_inserter(both));
    std::copy_if(both.begin(), both.end(), std::back_inserter(graph.neighbour),
                 [&](int i) { return i != static_cast<int>(j); });
    graph.begin.push_back(static_cast<int>(graph.neighbour.size()));
  }
  return graph;
}

/// Ties the last `kept` variables to each other.
Graph with_clique(const Graph& graph, Index kept) {
  const int n = graph.size(), first = n - static_cast<int>(kept);
  Graph result;
  for (int v = 0; v < n; ++v) {
    for (int k = graph.begin[v]; k < graph.begin[v + 1]; ++k)
      if (v < first || graph.neighbour[k] < first) result.neighbour.push_back(graph.neighbour[k]);
    for (int w = first; v >= first && w < n; ++w)
      if (w != v) result.neighbour.push_back(w);
    result.begin.push_back(static_cast<int>(result.neighbour.size()));
  }
  return result;
}

/// Neighbours of v and v itself, ascending.
void closed_neighbours(const Graph& graph, int v, std::vector<int>& out) {
  out.assign(graph.neighbour.begin() + graph.begin[v],
             graph.neighbour.begin() + graph.begin[v + 1]);
  out.insert(std::lower_bound(out.begin(), out.end(), v), v);
}

/// The node of each variable: variables with the same closed neighbourhood share one, but not those
/// from `first_kept` on with others. Nodes are numbered by their first variable.
std::vector<int> nodes_of(const Graph& graph, int first_kept) {
  const int n = graph.size();
  struct Key {
    std::uint64_t hash;
    int variable;
  };
  std::vector<Key> keys(static_cast<std::size_t>(n));
  const auto mix = [](int v) {
    std::uint64_t h = static_cast<std::uint64_t>(v) + 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    return h ^ (h >> 27);
  };
  for (int v = 0; v < n; ++v) {
    std::uint64_t hash = mix(v);
    for (int k = graph.begin[v]; k < graph.begin[v + 1]; ++k) hash += mix(graph.neighbour[k]);
    keys[v] = {hash, v};
  }
  std::sort(keys.begin(), keys.end(), [](const Key& a, const Key& b) {
    return a.hash != b.hash ? a.hash < b.hash : a.variable < b.variable;
  });
  std::vector<int> first(static_cast<std::size_t>(n)), mine, other;
  for (int k = 0; k < n;) {
    int end = k + 1;
    first[keys[k].variable] = keys[k].variable;
    closed_neighbours(graph, keys[k].variable, mine);
    for (; end < n && keys[end].hash == keys[k].hash; ++end) {
      closed_neighbours(graph, keys[end].variable, other);
      if (other != mine || (keys[end].variable < first_kept) != (keys[k].variable < first_kept))
        break;
      first[keys[end].variable] = keys[k].variable;
    }
    k = end;
  }
  std::vector<int> node(static_cast<std::size_t>(n));
  int count = 0;
  for (int v = 0; v < n; ++v) node[v] = first[v] == v ? count++ : node[first[v]];
  return node;
}

/// The graph of the nodes, and the vertices of each.
Graph quotient(const Graph& graph, const std::vector<int>& node,
               std::vector<std::vector<int>>& members) {
  members.clear();
  for (std::size_t v = 0; v < node.size(); ++v) {
    if (static_cast<std::size_t>(node[v]) == members.size()) members.emplace_back();
    members[node[v]].push_back(static_cast<int>(v));
  }
  Graph result;
  std::vector<int> list;
  for (std::size_t g = 0; g < members.size(); ++g) {
    const int v = members[g].front();
    list.clear();
    for (int k = graph.begin[v]; k < graph.begin[v + 1]; ++k)
      if (node[graph.neighbour[k]] != static_cast<int>(g)) list.push_back(node[graph.neighbour[k]]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    result.neighbour.insert(result.neighbour.end(), list.begin(), list.end());
    result.begin.push_back(static_cast<int>(result.neighbour.size()));
  }
  return result;
}

/// The variables of blocks of the given side.
std::vector<int> variables(const std::vector<int>& blocks, Index side) {
  std::vector<int> result;
  for (const int b : blocks)
    for (Index i = 0; i < side; ++i) result.push_back(static_cast<int>(b * side + i));
  return result;
}

std::vector<int> minimum_degree(const Graph& graph) {
  std::vector<int> order(static_cast<std::size_t>(graph.size()));
  std::iota(order.begin(), order.end(), 0);
  if (!graph.neighbour.empty())
    amd_order(graph.size(), graph.begin.data(), graph.neighbour.data(), order.data(), nullptr,
              nullptr);
  return order;
}

/// Minimum degree of two halves first, then what separates them.
std::vector<int> halved_degree(const Graph& graph) {
  std::vector<int> stage = bisection(graph), order(stage.size());
  for (int& side : stage) side = side == 2 ? 1 : 0;
  camd_order(graph.size(), graph.begin.data(), graph.neighbour.data(), order.data(), nullptr,
             nullptr, stage.data());
  return order;
}

/// The order with all nodes from `first` on at its end.
std::vector<int> keep_last(std::vector<int> order, int first) {
  std::stable_partition(order.begin(), order.end(), [&](int v) { return v < first; });
  return order;
}

/// Operations of eliminating s columns of a front of m rows.
double elimination_flops(Index s, Index m) {
  double flops = 0;
  for (Index k = m - s; k < m; ++k) flops += 2.0 * static_cast<double>(k) * static_cast<double>(k);
  return flops;
}

/// The elimination of a graph of weighted nodes in a given order.
class Elimination {
 public:
  Elimination(const Graph& graph, std::vector<int> order, const std::vector<Index>& weight)
      : graph_(graph), order_(std::move(order)), n_(graph.size()) {
    number();
    find_parents();
    postorder();
    number();
    find_parents();
    weight_.resize(static_cast<std::size_t>(n_));
    for (int k = 0; k < n_; ++k) weight_[k] = weight[order_[k]];
    fill();
  }

  [[nodiscard]] double flops() const {
    double sum = 0;
    for (int k = 0; k < n_; ++k) sum += flops(k);
    return sum;
  }
  /// Operations that have to follow each other, however many threads there are.
  [[nodiscard]] double longest_path() const {
    std::vector<double> path(static_cast<std::size_t>(n_), 0.0);  // below each node
    double longest = 0;
    for (int k = 0; k < n_; ++k) {
      const double mine = path[k] + flops(k);
      longest = std::max(longest, mine);
      if (parent_[k] >= 0) path[parent_[k]] = std::max(path[parent_[k]], mine);
    }
    return longest;
  }
  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] const std::vector<int>& order() const { return order_; }
  /// Nodes eliminated after k that are connected to it then, ascending.
  [[nodiscard]] const std::vector<int>& structure(int k) const { return structure_[k]; }
  [[nodiscard]] int parent(int k) const { return parent_[k]; }
  [[nodiscard]] Index weight(int k) const { return weight_[k]; }
  [[nodiscard]] Index below(int k) const { return below_[k]; }

 private:
  [[nodiscard]] double flops(int k) const {
    return elimination_flops(weight_[k], weight_[k] + below_[k]);
  }

  void number() {
    position_.resize(static_cast<std::size_t>(n_));
    for (int k = 0; k < n_; ++k) position_[order_[k]] = k;
  }

  /// The elimination tree, with path compression.
  void find_parents() {
    parent_.assign(static_cast<std::size_t>(n_), -1);
    std::vector<int> ancestor(static_cast<std::size_t>(n_), -1);
    for (int k = 0; k < n_; ++k) {
      const int v = order_[k];
      for (int e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e)
        for (int i = position_[graph_.neighbour[e]]; i >= 0 && i < k;) {
          const int next = ancestor[i];
          ancestor[i] = k;
          if (next < 0) parent_[i] = k;
          i = next;
        }
    }
  }

  void postorder() {
    std::vector<int> head(static_cast<std::size_t>(n_) + 1, -1);
    std::vector<int> next(static_cast<std::size_t>(n_), -1);
    for (int k = n_ - 1; k >= 0; --k) {
      const int p = parent_[k] < 0 ? n_ : parent_[k];
      next[k] = head[p];
      head[p] = k;
    }
    std::vector<int> sorted, stack = {n_};
    while (!stack.empty()) {
      const int k = stack.back();
      if (head[k] >= 0) {
        stack.push_back(head[k]);
        head[k] = next[head[k]];
      } else {
        stack.pop_back();
        if (k < n_) sorted.push_back(order_[k]);
      }
    }
    order_ = std::move(sorted);
  }

  void fill() {
    structure_.assign(static_cast<std::size_t>(n_), {});
    below_.assign(static_cast<std::size_t>(n_), 0);
    std::vector<int> mark(static_cast<std::size_t>(n_), -1);
    std::vector<std::vector<int>> children(static_cast<std::size_t>(n_));
    for (int k = 0; k < n_; ++k) {
      std::vector<int>& mine = structure_[k];
      mark[k] = k;
      const auto add = [&](int i) {
        if (i > k && mark[i] != k) {
          mark[i] = k;
          mine.push_back(i);
        }
      };
      std::size_t sorted = 0;  // what the child with most of them has
      for (int& c : children[k])
        if (structure_[c].size() > structure_[children[k].front()].size())
          std::swap(c, children[k].front());
      for (const int c : children[k]) {
        for (const int i : structure_[c]) add(i);
        if (sorted == 0) sorted = mine.size();
      }
      const int v = order_[k];
      for (int e = graph_.begin[v]; e < graph_.begin[v + 1]; ++e)
        add(position_[graph_.neighbour[e]]);
      const auto tail = mine.begin() + static_cast<std::ptrdiff_t>(sorted);
      std::sort(tail, mine.end());
      std::inplace_merge(mine.begin(), tail, mine.end());
      for (const int i : mine) below_[k] += weight_[i];
      if (parent_[k] >= 0) children[parent_[k]].push_back(k);
    }
  }

  const Graph& graph_;
  std::vector<int> order_;
  int n_;
  std::vector<int> position_, parent_;
  std::vector<Index> weight_, below_;
  std::vector<std::vector<int>> structure_;
};

/// The last node of each front: consecutive nodes of a chain are joined, the last `kept` always and
/// with no other.
std::vector<int> cut_into_fronts(const Elimination& tree, int kept) {
  struct Chain {
    int last;
    Index columns;
    double entries;  // that are not zero
  };
  std::vector<Chain> chains;
  for (int k = 0; k < tree.size(); ++k) {
    const Index w = tree.weight(k), m = w + tree.below(k);
    Chain mine{k, w, static_cast<double>(w * m)};
    if (k > tree.size() - kept) {
      chains.back().last = k;
      continue;
    }
    if (!chains.empty() && k != tree.size() - kept && tree.parent(chains.back().last) == k) {
      const Chain& child = chains.back();
      const Index columns = child.columns + w;
      const double area = static_cast<double>(columns) * static_cast<double>(child.columns + m);
      const double entries = child.entries + mine.entries;
      const double zeros = 1 - (entries + static_cast<double>(w * child.columns)) / area;
      if (columns <= narrow || (columns <= medium && zeros < medium_zeros) || zeros < few_zeros) {
        mine.columns = columns;
        mine.entries = entries + static_cast<double>(w * child.columns);
        chains.pop_back();
      }
    }
    chains.push_back(mine);
  }
  std::vector<int> last;
  for (const Chain& chain : chains) last.push_back(chain.last);
  return last;
}

void add_fronts(const Elimination& tree, const std::vector<std::vector<int>>& members, int kept,
                FrontTree& result) {
  std::vector<Index> start = {0};  // first pivot of each node
  for (int k = 0; k < tree.size(); ++k) {
    start.push_back(start.back());
    for (const int v : members[tree.order()[k]])
      result.position[v] = static_cast<int>(start.back()++);
  }
  int node = 0;
  for (const int last : cut_into_fronts(tree, kept)) {
    Front front;
    front.first = start[node];
    front.columns = start[last + 1] - front.first;
    front.rows = front.columns + tree.below(last);
    front.row_begin = static_cast<Index>(result.row.size());
    front.value_begin = result.storage;
    front.flops = elimination_flops(front.columns, front.rows);
    for (Index i = 0; i < front.columns; ++i) {
      result.row.push_back(static_cast<int>(front.first + i));
      result.front_of.push_back(static_cast<int>(result.fronts.size()));
    }
    for (const int k : tree.structure(last))
      for (Index i = start[k]; i < start[k + 1]; ++i) result.row.push_back(static_cast<int>(i));
    result.storage += front.rows * front.rows;
    result.largest = std::max(result.largest, front.rows);
    result.flops += front.flops;
    result.fronts.push_back(front);
    node = last + 1;
  }
}

/// Parents, and the rows of each front in its parent.
void link(FrontTree& tree) {
  tree.place.assign(tree.row.size(), -1);
  std::vector<std::vector<int>> children(tree.fronts.size());
  for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
    Front& front = tree.fronts[f];
    if (front.rows == front.columns) continue;
    front.parent = tree.front_of[tree.row[front.row_begin + front.columns]];
    children[front.parent].push_back(static_cast<int>(f));
    const Front& parent = tree.fronts[front.parent];
    Index p = 0;
    for (Index i = front.columns; i < front.rows; ++i) {
      while (tree.row[parent.row_begin + p] < tree.row[front.row_begin + i]) ++p;
      tree.place[front.row_begin + i] = static_cast<int>(p);
    }
  }
  tree.child_begin.assign(1, 0);
  for (const std::vector<int>& list : children) {
    tree.child.insert(tree.child.end(), list.begin(), list.end());
    tree.child_begin.push_back(static_cast<int>(tree.child.size()));
  }
}

}  // namespace

Index FrontTree::entry(int r, int c) const {
  const Index i = position[r], j = position[c];
  const Front& front = fronts[front_of[std::min(i, j)]];
  const auto local = [&](Index k) {
    if (k < front.first + front.columns) return k - front.first;
    const auto begin = row.begin() + front.row_begin;
    return static_cast<Index>(std::lower_bound(begin + front.columns, begin + front.rows, k) -
                              begin);
  };
  return front.value_begin + local(i) + local(j) * front.rows;
}

FrontTree front_tree(const std::vector<int>& column_begin, const std::vector<int>& row,
                     Index kept) {
  const std::optional<Pattern> blocks = in_threes(column_begin, row, kept);
  const Index side = blocks ? three : 1, ends = kept / side;
  Graph graph =
      blocks ? symmetric_graph(blocks->begin, blocks->row) : symmetric_graph(column_begin, row);
  if (ends > 0) graph = with_clique(graph, ends);
  const std::vector<int> node = nodes_of(graph, graph.size() - static_cast<int>(ends));
  std::vector<std::vector<int>> members;
  const Graph nodes = quotient(graph, node, members);
  std::vector<Index> weight;
  for (std::vector<int>& list : members) {
    list = variables(list, side);
    weight.push_back(static_cast<Index>(list.size()));
  }
  FrontTree tree;
  tree.position.resize(column_begin.size() - 1);
  const int first = ends > 0 ? node[node.size() - static_cast<std::size_t>(ends)] : nodes.size();
  const int last = nodes.size() - first;  // nodes that are kept
  const Elimination degree(nodes, keep_last(minimum_degree(nodes), first), weight);
  // the mean of the time with one thread and that with two
  const auto time = [](const Elimination& e) { return e.flops() + e.longest_path(); };
  const auto add_better = [&](std::vector<int> order) {
    const Elimination other(nodes, keep_last(std::move(order), first), weight);
    add_fronts(time(other) < time(degree) ? other : degree, members, last, tree);
  };
  if (degree.flops() > (kept > 0 ? worth_dissecting_once : worth_dissecting))
    add_better(nested_dissection(nodes, weight));
  else if (kept == 0 && std::ssize(tree.position) >= worth_halving &&
           degree.longest_path() > narrow_tree * degree.flops())
    add_better(halved_degree(nodes));
  else
    add_fronts(degree, members, last, tree);
  link(tree);
  return tree;
}

FrontTree single_front(Index n) {
  FrontTree tree;
  tree.position.resize(static_cast<std::size_t>(n));
  std::iota(tree.position.begin(), tree.position.end(), 0);
  tree.row = tree.position;
  tree.front_of.assign(static_cast<std::size_t>(n), 0);
  tree.flops = elimination_flops(n, n);
  tree.storage = n * n;
  tree.largest = n;
  tree.fronts.push_back({.columns = n, .rows = n, .flops = tree.flops});
  link(tree);
  return tree;
}

}  // namespace saltus
