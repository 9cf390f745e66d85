#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

// Splittings W = B + C (S:LCP-15): z⁺ solves the box problem with matrix B and vector q + C z. Here
// B is diagonal or triangular, so that z⁺ is found row by row; see also Psor (B lower triangular),
// BlockSplitting and LineSearchSplitting. Stop when residual(problem, z) ≤ tolerance · max(1,
// ‖q‖∞). A zero B_ii ends in `numerical_error`. One sweep costs O(nnz W). [Cottle, Pang & Stone
// 1992, chapter 5]

/// Projected Jacobi (S:LCP-16), B = D / ω with D the diagonal of W:
///
///     z⁺ = P_[lower, upper](z − ω D⁻¹ u),    u = W z + q,    all rows at once.
///
/// Rows are independent: the result does not depend on their order. Converges for W strictly
/// diagonally dominant with ω = 1, and for W symmetric positive definite if (2/ω) D − W is positive
/// definite as well (ω < 2 / λ_max(D⁻¹W)); slower than Psor where both converge.
struct ProjectedJacobi {
  static constexpr std::string_view name = "ProjectedJacobi";
  static constexpr std::string_view when =
      "diagonally dominant matrices; the result does not depend on the order of the rows";
  static constexpr std::string_view paper = "Cottle, Pang & Stone 1992, section 5.2";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< sweeps
  double omega = 1;            ///< damping, 0 < ω < 2; 1/2 or less when W is far from diagonal
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "damping", Range{0, 2, true}}, s.omega);
  }
};

/// Symmetric projected over-relaxation: a sweep of Psor through the rows 1 … n, then one through
/// n … 1, with the latest values,
///
///     z_i ← P_[lower_i, upper_i](z_i − ω u_i / (W_ii + ρ)).
///
/// Less dependent on the numbering than Psor. Converges for symmetric positive semi-definite W and
/// 0 < ω < 2, each half being a step of Psor. One iteration is the two sweeps.
struct SymmetricPsor {
  static constexpr std::string_view name = "SymmetricPsor";
  static constexpr std::string_view when = "as Psor, less dependent on the numbering of the rows";
  static constexpr std::string_view paper = "Mangasarian 1977";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< pairs of sweeps
  double omega = 1;            ///< relaxation, 0 < ω < 2
  double rho = 0;              ///< proximal shift; of the order of the mean |W_ii| if some are zero
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pairs of sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 2, true}}, s.omega);
    visit(Field{"rho", "proximal shift on the diagonal", non_negative}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const ProjectedJacobi&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const ProjectedJacobi&,
                                Workspace&);
[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const SymmetricPsor&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const SymmetricPsor&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const ProjectedJacobi&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const SymmetricPsor&,
                                Workspace&);

/// One projected sweep over all rows of u = W z + q with the step ω / (W_ii + ρ), forwards or
/// backwards; `u` has room for the largest block row. Returns ‖z − P(z − u)‖∞ with the values met
/// on the way.
double projected_sweep(const BoxView& box, double* z, double* u, double omega, double rho,
                       bool forwards);
/// Some W_ii + ρ is zero: such a sweep would divide by it.
[[nodiscard]] bool zero_pivot(const BlockSparse& W, double rho);

}  // namespace saltus
