#include "apps/solve_command.hpp"

#include "apps/solve_contact.hpp"
#include "apps/solver_catalogue.hpp"
#include "apps/suggest.hpp"
#include "apps/waiting_line.hpp"
#include "saltus/base/overloaded.hpp"
#include "saltus/io/output_folder.hpp"
#include "saltus/solvers/friction_presets.hpp"

#include <cmath>
#include <new>
#include <set>

namespace saltus {

namespace {

/// The algorithm of `name` among those of the problem, with the tolerance.
template <class Variant>
Variant chosen(const SolveRequest& request, ProblemKind kind) {
  std::optional<Variant> algorithm = find_algorithm<Variant>(request.solver);
  if (!algorithm) {
    std::string known;
    for (const std::string& name : algorithm_names<Variant>())
      known += (known.empty() ? "" : ", ") + name;
    fail("{} does not solve problems of kind {}; these do: {}", request.solver, name(kind), known);
  }
  std::visit([&](auto& options) { options.tolerance = request.tolerance; }, *algorithm);
  return *algorithm;
}

template <class Variant, class Problem>
SolveReport solve_with(const SolveRequest& request, const Problem& problem, ProblemKind kind,
                       SolvedFile& result) {
  const Variant algorithm = chosen<Variant>(request, kind);
  result.solution.solver = std::visit([](const auto& a) { return std::string(a.name); }, algorithm);
  Workspace work;
  const SolveReport report = solve(problem, result.solution.z, algorithm, work);
  const bool proved =
      report.status == SolveStatus::infeasible || report.status == SolveStatus::unbounded;
  if (proved) result.solution.certificate = work.certificate;
  return report;
}

SolvedFile solve_one(const SolveRequest& request, const std::filesystem::path& file,
                     const ComplementarityProblem& problem) {
  const ProblemKind kind = kind_of(problem);
  SolvedFile result{.file = file, .problem = std::string(name(kind))};
  result.solution.tolerance = request.tolerance;
  result.solution.z = Vector::Zero(vector_of(problem).size());
  result.solution.report = std::visit(
      Overloaded{
          [&](const BlockForm& p) { return solve_with<Algorithm>(request, p, kind, result); },
          [&](const auto& p) {
            return solve_with<ComplementarityAlgorithm>(request, p, kind, result);
          }},
      problem);
  return result;
}

ComplementarityProblem complementarity_part(const StoredProblem& problem) {
  return std::visit(Overloaded{[](const Lcp& p) -> ComplementarityProblem { return p; },
                               [](const Mlcp& p) -> ComplementarityProblem { return p; },
                               [](const BlockForm& p) -> ComplementarityProblem { return p; },
                               [](const auto&) -> ComplementarityProblem {
                                 fail("not a complementarity problem");
                               }},
                    problem);
}

std::filesystem::path target_of(const SolveRequest& request, const std::filesystem::path& file) {
  return request.output / (file.stem().string() + ".h5");
}

/// Reads, solves and writes one file.
SolvedFile treat(const SolveRequest& request, const ProblemReading& how,
                 const std::filesystem::path& file) {
  std::optional<WaitingLine> waiting;
  if (request.progress) waiting.emplace(fmt::format("solving {}", file.filename().string()));
  const StoredProblem stored = read_any_problem(file, how);
  SolvedFile result;
  if (is_contact(stored)) {
    result = solve_contact_problem(request, file, stored);
    if (!request.output.empty())
      write_contact_solution(target_of(request, file), file, stored, result);
  } else {
    const ComplementarityProblem problem = complementarity_part(stored);
    result = solve_one(request, file, problem);
    if (!request.output.empty())
      write_problem_hdf5(target_of(request, file), problem, result.solution);
  }
  return result;
}

std::vector<std::string> known_solvers() {
  std::set<std::string> names;
  for (const std::string& name : algorithm_names<ComplementarityAlgorithm>()) names.insert(name);
  for (const std::string& name : algorithm_names<Algorithm>()) names.insert(name);
  for (const std::string& name : contact_solver_names()) names.insert(name);
  return {names.begin(), names.end()};
}

/// Mistakes in the request; the way to read the files.
ProblemReading checked(const SolveRequest& request) {
  require(find_algorithm<ComplementarityAlgorithm>(request.solver) ||
              find_algorithm<Algorithm>(request.solver) || friction_preset(request.solver),
          "--solver {}", unknown_name(request.solver, known_solvers()));
  require(request.tolerance > 0 && std::isfinite(request.tolerance),
          "--tolerance is {}, expected a number > 0", request.tolerance);
  require(request.q.empty() || request.files.size() == 1,
          "--q gives the vector of one file, but there are {} files", request.files.size());
  ProblemReading how{.q = request.q};
  if (request.problem) {
    how.kind = kind_by_name(*request.problem);
    const std::vector<std::string> kinds{"lcp", "mlcp", "relay"};
    require(how.kind.has_value(), "--problem {}", unknown_name(*request.problem, kinds));
  }
  return how;
}

void prepare_output(const SolveRequest& request) {
  std::set<std::filesystem::path> targets;
  for (const std::filesystem::path& file : request.files)
    require(targets.insert(target_of(request, file)).second,
            "two of the files would be written as '{}': solve them one by one",
            target_of(request, file).string());
  make_output_folder(request.output);
}

}  // namespace

int solve_files(const SolveRequest& request) {
  const ProblemReading how = checked(request);
  if (!request.output.empty()) prepare_output(request);
  SolveOutput output(request);
  bool mistake = false, unsolved = false;
  for (const std::filesystem::path& file : request.files) {
    try {
      const SolvedFile result = treat(request, how, file);
      output.print(result);
      if (!result.solution.report.converged()) unsolved = true;
    } catch (const Error& error) {
      output.print_mistake(file, error.what());
      mistake = true;
    } catch (const std::bad_alloc&) {
      output.print_mistake(file, fmt::format("not enough memory for '{}'", file.string()));
      mistake = true;
    }
  }
  output.print_end();
  return mistake ? 2 : (unsolved ? 1 : 0);
}

}  // namespace saltus
