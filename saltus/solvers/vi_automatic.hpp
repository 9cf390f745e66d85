#pragma once

#include "saltus/problems/qvi.hpp"
#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// The default for NCP and MCP. Each method starts from the caller's guess; the first that
/// converges ends the cascade, else the best point is returned with the status of the last attempt:
///
///     NcpNewton               (semismooth, line search)
///     PathSearch              (normal map, pivoting)
///     Smoothing
///     NewtonJosephy           (n ≤ 1000: tableau)
///     ProximalPoint           (leaves local minima of the merit function)
///
/// `iterations` adds up over the attempts.
struct NcpAutomatic {
  static constexpr std::string_view name = "NcpAutomatic";
  double tolerance = 1e-8;  ///< residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
  }
};

/// The default for VI. A box goes to the cascade of NcpAutomatic; other sets to
///
///     NormalMapNewton → NaturalMapNewton → ProximalPoint → ViExtragradient.
struct ViAutomatic {
  static constexpr std::string_view name = "ViAutomatic";
  double tolerance = 1e-8;  ///< residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
  }
};

/// Successive VIs for the QVI (S:VI-02): z_{k+1} = (1 − ω) z_k + ω · solution of VI(X(z_k), F), the
/// VIs by ViAutomatic to a tenth of the present residual. Converges if the set moves slowly
/// compared with the strong monotonicity of F (the map z_k → z_{k+1} is then a contraction). Stops
/// when residual(problem, z) ≤ tolerance · max(1, ‖F(z₀)‖∞), z₀ = P_X(0)(0). [Chan & Pang 1982]
struct QviSuccessive {
  static constexpr std::string_view name = "QviSuccessive";
  double tolerance = 1e-8;   ///< relative, see above
  int max_iterations = 200;  ///< VIs
  double omega = 1;          ///< relaxation, in (0, 1]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "variational inequalities", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 1, true}}, s.omega);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpAutomatic&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViAutomatic&, Workspace&);
[[nodiscard]] SolveReport solve(const Qvi& problem, VectorRef z, const QviSuccessive&, Workspace&);

}  // namespace saltus
