#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// The default: picks the algorithm by the problem, goes on to the next one while the answer does
/// not converge, and returns the best point found with the status of the last attempt.
///
///     with friction      Nsgs, 20 sweeps from a guess ≠ 0; CoulombCascade; of few contacts the
///                        cases (ContactModes); to ‖r − P_K(r − û)‖ ≤ tolerance · ‖q‖
///     without friction   Lemke                 n ≤ 16, no guess (z = 0), no intervals
///                        BlockPivoting         warm-started; 50 exchanges, with intervals 15, but
///                                              n + 50 if n ≤ 128; without, 4 if n ≤ 64 and 12
///                                              if n ≤ 128 and dense, no proximal points then
///                        Mehrotra              n > 128; 60 iterations
///                        Lemke                 n ≤ 1000, sparse n ≤ 20 000; 20 (n + 10) pivots if
///                                              n > 128
///                        BlockPivoting         n ≤ 128; n + 50 exchanges
///                        Mehrotra              n ≤ 128; 60 iterations
///                        Keller                n ≤ 1000, symmetric
///                        certify_infeasible    n ≤ 2000
///                        Lemke, equilibrated   n ≤ 300, sparse n ≤ 2000; 8 scalings of the rows
///                        Psor                  ρ = mean |W_ii| or 1 if a diagonal entry is 0
///                        Enumeration           n ≤ 12
///
/// A proof of infeasibility ends the cascade and is left in work.certificate. `iterations` adds up
/// over the attempts. (S:LCP-40, S:B1)
struct Automatic {
  static constexpr std::string_view name = "Automatic";
  static constexpr std::string_view when =
      "first choice: goes through the others until one converges";
  double tolerance = 1e-8;  ///< residual(problem, z) ≤ tolerance · max(1, ‖q‖∞)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Automatic&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Automatic&, Workspace&);
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Automatic&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Automatic&,
                                Workspace&);

}  // namespace saltus
