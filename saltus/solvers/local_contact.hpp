#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/problems/block_form.hpp"
#include "saltus/solvers/contact_equations.hpp"
#include "saltus/solvers/newton_line_search.hpp"
#include "saltus/solvers/step_rule.hpp"

#include <variant>

namespace saltus {

// One contact: find r with u = W r + q, −(u + g(u) e_N) ∈ N_K(r), K a friction cone or another set
// of a block form, W of `size` rows stored by columns. The solvers take the current r as the
// initial guess (S:B15a, S:B15b, S:B15c, S:B15d).

/// In the plane: the four modes (open, stick, slip to either side) in closed form (S:FC-32). In
/// space: open and stick in closed form, slip by Newton's method on the Alart–Curnier equations
/// with a line search (S:FC-18, S:FC-21, S:FC-35), then LocalProjection if that fails. Other sizes
/// and sets: LocalVi.
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

/// r ← P_K(r − ρ(u + g(u) e_N)), ρ = 1/‖W‖_F, for any set K of a block form: repeated to a
/// tolerance (S:FC-34b), or once with max_iterations = 1 (S:FC-34a, S:FC-27b, FS:FS-74).
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

/// The same with a self-adaptive step (FS:FS-75, FP-VI-UPK), for any set: the most robust one, also
/// on asymmetric blocks. The first ρ is 1/‖W‖_F; `rho` of the rule is a factor of it.
struct LocalVi {
  static constexpr std::string_view name = "LocalVi";
  double tolerance = 1e-14;  ///< on ‖r − r̄‖, relative to the size of r
  int max_iterations = 200;  ///< projections
  StepRule step = AdaptiveStep{};
  bool extragradient = false;  ///< correct each step by a second projection
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "on the step, relative", positive}, s.tolerance);
    visit(Field{"max_iterations", "projections", positive}, s.max_iterations);
    visit(Field{"step", "rule of the step length"}, s.step);
    visit(Field{"extragradient", "correct by a second projection", unit_interval}, s.extragradient);
  }
};

/// Newton's method on the equations of the contact from the current r, nothing else (FS:FS-70,
/// FS:FS-71, FS:FS-72, FS:FS-73); ρ by contact_scaling. If it fails the contact goes to LocalVi.
struct LocalNonsmoothNewton {
  static constexpr std::string_view name = "LocalNonsmoothNewton";
  double tolerance = 1e-14;  ///< on ‖G‖, relative to the size of r and of ρ q
  int max_iterations = 30;   ///< Newton steps
  ContactEquation equation = AlartCurnier{};
  LineSearch line_search = FullStep{};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "on the local equations, relative", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"equation", "equations of the contact"}, s.equation);
    visit(Field{"line_search", "step length"}, s.line_search);
  }
};

/// All modes in closed form: open, stick, and slip by the roots a > 0 of a quartic (FS:FS-76,
/// FS:B.7), of which the one with the smallest residual is taken: r_T = (A + a I)⁻¹ b with
/// A = W_TT − W_TN W_NT/W_NN, b = W_TN q_N/W_NN − q_T, and ‖r_T‖ = μ r_N. In the plane as
/// LocalNewton (S:FC-32). Without a root, or for other sets: LocalVi.
struct LocalExact {
  static constexpr std::string_view name = "LocalExact";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Stick, with r_T then cut back to the disk of radius μ r_N (S:FC-33). Exact only without coupling
/// of normal and tangent and with isotropic W_TT: sweeps of it do not converge to the solution
/// otherwise, and the report says so. Other sets: LocalVi.
struct LocalDisk {
  static constexpr std::string_view name = "LocalDisk";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

using LocalSolver = std::variant<LocalNewton, LocalProjection, LocalVi, LocalNonsmoothNewton,
                                 LocalExact, LocalDisk>;
extern template void validate(const LocalSolver&);  // compiled once, in local_contact.cpp

/// Improves r; true if the contact is solved to the tolerance of the local solver. The set must not
/// be one that works row by row. No allocation.
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalNewton&);
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalProjection&);
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalVi&);
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalNonsmoothNewton&);
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalExact&);
bool solve_contact(const BlockSet& K, Index size, const double* W, const double* q, double* r,
                   const LocalDisk&);

}  // namespace saltus
