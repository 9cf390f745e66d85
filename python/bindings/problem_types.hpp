#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/solvers/workspace.hpp"

#include "options.hpp"
#include "reports.hpp"

#include <Eigen/SparseCore>

#include <concepts>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>

// What the bindings of the problems share: matrices in either storage, views of their vectors, and
// the one way to solve.

namespace saltus::python {

using Sparse = Eigen::SparseMatrix<double>;

[[nodiscard]] bool is_sparse(const py::object& object);
/// A dense or SciPy sparse matrix; repeated entries are added, indices sorted; None is empty.
[[nodiscard]] Sparse to_sparse(const py::object& object, const std::string& where);
/// The same in blocks; `size` 0: one block if dense, scalars if sparse.
[[nodiscard]] BlockSparse to_blocks(const py::object& object, const std::string& where,
                                    Index size = 0);
/// A NumPy array if `dense`, else SciPy's csc_matrix.
[[nodiscard]] py::object from_blocks(const BlockSparse& A, bool dense);
[[nodiscard]] py::object from_sparse(const Sparse& A, bool dense);

/// The sets of a block form, with the rows of each block.
struct Blocks {
  std::vector<BlockSet> sets = {};
  std::vector<Index> sizes = {};
};
/// From a list of pairs (set, dimension); Error, beginning with `where`, on a set no block can
/// have.
[[nodiscard]] Blocks to_block_sets(const py::object& K, const std::string& where);
[[nodiscard]] py::object from_block_sets(const std::vector<BlockSet>& sets,
                                         const std::vector<Index>& sizes);

/// A problem and how its matrix was given.
template <class Problem>
struct Stored {
  Problem problem;
  bool dense = true;
};

template <class Problem>
[[nodiscard]] Stored<Problem> store(Problem problem, const py::object& matrix) {
  validate(problem);
  return {std::move(problem), !is_sparse(matrix)};
}

/// An array that is a view of a vector of the problem; changes of it are changes of the problem.
template <class Problem>
void vector_view(py::class_<Stored<Problem>>& cls, const char* name, Vector Problem::*member,
                 const char* doc) {
  cls.def_property_readonly(
      name,
      [member](const py::object& self) {
        Vector& values = self.cast<Stored<Problem>&>().problem.*member;
        return view(values.data(), values.size(), self, true);
      },
      doc);
}

template <class Problem>
void matrix_copy(py::class_<Stored<Problem>>& cls, const char* name, BlockSparse Problem::*member,
                 const char* doc) {
  cls.def_property_readonly(
      name, [member](const Stored<Problem>& s) { return from_blocks(s.problem.*member, s.dense); },
      doc);
}

template <class Problem>
void matrix_copy(py::class_<Stored<Problem>>& cls, const char* name, Sparse Problem::*member,
                 const char* doc) {
  cls.def_property_readonly(
      name, [member](const Stored<Problem>& s) { return from_sparse(s.problem.*member, s.dense); },
      doc);
}

/// A string or an os.PathLike.
[[nodiscard]] std::filesystem::path to_path(const py::object& object);
/// A vector of `size` entries, which may be infinite.
[[nodiscard]] Vector to_point(py::handle object, Index size, const std::string& where);
/// The initial guess of solve: finite; zero if None.
[[nodiscard]] Vector to_guess(py::handle guess, Index size);

/// Solves from `point` with `solver`, or with `first` if that is None. The GIL is not held.
template <class Algorithm, class Problem, class Point>
[[nodiscard]] Outcome run(const Problem& problem, Point& point, const py::object& solver,
                          const Algorithm& first = {}) {
  validate(problem);
  const Algorithm algorithm =
      solver.is_none() ? first : Converter<Algorithm>::from(solver, "solve: solver");
  Outcome outcome;
  std::visit(
      [&]<class A>(const A& a) {
        outcome.solver = A::name;
        outcome.tolerance = a.tolerance;
      },
      algorithm);
  const py::gil_scoped_release release;
  Workspace work;
  if constexpr (requires {
                  { solve(problem, point, algorithm, work) } -> std::same_as<SolveReport>;
                })
    outcome.report = solve(problem, point, algorithm, work);
  else
    outcome.report =
        std::visit([&](const auto& a) { return solve(problem, point, a, work); }, algorithm);
  const SolveStatus status = outcome.report.status;
  if (status == SolveStatus::infeasible || status == SolveStatus::unbounded)
    outcome.certificate = std::move(work.certificate);
  return outcome;
}

/// solve(problem, guess=None, solver=None) -> (solution, report), from function(problem, guess,
/// solver).
template <class Function>
void define_solve(py::module_& m, Function function, const char* doc = "") {
  m.def("solve", function, py::arg("problem"), py::arg("guess") = py::none(),
        py::arg("solver") = py::none(), doc);
}

[[nodiscard]] inline py::tuple answer(ConstVectorRef z, Outcome outcome) {
  return py::make_tuple(copy(z), std::move(outcome));
}

}  // namespace saltus::python
