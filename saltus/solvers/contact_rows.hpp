#pragma once

#include "saltus/solvers/nonsmooth_newton.hpp"

#include <Eigen/SparseCore>

#include <cmath>

namespace saltus {

// Newton's method with velocities and reactions as unknowns, for linear and nonlinear dynamics:
// what these have in common.

/// v and r; for the NormalMap r is the point that is projected.
struct GlobalPoint {
  Vector v, r;
};

/// The equations G(u, r) = 0 of all contacts and their derivatives.
class ContactRows {
 public:
  using Sparse = Eigen::SparseMatrix<double>;

  /// The sets and options must outlive it.
  ContactRows(const std::vector<BlockSet>& K, const std::vector<Index>& sizes,
              const NonsmoothNewton& options);

  /// ρ by the rule of the options, with W ≈ Hᵀ diag(M)⁻¹ H.
  void scale(const Sparse& M, const Sparse& H);
  /// First ε of the smoothed functions: their fraction of an impulse, q the free velocities.
  void scale_smoothing(ConstVectorRef q);
  /// The equations change with the iterations.
  [[nodiscard]] bool smoothed();
  /// The next ε, after an evaluation G.
  void reduce_smoothing(ConstVectorRef G);

  /// r itself, or P_K(r) for the normal map.
  [[nodiscard]] Vector reactions(const Vector& r) const;
  /// G; with `slopes` the derivatives for `direction` too.
  void evaluate(ConstVectorRef u, ConstVectorRef r, bool slopes, VectorRef G);
  /// step = −[J  −H V; ∂G/∂u U  ∂G/∂r]⁻¹ (R, G) with U = ∂u/∂v and V = I, but for the normal map;
  /// false if the matrix is singular.
  [[nodiscard]] bool direction(const Sparse& J, const Sparse& H, const Sparse& U, const Vector& RG,
                               Vector& step);

 private:
  void rows(std::size_t b, Index first, ConstVectorRef u, ConstVectorRef r, double* out);
  void contact(std::size_t b, Index first, ConstVectorRef u, ConstVectorRef r, double* out,
               bool slopes);

  const std::vector<BlockSet>& K_;
  const std::vector<Index>& sizes_;
  const NonsmoothNewton& options_;
  ContactEquation equation_;  // with the present smoothing
  bool normal_;               // the unknown is x of the normal map
  std::vector<ContactScaling> rho_;
  Vector row_rho_;
  double common_ = 0;  // one ρ for all rows, if positive
  std::vector<Eigen::Triplet<double>> by_u_, by_r_;
  NewtonLinear linear_;
};

[[nodiscard]] inline GlobalPoint moved(const GlobalPoint& x, const Vector& step, double t) {
  return {x.v + t * step.head(x.v.size()), x.r + t * step.tail(x.r.size())};
}

/// Newton steps from x until error() ≤ limit. The system has Vector evaluate(x, slopes), the
/// residuals of dynamics and contacts, bool direction(x, G, step) after slopes, and `contacts`.
template <class System, class Error>
Outcome iterate_newton(System& system, const NonsmoothNewton& options, double limit,
                       const Error& error, GlobalPoint& x) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector step;
  while (outcome.iterations < options.max_iterations && error(x) > limit) {
    const Vector G = system.evaluate(x, true);
    if (G.norm() <= 1e-6 * limit) {
      outcome.status = SolveStatus::stalled;  // a zero of another law
      return outcome;
    }
    ++outcome.iterations;
    if (!system.direction(x, G, step)) {
      outcome.status = SolveStatus::numerical_error;
      return outcome;
    }
    const double t = find_length(options.line_search, G.squaredNorm() / 2, [&](double length) {
      return system.evaluate(moved(x, step, length), false).squaredNorm() / 2;
    });
    GlobalPoint next = moved(x, step, t);
    if (!next.v.allFinite() || !next.r.allFinite()) {
      outcome.status = SolveStatus::numerical_error;
      return outcome;
    }
    x = std::move(next);
    if (system.contacts.smoothed())
      system.contacts.reduce_smoothing(system.evaluate(x, false).tail(x.r.size()));
  }
  return outcome;
}

}  // namespace saltus
