#pragma once

#include "saltus/solvers/coulomb_interior_point.hpp"
#include "saltus/solvers/dissection.hpp"

#include <functional>
#include <future>

namespace saltus {

/// How long to sweep.
struct SweepPlan {
  double tolerance;
  int least;        ///< sweeps that are made unless they are hopeless
  int trial;        ///< sweeps that are made in any case
  double goal = 0;  ///< error that is worth the sweeps to it, too
};

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

  /// Sweeps from best.y until the error is below the tolerance, or the sweeps that this (or the
  /// goal) would take, as foreseen from their rate of convergence, cost more than `budget()`
  /// operations: several times more if fewer than the least number have been made. Returns their
  /// number.
  int run(const SweepPlan& plan, const std::function<double()>& budget, CoulombBest& best);

  /// Operations of a sweep: two products and a local solve per cell.
  [[nodiscard]] double cost() const;

 private:
  [[nodiscard]] bool prepare_bodies();
  [[nodiscard]] int body_of(Index row) const;
  [[nodiscard]] double inverse_mass(Index row) const;
  void divide_by_mass(Index cell, std::vector<Index>& met, Index mark);
  void diagonal_blocks();
  void arrange();
  void order_velocities();
  template <class Visit>
  void for_runs(Index cell, const Visit& visit) const;
  void copy_cell(Index place);
  void begin_dissection();
  void end_dissection();
  void take(const Vector& y, const Vector& v);
  void give(Vector& y) const;
  void sweep();
  void solve_cell(Index k);

  CoulombSystem* s_ = nullptr;
  CoulombSystem::Side inverse_;  // M⁻¹ L
  UnsetVector<double> W_;        // diagonal blocks, 9 per cell
  /// Consecutive rows of M⁻¹ L of one cell, by columns.
  struct Run {
    int row, rows;
    Index value;
  };
  /// Where a cell begins.
  struct Cell {
    CoulombSystem::Kind kind;
    Index right;  // row of R
    Index run;
    Index row;  // of M⁻¹ L
  };
  // in the order of the sweeps, as are y and v there: what a thread needs is in one place
  std::vector<Cell> cells_;
  std::vector<int> velocity_;  // place of each row of v
  UnsetVector<int> right_row_;
  UnsetVector<double> right_value_, constant_, block_;  // R, w, W
  UnsetVector<Run> runs_;
  UnsetVector<double> run_value_;
  Dissection parts_;
  Vector y_, v_;
  std::future<Dissection> cut_;
  bool dissected_ = false;
};

/// One cell in scaled variables, u = W y + q (W by rows): open, stick, or the sliding root of the
/// secular equation ‖y_T(a)‖ = y_N(a), u_T = −a y_T, by a safeguarded Newton iteration (FS:B.7).
/// The current y starts the iteration. False if the cell has no solution or W_NN is zero.
[[nodiscard]] bool solve_coulomb_cell(const double* W, const double* q, double* y);

}  // namespace saltus
