#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// W = H M̂⁻¹ B + D on the active blocks. Two blocks are coupled when they touch the same body, or
/// the same coupled system (S:FC-02, TI:TI-111). Cost: the number of coupled pairs. `factor` is
/// that of M̂ for which the responses were computed.
void assemble_matrix(StepFactors& factor, StepWorkspace& work);

/// response = M̂⁻¹ (scale · input) for every entry of the active blocks, scale = 1 (percussions) or
/// h (λ) for first-order blocks; scale · input for entries of coupled systems.
void compute_responses(double h, const StepFactors& factor, StepWorkspace& work);

/// The compliance of coupled systems at the bodies that active blocks touch.
void complete_compliance(StepFactors& factor, const StepWorkspace& work);

/// The first diagonal entry of H M̂⁻¹ B of one contact, from its response and the compliance.
[[nodiscard]] double self_compliance(const Layout::Block& block, const StepFactors& factor,
                                     const StepWorkspace& work);

/// out[rows] += Σ_entries H w for one block.
void add_output(const Layout::Block& block, const StepWorkspace& work, ConstVectorRef w,
                double* out);

/// out[rows] += Σ_entries H q for one block of a time-invariant relation.
void add_output_at(const Layout::Block& block, const StepWorkspace& work, const Vector& q,
                   double* out);

/// w += sign M̂⁻¹ B r for all active blocks, or those whose law has terms.
void add_response(double sign, const Vector& r, bool terms_only, const StepWorkspace& work,
                  StepFactors& factor, VectorRef w);

/// f += scale · B r for one block, r over all rows.
void add_input(const Layout::Block& block, const StepWorkspace& work, double scale, const Vector& r,
               VectorRef f);

/// f −= B r (scaled by h for first-order blocks) for all active blocks.
void subtract_input(const StepWorkspace& work, double h, VectorRef f);

}  // namespace saltus
