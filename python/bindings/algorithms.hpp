#pragma once

#include "options.hpp"

namespace saltus::python {

/// An algorithm whose docstring is its own word on when to use it.
template <class T>
void bind_algorithm(py::module_& m) {
  static const std::string doc = fmt::format("For {}.\n\n[{}]", T::when, T::paper);
  bind_options<T>(m, doc.c_str());
}

}  // namespace saltus::python
