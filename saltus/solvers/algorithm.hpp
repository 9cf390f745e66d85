#pragma once

#include "saltus/solvers/admm.hpp"
#include "saltus/solvers/automatic.hpp"
#include "saltus/solvers/bard.hpp"
#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/convex_projected_gradient.hpp"
#include "saltus/solvers/cottle_dantzig.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "saltus/solvers/faceted_friction.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/friction_convex_loops.hpp"
#include "saltus/solvers/friction_mcp.hpp"
#include "saltus/solvers/friction_proximal_point.hpp"
#include "saltus/solvers/interior_point.hpp"
#include "saltus/solvers/keller.hpp"
#include "saltus/solvers/latin.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/mehrotra.hpp"
#include "saltus/solvers/mprgp.hpp"
#include "saltus/solvers/murty.hpp"
#include "saltus/solvers/nonsmooth_newton.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/panagiotopoulos.hpp"
#include "saltus/solvers/path_following.hpp"
#include "saltus/solvers/projected_gradient.hpp"
#include "saltus/solvers/projected_multigrid.hpp"
#include "saltus/solvers/projection_variants.hpp"
#include "saltus/solvers/psor.hpp"
#include "saltus/solvers/semismooth_newton.hpp"
#include "saltus/solvers/splitting.hpp"
#include "saltus/solvers/splitting_block.hpp"
#include "saltus/solvers/splitting_line_search.hpp"

#include <span>
#include <string_view>
#include <variant>

namespace saltus {

/// Any algorithm for the block form.
using Algorithm =
    std::variant<Automatic, Lemke, Murty, Bard, CottleDantzig, Keller, Enumeration, BlockPivoting,
                 Psor, ProjectedJacobi, SymmetricPsor, BlockSplitting, LineSearchSplitting,
                 GradientProjection, Gpcg, TwoPhaseProjection, ProjectedMultigrid, Latin,
                 SemismoothNewton, InteriorPoint, PotentialReduction, ShortStep, PredictorCorrector,
                 LongStep, Mehrotra, CoulombCascade, Nsgs, FixedPointProjection,
                 HyperplaneProjection, SpectralProjection, PredictionCorrection, SkewedProjection,
                 NonsmoothNewton, FrictionProximalPoint, TrescaFixedPoint, Aclm, SoclcpRelaxation,
                 ConvexProjectedGradient, Mprgp, Panagiotopoulos, Admm, FacetedFriction, GlockerNcp,
                 DirectMcp>;
/// Those for complementarity problems, and those for contact with friction.
using ComplementarityAlgorithm =
    std::variant<Automatic, Lemke, Murty, Bard, CottleDantzig, Keller, Enumeration, BlockPivoting,
                 Psor, ProjectedJacobi, SymmetricPsor, BlockSplitting, LineSearchSplitting,
                 GradientProjection, Gpcg, TwoPhaseProjection, ProjectedMultigrid, Latin,
                 SemismoothNewton, InteriorPoint, PotentialReduction, ShortStep, PredictorCorrector,
                 LongStep, Mehrotra>;
using FrictionAlgorithm =
    std::variant<Automatic, CoulombCascade, Nsgs, FixedPointProjection, HyperplaneProjection,
                 SpectralProjection, PredictionCorrection, SkewedProjection, NonsmoothNewton,
                 FrictionProximalPoint, TrescaFixedPoint, Aclm, SoclcpRelaxation,
                 ConvexProjectedGradient, Mprgp, Panagiotopoulos, Admm, FacetedFriction, GlockerNcp,
                 DirectMcp>;
// Compiled once, in algorithm.cpp.
extern template void validate(const Algorithm&);
extern template void validate(const ComplementarityAlgorithm&);
extern template void validate(const FrictionAlgorithm&);

/// Solves with the algorithm held by the variant. Incoming r is the initial guess. Throws Error if
/// the algorithm cannot treat the sets of the problem.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Algorithm&,
                                Workspace&);
[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const ComplementarityAlgorithm&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const ComplementarityAlgorithm&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r,
                                const FrictionAlgorithm&, Workspace&);

/// Throws Error if an option is out of range or the algorithm cannot treat such sets: "Lemke solves
/// complementarity problems; block 3 is a friction cone: use Nsgs or Automatic".
void check(const Algorithm& algorithm, std::span<const BlockSet> K);

/// The algorithm of that name with its default options, or the one with the options that an acronym
/// of the literature on friction stands for (friction_presets.hpp: "NSN-FB-GP"), upper and lower
/// case alike. Throws Error, listing the known names, if there is none.
[[nodiscard]] Algorithm algorithm_by_name(std::string_view name);

}  // namespace saltus
