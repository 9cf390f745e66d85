#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Tries all 2ⁿ complementary bases α of the LCP (S:LCP-01, S:LCP-25) until one solves it:
///
///     M_αα z_α = −q_α,   z = 0 elsewhere,   accepted if z ≥ 0 and w = M z + q ≥ 0 up to rounding.
///
/// Where M_αα is singular, a point of {z_α ≥ 0, w_α = 0, w ≥ 0 elsewhere} is sought by nonnegative
/// least squares. Finds a solution of any LCP that has one, whatever M; the way to be certain for
/// small n, and a reference. O(2ⁿ n³): n is limited, and larger problems end with `max_iterations`
/// at once; none found: `stalled`, or `infeasible` if a row proves it. Of the initial
/// guess only the basis is used, as in Lemke. [Cottle, Pang & Stone 1992]
struct Enumeration {
  static constexpr std::string_view name = "Enumeration";
  static constexpr std::string_view when =
      "at most 20 rows, any matrix; enumerate_solutions gives all solutions";
  static constexpr std::string_view paper = "Cottle, Pang & Stone 1992";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_size = 20;        ///< largest n, equalities not counted, two-sided rows twice
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_size", "largest n", Range{1, 30}}, s.max_size);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Enumeration&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Enumeration&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Enumeration&,
                                Workspace&);

/// A solution, and what surrounds it.
struct EnumeratedSolution {
  Vector z;
  std::vector<Index> basis;  ///< α, the smallest one that gives z
  bool degenerate = false;   ///< z_i = w_i = 0 for some i
  bool family = false;       ///< end point or member of a segment or ray of solutions
};

/// All solutions of the LCP (TI:V-03): every isolated one, and of every family (a face of solutions
/// on some α) at least one point, with `family` set. In the order of the bases counted as binary
/// numbers. Throws Error if n > options.max_size.
[[nodiscard]] std::vector<EnumeratedSolution> enumerate_solutions(LcpView problem,
                                                                  const Enumeration& options = {});

}  // namespace saltus
