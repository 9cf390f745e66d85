#pragma once

#include "saltus/model/model.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// The linear complementarity system that a model is, or is near its initial state: what the
/// analysis asks for. States (q, v, x), a pair for each row of an interaction, in the order of the
/// model:
///     q̇ = v,   M v̇ = −K q − C v + … + Hᵀλ,   E ẋ = A x + … + B λ,   w = H q + …  or  C x + D λ + …
/// with matrices at the initial state; exact if the model is linear and time-invariant. Contacts
/// without friction are complementarity of the gap and the force: their restitution does not enter.
/// Throws Error on other laws than Complementarity and NewtonImpact, on found contacts, on
/// rotations and on systems without a mass matrix per body.
[[nodiscard]] Lcs linearised(const Model& model);

/// The initial state of the model as a state of linearised(model).
[[nodiscard]] Vector linearised_state(const Model& model);

}  // namespace saltus
