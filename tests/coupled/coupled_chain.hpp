#pragma once

#include "saltus/model/model.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/sparse.hpp"

namespace saltus {

inline SparseMatrix sparse(const Matrix& A) { return A.sparseView(); }

/// A chain of `nodes` nodes with `each` degrees of freedom: neighbours are coupled by mass, damping
/// and stiffness, the first node to the ground as well.
struct Chain {
  Index nodes = 6, each = 2;
  Matrix M, C, K;
  Vector F;
  Chain() {
    const Index n = nodes * each;
    M = Matrix::Zero(n, n);
    K = Matrix::Zero(n, n);
    for (Index a = 0; a < nodes; ++a)
      for (Index i = 0; i < each; ++i) {
        const Index k = a * each + i;
        M(k, k) = 1 + 0.1 * double(k);
        K(k, k) = 200;
        if (a + 1 == nodes) continue;
        M(k, k + each) = M(k + each, k) = 0.2;
        K(k, k + each) = K(k + each, k) = -90;
        const Index other = (a + 1) * each + (each - 1 - i);
        K(k, other) += 5;
        K(other, k) += 5;
      }
    C = 0.1 * M + 0.002 * K;
    F.setZero(n);
    for (Index k = each - 1; k < n; k += each) F[k] = -9.81 * M.row(k).sum();
  }
  [[nodiscard]] System dense() const { return LinearLagrangian{.M = M, .C = C, .K = K, .F = F}; }
  [[nodiscard]] System coupled() const {
    return SparseLagrangian{.M = sparse(M), .C = sparse(C), .K = sparse(K), .F = F, .nodes = nodes};
  }
  [[nodiscard]] Initial start() const {
    Vector v = Vector::Zero(nodes * each);
    for (Index k = 0; k < v.size(); k += each) v[k] = 0.3 * double(k + 1);
    return {.q = Vector::Zero(nodes * each), .v = v};
  }
  /// H of a node in all degrees of freedom.
  [[nodiscard]] Matrix widen(const Matrix& H, Index node) const {
    Matrix wide = Matrix::Zero(H.rows(), nodes * each);
    wide.middleCols(node * each, each) = H;
    return wide;
  }
  /// Ties nodes to the ground, by friction at one and without at another, and two to each other.
  [[nodiscard]] Model model(bool as_coupled, bool friction = true) const {
    Model model;
    const SystemId id = model.add(as_coupled ? coupled() : dense(), start());
    const Matrix ground{{0.0, 1.0}, {1.0, 0.0}};
    const auto link = [&](Index node, const Matrix& H, double gap, const Law& law) {
      const Vector b = Vector::Unit(H.rows(), 0) * gap;
      if (as_coupled)
        model.link(Endpoint(id, node), LinearRelation{.H = H, .b = b}, law);
      else
        model.link(id, LinearRelation{.H = widen(H, node), .b = b}, law);
    };
    if (friction) {
      link(5, ground, 0.01, Coulomb{.mu = 0.4});
      link(2, ground, 0.02, Coulomb{.mu = 0.1});
    }
    link(3, ground.topRows(1), 0.015, NewtonImpact{.e = 0});
    Matrix both(1, 4);
    both << 0, -1, 0, 1;
    if (as_coupled)
      model.link({Endpoint(id, 1), Endpoint(id, 4)}, LinearRelation{.H = both, .b = {0.05}},
                 NewtonImpact{.e = 0.5});
    else
      model.link(id,
                 LinearRelation{.H = widen(both.leftCols(2), 1) + widen(both.rightCols(2), 4),
                                .b = {0.05}},
                 NewtonImpact{.e = 0.5});
    return model;
  }
};

}  // namespace saltus
