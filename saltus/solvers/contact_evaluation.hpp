#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/rows.hpp"

namespace saltus {

// What the equations of one contact share (contact_equations.hpp). No heap: the storage is on the
// stack.
using SmallMatrix =
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, max_piece, max_piece>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_piece, 1>;

/// One evaluation; `slopes` says whether A = ∂G/∂u and B = ∂G/∂r are wanted (they start at zero).
struct ContactEvaluation {
  Index n;
  Eigen::Map<const Vector> u, r;
  double rho_n, rho_t;
  Eigen::Map<Vector> G;
  Eigen::Map<Matrix> A, B;
  bool slopes;

  [[nodiscard]] auto ut() const { return u.tail(n - 1); }
  [[nodiscard]] auto rt() const { return r.tail(n - 1); }
  [[nodiscard]] auto Gt() { return G.tail(n - 1); }
  [[nodiscard]] auto At() { return A.bottomRightCorner(n - 1, n - 1); }
  [[nodiscard]] auto Bt() { return B.bottomRightCorner(n - 1, n - 1); }
};

/// Arrow matrix of the Jordan product: L_x y = (x·y, y_N x_T + x_N y_T) (FS:FS-23).
[[nodiscard]] SmallMatrix arrow(const SmallVector& x);
/// Square root in the Jordan algebra, by the spectral values x_N ± ‖x_T‖ raised to `floor` at
/// least.
[[nodiscard]] SmallVector square_root(const SmallVector& x, double floor);

/// r − P_K(r − ρ(u + g(u))), ρ the smaller one (of a cylinder: both).
void natural_map(const BlockSet& K, ContactEvaluation& e);
/// r − P_{K,R}(r − R⁻¹(u + g(u))), R = diag(1/ρ_N, 1/ρ_T, …).
void skewed_natural_map(const BlockSet& K, ContactEvaluation& e);
/// ρ(u + g(u)) + x − P_K(x) with x in the place of r.
void normal_map(const BlockSet& K, ContactEvaluation& e);
/// The smoothed functions; false, and nothing done, for sets that have none.
[[nodiscard]] bool smoothed_cone(const BlockSet& K, double epsilon, bool fischer_burmeister,
                                 ContactEvaluation& e);

/// (a)₊ smoothed, and its derivative.
struct Plus {
  double value, slope;
};
[[nodiscard]] Plus plus(double a, double epsilon);

}  // namespace saltus
