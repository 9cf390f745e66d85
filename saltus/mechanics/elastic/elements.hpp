#pragma once

#include "saltus/mechanics/elastic/mesh.hpp"

#include <vector>

namespace saltus::mechanics {

/// Shape functions at the integration points of an element: exact for the mass and for the small
/// stiffness of an undistorted one.
struct Quadrature {
  struct Point {
    double weight;
    Vector N;   ///< of the nodes
    Matrix dN;  ///< their derivatives in the coordinates of the element, one node per row
  };
  std::vector<Point> points;
};
[[nodiscard]] const Quadrature& quadrature(ElementKind kind);
/// Shape functions of a side of an element at its coordinates ξ: 2 nodes (edge) or 4 (face).
[[nodiscard]] Vector side_functions(Index nodes, const Eigen::Vector2d& xi);
/// Their derivatives, one node per row.
[[nodiscard]] Matrix side_derivatives(Index nodes, const Eigen::Vector2d& xi);

/// Elasticity S = λ tr(E) I + 2μ E between the second Piola–Kirchhoff stress and the strain of
/// Green and Lagrange (F:F135, F:F136; St. Venant and Kirchhoff), in the dimension of the element:
/// for plane stress and for bars λ is reduced so that the stress across vanishes.
struct Lame {
  double lambda = 0;
  double mu = 0;
};

/// What is integrated over an element, at the nodes' reference positions X and positions x (one
/// node per row), each node's degrees of freedom together:
///     F = ∂x/∂X,   E = ½(FᵀF − I),   W = ½ S : E
///     f_a = ∫ F S ∇N_a,   K_ab = ∂f_a/∂x_b,   m_ab = ∫ ρ N_a N_b
/// times the section. At x = X, K is the stiffness of small strains.
class Element {
 public:
  /// Throws Error if the element is turned inside out.
  Element(ElementKind kind, const Matrix& X, double section, Index number);

  /// m_ab without density, one entry per pair of nodes.
  [[nodiscard]] Matrix mass() const;
  void force(const Matrix& x, const Lame& lame, VectorRef f) const;
  void stiffness(const Matrix& x, const Lame& lame, MatrixRef K) const;
  [[nodiscard]] double energy(const Matrix& x, const Lame& lame) const;
  [[nodiscard]] double volume() const;
  /// Stress of small strains, in the mean: x against X, in the axes of the mesh, or along a bar.
  [[nodiscard]] Matrix small_stress(const Matrix& X, const Matrix& x, const Lame& lame) const;

 private:
  struct Point {
    double weight;  // with the section
    Vector N;
    Matrix gradient;  // ∇N, one node per row, in the axes of the mesh or along the bar
  };
  std::vector<Point> points_;
};

}  // namespace saltus::mechanics
