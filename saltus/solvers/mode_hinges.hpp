#pragma once

#include "saltus/algebra/hinge_sum.hpp"
#include "saltus/problems/block_form.hpp"

namespace saltus {

/// The problem with every hinge of HingeRows a complementarity row of its own, for algorithms that
/// know normal cones only: rows i of the functions become r_i − Σ_j slope_j λ_j = 0, and behind the
/// last row stand, function by function, 0 ≤ λ_j ⟂ λ_j + Σ_{l ≠ i} W_il r_l + q_i + break_j ≥ 0.
/// The first rows of its solution solve the problem.
[[nodiscard]] BlockForm write_out_hinges(const BlockForm& problem, const HingeRows& hinges);

/// The same for another q of the same problem: takes it over into `made`. Allocates nothing.
void take_constants(const BlockForm& problem, const HingeRows& hinges, BlockForm& made);

}  // namespace saltus
