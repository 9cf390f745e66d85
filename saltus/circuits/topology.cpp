#include "saltus/circuits/topology.hpp"

#include "saltus/base/error.hpp"
#include "saltus/base/overloaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace saltus::circuits {

namespace {

constexpr std::size_t max_remarks = 3;  // of one kind; the others are counted

enum class Branch { voltage, capacitor, resistive, inductor, current };

struct Edge {
  Node a, b;
  Branch kind;
  const std::string* name;
};

/// The branches of a device between its nodes.
std::vector<Edge> edges_of(const Element& element) {
  const std::string* n = &element.name;
  return std::visit(Overloaded{[&](const VoltageSource& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::voltage, n}};
                               },
                               [&](const VoltageByVoltage& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::voltage, n}};
                               },
                               [&](const VoltageByCurrent& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::voltage, n}};
                               },
                               [&](const Capacitor& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::capacitor, n}};
                               },
                               [&](const Inductor& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::inductor, n}};
                               },
                               [&](const CurrentSource& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::current, n}};
                               },
                               [&](const CurrentByVoltage& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::current, n}};
                               },
                               [&](const CurrentByCurrent& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::current, n}};
                               },
                               [&](const Transformer& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::resistive, n},
                                                    Edge{d.c, d.d, Branch::resistive, n}};
                               },
                               [&](const OpAmp& d) {
                                 return std::vector{Edge{d.out, 0, Branch::resistive, n}};
                               },
                               [&](const Mos& d) {
                                 return std::vector{Edge{d.drain, d.source, Branch::resistive, n}};
                               },
                               [&](const auto& d) {
                                 return std::vector{Edge{d.a, d.b, Branch::resistive, n}};
                               }},
                    element.device);
}

/// Sets of nodes that are tied together.
class Joined {
 public:
  explicit Joined(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), Node{0});
  }
  [[nodiscard]] Node root(Node a) {
    while (parent_[a] != a) a = parent_[a] = parent_[parent_[a]];
    return a;
  }
  /// False if they were tied together already.
  bool join(Node a, Node b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<Node> parent_;
};

/// The names on the way from a to b through the edges of a tree.
std::vector<std::string> path(const std::vector<Edge>& tree, Node a, Node b, std::size_t nodes) {
  std::vector<std::vector<const Edge*>> at(nodes);
  for (const Edge& edge : tree) {
    at[edge.a].push_back(&edge);
    at[edge.b].push_back(&edge);
  }
  std::vector<const Edge*> by(nodes, nullptr);
  std::vector<Node> open{a};
  std::vector<char> seen(nodes, 0);
  seen[a] = 1;
  for (std::size_t k = 0; k < open.size() && seen[b] == 0; ++k)
    for (const Edge* edge : at[open[k]]) {
      const Node other = edge->a == open[k] ? edge->b : edge->a;
      if (seen[other] != 0) continue;
      seen[other] = 1;
      by[other] = edge;
      open.push_back(other);
    }
  std::vector<std::string> names;
  for (Node at_node = b; at_node != a && by[at_node] != nullptr;) {
    names.push_back(*by[at_node]->name);
    at_node = by[at_node]->a == at_node ? by[at_node]->b : by[at_node]->a;
  }
  std::reverse(names.begin(), names.end());
  return names;
}

/// The names on the loop that an edge closes.
std::vector<std::string> loop(const Edge& edge, const std::vector<Edge>& tree, std::size_t nodes) {
  std::vector<std::string> names = path(tree, edge.a, edge.b, nodes);
  names.insert(names.begin(), *edge.name);
  return names;
}

/// Calls found(edge, tree) for each edge of the kinds that closes a loop with the tree before it.
void find_loops(const std::vector<Edge>& edges, std::size_t nodes,
                std::initializer_list<Branch> kinds,
                const std::function<void(const Edge&, const std::vector<Edge>&)>& found) {
  Joined joined(nodes);
  std::vector<Edge> tree;
  for (const Branch kind : kinds)
    for (const Edge& edge : edges) {
      if (edge.kind != kind) continue;
      if (joined.join(edge.a, edge.b)) {
        tree.push_back(edge);
      } else {
        found(edge, tree);
      }
    }
}

