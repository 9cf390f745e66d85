#pragma once

#include "saltus/problems/global_block_form.hpp"

#include <optional>

namespace saltus {

// Does a contact problem have a solution at all? With M positive definite (symmetric or not) and
// u = Hᵀv + w, two conditions that can be computed enclose the answer.
//
// Sufficient (FS:FS-11): some v has Hᵀv + w inside K*, K the cones of the reactions (of bounded
// sets, their directions to infinity). For a given shift s ≥ 0 the velocity v(s) of the convex
// problem with w + s e_N exists, is unique and continuous in s; that one v is admissible for every
// s, so v(s) is bounded whatever s is, and s ↦ g(u(s)) maps a ball into itself: a fixed point is a
// solution. The same holds if w ∈ im Hᵀ, e.g. w = 0: resting obstacles.
//
// Necessary: some v has u_N ≥ 0 at every contact and u = 0 in the bilateral rows. Where that is
// impossible a direction d proves it: H d = 0, wᵀd < 0, d_N ≥ 0, d_T = 0 (proves_infeasible of
// problems/certificates.hpp). A d ∈ K with tangential parts proves nothing, see there.
//
// Between the two the answer depends on f: an inertial wedge between moving obstacles may hold or
// not. The verdict is then `undecided`.

enum class Existence { guaranteed, impossible, undecided };
/// "guaranteed", "impossible", "undecided"
[[nodiscard]] std::string_view name(Existence verdict);

struct FrictionExistence {
  Existence verdict = Existence::undecided;
  /// t* = max t ≤ 1 with Hᵀv + w − t e_N ∈ K* for some v, e_N the normals (FS:B.13), a velocity.
  /// Positive: guaranteed. Negative: no v is in K*, which alone does not exclude a solution. −∞ if
  /// not even the bilateral rows can be met. It is what v has, so t* is at least this, and equal
  /// where the program converged.
  double margin = 0;
  Vector v;          ///< velocity that has this margin (global form; r of u = W r + q else)
  Vector direction;  ///< proof of `impossible`, scaled to 1 in the largest entry; empty otherwise
};

/// The test, by two programs over cones of the size of v (cone_program.hpp).
[[nodiscard]] FrictionExistence friction_existence(const GlobalBlockForm& problem);
/// The same from u = W r + q; W = HᵀM⁻¹H has the range of Hᵀ, and q = w up to that range.
[[nodiscard]] FrictionExistence friction_existence(const BlockForm& problem);

/// A direction that proves_infeasible accepts, if one is found: first from the reactions r of a
/// solver that did not converge (they grow along it), then by least squares on the normal rows. No
/// answer: there is none, as far as the digits tell.
[[nodiscard]] std::optional<Vector> friction_infeasibility(const GlobalBlockForm& problem,
                                                           ConstVectorRef r);
[[nodiscard]] std::optional<Vector> friction_infeasibility(const BlockForm& problem,
                                                           ConstVectorRef r);

}  // namespace saltus
