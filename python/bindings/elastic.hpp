#pragma once

#include "arrays.hpp"
#include "saltus/systems/system.hpp"

#include <optional>
#include <vector>

namespace saltus::python {

/// The system of an ElasticBody, if the object is one.
[[nodiscard]] std::optional<System> elastic_system(const py::object& object);

/// A list of numbers of nodes, degrees of freedom or divisions; None is empty.
[[nodiscard]] std::vector<Index> to_indices(const py::object& object, const std::string& where);

}  // namespace saltus::python
