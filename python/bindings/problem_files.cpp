#include "saltus/io/problem_file.hpp"

#include "module.hpp"
#include "problem_types.hpp"

namespace saltus::python {

namespace {

namespace fs = std::filesystem;

std::optional<ProblemKind> to_kind(const py::object& kind) {
  if (kind.is_none()) return std::nullopt;
  const auto found = kind_by_name(py::str(kind).cast<std::string>());
  if (!found) fail("read_problem: kind is {}, expected 'lcp', 'mlcp' or 'relay'", given(kind));
  return found;
}

/// The matrix is given as an array if every block of it is stored.
bool is_full(const BlockSparse& A) { return A.blocks() == A.block_rows() * A.block_cols(); }

template <class P>
bool is_dense(const P& problem) {
  if constexpr (requires { problem.H; })
    return false;
  else if constexpr (std::is_same_v<P, FrictionContact>)
    return is_full(problem.W);
  else if constexpr (std::is_same_v<P, BlockForm>)
    return has_friction(problem) ? is_full(problem.W) : problem.W.block_rows() == 1;
  else
    return problem.M.block_rows() == 1;
}

py::object read(const py::object& path, const py::object& kind, const py::object& q) {
  const StoredProblem problem =
      read_any_problem(to_path(path), {to_kind(kind), q.is_none() ? fs::path() : to_path(q)});
  return std::visit(
      []<class P>(const P& p) -> py::object {
        return py::cast(Stored<P>{p, is_dense(p)});
      },
      problem);
}

/// The problem of a Python object, if it is one of V.
template <class... P>
std::optional<std::variant<P...>> take(const py::object& object, const std::variant<P...>*) {
  std::optional<std::variant<P...>> found;
  const auto try_one = [&]<class Q>(const Q*) {
    if (!py::isinstance<Stored<Q>>(object)) return;
    const Q& problem = object.cast<const Stored<Q>&>().problem;
    validate(problem);
    found = problem;
  };
  (try_one(static_cast<const P*>(nullptr)), ...);
  return found;
}

/// A problem for write_siconos_friction: of contact, or a block form with friction.
std::optional<ContactProblem> to_contact_problem(const py::object& object) {
  auto found = take(object, static_cast<const ContactProblem*>(nullptr));
  if (found && std::holds_alternative<BlockForm>(*found) &&
      !has_friction(std::get<BlockForm>(*found)))
    return std::nullopt;
  return found;
}

ComplementarityProblem to_problem(const py::object& object) {
  const auto found = take(object, static_cast<const ComplementarityProblem*>(nullptr));
  if (!found)
    wrong_type("write_problem: problem",
               "Lcp, Mlcp, BlockForm, Soclcp, FrictionContact or GlobalFrictionContact", object);
  return *found;
}

/// What solve returned.
std::optional<StoredSolution> to_solution(const py::object& object, Index size) {
  if (object.is_none()) return std::nullopt;
  if (!py::isinstance<py::tuple>(object) || py::len(object) != 2 ||
      !py::isinstance<Outcome>(object[py::int_(1)]))
    wrong_type("write_problem: solution", "what solve returns, (z, report)", object);
  const auto outcome = py::object(object[py::int_(1)]).cast<Outcome>();
  return StoredSolution{to_point(object[py::int_(0)], size, "write_problem: z"), outcome.solver,
                        outcome.tolerance, outcome.report, outcome.certificate};
}

/// NAME.mtx and NAME_q.mtx
void write_two_matrices(const fs::path& path, const ComplementarityProblem& problem) {
  require(kind_of(problem) == ProblemKind::lcp,
          "write_problem: '{}': Matrix Market files hold an Lcp only; use the ending .h5",
          path.string());
  fs::path sibling = path;
  sibling.replace_filename(path.stem().string() + "_q.mtx");
  write_matrix_market(path, matrix_of(problem));
  write_matrix_market(sibling, vector_of(problem));
}

bool is_text(const std::string& ending) { return ending == ".dat" || ending == ".txt"; }

void write(const py::object& file, const py::object& object, const py::object& result) {
  const fs::path path = to_path(file);
  const std::string ending = path.extension().string();
  if (const auto contact = to_contact_problem(object)) {
    require(is_text(ending) && result.is_none(),
            "write_problem: '{}': a problem of contact needs the ending .dat or .txt and takes no "
            "solution; use write_fclib for HDF5",
            path.string());
    return write_siconos_friction(path, *contact);
  }
  const ComplementarityProblem problem = to_problem(object);
  const auto solution = to_solution(result, vector_of(problem).size());
  if (ending == ".h5" || ending == ".hdf5") return write_problem_hdf5(path, problem, solution);
  require(!solution, "write_problem: '{}': a solution needs the ending .h5 or .hdf5",
          path.string());
  if (ending == ".mtx") return write_two_matrices(path, problem);
  require(is_text(ending),
          "write_problem: '{}' ends with '{}', expected .h5, .hdf5, .dat, .txt or .mtx",
          path.string(), ending);
  write_siconos_text(path, problem);
}

py::object solution_of(const py::object& file) {
  const auto solution = read_solution_hdf5(to_path(file));
  if (!solution) return py::none();
  return answer(solution->z,
                {solution->report, solution->certificate, solution->solver, solution->tolerance});
}

}  // namespace

void bind_problem_files(py::module_& m) {
  m.def(
      "read_problem", &read, py::arg("path"), py::arg("kind") = py::none(),
      py::arg("q") = py::none(),
      "read_problem(path, kind=None, q=None)\n--\n\n"
      "Reads a problem from a file of any form, told by its content: HDF5 as write_problem and\n"
      "write_fclib make it, the text files of SICONOS, or Matrix Market (M of an Lcp; `q` is the\n"
      "file of its vector, by default NAME_q.mtx). `kind` is 'lcp', 'mlcp' or 'relay' for a text\n"
      "that does not tell. Gives an Lcp, an Mlcp, a BlockForm (relays, mixed contacts), a Soclcp, "
      "a\n"
      "FrictionContact, a GlobalFrictionContact or a GlobalBlockForm.\n\n"
      ">>> problem = saltus.read_problem('circuit.dat')\n"
      ">>> saltus.write_problem('circuit.h5', problem, saltus.solve(problem))");
  m.def("write_problem", &write, py::arg("path"), py::arg("problem"),
        py::arg("solution") = py::none(),
        "write_problem(path, problem, solution=None)\n--\n\n"
        "Writes an Lcp, an Mlcp or a relay (BlockForm without friction), or as text a problem of\n"
        "contact. The ending says how:\n\n"
        "    .h5 .hdf5   HDF5 that explains itself, with the `solution` that solve returned, if "
        "any;\n"
        "                problems of contact: write_fclib\n"
        "    .dat .txt   text file of SICONOS\n"
        "    .mtx        Matrix Market, an Lcp only: M, and q in NAME_q.mtx");
  m.def("read_solution", &solution_of, py::arg("path"),
        "read_solution(path)\n--\n\n"
        "The pair (z, report) stored in an HDF5 file by write_problem; None if there is none.");
}

}  // namespace saltus::python
