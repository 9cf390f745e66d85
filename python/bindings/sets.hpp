#pragma once

#include "saltus/sets/set.hpp"

#include "arrays.hpp"

namespace saltus::python {

/// The value of a Python set; TypeError on anything else.
[[nodiscard]] Set to_set(py::handle object, const std::string& where);
[[nodiscard]] py::object from_set(const Set& set);

/// A list of pairs (set, dimension).
[[nodiscard]] std::vector<Factor> to_factors(py::handle object, const std::string& where);
[[nodiscard]] py::object from_factors(const std::vector<Factor>& factors);

}  // namespace saltus::python
