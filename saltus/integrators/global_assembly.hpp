#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// The one-step problem in global form (FS:FS-01), on the bodies that active blocks touch, in their
/// order:
///     M̂ v = H r + f,   u = Hᵀ v + w,    f = M̂ v_free,   w = work.constant
/// Compliant rows add an unknown each, D⁻¹ s = r and u = Hᵀ v + s + w. M̂ block diagonal but for
/// coupled systems, which enter whole, H with one block per contact and body. Lagrangian blocks
/// only. The sets K are filled by the caller.
void assemble_global(StepWorkspace& work);

}  // namespace saltus
