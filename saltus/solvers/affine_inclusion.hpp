#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/sets/set.hpp"
#include "saltus/solvers/outcome.hpp"

#include <Eigen/LU>

#include <span>

namespace saltus {

/// How a block of a block form is to be read.
struct InclusionRule {
  const Set* set = nullptr;  ///< K of the block; null: that of the block form
  bool of_output = false;    ///< −r ∈ N_K(u) in place of −u ∈ N_K(r)
};

/// Semismooth Newton method, made safe by Douglas–Rachford splitting, for affine inclusions with
/// any convex sets: find r with u = W r + q and, block by block,
///
///     −u ∈ N_K(r)  ⇔  r = P_K(r − ρu),      or      −r ∈ N_K(u)  ⇔  u = P_K(u − r/ρ).      (1)
///
/// ρ is the inverse of the mean diagonal entry of W in the block: with W = cI the second equation
/// reads u = P_K(q), and one step solves it. Newton's method is damped on the norm of (1); where it
/// stalls, splitting takes over for a while, r = J_B(s), s ← s + J_A(2r − s) − r with the
/// resolvents J_A = (I + ρ₀W)⁻¹(· − ρ₀q) and J_B of the block (P_K, or s + ρ₀P_K(−s/ρ₀)), which
/// converges for every W ≥ 0 for which there is a solution. Dense: O(n³) per iteration. Blocks
/// without a rule keep the set of the block form, without the shift g of friction. (S:VI-10,
/// F:F007, F:F009)
struct AffineInclusion {
  static constexpr std::string_view name = "AffineInclusion";
  double tolerance = 1e-12;   ///< ‖(1)‖₂ ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 60;    ///< of Newton's method, between two rounds of splitting
  int splitting_steps = 200;  ///< in a round
  int rounds = 20;            ///< of splitting, at most
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "of Newton's method at a time", Range{1, 1e9}}, s.max_iterations);
    visit(Field{"splitting_steps", "of Douglas-Rachford at a time", Range{1, 1e9}},
          s.splitting_steps);
    visit(Field{"rounds", "of splitting at most", Range{0, 1e9}}, s.rounds);
  }
};

/// Buffers; grow-only.
struct AffineInclusionWorkspace {
  Matrix W, J, local;
  Vector rho, u, map, step, trial, s, argument;
  Eigen::PartialPivLU<Matrix> factor;
};

/// One rule per block of `problem`. Incoming r is the guess. The residual in the report is ‖(1)‖₂
/// with these ρ. Throws Error on sizes, and on a friction law.
[[nodiscard]] SolveReport solve(const BlockForm& problem, std::span<const InclusionRule> rules,
                                VectorRef r, const AffineInclusion&, AffineInclusionWorkspace&);

}  // namespace saltus
