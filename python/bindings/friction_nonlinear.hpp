#pragma once

#include "module.hpp"

namespace saltus::python {

/// Friction that depends on the slip speed, and contacts with nonlinear dynamics.
void bind_friction_nonlinear(py::module_& m);

}  // namespace saltus::python
