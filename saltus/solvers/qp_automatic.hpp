#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

/// The default for quadratic programs (S:QP-25): picks the algorithm by the problem, goes on to the
/// next one while the answer is neither a solution nor a proof, and returns the last point.
///
///     indefinite Q with inequalities          nonconvex
///     only equalities                         KktLdlt, then NullSpace
///     n + rows ≤ `small`, or a guess z ≠ 0    ActiveSet, then QpInteriorPoint
///     and n ≤ 2000
///     only bounds                             Gpcg, then QpInteriorPoint
///     otherwise                               QpInteriorPoint, then ActiveSet if n ≤ 2000
struct QpAutomatic {
  static constexpr std::string_view name = "QpAutomatic";
  double tolerance = 1e-8;  ///< residual(problem, point) ≤ tolerance · max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞)
  int small = 300;  ///< variables and rows up to which the active set comes first
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"small", "size up to which the active set comes first", non_negative}, s.small);
  }
};

[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const QpAutomatic&, Workspace&);

}  // namespace saltus
