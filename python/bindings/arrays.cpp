#include "arrays.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::python {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr py::ssize_t item = sizeof(double);

void require_finite(const Array& array, const std::string& where, bool infinite) {
  const double* values = array.data();
  for (py::ssize_t i = 0; i < array.size(); ++i)
    require(infinite ? !std::isnan(values[i]) : std::isfinite(values[i]),
            "{}: entry {} is {}, expected a {}number", where, i, values[i],
            infinite ? "" : "finite ");
}

py::array make_view(const double* data, const std::vector<py::ssize_t>& shape,
                    const std::vector<py::ssize_t>& strides, py::handle owner, bool writable) {
  py::array array(py::dtype::of<double>(), shape, strides, data, owner);
  if (!writable)
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

}  // namespace

std::string shape_text(const py::array& array) {
  return py::str(py::object(array.attr("shape"))).cast<std::string>();
}

std::string given(py::handle object) {
  std::string text = py::repr(object).cast<std::string>();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return fmt::format("{} ({})", text, Py_TYPE(object.ptr())->tp_name);
}

Array to_array(py::handle object, const std::string& where) {
  py::object dense = py::reinterpret_borrow<py::object>(object);
  if (!py::isinstance<py::array>(object) && py::hasattr(object, "toarray"))
    dense = object.attr("toarray")();
  const py::array any = py::array::ensure(dense);
  if (!any || std::string_view("biuf").find(any.dtype().kind()) == std::string_view::npos)
    fail("{}: expected real numbers, given {}", where, given(object));
  return Array::ensure(any);
}

Vector to_vector(py::handle object, const std::string& where, bool infinite) {
  if (object.is_none()) return {};
  const Array array = to_array(object, where);
  if (array.ndim() > 1)
    fail("{}: has shape {}, expected a vector (one dimension)", where, shape_text(array));
  require_finite(array, where, infinite);
  return Eigen::Map<const Vector>(array.data(), array.size());
}

Matrix to_matrix(py::handle object, const std::string& where) {
  if (object.is_none()) return {};
  const Array array = to_array(object, where);
  require_finite(array, where, false);
  if (array.size() == 0) return {};
  if (array.ndim() == 0) return Matrix::Constant(1, 1, array.data()[0]);
  if (array.ndim() != 2)
    fail("{}: has shape {}, expected a matrix, e.g. [[1.0, 0.0]]", where, shape_text(array));
  return Eigen::Map<const RowMajor>(array.data(), array.shape(0), array.shape(1));
}

void fill(py::handle returned, const std::string& where, VectorRef out) {
  const Array array = to_array(returned, where);
  if (array.ndim() > 1 || array.size() != out.size())
    fail("{}: returned shape {}, expected ({},)", where, shape_text(array), out.size());
  out = Eigen::Map<const Vector>(array.data(), out.size());
}

void fill(py::handle returned, const std::string& where, MatrixRef out) {
  const Array array = to_array(returned, where);
  const bool line = out.rows() == 1 || out.cols() == 1;
  const bool fits = array.ndim() == 2 ? array.shape(0) == out.rows() && array.shape(1) == out.cols()
                                      : array.size() == out.size() && (array.ndim() == 0 || line);
  if (!fits || array.ndim() > 2)
    fail("{}: returned shape {}, expected ({}, {})", where, shape_text(array), out.rows(),
         out.cols());
  out = Eigen::Map<const RowMajor>(array.data(), out.rows(), out.cols());
}

py::array view(const double* data, Index size, py::handle owner, bool writable) {
  return make_view(data, {size}, {item}, owner, writable);
}

py::array column_view(const double* data, Index size, Index stride, py::handle owner) {
  return make_view(data, {size}, {stride * item}, owner, false);
}

py::array table_view(const double* data, Index rows, Index columns, py::handle owner) {
  return make_view(data, {rows, columns}, {columns * item, item}, owner, false);
}

py::array copy(ConstVectorRef values) { return Array(values.size(), values.data()); }

py::array copy(ConstMatrixRef values) {
  Array array({values.rows(), values.cols()});
  Eigen::Map<RowMajor>(array.mutable_data(), values.rows(), values.cols()) = values;
  return array;
}

}  // namespace saltus::python
