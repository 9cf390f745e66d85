#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// A cache for each source of the model, an empty list of contacts.
void prepare_sources(const Model& model, StepWorkspace& work);

/// Asks every source for the contacts with gap ≤ reach at (t, work.q_forecast), lays out a block
/// for each behind the declared ones, and fills their Jacobians and gaps. A contact that was there
/// in the last step (the same key) gets its percussion as guess in work.r, turned into the new
/// frame.
void detect_contacts(const Model& model, double t, double reach, StepWorkspace& work);

/// Keeps the percussions of the detected contacts, by key, for the next step.
void remember_contacts(StepWorkspace& work);

}  // namespace saltus
