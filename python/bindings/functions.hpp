#pragma once

#include "saltus/problems/ncp.hpp"

#include "callbacks.hpp"
#include "problem_types.hpp"

namespace saltus::python {

/// A Python function z -> array; TypeError if it is not callable, empty if it is None and
/// `optional`. `where` begins the messages: "Ncp: F".
[[nodiscard]] Callback to_callback(const py::object& function, const std::string& where,
                                   bool optional);
[[nodiscard]] VectorFunction to_vector_function(const py::object& function,
                                                const std::string& where, bool optional = false);
/// Empty (differences of F) if None.
[[nodiscard]] JacobianFunction to_jacobian_function(const py::object& function,
                                                    const std::string& where);

/// The members that problems with a function F share.
template <class Problem>
void define_functions(py::class_<Problem>& cls) {
  cls.def_property_readonly(
      "n", [](const Problem& p) { return p.n; }, "number of unknowns");
  cls.def(
      "F",
      [](const Problem& p, const py::object& z) {
        return copy(ConstVectorRef(evaluate(p.F, to_point(z, p.n, "F: z"))));
      },
      py::arg("z"), "F($self, z)\n--\n\nThe function of the problem at z.");
  cls.def(
      "jacobian",
      [](const Problem& p, const py::object& z) {
        Matrix J(p.n, p.n);
        evaluate_jacobian(p.F, p.jacobian, to_point(z, p.n, "jacobian: z"), J);
        return copy(ConstMatrixRef(J));
      },
      py::arg("z"),
      "jacobian($self, z)\n--\n\n∂F/∂z at z: as given, or by central differences of F.");
  cls.def(
      "residual",
      [](const Problem& p, const py::object& z) {
        return residual(p, to_point(z, p.n, "residual: z"));
      },
      py::arg("z"),
      "residual($self, z)\n--\n\nNorm of z − P(z − F(z)): zero exactly at solutions.");
}

}  // namespace saltus::python
