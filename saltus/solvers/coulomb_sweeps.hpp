#pragma once

#include "saltus/solvers/coulomb_interior_point.hpp"
#include "saltus/solvers/dissection.hpp"

#include <functional>

namespace saltus {

/// Nonsmooth Gauss–Seidel on a CoulombSystem: cell after cell solved exactly with the others fixed
/// (S:FC-30), the velocities kept up to date by v ← v + M⁻¹ L_c dy_c, so that a sweep costs O(nnz
/// H) and W is never formed. Needs M made of small blocks (rigid bodies; a reduced form). Cells
/// that share no body do not see each other: when many sweeps of a large problem are to come, the
/// cells are dissected into parts that threads may share out, and each sweep goes part by part; the
/// result does not depend on the threads.
class CoulombSweeps {
 public:
  /// False if M⁻¹ L is not sparse.
  [[nodiscard]] bool prepare(CoulombSystem& system);

  /// Sweeps from best.y until the error is below the tolerance, or the sweeps that this would take,
  /// as foreseen from their rate of convergence, cost more than `budget()` operations. The first
  /// `least` sweeps are always made. Returns their number.
  int run(double tolerance, const std::function<double()>& budget, int least, CoulombBest& best);

  /// Operations of a sweep: two products and a local solve per cell.
  [[nodiscard]] double cost() const;

 private:
  [[nodiscard]] bool prepare_bodies();
  void diagonal_blocks();
  void join_rows();
  void dissect();
  void sweep(Vector& y, Vector& v) const;
  void solve_cell(Index c, Vector& y, Vector& v) const;

  CoulombSystem* s_ = nullptr;
  CoulombSystem::Side inverse_;  // M⁻¹ L
  /// Consecutive rows of M⁻¹ L of one cell, by columns.
  struct Run {
    int row, rows;
    std::size_t value;
  };
  std::vector<Run> runs_;
  std::vector<std::size_t> run_begin_;  // per cell
  std::vector<double> run_value_;
  std::vector<double> W_;  // diagonal blocks, 9 per cell
  Dissection parts_;
  bool dissected_ = false;
};

/// One cell in scaled variables, u = W y + q (W by rows): open, stick, or the sliding root of the
/// secular equation ‖y_T(a)‖ = y_N(a), u_T = −a y_T, by a safeguarded Newton iteration (FS:B.7).
/// The current y starts the iteration. False if the cell has no solution or W_NN is zero.
[[nodiscard]] bool solve_coulomb_cell(const double* W, const double* q, double* y);

}  // namespace saltus
