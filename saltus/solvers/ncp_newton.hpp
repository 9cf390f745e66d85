#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Semismooth Newton method with line search for NCP and MCP (S:NCP-12, S:NCP-11): on Φ(z) = 0 of
/// problems/mcp_merit.hpp,
///
///     H d = −Φ(z),   H ∈ ∂Φ(z),    z ← z + t d,    t = 1, ½, ¼, … by Armijo's test on Ψ = ½‖Φ‖²,
///
/// and the Levenberg–Marquardt direction (below) where H is singular or ∇Ψ·d > −κ‖d‖^p, κ = 1e-9,
/// p = 2.1. Quadratic near strongly regular solutions. From far away it converges to stationary
/// points of Ψ, which solve the problem if ∇F is a P₀-matrix there; one that does not is reported
/// `stalled`. Dense: O(n³) per iteration. Stops when residual(problem, z) ≤ tolerance · max(1,
/// ‖F(z₀)‖∞), z₀ = P(0). [De Luca, Facchinei & Kanzow 1996]
struct NcpNewton {
  static constexpr std::string_view name = "NcpNewton";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 200;  ///< Newton steps; usually 5 to 20
  double lambda = 1;  ///< of the penalised function, (0, 1]; 1: plain, 0.95 often helps far away
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"lambda", "weight of Fischer–Burmeister", Range{0, 1, true}}, s.lambda);
  }
};

/// The same with the Levenberg–Marquardt direction throughout (S:NCP-13a):
///
///     (HᵀH + ν I) d = −HᵀΦ,    ν = factor · min(1, ‖Φ‖²):
///
/// always defined and a direction of descent; keeps the local rate. [Facchinei & Kanzow 1997]
struct NcpLevenbergMarquardt {
  static constexpr std::string_view name = "NcpLevenbergMarquardt";
  double tolerance = 1e-8;   ///< as NcpNewton
  int max_iterations = 500;  ///< steps
  double factor = 1e-2;      ///< of ν; nominal 1e-4 to 1
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"factor", "of the shift of HᵀH", positive}, s.factor);
  }
};

/// Inexact semismooth Newton method (S:NCP-13b): ‖H d + Φ‖ ≤ η ‖Φ‖, η = min(forcing, ‖Φ‖), by
/// conjugate gradients on the normal equations from d = 0, whose every iterate is a direction of
/// descent of Ψ. No factorisation. [Facchinei, Fischer & Kanzow 1996]
struct NcpInexactNewton {
  static constexpr std::string_view name = "NcpInexactNewton";
  double tolerance = 1e-8;   ///< as NcpNewton
  int max_iterations = 500;  ///< steps
  double forcing = 0.1;      ///< largest η, in (0, 1]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"forcing", "largest relative error of a linear solve", Range{0, 1, true}},
          s.forcing);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpNewton&, Workspace&);
[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpLevenbergMarquardt&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpInexactNewton&,
                                Workspace&);

}  // namespace saltus
