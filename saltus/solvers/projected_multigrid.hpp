#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Projected multigrid (S:LCP-23c) for the box problem with symmetric positive (semi-)definite W,
/// that is min ½ zᵀWz + qᵀz, lower ≤ z ≤ upper. One cycle
///
///   (a) smooths by projected Gauss–Seidel sweeps (S:LCP-17), which remove the errors that change
///   from row to row;
///
///   (b) corrects the smooth rest on a coarser grid: d = P e with P constant on pairs of rows that
///   are coupled most strongly, where e solves the box problem
///
///       min ½ eᵀ(PᵀWP) e + (Pᵀu)ᵀe,    max_i (lower_i − z_i) ≤ e_a ≤ min_i (upper_i − z_i), i in
///       a,
///
///   so that z + d satisfies the bounds; two cycles on that grid, down to a few rows. The step
///   along d is the exact one, cut at the bounds;
///
///   (c) smooths again, backwards.
///
/// The objective falls in every part, hence it converges for every definite W; a string on an
/// obstacle takes about 26 cycles for 50 to 12 800 points, where sweeps alone need O(n²)
/// (S:V-17). O(nnz log n) per cycle; the grids are built anew in each solve. An
/// asymmetric W or a negative W_ii ends in `nonconvex`, a zero W_ii in `numerical_error`. Stops
/// when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Brandt & Cryer 1983] [Mandel 1984]
struct ProjectedMultigrid {
  static constexpr std::string_view name = "ProjectedMultigrid";
  static constexpr std::string_view when =
      "large symmetric positive definite matrices of elliptic type, obstacle problems";
  static constexpr std::string_view paper = "Mandel 1984";
  double tolerance = 1e-8;    ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 1000;  ///< cycles
  int sweeps = 2;             ///< before and after each correction; nominal 1 to 3
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "cycles", positive}, s.max_iterations);
    visit(Field{"sweeps", "before and after each correction", positive}, s.sweeps);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const ProjectedMultigrid&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const ProjectedMultigrid&,
                                Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const ProjectedMultigrid&,
                                Workspace&);

}  // namespace saltus
