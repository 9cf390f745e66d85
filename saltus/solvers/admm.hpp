#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Alternating direction method of multipliers for block forms of any mix of sets: with a copy z of
/// r and the scaled multiplier y, ρ y = −(u + g(u)) at the solution,
///
///     (W + ρ I) x = −(q + s) + ρ (z − y),        x̂ = α x + (1 − α) z,
///     z ← P_K(x̂ + y),   y ← y + x̂ − z,   s = g(−ρ y).
///
/// The shift s of Coulomb's law follows the multiplier, whose tangential part is −u_T/ρ. The answer
/// is z, which lies in K. One factorisation of W + ρ I per value of ρ, triangular solves otherwise;
/// ρ is doubled or halved while ‖x − z‖ and ‖z − z_old‖ differ by more than a factor 10
/// (`balance`). Converges for monotone problems (s constant, W positive semi-definite, symmetric or
/// not); no proof with friction, robust in practice at medium accuracy, also where W is rank
/// deficient. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞), tested every fifth
/// iteration. [Boyd, Parikh, Chu, Peleato & Eckstein 2011] [Tasora, Mangoni, Benatti & Garziera
/// 2021]
struct Admm {
  static constexpr std::string_view name = "Admm";
  static constexpr std::string_view when =
      "friction, many contacts per body, medium accuracy; few factorisations";
  static constexpr std::string_view paper = "Tasora, Mangoni, Benatti & Garziera 2021";
  double tolerance = 1e-8;       ///< relative, see above; nominal 1e-4 to 1e-6
  int max_iterations = 10000;    ///< steps
  double rho = 0;                ///< first ρ in the units of W; 0: the mean |W_ii|
  double over_relaxation = 1.5;  ///< α, in (0, 2); nominal 1.5
  bool balance = true;           ///< adapt ρ
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"rho", "first penalty; 0 means the mean of the diagonal", non_negative}, s.rho);
    visit(Field{"over_relaxation", "of the step", Range{0, 2, true}}, s.over_relaxation);
    visit(Field{"balance", "adapt the penalty", unit_interval}, s.balance);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Admm&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Admm&,
                                Workspace&);

}  // namespace saltus
