#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Sizes the flat arrays of the relations.
void prepare_relations(const Model& model, StepWorkspace& work);

/// Evaluates the time-invariant relations, once, and their offsets c(z) whenever z has changed.
/// True if Jacobians were computed.
bool refresh_constant_relations(const Model& model, const State& state, StepWorkspace& work);

/// Linearises one Lagrangian relation at (t, q): H, gap and ∂h/∂t.
void linearise_interaction(const Model& model, Index i, double t, const Vector& q,
                           const State& state, StepWorkspace& work);

/// Linearises every other Lagrangian relation at (t, q): H, gap and ∂h/∂t (S:FC-03b).
void linearise_lagrangian(const Model& model, double t, const Vector& q, const State& state,
                          StepWorkspace& work);

/// Linearises every other first-order relation at (t, x): C, B, D and offset = h(x) − C x.
void linearise_first_order(const Model& model, double t, ConstVectorRef w, const State& state,
                           StepWorkspace& work);

/// y = h(q) or h(x) of interaction i at (t, q, w); without Dλ.
void evaluate_output(const Model& model, Index i, double t, const Vector& q, ConstVectorRef w,
                     const Vector& z, StepWorkspace& work, VectorRef y);

/// work.gap_end = h(q) at (t, q) of every declared Lagrangian relation.
void evaluate_gaps(const Model& model, double t, const Vector& q, const Vector& z,
                   StepWorkspace& work);

/// dH = ÿ − H v̇ of every declared Lagrangian relation at (t, q, w), zero for the linear ones.
void evaluate_curvature(const Model& model, double t, const Vector& q, const Vector& w,
                        const Vector& z, StepWorkspace& work, Vector& dH);

}  // namespace saltus
