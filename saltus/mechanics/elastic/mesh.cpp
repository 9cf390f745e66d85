#include "saltus/mechanics/elastic/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

Index nodes_of(ElementKind kind) {
  constexpr std::array<Index, 4> nodes = {2, 3, 4, 8};
  return nodes[static_cast<std::size_t>(kind)];
}

Index dimension_of(ElementKind kind) {
  constexpr std::array<Index, 4> dimensions = {1, 2, 2, 3};
  return dimensions[static_cast<std::size_t>(kind)];
}

const char* name(ElementKind kind) {
  constexpr std::array<const char*, 4> names = {"bar", "triangle", "quad", "brick"};
  return names[static_cast<std::size_t>(kind)];
}

void Mesh::check() const {
  const Index d = dimension(), own = dimension_of(kind);
  require(node_count() > 0 && element_count() > 0, "Mesh: {} nodes and {} elements", node_count(),
          element_count());
  require(d == own || (kind == ElementKind::bar && d <= 3),
          "Mesh: elements {} need nodes of dimension {}, they have {}", name(kind), own, d);
  require(nodes.allFinite(), "Mesh: a node has coordinates that are not finite");
  require(elements.cols() == nodes_of(kind), "Mesh: an element {} has {} nodes, {} are given",
          name(kind), nodes_of(kind), elements.cols());
  for (Index e = 0; e < element_count(); ++e)
    for (Index a = 0; a < elements.cols(); ++a)
      require(elements(e, a) >= 0 && elements(e, a) < node_count(),
              "Mesh: element {} has node {}, there are {}", e, elements(e, a), node_count());
}

std::vector<Index> Mesh::nodes_where(const std::function<bool(const Vector&)>& condition) const {
  std::vector<Index> found;
  for (Index i = 0; i < node_count(); ++i)
    if (condition(nodes.row(i).transpose())) found.push_back(i);
  return found;
}

std::vector<Index> Mesh::nodes_on(Index axis, double value) const {
  require(axis >= 0 && axis < dimension(), "Mesh: axis {} of {}", axis, dimension());
  const double reach = 1e-9 * (nodes.colwise().maxCoeff() - nodes.colwise().minCoeff()).maxCoeff();
  return nodes_where([&](const Vector& x) { return std::abs(x[axis] - value) <= reach; });
}

Eigen::MatrixXi Mesh::sides_within(const std::vector<Index>& list) const {
  static const std::array<std::vector<std::vector<int>>, 4> sides = {
      std::vector<std::vector<int>>{{0}, {1}},
      {{0, 1}, {1, 2}, {2, 0}},
      {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
      {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
  std::vector<char> inside(node_count(), 0);
  for (const Index i : list) {
    require(i >= 0 && i < node_count(), "Mesh: node {}, there are {}", i, node_count());
    inside[i] = 1;
  }
  const auto& of_kind = sides[static_cast<std::size_t>(kind)];
  std::vector<std::vector<int>> found;
  for (Index e = 0; e < element_count(); ++e)
    for (const std::vector<int>& side : of_kind) {
      std::vector<int> corners;
      for (const int a : side) corners.push_back(elements(e, a));
      if (std::all_of(corners.begin(), corners.end(), [&](int i) { return inside[i] != 0; }))
        found.push_back(corners);
    }
  Eigen::MatrixXi result(found.size(), of_kind.front().size());
  for (Index s = 0; s < result.rows(); ++s)
    for (Index a = 0; a < result.cols(); ++a) result(s, a) = found[s][a];
  return result;
}

namespace {

/// The elements of one cell with the corners c, numbered as those of a brick.
std::vector<std::vector<int>> cut(ElementKind kind, const std::vector<int>& c) {
  switch (kind) {
    case ElementKind::triangle:
      return {{c[0], c[1], c[2]}, {c[0], c[2], c[3]}};
    default:
      return {c};
  }
}

}  // namespace

Mesh box_mesh(ElementKind kind, const Values& lengths, const std::vector<Index>& divisions,
              const Values& origin) {
  const Index d = dimension_of(kind);
  require(lengths.size() == d && static_cast<Index>(divisions.size()) == d &&
              (origin.size() == 0 || origin.size() == d),
          "box_mesh: {} lengths, {} divisions and {} coordinates of the origin for elements {}, "
          "expected {} each",
          lengths.size(), divisions.size(), origin.size(), name(kind), d);
  std::array<Index, 3> cells = {1, 1, 1}, points = {1, 1, 1};
  for (Index k = 0; k < d; ++k) {
    require(lengths[k] > 0 && divisions[k] > 0, "box_mesh: length {} cut into {} elements",
            lengths[k], divisions[k]);
    cells[k] = divisions[k];
    points[k] = divisions[k] + 1;
  }
  Mesh mesh{.kind = kind};
  mesh.nodes.resize(points[0] * points[1] * points[2], d);
  const auto number = [&](Index i, Index j, Index k) {
    return static_cast<int>(i + points[0] * (j + points[1] * k));
  };
  for (Index k = 0; k < points[2]; ++k)
    for (Index j = 0; j < points[1]; ++j)
      for (Index i = 0; i < points[0]; ++i) {
        const std::array<Index, 3> at = {i, j, k};
        for (Index a = 0; a < d; ++a)
          mesh.nodes(number(i, j, k), a) =
              (origin.size() > 0 ? origin[a] : 0.0) +
              lengths[a] * static_cast<double>(at[a]) / static_cast<double>(cells[a]);
      }
  std::vector<std::vector<int>> elements;
  for (Index k = 0; k < cells[2]; ++k)
    for (Index j = 0; j < cells[1]; ++j)
      for (Index i = 0; i < cells[0]; ++i) {
        std::vector<int> corners = {number(i, j, k), number(i + 1, j, k)};
        if (d > 1) corners.insert(corners.end(), {number(i + 1, j + 1, k), number(i, j + 1, k)});
        if (d > 2)
          corners.insert(corners.end(), {number(i, j, k + 1), number(i + 1, j, k + 1),
                                         number(i + 1, j + 1, k + 1), number(i, j + 1, k + 1)});
        for (auto& element : cut(kind, corners)) elements.push_back(std::move(element));
      }
  mesh.elements.resize(elements.size(), nodes_of(kind));
  for (Index e = 0; e < mesh.elements.rows(); ++e)
    for (Index a = 0; a < mesh.elements.cols(); ++a) mesh.elements(e, a) = elements[e][a];
  return mesh;
}

}  // namespace saltus::mechanics
