#pragma once

#include "saltus/inclusions/moving_relation.hpp"

#include "functions.hpp"
#include "model.hpp"

#include <functional>
#include <string>

// What the bindings of saltus/inclusions share: functions of Python as the functions that
// formalisms are stated with. `where` begins the messages: "sweeping_process: f". TypeError on what
// is not callable.

namespace saltus::python {

/// f(t, x); empty for None.
[[nodiscard]] TimeField time_field(const py::object& function, const std::string& where);
/// f(t), a vector; empty for None.
[[nodiscard]] std::function<void(double, VectorRef)> time_vector(const py::object& function,
                                                                 const std::string& where);
/// A constant matrix, or f(t); empty for None.
[[nodiscard]] std::function<void(double, MatrixRef)> time_matrix(const py::object& object,
                                                                 const std::string& where);
/// f(t), a number; empty for None.
[[nodiscard]] std::function<double(double)> time_number(const py::object& function,
                                                        const std::string& where);
/// f(x), a number.
[[nodiscard]] std::function<double(ConstVectorRef)> state_number(const py::object& function,
                                                                 const std::string& where);
/// f(x), a vector; empty for None.
[[nodiscard]] std::function<void(ConstVectorRef, VectorRef)> state_vector(
    const py::object& function, const std::string& where);
/// f(x), a matrix; empty for None.
[[nodiscard]] std::function<void(ConstVectorRef, MatrixRef)> state_matrix(
    const py::object& function, const std::string& where);

/// Empty for None.
[[nodiscard]] Rows optional_rows(const py::object& object, const std::string& where);
[[nodiscard]] Values optional_values(const py::object& object, const std::string& where);

/// How many numbers f(t, x) returns at t = 0.
[[nodiscard]] Index output_size(const py::object& function, const Values& x,
                                const std::string& where);

}  // namespace saltus::python
