#include "apps/solvers_command.hpp"

#include "apps/solver_catalogue.hpp"
#include "apps/suggest.hpp"

#include <algorithm>

namespace saltus {

namespace {

std::vector<std::string> problems_of(const std::vector<SolverEntry>& list) {
  std::vector<std::string> problems;
  for (const SolverEntry& entry : list)
    if (problems.empty() || problems.back() != entry.problem) problems.push_back(entry.problem);
  return problems;
}

}  // namespace

std::string list_solvers(const std::string& problem) {
  std::vector<SolverEntry> list = solver_catalogue();
  const std::vector<std::string> known = problems_of(list);
  if (!problem.empty()) {
    require(std::find(known.begin(), known.end(), problem) != known.end(), "problem {}",
            unknown_name(problem, known));
    std::erase_if(list, [&](const SolverEntry& entry) { return entry.problem != problem; });
  }
  list.insert(list.begin(), {"PROBLEM", "ALGORITHM", "WHEN TO USE", "PAPER"});
  std::size_t first = 0, second = 0, third = 0;
  for (const SolverEntry& entry : list) {
    first = std::max(first, entry.problem.size());
    second = std::max(second, entry.algorithm.size());
    third = std::max(third, entry.when.size());
  }
  std::string table;
  for (const SolverEntry& entry : list) {
    std::string line = fmt::format("{:<{}}  {:<{}}  {:<{}}  {}", entry.problem, first,
                                   entry.algorithm, second, entry.when, third, entry.paper);
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + '\n';
  }
  return table;
}

}  // namespace saltus
