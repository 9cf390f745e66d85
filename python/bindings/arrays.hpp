#pragma once

#include "saltus/algebra/types.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>

namespace saltus::python {

namespace py = pybind11;

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// From Python to C++. `where` begins the message of the Error, "LinearRelation: H".

/// Anything that NumPy takes for an array of real numbers; SciPy's sparse matrices are made dense.
[[nodiscard]] Array to_array(py::handle object, const std::string& where);
/// One dimension; a number is a vector of one entry, None is empty. NaN is an Error, infinity too
/// unless it is allowed.
[[nodiscard]] Vector to_vector(py::handle object, const std::string& where, bool infinite = false);
/// Two dimensions; a number is a 1×1 matrix, None and [] are empty. NaN and infinity are an Error.
[[nodiscard]] Matrix to_matrix(py::handle object, const std::string& where);

/// Writes what a Python function returned into `out`. Accepts a number for one entry, and one
/// dimension for a matrix of one row or one column; Error on any other shape. NaN passes: it is a
/// numerical outcome, which the integrator reports.
void fill(py::handle returned, const std::string& where, VectorRef out);
void fill(py::handle returned, const std::string& where, MatrixRef out);

/// "(2, 3)"
[[nodiscard]] std::string shape_text(const py::array& array);
/// "'abc' (str)", shortened: for messages.
[[nodiscard]] std::string given(py::handle object);

// From C++ to Python without copies: the array keeps `owner` alive, which must own the data.

[[nodiscard]] py::array view(const double* data, Index size, py::handle owner,
                             bool writable = false);
/// `stride` entries from one to the next: a column of a table.
[[nodiscard]] py::array column_view(const double* data, Index size, Index stride, py::handle owner);
/// Row after row.
[[nodiscard]] py::array table_view(const double* data, Index rows, Index columns, py::handle owner);

// From C++ to Python, copied.

[[nodiscard]] py::array copy(ConstVectorRef values);
[[nodiscard]] py::array copy(ConstMatrixRef values);

}  // namespace saltus::python
