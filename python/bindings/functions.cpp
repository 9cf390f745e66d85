#include "functions.hpp"

namespace saltus::python {

Callback to_callback(const py::object& function, const std::string& where, bool optional) {
  if (optional && function.is_none()) return {};
  if (!PyCallable_Check(function.ptr())) wrong_type(where, "a callable", function);
  return {function, where};
}

VectorFunction to_vector_function(const py::object& function, const std::string& where,
                                  bool optional) {
  Callback callback = to_callback(function, where, optional);
  if (!callback) return {};
  return [callback](ConstVectorRef z, VectorRef F) { callback(z, F); };
}

JacobianFunction to_jacobian_function(const py::object& function, const std::string& where) {
  Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [callback](ConstVectorRef z, MatrixRef J) { callback(z, J); };
}

}  // namespace saltus::python
