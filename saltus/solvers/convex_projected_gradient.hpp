#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Projected gradient method for convex quadratic programs over products of sets (FS:FS-103,
/// FS:B.9, S:FC-29b), CONVEXQP-PG:
///
///     min θ(r) = ½ rᵀW r + rᵀq,  r ∈ K:    r ← P_K(r − ρ(W r + q)),
///
/// the first ρ, from the last one enlarged once and then ρ ← l ρ, with
/// θ(r⁺) − θ(r) ≤ σ (W r + q)·(r⁺ − r). Needs W symmetric and positive semi-definite; one product
/// with W per trial; linear rate. Friction cones are taken without the shift g(u), as second-order
/// cones (associated friction): the report judges that answer by the law of the problem, so that it
/// is `stalled` as soon as a contact slides. Throws Error for elliptic and rolling cones. Stops
/// when the natural map of the program is ≤ tolerance · max(1, ‖q‖∞). [Bertsekas 1976]
struct ConvexProjectedGradient {
  static constexpr std::string_view name = "ConvexProjectedGradient";
  static constexpr std::string_view when =
      "Tresca and associated friction, bounds; symmetric W, products only";
  static constexpr std::string_view paper = "Bertsekas 1976";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-8
  int max_iterations = 20000;  ///< steps
  double rho = 1;              ///< first step
  double l = 2.0 / 3;          ///< reduction, in (0, 1)
  double sigma = 0.1;          ///< sufficient decrease, in (0, 1)
  int max_reductions = 100;    ///< of one search
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"rho", "first step", positive}, s.rho);
    visit(Field{"l", "reduction of the step", Range{0, 0.99, true}}, s.l);
    visit(Field{"sigma", "sufficient decrease", Range{0, 1, true}}, s.sigma);
    visit(Field{"max_reductions", "of one search", positive}, s.max_reductions);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r,
                                const ConvexProjectedGradient&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const ConvexProjectedGradient&, Workspace&);

/// The set without the shift: FrictionCone becomes SecondOrderCone, other sets without shift stay.
/// Throws Error, naming the algorithm, for elliptic and rolling cones.
[[nodiscard]] BlockSet without_shift(const BlockSet& K, std::string_view algorithm);

/// r ← P(r − ρ u) with the step of the class above, on any quadratic program: `evaluate(z, u)`
/// gives the gradient u = W z + q (0 on rows that must not move), `project(x)` works in place,
/// `finished(z, u)` is the stopping test.
template <class Evaluate, class Project, class Finished>
Outcome projected_gradient(const ConvexProjectedGradient& options, const Evaluate& evaluate,
                           const Project& project, const Finished& finished, Vector& z, Vector& u,
                           Vector& trial, Vector& trial_u) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  double rho = options.rho;
  evaluate(z, u);
  while (!finished(z, u)) {
    if (outcome.iterations == options.max_iterations) return outcome;
    ++outcome.iterations;
    bool found = false;
    for (int k = 0; k < options.max_reductions && !found; ++k) {
      trial = z - rho * u;
      project(trial);
      evaluate(trial, trial_u);
      // θ(trial) − θ(z) = ½ (u + trial_u)·(trial − z) for symmetric W: free of cancellation
      const double change = u.dot(trial - z);
      const double decrease = (change + trial_u.dot(trial - z)) / 2;
      found = decrease <= options.sigma * change;
      if (!found) rho *= options.l;
    }
    if (!found) {
      outcome.status = SolveStatus::stalled;
      return outcome;
    }
    z.swap(trial);
    u.swap(trial_u);
    if (rho < 1e12) rho /= options.l;
  }
  outcome.status = SolveStatus::converged;
  return outcome;
}

}  // namespace saltus
