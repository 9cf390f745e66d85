#pragma once

#include "saltus/algebra/types.hpp"

#include <array>
#include <functional>
#include <vector>

namespace saltus::mechanics {

/// Isoparametric elements with linear shape functions (F:F137). Nodes of an element:
///     bar        both ends; in a space of 1 to 3 dimensions
///     triangle   counterclockwise
///     quad       counterclockwise
///     brick      the quad at the bottom, seen from above counterclockwise, then the one at the top
enum class ElementKind { bar, triangle, quad, brick };

[[nodiscard]] Index nodes_of(ElementKind kind);      ///< 2, 3, 4, 8
[[nodiscard]] Index dimension_of(ElementKind kind);  ///< of the element itself: 1, 2, 2, 3
[[nodiscard]] const char* name(ElementKind kind);

/// Nodes, one per row, and the nodes of the elements, one element per row.
struct Mesh {
  ElementKind kind = ElementKind::brick;
  Rows nodes = {};
  Eigen::MatrixXi elements = {};

  [[nodiscard]] Index dimension() const { return nodes.cols(); }
  [[nodiscard]] Index node_count() const { return nodes.rows(); }
  [[nodiscard]] Index element_count() const { return elements.rows(); }
  /// Throws Error on sizes, numbers of nodes and coordinates that make no mesh.
  void check() const;

  /// Nodes for which the condition on their position holds, in increasing order.
  [[nodiscard]] std::vector<Index> nodes_where(
      const std::function<bool(const Vector& x)>& condition) const;
  /// Nodes of the plane x[axis] = value, to 1e-9 of the size of the mesh.
  [[nodiscard]] std::vector<Index> nodes_on(Index axis, double value) const;
  /// Sides of elements all of whose nodes are in the list, one per row: ends of bars, edges of
  /// plane elements, faces of bricks.
  [[nodiscard]] Eigen::MatrixXi sides_within(const std::vector<Index>& list) const;
};

/// A box [origin, origin + lengths] cut into equal elements of a kind of its dimension; triangles
/// are halves of quads. Nodes are numbered along x, then y, then z.
[[nodiscard]] Mesh box_mesh(ElementKind kind, const Values& lengths,
                            const std::vector<Index>& divisions, const Values& origin = {});

}  // namespace saltus::mechanics
