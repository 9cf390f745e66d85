#include "saltus/io/problem_hdf5.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/io/atomic_file.hpp"
#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/io/problem_file_blocks.hpp"

#include <limits>

namespace saltus {

using hdf5::Handle;

namespace {

constexpr const char* format_name = "saltus problem";
constexpr long format_version = 1;

std::string about(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return "linear complementarity problem: w = M z + q, 0 <= w _|_ z >= 0";
    case ProblemKind::mlcp:
      return "mixed linear complementarity problem: w = M z + q, w_i = 0 for i in equalities, "
             "0 <= w_i _|_ z_i >= 0 otherwise";
    case ProblemKind::relay:
      return "relay: w = M z + q, lower <= z <= upper, w_i > 0 => z_i = lower_i, "
             "w_i < 0 => z_i = upper_i";
  }
  return {};
}

Handle create_group(hid_t file, const char* name, const std::string& what) {
  return Handle(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose, what);
}

void write_vector(hid_t group, const char* name, const Vector& v, const std::string& text,
                  const std::string& what) {
  hdf5::write_numbers(group, name, {v.data(), static_cast<std::size_t>(v.size())}, text, what);
}

Vector read_vector(hid_t group, const char* name, const std::string& what) {
  const std::vector<double> values = hdf5::read_numbers(group, name, what);
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

void write_matrix(hid_t file, const BlockSparse& M, const std::string& what) {
  const BlockArrays arrays = to_arrays(M);
  const Handle group = create_group(file, "M", what);
  hdf5::write_attribute(group, "about",
                        std::string("matrix of dense blocks in compressed block rows"), what);
  hdf5::write_integers(group, "row_sizes", arrays.row_sizes, "rows of each block row", what);
  hdf5::write_integers(group, "column_sizes", arrays.column_sizes, "columns of each block column",
                       what);
  hdf5::write_integers(group, "row_begin", arrays.row_begin,
                       "first block of each block row, then the number of blocks", what);
  hdf5::write_integers(group, "columns", arrays.columns, "block column of each block", what);
  hdf5::write_numbers(group, "values", arrays.values,
                      "values of the blocks, one after the other, each column by column", what);
}

BlockSparse read_matrix(hid_t file, const std::string& what) {
  const Handle group = hdf5::open_group(file, "M", what);
  BlockArrays arrays;
  arrays.row_sizes = hdf5::read_integers(group, "row_sizes", what);
  arrays.column_sizes = hdf5::read_integers(group, "column_sizes", what);
  arrays.row_begin = hdf5::read_integers(group, "row_begin", what);
  arrays.columns = hdf5::read_integers(group, "columns", what);
  arrays.values = hdf5::read_numbers(group, "values", what);
  return to_matrix(arrays, what + ": M");
}

void write_kind(hid_t file, const Lcp&, const std::string&) { static_cast<void>(file); }

void write_kind(hid_t file, const Mlcp& problem, const std::string& what) {
  hdf5::write_integers(file, "equalities", problem.equalities, "rows with w = 0", what);
}

void write_kind(hid_t file, const BlockForm& problem, const std::string& what) {
  const Bounds bounds = bounds_of(problem);
  write_vector(file, "lower", bounds.lower, "least z", what);
  write_vector(file, "upper", bounds.upper, "largest z", what);
}

/// With the file named in the text of every Error of the problem library.
template <class Make>
ComplementarityProblem checked(const std::string& what, Make make) {
  try {
    ComplementarityProblem problem = make();
    std::visit([](const auto& p) { validate(p); }, problem);
    return problem;
  } catch (const Error& mistake) {
    const std::string text = mistake.what();
    throw Error(text.starts_with(what) ? text : what + ": " + text);
  }
}

void write_solution(hid_t file, const StoredSolution& solution, const std::string& what) {
  const Handle group = create_group(file, "solution", what);
  write_vector(group, "z", solution.z, "the point reached", what);
  hdf5::write_attribute(group, "solver", solution.solver, what);
  hdf5::write_attribute(group, "tolerance", solution.tolerance, what);
  hdf5::write_attribute(group, "status", std::string(name(solution.report.status)), what);
  hdf5::write_attribute(group, "residual", solution.report.residual, what);
  hdf5::write_attribute(group, "iterations", static_cast<long>(solution.report.iterations), what);
  hdf5::write_attribute(group, "seconds", solution.report.seconds, what);
  if (solution.certificate.size() > 0)
    write_vector(group, "certificate", solution.certificate, "proof that there is no solution",
                 what);
}

SolveStatus read_status(hid_t group, const std::string& what) {
  const std::string text = hdf5::read_text(group, "status", what);
  for (int i = 0; name(static_cast<SolveStatus>(i)) != "unknown"; ++i)
    if (name(static_cast<SolveStatus>(i)) == text) return static_cast<SolveStatus>(i);
  fail("{}: the solution has status '{}', which is unknown", what, text);
}

StoredSolution read_solution(hid_t file, const std::string& what) {
  const Handle group = hdf5::open_group(file, "solution", what);
  StoredSolution solution;
  solution.z = read_vector(group, "z", what);
  solution.solver = hdf5::read_text(group, "solver", what);
  solution.tolerance = hdf5::read_number(group, "tolerance", what);
  solution.report.status = read_status(group, what);
  solution.report.residual = hdf5::read_number(group, "residual", what);
  const long iterations = hdf5::read_integer(group, "iterations", what);
  require(iterations >= 0 && iterations <= std::numeric_limits<int>::max(),
          "{}: the solution has {} iterations", what, iterations);
  solution.report.iterations = static_cast<int>(iterations);
  solution.report.seconds = hdf5::read_number(group, "seconds", what);
  if (hdf5::has(group, "certificate"))
    solution.certificate = read_vector(group, "certificate", what);
  return solution;
}

std::string reading(const std::filesystem::path& path) {
  return fmt::format("cannot read '{}'", path.string());
}

}  // namespace

void write_problem_hdf5(const std::filesystem::path& path, const ComplementarityProblem& problem,
                        const std::optional<StoredSolution>& solution) {
  const hdf5::Silence silence;
  std::visit([](const auto& p) { validate(p); }, problem);
  const std::string what = fmt::format("cannot write '{}'", path.string());
  AtomicFile target(path);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, what);
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), what);
  Handle file(H5Fcreate(target.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), &H5Fclose,
              what);
  const ProblemKind kind = kind_of(problem);
  hdf5::write_attribute(file, "format", std::string(format_name), what);
  hdf5::write_attribute(file, "version", format_version, what);
  hdf5::write_attribute(file, "kind", std::string(name(kind)), what);
  hdf5::write_attribute(file, "about", about(kind), what);
  write_matrix(file, matrix_of(problem), what);
  write_vector(file, "q", vector_of(problem), "constant term", what);
  std::visit([&](const auto& p) { write_kind(file, p, what); }, problem);
  if (solution) write_solution(file, *solution, what);
  file.finish(what);
  target.commit();
}

ComplementarityProblem read_problem_hdf5(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  const std::string what = reading(path);
  const Handle file = hdf5::open_file(path, format_name, format_version, what);
  const std::string text = hdf5::read_text(file, "kind", what);
  const std::optional<ProblemKind> kind = kind_by_name(text);
  require(kind.has_value(), "{}: its kind is '{}', expected lcp, mlcp or relay", what, text);
  return checked(what, [&]() -> ComplementarityProblem {
    Lcp affine{read_matrix(file, what), read_vector(file, "q", what)};
    require(affine.q.size() >= 1, "q is empty");
    validate(affine);
    if (*kind == ProblemKind::lcp) return affine;
    if (*kind == ProblemKind::mlcp)
      return Mlcp{affine.M, affine.q, hdf5::read_integers(file, "equalities", what)};
    const Vector lower = read_vector(file, "lower", what);
    return make_relay(affine.M, affine.q, lower, read_vector(file, "upper", what));
  });
}

std::optional<StoredSolution> read_solution_hdf5(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  const std::string what = reading(path);
  const Handle file = hdf5::open_file(path, format_name, format_version, what);
  if (!hdf5::has(file, "solution")) return std::nullopt;
  return read_solution(file, what);
}

}  // namespace saltus
