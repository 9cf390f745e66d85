#pragma once

#include "module.hpp"

namespace saltus::python {

/// CohesiveZone, and where points lie against polygons.
void bind_mechanics_tools(py::module_& m);

}  // namespace saltus::python
