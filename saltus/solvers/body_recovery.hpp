#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/solvers/thread_team.hpp"

#include <Eigen/SparseCore>

#include <optional>

namespace saltus {

/// The bodies behind a reduced contact problem. Between rigid bodies W = Hᵀ M⁻¹ H; given W alone,
/// its rows are often three times as many as the velocities, and its graph ties every contact to
/// all others of its two bodies. This finds a sparse G, with as many rows as W has rank or as the
/// bodies have velocities, and
///
///     W = Gᵀ G + E,    |E| some 1e-11 |W|,
///
/// so that v = G r, u = Gᵀ v + q is the problem in its global form (FS:FS-01) with M = I: the
/// matrices I + G A Gᵀ of a solver have the graph of the bodies again. W symmetric and positive
/// semidefinite.
///
///     interfaces   contacts tied to the same others lie between the same two bodies; of their rows
///                  those are kept that span the rest, six for bodies in space
///     bodies       with three interfaces or more are told by the blocks between these alone
///                  (common_body), each by itself: roundings do not spread
///
/// What is left is Cholesky's factorisation with pivots that look at the numbers:
///
///     order        next is the interface whose elimination ties fewest others anew. Between a body
///                  and an obstacle it ties none. With six rows eliminated the body is held fast:
///                  its other interfaces no longer see each other through it, their blocks cancel
///                  and are dropped, and they are interfaces with an obstacle now. So the bodies
///                  come out one by one, from the ground up
///     delay        rows of small pivots (contacts nearly in line, whose lever would magnify
///                  roundings) wait until another interface of the body has better ones
///
/// Nothing is returned where this would not pay or not hold: W not symmetric, with short rows or of
/// nearly full rank, contacts that hardly share their bodies, |E| > 1e-7 |W|.
[[nodiscard]] std::optional<Eigen::SparseMatrix<double>> recover_bodies(const BlockSparse& W,
                                                                        ThreadTeam& team);

}  // namespace saltus