/// Nodes tied together by all branches but those of the kinds; those without ground, with the
/// branches that lead out of them.
struct Island {
  std::vector<Node> nodes;
  std::set<std::string> ties;
};

std::vector<Island> find_islands(const std::vector<Edge>& edges, std::size_t nodes,
                                 std::initializer_list<Branch> without) {
  const auto left_out = [&](const Edge& e) {
    return std::find(without.begin(), without.end(), e.kind) != without.end();
  };
  Joined joined(nodes);
  for (const Edge& edge : edges)
    if (!left_out(edge)) joined.join(edge.a, edge.b);
  std::vector<Island> by_root(nodes);
  for (Node a = 0; a < static_cast<Node>(nodes); ++a)
    if (joined.root(a) != 0) by_root[joined.root(a)].nodes.push_back(a);
  for (const Edge& edge : edges)
    if (left_out(edge) && joined.root(edge.a) != joined.root(edge.b)) {
      by_root[joined.root(edge.a)].ties.insert(*edge.name);
      by_root[joined.root(edge.b)].ties.insert(*edge.name);
    }
  std::erase_if(by_root, [](const Island& island) { return island.nodes.empty(); });
  return by_root;
}

std::string node_names(const Circuit& circuit, const std::vector<Node>& nodes) {
  std::string names;
  for (std::size_t k = 0; k < nodes.size() && k < 10; ++k)
    names += (k == 0 ? "" : ", ") + circuit.nodes[nodes[k]];
  return nodes.size() > 10 ? names + fmt::format(" and {} more", nodes.size() - 10) : names;
}

void refuse_islands(const Circuit& circuit, const std::vector<Edge>& edges) {
  for (const Island& island : find_islands(edges, circuit.nodes.size(), {Branch::current})) {
    const std::string nodes = node_names(circuit, island.nodes);
    require(island.ties.empty(),
            "circuit: the current sources {} form a cutset: nothing else ties the nodes {} to the "
            "rest, so their voltages are not determined; expected a resistor or another path",
            fmt::join(island.ties, ", "), nodes);
    fail(
        "circuit: the nodes {} float: no element ties them to ground (node 0); expected a path, "
        "for example a large resistor",
        nodes);
  }
}

}  // namespace

std::vector<std::string> check_topology(const Circuit& circuit) {
  const std::size_t nodes = circuit.nodes.size();
  std::vector<Edge> edges;
  for (const Element& element : circuit.elements)
    for (const Edge& edge : edges_of(element)) edges.push_back(edge);
  find_loops(edges, nodes, {Branch::voltage}, [&](const Edge& edge, const auto& tree) {
    fail(
        "circuit: the voltage sources {} form a loop: the current in it is not determined; "
        "expected a resistor or another element in the loop",
        fmt::join(loop(edge, tree, nodes), ", "));
  });
  refuse_islands(circuit, edges);
  std::vector<std::string> remarks;
  std::size_t loops = 0, cutsets = 0;
  find_loops(
      edges, nodes, {Branch::voltage, Branch::capacitor}, [&](const Edge& edge, const auto& tree) {
        if (loops++ < max_remarks)
          remarks.push_back(
              fmt::format("{} form a loop of capacitors and voltage sources: charges may jump",
                          fmt::join(loop(edge, tree, nodes), ", ")));
      });
  if (loops > max_remarks)
    remarks.push_back(fmt::format("and {} more such loops", loops - max_remarks));
  for (const Island& island : find_islands(edges, nodes, {Branch::current, Branch::inductor}))
    if (cutsets++ < max_remarks)
      remarks.push_back(
          fmt::format("{} form a cutset of inductors and current sources: fluxes may jump",
                      fmt::join(island.ties, ", ")));
  if (cutsets > max_remarks)
    remarks.push_back(fmt::format("and {} more such cutsets", cutsets - max_remarks));
  return remarks;
}

}  // namespace saltus::circuits
