#pragma once

#include "saltus/algebra/block_diagonal_lu.hpp"
#include "saltus/integrators/coupled_factor.hpp"

#include <vector>

namespace saltus {

/// M̂ = M + damping · C + stiffness · K, the matrix of a Newton iteration: hθ and h²θ² for the
/// θ-method.
struct IterationWeights {
  double damping = -1, stiffness = -1;  ///< negative: none
  bool operator==(const IterationWeights&) const = default;
};

/// The operators of one coupled system in a step.
struct CoupledOperators {
  Index system = 0;  ///< its number in the model
  Index offset = 0;  ///< first unknown in w
  SparseMatrix M, C, K;
  SparseMatrix iteration;  ///< M̂, on the union of their patterns, its transpose and the diagonal
  std::vector<Index> M_place, C_place, K_place;  ///< of their values among those of M̂

  [[nodiscard]] Index size() const { return M.cols(); }

  /// Evaluates all operators at x and lays out M̂.
  void prepare(const System& given, const StateView& x);
  /// M at x.
  void evaluate_mass(const System& given, const StateView& x);
  /// M̂, with C and K at x where the system is not time-invariant.
  void evaluate_iteration(const System& given, const StateView& x, IterationWeights weights);
  /// f += M x
  void add_mass_product(const double* x, double* f) const;
};

/// Factors of the mass matrix of a model, or of M̂: body by body for pools, whole for each coupled
/// system.
struct StepFactors {
  BlockDiagonalLu bodies;
  std::vector<CoupledFactor> coupled;
};

}  // namespace saltus
