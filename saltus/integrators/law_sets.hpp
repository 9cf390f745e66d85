#pragma once

#include "saltus/laws/law.hpp"
#include "saltus/problems/block_form.hpp"

#include <vector>

namespace saltus {

// What a law becomes in a one-step problem −(u + g(u)) ∈ N_K(r): the set K, a shift of u, and
// whether the gap switches it on and off. Every scheme takes its laws from here.

/// K of one block. Multipliers of second-order systems are percussions over the step h, so a bound
/// on forces is multiplied by h.
/// `rows` of the block tell a contact with friction from one without, where a law knows both.
[[nodiscard]] BlockSet set_of(const Law& law, bool lagrangian, double h, Index rows);

/// One piece of a broken line: −(y − shift + compliance · λ) ∈ N_[lower, upper](λ). A falling graph
/// is the sum of its pieces, λ = Σ λ_j, each with the same y: every piece saturates where the next
/// one begins (PL:B10).
struct Segment {
  double lower, upper, compliance, shift;
};
/// Rows of the law are broken lines of several pieces, or have bounds of their own: one set per
/// block cannot say them.
[[nodiscard]] bool has_segments(const Law& law);
/// Appends the pieces of one row, at least one. `scale` is h for percussions, 1 for λ.
void append_segments(const Law& law, Index row, double scale, std::vector<Segment>& segments);

/// A block of so many rows becomes two: its rows but the last, in the set of set_of(), and a second
/// normal force with the last row in second_set(); SegmentRows makes both normal forces one.
[[nodiscard]] bool splits(const Law& law, Index rows);
[[nodiscard]] FrictionCone second_set(const Law& law);

/// The law if it is a cone to a set that block forms do not have; null otherwise.
[[nodiscard]] const NormalCone* general_cone(const Law& law);

/// [λ_min, λ_max] that the law allows where the output is within `band` of y: what explicit schemes
/// choose from. Throws Error for laws without bounds on λ.
[[nodiscard]] Interval multipliers_at(const Law& law, double y, double band);

/// e of u_N⁺ + e u_N⁻ on the normal row, zero for laws without restitution.
[[nodiscard]] double restitution(const Law& law);

/// e of Poisson's law, for which the one-step problem is solved in two phases; −1 for the others.
[[nodiscard]] double poisson_restitution(const Law& law);

/// What a law may add to u = W r + …, beside the restitution of the normal row, and to r:
///     u + compliance · r + constant,   r + pull takes part in the law instead of r
/// row by row. (pull = h c e_N for a contact of cohesion c.)
struct LawTerms {
  VectorRef constant, compliance, pull;
};
struct LawInput {
  double h = 0;
  double theta = 0.5;     ///< of the scheme
  ConstVectorRef gap;     ///< y at the forecast,
  double ahead = 0;       ///< this much later than the beginning: y = gap − ahead · u there
  ConstVectorRef u;       ///< u⁻
  ConstVectorRef r;       ///< of the last step,
  double per_second = 0;  ///< λ = per_second · r
};
/// The law has such terms.
[[nodiscard]] bool has_terms(const Law& law);
/// Sets compliance and pull, adds to constant.
void add_terms(const Law& law, const LawInput& input, LawTerms terms);

/// The law holds only while the gap is closed; the others hold always.
[[nodiscard]] bool switched_by_gap(const Law& law);

/// The law is y = 0 on every row.
[[nodiscard]] bool bilateral(const Law& law);

/// Every row of the relation is a block of its own, that opens and closes alone.
[[nodiscard]] bool rows_apart(const Law& law);

/// Rows of a contact in space under this law, normal first.
[[nodiscard]] Index contact_rows(const Law& law);

/// The law couples tangential to normal rows.
[[nodiscard]] bool has_friction(const Law& law);

}  // namespace saltus
