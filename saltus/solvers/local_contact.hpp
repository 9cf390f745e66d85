#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/sets/friction_cone.hpp"

#include <variant>

namespace saltus {

// One contact: find r with u = W r + q, −(u + μ‖u_T‖ e_N) ∈ N_K(r), K the friction cone, W of
// `size` rows stored by columns. The solvers take the current r as the initial guess.

/// In the plane: the four modes (open, stick, slip to either side) in closed form (S:FC-32). In
/// space: open and stick in closed form, slip by Newton's method on the Alart–Curnier equations
/// with a line search (S:FC-18, S:FC-21, S:FC-35), then LocalProjection if that fails. Other sizes:
/// LocalProjection.
struct LocalNewton {
  static constexpr std::string_view name = "LocalNewton";
  double tolerance = 1e-14;  ///< on the equations, relative to the size of r and of ρ q
  int max_iterations = 30;   ///< Newton steps, usually 3 to 6
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "on the local equations, relative", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
  }
};

/// r ← P_K(r − ρ(u + μ‖u_T‖ e_N)), ρ = 1/‖W‖_F: repeated to a tolerance (S:FC-34b), or once with
/// max_iterations = 1 (S:FC-34a).
struct LocalProjection {
  static constexpr std::string_view name = "LocalProjection";
  double tolerance = 1e-12;  ///< on the step, relative to the size of r
  int max_iterations = 200;  ///< projections
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "on the step, relative", positive}, s.tolerance);
    visit(Field{"max_iterations", "projections", positive}, s.max_iterations);
  }
};

using LocalSolver = std::variant<LocalNewton, LocalProjection>;

/// Improves r; true if the contact is solved to the tolerance of the local solver.
bool solve_contact(Index size, const double* W, const double* q, double mu, double* r,
                   const LocalNewton&);
bool solve_contact(Index size, const double* W, const double* q, double mu, double* r,
                   const LocalProjection&);

}  // namespace saltus
