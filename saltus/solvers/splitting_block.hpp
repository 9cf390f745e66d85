#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Block splitting (S:LCP-19, S:LCP-15) for u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i): B is the
/// block lower triangle of W in the blocks of its storage; in turn each block row solves
///
///     (W_bb + ρ I) z_b + (q_b + Σ_{c≠b} W_bc z_c − ρ z_b^old),   box constraints of b,
///
/// exactly: sets of bound rows are exchanged all at once while the number of wrong signs falls,
/// then by least index, which is finite when W_bb + ρ I is a P-matrix. Scalar blocks: projected
/// Gauss–Seidel. One dense block: a direct solve. Converges for W symmetric positive definite, and
/// positive semi-definite with positive definite blocks (or ρ > 0); no proof for the asymmetric
/// case. A block that meets a singular system with ρ = 0 is solved with the shift 10⁻⁸ max|W_bb|
/// instead; a zero block ends in `numerical_error`, a block without solution in `stalled`. One
/// sweep costs O(nnz W) and about one dense factorisation per block. Stops when residual(problem,
/// z) ≤ tolerance · max(1, ‖q‖∞). [Cottle, Pang & Stone 1992, chapter 5]
struct BlockSplitting {
  static constexpr std::string_view name = "BlockSplitting";
  static constexpr std::string_view when = "problems with natural blocks, each solved exactly";
  static constexpr std::string_view paper = "Cottle, Pang & Stone 1992, section 5.2";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< sweeps
  double rho = 0;              ///< proximal shift, for singular blocks
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"rho", "proximal shift on the diagonal", non_negative}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const BlockSplitting&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const BlockSplitting&,
                                Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const BlockSplitting&,
                                Workspace&);

}  // namespace saltus
