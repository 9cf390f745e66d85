#pragma once

#include "saltus/systems/system.hpp"

#include <functional>
#include <vector>

namespace saltus {

/// Linear time-invariant Lagrangian system given by sparse matrices, as a finite-element program
/// makes them (PL:DS-07, F:F137):
///     M q̈ + C q̇ + K q = F(t, z) + p
/// Empty C, K, F are zero. F is `F`, or `load(t, z, F)` when that is set. The unknowns are cut into
/// `nodes` equal parts, in order: an Endpoint names one of them.
///
/// Boundary conditions: the degrees of freedom `held` stay where they start, or move with the
/// velocities `motion(t, z, v)`, in the order of `held`, exactly at the end of each step.
/// Percussions at them would move them as if they were free: contacts must act on the others only.
///
/// With the `places` of the nodes at rest it has a balance of momentum. Moments are those of the
/// linear theory, about the places at rest: K then does not turn the body. Supports are forces.
struct SparseLagrangian {
  static constexpr bool time_invariant = true;
  SparseMatrix M = {};
  SparseMatrix C = {};
  SparseMatrix K = {};
  Values F = {};
  std::function<void(double t, VectorView z, VectorRef F)> load = {};
  Index nodes = 1;
  std::vector<Index> held = {};
  std::function<void(double t, VectorView z, VectorRef v)> motion = {};
  Matrix places = {};         ///< of the nodes at rest, up to three columns [m]; empty: unknown
  SparseMatrix inertia = {};  ///< made by prepare(): columns of M of `held`, M_hh diagonal

  [[nodiscard]] Index dof() const { return M.cols(); }
  [[nodiscard]] Index bodies() const { return nodes; }
  void coupled_mass(const StateView&, SparseMatrix& out) const { out = M; }
  void coupled_damping(const StateView&, SparseMatrix& out) const { out = C; }
  void coupled_stiffness(const StateView&, SparseMatrix& out) const { out = K; }
  void force(const StateView& x, VectorRef out) const;
  void impulse(const StateView& x, double h, VectorRef P) const;
  /// ½ q·K q − F·q, the last for a constant F
  [[nodiscard]] double potential(const StateView& x) const;
  /// Of a node at rest; false without `places`.
  bool rigid_motions(const StateView& x, Index node, MatrixRef G) const;
  /// No damping, no load that depends on time, no motion of boundaries.
  [[nodiscard]] bool conservative() const { return C.nonZeros() == 0 && !load && !motion; }
  /// Throws Error on inconsistent sizes; takes the held degrees of freedom out of M, C, K and F.
  void prepare();
};

/// First-order linear system given by sparse matrices (PL:DS-04, PL:DS-05), say of a circuit:
///     E ẋ = A x + b(t, z) + r
/// Empty E is the identity, empty b is zero; `source(t, z, b)` replaces b when it is set. E may be
/// singular (a descriptor system), E − hθA must not. An Endpoint names one of the `nodes` equal
/// parts of x; 0: every variable is one.
struct SparseFirstOrder {
  static constexpr bool time_invariant = true;
  SparseMatrix A = {};
  Values b = {};
  SparseMatrix E = {};
  std::function<void(double t, VectorView z, VectorRef b)> source = {};
  Index nodes = 0;

  [[nodiscard]] Index dimension() const { return A.cols(); }
  [[nodiscard]] Index bodies() const { return nodes; }
  void rate(const StateView& x, VectorRef f) const;
  void coupled_matrix(const StateView&, SparseMatrix& out) const { out = E; }
  void coupled_jacobian(const StateView&, SparseMatrix& out) const { out = A; }
  void prepare();  ///< throws Error on inconsistent sizes
};

}  // namespace saltus
