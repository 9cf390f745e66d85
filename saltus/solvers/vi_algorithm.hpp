#pragma once

#include "saltus/problems/soclcp.hpp"
#include "saltus/solvers/gap_descent.hpp"
#include "saltus/solvers/ncp_interior_point.hpp"
#include "saltus/solvers/ncp_ne_sqp.hpp"
#include "saltus/solvers/ncp_newton.hpp"
#include "saltus/solvers/ncp_perturbation.hpp"
#include "saltus/solvers/newton_josephy.hpp"
#include "saltus/solvers/path_search.hpp"
#include "saltus/solvers/projection_methods.hpp"
#include "saltus/solvers/proximal_point.hpp"
#include "saltus/solvers/smoothing.hpp"
#include "saltus/solvers/vi_automatic.hpp"
#include "saltus/solvers/vi_newton.hpp"
#include "saltus/solvers/vi_pivoting.hpp"
#include "saltus/solvers/vi_smoothing.hpp"

#include <variant>

namespace saltus {

/// Any algorithm for NCP and MCP. (Those of ViAlgorithm serve them too, through to_vi.)
using NcpAlgorithm = std::variant<NcpAutomatic, NcpNewton, NcpLevenbergMarquardt, NcpInexactNewton,
                                  NewtonJosephy, PathSearch, Smoothing, ProximalPoint, NcpNeSqp,
                                  NcpQpcomp, NcpSemicomp, NcpInteriorPoint>;
/// Any algorithm for VI, and for AVI, SOCLCP, NCP and MCP through to_vi. GapDescent is for compact
/// sets and ViPivoting for polyhedral ones: Error on others.
using ViAlgorithm = std::variant<ViAutomatic, NaturalMapNewton, NormalMapNewton, ProximalPoint,
                                 ViFixedPoint, ViVariableStep, ViExtragradient, ViSolodovTseng,
                                 ViHyperplane, RegularisedGapDescent, DGapDescent,
                                 ViDiminishingStep, GapDescent, ViSmoothing, ViPivoting>;

[[nodiscard]] SolveReport solve(const Ncp& problem, VectorRef z, const NcpAlgorithm&, Workspace&);
[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpAlgorithm&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViAlgorithm&, Workspace&);
[[nodiscard]] SolveReport solve(const Avi& problem, VectorRef z, const ViAlgorithm&, Workspace&);
[[nodiscard]] SolveReport solve(const Soclcp& problem, VectorRef z, const ViAlgorithm&, Workspace&);
[[nodiscard]] SolveReport solve(const Soclcp& problem, VectorRef z, const AviSplitting&,
                                Workspace&);

// The default of each problem.
[[nodiscard]] inline SolveReport solve(const Ncp& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, NcpAutomatic{}, work);
}
[[nodiscard]] inline SolveReport solve(const Mcp& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, NcpAutomatic{}, work);
}
[[nodiscard]] inline SolveReport solve(const Vi& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, ViAutomatic{}, work);
}
[[nodiscard]] inline SolveReport solve(const Avi& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, ViAutomatic{}, work);
}
[[nodiscard]] inline SolveReport solve(const Soclcp& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, ViAutomatic{}, work);
}
[[nodiscard]] inline SolveReport solve(const Qvi& problem, VectorRef z, Workspace& work) {
  return solve(problem, z, QviSuccessive{}, work);
}

}  // namespace saltus
