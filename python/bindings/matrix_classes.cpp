#include "saltus/problems/matrix_classes.hpp"

#include "module.hpp"
#include "problem_types.hpp"

namespace saltus::python {

namespace {

void bind_membership(py::module_& m) {
  py::enum_<Answer>(m, "Answer", "Whether something is so.")
      .value("unknown", Answer::unknown, "not decided")
      .value("no", Answer::no, "disproved")
      .value("yes", Answer::yes, "proved");
  py::class_<Membership>(m, "Membership", "Whether a matrix belongs to a class.")
      .def_readonly("answer", &Membership::answer, "an Answer")
      .def_property_readonly(
          "witness",
          [](const Membership& membership) -> py::object {
            if (membership.witness.size() == 0) return py::none();
            return copy(ConstVectorRef(membership.witness));
          },
          "of a `no`, where it is cheap: a vector that violates the definition, or the indicator\n"
          "(0 or 1) of a principal submatrix; None otherwise")
      .def("yes", &Membership::yes, "yes($self)\n--\n\nProved.")
      .def("no", &Membership::no, "no($self)\n--\n\nDisproved.")
      .def("__repr__", [](const Membership& membership) {
        return fmt::format("<Membership: {}>", name(membership.answer));
      });
}

std::string class_text(const MatrixClass& c) {
  std::string yes;
  const auto add = [&](const char* name, const Membership& membership) {
    if (membership.yes()) yes += (yes.empty() ? "" : ", ") + std::string(name);
  };
  add("symmetric", c.symmetric);
  add("positive definite", c.positive_definite);
  add("positive semi-definite", c.positive_semidefinite);
  add("P", c.p);
  add("P0", c.p0);
  add("copositive", c.copositive);
  add("copositive-plus", c.copositive_plus);
  add("column sufficient", c.column_sufficient);
  add("row sufficient", c.row_sufficient);
  add("column adequate", c.column_adequate);
  add("Z", c.z);
  add("M", c.m);
  add("Q", c.q);
  add("Q0", c.q0);
  return fmt::format("<MatrixClass: {}>", yes.empty() ? "none proved" : yes);
}

}  // namespace

void bind_matrix_classes(py::module_& m) {
  bind_membership(m);
  py::class_<MatrixClass>(
      m, "MatrixClass",
      "The classes that decide whether Lcp(M, q) is solvable, and by what; each a Membership.")
      .def_readonly("size", &MatrixClass::size, "rows of the matrix")
      .def_readonly("symmetric", &MatrixClass::symmetric, "M = M'")
      .def_readonly("positive_definite", &MatrixClass::positive_definite, "x'Mx > 0, x ≠ 0")
      .def_readonly("positive_semidefinite", &MatrixClass::positive_semidefinite, "x'Mx ≥ 0")
      .def_readonly("p", &MatrixClass::p, "principal minors > 0: one solution for every q")
      .def_readonly("p0", &MatrixClass::p0, "principal minors ≥ 0")
      .def_readonly("copositive", &MatrixClass::copositive, "x'Mx ≥ 0 for x ≥ 0")
      .def_readonly("copositive_plus", &MatrixClass::copositive_plus,
                    "and x'Mx = 0, x ≥ 0 ⇒ (M + M')x = 0")
      .def_readonly("column_sufficient", &MatrixClass::column_sufficient,
                    "x_i (Mx)_i ≤ 0 for all i ⇒ = 0: convex solution sets")
      .def_readonly("row_sufficient", &MatrixClass::row_sufficient, "M' is column sufficient")
      .def_readonly("column_adequate", &MatrixClass::column_adequate,
                    "P0, and singular principal submatrices have dependent columns in M")
      .def_readonly("z", &MatrixClass::z, "entries off the diagonal ≤ 0")
      .def_readonly("m", &MatrixClass::m, "Z and P")
      .def_readonly("q", &MatrixClass::q, "solvable for every q")
      .def_readonly("q0", &MatrixClass::q0, "solvable for every feasible q")
      .def("__repr__", &class_text);
  m.def(
      "classify",
      [](const py::object& M, Index exhaustive_limit) {
        const BlockSparse matrix = to_blocks(M, "classify: M");
        const py::gil_scoped_release release;
        return classify(matrix, exhaustive_limit);
      },
      py::arg("M"), py::arg("exhaustive_limit") = 12,
      "classify(M, exhaustive_limit=12)\n--\n\n"
      "The MatrixClass of a square matrix, dense or sparse. What takes all 2ⁿ principal "
      "submatrices\n"
      "is only decided for n ≤ exhaustive_limit, and is unknown above unless it follows from the\n"
      "rest.\n\n"
      ">>> saltus.classify([[1.0, -3.0], [0.0, 1.0]]).p.yes()");
  m.def(
      "explain",
      [](const Outcome& report, const MatrixClass& classes) {
        return explain(report.report, classes);
      },
      py::arg("report"), py::arg("classes"),
      "explain(report, classes)\n--\n\n"
      "Two sentences: what the status of a solve means for a matrix of these classes, and what to\n"
      "try.");
}

}  // namespace saltus::python
