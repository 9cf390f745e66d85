#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// The default for contact with Coulomb friction (2D, 3D, elliptic, rolling; with bilateral rows
/// and frictionless contacts; W symmetric or not, of any rank): nothing to tune. Works on the
/// scaled cells of CoulombSystem, one method after the other from the best point so far,
///
///     sweeps     Gauss–Seidel, as long as its rate of convergence promises
///                the tolerance at less than the price of an interior point,
///                both counted in operations
///     polish     proximal Newton, if the error is below 1e-4 (1e-3 if it was at the start)
///     interior   interior point (60 factorisations, down to 1e-6), then proximal Newton
///     rest       fixed point on the slip with convex problems (SlipFixedPoint) as long as it
///                contracts, then proximal Newton: large piles that hardly move
///     creep      for tolerances from 1e-5 on, if the error is within ten of them: up to 31 000
///                sweeps, which go through any number of folds, and proximal Newton; after the
///                first path where that is cheaper
///     path       the central path (coulomb_path.hpp) and proximal Newton from 1e-4 on: what
///                resists the interior point. Through its folds for 300 factorisations, then
///                another one with jumps over them (1000), then the first again, at last one with
///                the smooth slip
///     digits     below 1e-8 proximal Newton with other penalties
///
/// and stops at max(e₁, e₂) ≤ tolerance, e₁ = ‖r − P_K(r − û)‖/‖q‖, e₂ = ‖û − P_K*(û − r)‖/‖q‖
/// (FS:FS-110). A start that is better than r = 0 is a warm one: sweeps go on to 1e-4 if that is
/// what they can reach, and the interior point begins near what they reached. Problems that resist
/// the interior point are searched for a proof that they have no solution (friction_existence.hpp;
/// reduced forms, whose W is nearly full, late and up to 900 rows); it is left in work.certificate.
/// The price of a stage is counted in operations, never in seconds: speed and load of the machine
/// change nothing. Reduced problems of rigid bodies are lifted (body_recovery.hpp); deformable
/// bodies (M not made of small blocks, more rows than contacts have) and loose piles (few contacts)
/// are reduced first. Intervals and Tresca cylinders are cells under a constant load
/// (bounded_cells.hpp). No proof of convergence: the status is honest. Cones of more than three
/// rows: Nsgs. `iterations` counts sweeps and factorisations.
struct CoulombCascade {
  static constexpr std::string_view name = "CoulombCascade";
  static constexpr std::string_view when = "contact with friction: the default, robust and fast";
  static constexpr std::string_view paper = "this project";
  double tolerance = 1e-8;  ///< on max(e₁, e₂), from 1e-3 (animation) to 1e-12
  int budget = 12000;       ///< factorisations at most
  int threads = 0;          ///< for large problems; 0: all of the machine; the result is the same
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "on max(e1, e2), relative to ‖q‖", positive}, s.tolerance);
    visit(Field{"budget", "factorisations at most", positive}, s.budget);
    visit(Field{"threads", "for large problems; 0: all of the machine", non_negative}, s.threads);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const CoulombCascade&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const CoulombCascade&,
                                Workspace&);
/// Incoming r is the initial guess; v is computed from r.
[[nodiscard]] SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                                const CoulombCascade&, Workspace&);
[[nodiscard]] SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                                const CoulombCascade&, Workspace&);

}  // namespace saltus
