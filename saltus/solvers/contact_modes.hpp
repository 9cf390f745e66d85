#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/solvers/outcome.hpp"

#include <span>

namespace saltus {

/// Coulomb's law by its cases (FS:FS-08), for a handful of contacts that iterations leave short of
/// the tolerance: nearly redundant rows, a slip of 1e-9 beside one of 1, the last digits. Each
/// contact is in one mode,
///
///     open    r = 0
///     stick   u = 0
///     slide   u_N = 0,  r_T = −μ r_N t,  t a unit vector along u_T:  t⊥ · u_T = 0
///
/// and so is each row of a scalar set (at a bound, or u = 0). Given the modes the law is a system
/// of equations with as many unknowns, linear in the plane and for all that do not slide, solved by
/// Newton's method from the point given with steps of least norm: redundant contacts keep their
/// self-stress. The modes of the point come first, then those that differ in one contact, in two,
/// and so on; at most `trials` of them. The first point with
///
///     max(e₁, e₂) ≤ tolerance   (FrictionErrors) and a self-stress of 1e4 at most
///
/// ends the search. Exponential as a method of its own: 3 modes for each contact in space, 4 in the
/// plane. The exact local solver of FS:FS-76 is the case of one contact.
struct ContactModes {
  double tolerance = 1e-8;  ///< on max(e₁, e₂)
  int trials = 1000;        ///< combinations of modes at most; all of 6 contacts in space. 1: the
                            ///< last digits of a solution
};

/// Every set is scalar or a friction cone of 2 or 3 rows, and there are at most `rows` rows; of 30
/// the cases are gone through in some 10 ms.
[[nodiscard]] bool suits_contact_modes(const BlockForm& problem, Index rows = 30);
[[nodiscard]] bool suits_contact_modes(std::span<const BlockSet> K, std::span<const Index> sizes,
                                       Index rows = 30);
/// From r; leaves the best point met there. `iterations` counts combinations.
[[nodiscard]] Outcome solve(const BlockForm& problem, VectorRef r, const ContactModes& options);

}  // namespace saltus
