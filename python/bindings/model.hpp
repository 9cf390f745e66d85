#pragma once

#include "arrays.hpp"
#include "saltus/model/model.hpp"

namespace saltus::python {

/// The Python class Model.
struct PythonModel {
  Model model;
};

}  // namespace saltus::python
