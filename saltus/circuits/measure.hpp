#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/circuits/circuit.hpp"

#include <span>

namespace saltus::circuits {

/// The measurement of x(t), given by its values at the instants t (increasing) and straight lines
/// between them, over [from, to]:
///
///     avg  1/T ∫ x dt      rms  (1/T ∫ x² dt)^½      max, min, pp = max − min      last x(to)
///     thd  (Σ_{k=2…40} a_k²)^½ / a_1,  a_k the amplitude at k·frequency over the last whole number
///          of periods
///
/// Throws Error if the window holds fewer than two instants, or not one period.
[[nodiscard]] double measure(const Measure& what, std::span<const double> t,
                             std::span<const double> x);

}  // namespace saltus::circuits
