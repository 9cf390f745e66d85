#include "inclusion_arguments.hpp"

namespace saltus::python {

TimeField time_field(const py::object& function, const std::string& where) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](double t, ConstVectorRef x, VectorRef out) {
    callback(t, view_of(x.data(), x.size()), out);
  };
}

std::function<void(double, VectorRef)> time_vector(const py::object& function,
                                                   const std::string& where) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](double t, VectorRef out) {
    const py::gil_scoped_acquire lock;
    const Vector value = to_vector(callback.function()(t), callback.name());
    require(value.size() == out.size(), "{}: returned {} numbers, expected {}", callback.name(),
            value.size(), out.size());
    out = value;
  };
}

std::function<void(double, MatrixRef)> time_matrix(const py::object& object,
                                                   const std::string& where) {
  if (object.is_none()) return {};
  if (PyCallable_Check(object.ptr()) == 0) {
    const Matrix constant = to_matrix(object, where);
    return [constant, where](double, MatrixRef out) {
      require(constant.rows() == out.rows() && constant.cols() == out.cols(),
              "{}: has shape ({}, {}), expected ({}, {})", where, constant.rows(), constant.cols(),
              out.rows(), out.cols());
      out = constant;
    };
  }
  const Callback callback = to_callback(object, where, false);
  return [callback](double t, MatrixRef out) {
    const py::gil_scoped_acquire lock;
    fill(callback.function()(t), callback.name(), out);
  };
}

std::function<double(double)> time_number(const py::object& function, const std::string& where) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](double t) {
    const py::gil_scoped_acquire lock;
    return Converter<double>::from(callback.function()(t), callback.name());
  };
}

std::function<double(ConstVectorRef)> state_number(const py::object& function,
                                                   const std::string& where) {
  const Callback callback = to_callback(function, where, false);
  return [callback](ConstVectorRef x) {
    const py::gil_scoped_acquire lock;
    return Converter<double>::from(callback.function()(copy(x)), callback.name());
  };
}

std::function<void(ConstVectorRef, VectorRef)> state_vector(const py::object& function,
                                                            const std::string& where) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](ConstVectorRef x, VectorRef out) { callback(x, out); };
}

std::function<void(ConstVectorRef, MatrixRef)> state_matrix(const py::object& function,
                                                            const std::string& where) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](ConstVectorRef x, MatrixRef out) { callback(x, out); };
}

Rows optional_rows(const py::object& object, const std::string& where) {
  return object.is_none() ? Rows{} : Rows(to_matrix(object, where));
}

Values optional_values(const py::object& object, const std::string& where) {
  return object.is_none() ? Values{} : Values(to_vector(object, where));
}

Index output_size(const py::object& function, const Values& x, const std::string& where) {
  const Callback callback = to_callback(function, where, false);
  return to_vector(callback.function()(0.0, copy(ConstVectorRef(x))), where).size();
}

}  // namespace saltus::python
