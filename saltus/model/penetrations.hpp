#pragma once

#include "saltus/model/model.hpp"

namespace saltus {

/// A contact that is deeper than it should be at the initial state.
struct Penetration {
  std::string name;  ///< "contact 3, row 0" of a declared contact, "bodies 4 and 7" of a found one
  std::array<Endpoint, 2> bodies = {};  ///< of a found contact
  double depth = 0;                     ///< −gap [m]
};

/// The unilateral contacts of a model, declared and found, whose gap at the initial state is below
/// −tolerance, the deepest first. A simulation starts all the same: velocity-level schemes leave
/// the depth as it is, position-level ones push it out in the first step.
[[nodiscard]] std::vector<Penetration> penetrations(const Model& model, double tolerance = 1e-9);

}  // namespace saltus
