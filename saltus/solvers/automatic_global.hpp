#pragma once

#include "saltus/problems/global_block_form.hpp"
#include "saltus/solvers/automatic.hpp"

namespace saltus {

/// The default for the global form: CoulombCascade; if it is left short of the tolerance with few
/// contacts (suits_contact_modes), Automatic on the reduced form, which knows the cases of the law
/// too. Solutions are polished (ContactPolish; up to 60 rows densely, where that is not enough):
/// Newton's method with the modes of the solution gives the digits that the tolerance leaves open,
/// so that a run depends neither on the axes of the world nor on the way of the solver. Incoming r
/// is the initial guess; v is computed from r. (FS:FS-01, FS:FS-02)
[[nodiscard]] SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                                const Automatic&, Workspace&);

}  // namespace saltus
