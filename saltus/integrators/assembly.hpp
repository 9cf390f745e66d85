#pragma once

#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// W = Σ_bodies H M̂⁻¹ B + D on the active blocks, with M̂⁻¹B in work.response. Two blocks are
/// coupled when they touch the same body (S:FC-02, TI:TI-111). Cost: the number of coupled pairs.
void assemble_matrix(StepWorkspace& work);

/// response = M̂⁻¹ (scale · input) for every entry of block b, scale = 1 (percussions) or h (λ).
void compute_response(const Layout::Block& block, double scale, StepWorkspace& work);
/// The same with the factors of another matrix.
void compute_response(const Layout::Block& block, double scale, const BlockDiagonalLu& factor,
                      StepWorkspace& work);

/// out[rows] += Σ_entries H w for one block.
void add_output(const Layout::Block& block, const StepWorkspace& work, ConstVectorRef w,
                double* out);

/// out[rows] += Σ_entries H q for one block of a time-invariant relation.
void add_output_at(const Layout::Block& block, const StepWorkspace& work, const Vector& q,
                   double* out);

/// w += M̂⁻¹ B r for all active blocks.
void add_response(const StepWorkspace& work, VectorRef w);
/// w −= M̂⁻¹ B r for one block.
void subtract_response(const Layout::Block& block, const StepWorkspace& work, const Vector& r,
                       VectorRef w);

/// f += scale · B r for one block, r over all rows.
void add_input(const Layout::Block& block, const StepWorkspace& work, double scale, const Vector& r,
               VectorRef f);

/// f −= B r (scaled by h for first-order blocks) for all active blocks.
void subtract_input(const StepWorkspace& work, double h, VectorRef f);

}  // namespace saltus
