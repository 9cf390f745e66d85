#pragma once

#include "saltus/problems/mlcp.hpp"
#include "saltus/solvers/mode_factors.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

#include <unordered_map>

namespace saltus {

/// Mode following for sparse mixed complementarity problems without friction,
///
///     u = W r + q,    −u_i ∈ N_[lower_i, upper_i](r_i),                                    (1)
///
/// as an implicit step of a circuit poses them: a few rows are bounded (diodes, switches), most are
/// equations, and the modes (at the lower bound, free, at the upper bound) rarely change from one
/// problem to the next. With fixed modes (1) is one sparse linear system,
///
///     A r = b,   row i of A and b:  W_i, −q_i  if i is free;   e_i, bound_i  otherwise,     (2)
///
/// whose factors are kept for every pattern of modes that was met (ModeFactors): a step without
/// commutation costs one backward substitution. Rows of the wrong sign exchange their mode, all
/// at once; when `patience` exchanges have not lowered their number, only the least index does
/// (S:LCP-28), which is finite for P-matrices.
///
/// The matrix of the equations need not be regular (S:LCP-11 fails then): if (2) is singular, a
/// proximal term δ_i (r_i − r̄_i), δ_i = 1e-9 max_j |W_ij|, holds what (2) leaves open (a floating
/// node, the split of a current between parallel shorts) at the guess r̄, and is iterated away.
/// If the modes cycle, Automatic gets the problem. `converged` is judged by residual(problem, r) ≤
/// tolerance · max(1, ‖q‖∞), as everywhere. Rows may be piecewise-linear functions (HingeRows):
/// their modes are the pieces, and with least-index exchanges they go from one to the next, as
/// their hinges would one by one. [Kostreva 1978] [Júdice & Pires 1994] (S:LCP-05)
struct ModePivoting {
  static constexpr std::string_view name = "ModePivoting";
  static constexpr std::string_view when =
      "sparse mixed problems of a run: circuits with diodes and switches";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< exchanges; 0: 50 + 2 n, the hinges of functions counted one by one
  int patience = 10;        ///< block exchanges without progress before least-index ones
  bool fallback = true;     ///< Automatic when the modes cycle; false: max_iterations or stalled
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "exchanges; 0 means 50 + 2 n", non_negative}, s.max_iterations);
    visit(Field{"patience", "block exchanges without progress", non_negative}, s.patience);
    visit(Field{"fallback", "Automatic when the modes cycle"}, s.fallback);
  }
};

/// What successive solves share: the modes of the last solution, with which the next one starts,
/// and the factors. `modes` may be set by the caller; of a wrong size, they are read off the guess.
struct ModeWorkspace {
  std::vector<Mode> modes;
  ModeFactors factors;
  Vector lower, upper, rhs, center, guess;
  Vector u;          ///< of the rows that are no functions
  Vector x;          ///< arguments r_i − u_i of those that are, in the order of HingeRows
  double scale = 1;  ///< max(1, ‖q‖∞) of the last problem
  /// Rows whose signs ask for another mode, in order, those of functions last.
  struct Wrong {
    Index row;
    Mode wanted;
  };
  std::vector<Wrong> wrong;
  bool fits = false;           ///< rows that are functions hold on the pieces that their modes say
  std::vector<Index> bounded;  ///< rows with a bound, now or before, in order
  /// While `hold`, rows i with held[i] ≠ 0 keep their modes, whatever their signs: those of the
  /// wrong sign are `waiting`, and not looked at when the solution is judged. No fallback then.
  bool hold = false;
  std::vector<char> held;
  std::vector<Index> waiting;
  Index hinges = 0;                                          ///< of all functions
  Workspace general;                                         ///< of the fallback
  std::uint64_t label = 0;                                   ///< of W
  std::unordered_map<std::uint64_t, BlockForm> written_out;  ///< for the fallback, by label
  Vector all;                                                ///< its unknowns
};

/// W must have blocks of one row; throws Error on a friction cone. Allocates nothing if the
/// pattern of modes is known.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const ModePivoting&,
                                ModeWorkspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const ModePivoting&,
                                ModeWorkspace&);

/// For many problems with one W: prepare() takes W, the sets, and the rows that are functions
/// (their sets must be Reals), solve_prepared() solves for another q without looking at them again
/// (and without measuring the time), set_bounds() changes one set. take_values(): W has other
/// values in the same pattern, known by a label > 0; when they come back, their factors are still
/// there. Otherwise as solve().
void prepare(const BlockForm& problem, ModeWorkspace& work, std::uint64_t label = 0,
             const HingeRows& hinges = {});
void take_values(const BlockForm& problem, ModeWorkspace& work, std::uint64_t label);
void set_bounds(Index i, double lower, double upper, BlockForm& problem, ModeWorkspace& work);
/// The rows that are functions begin with the pieces that these arguments lie on, x_i of (2) in
/// HingeRows in the order of its rows. Nothing if there are no modes yet.
void expect_pieces(const Vector& x, ModeWorkspace& work);
[[nodiscard]] SolveReport solve_prepared(const BlockForm& problem, VectorRef r, const ModePivoting&,
                                         ModeWorkspace&);

}  // namespace saltus
