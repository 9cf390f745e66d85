#include "apps/solve_output.hpp"

#include "apps/figure.hpp"
#include "apps/summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace saltus {

namespace {

std::string status_text(const StoredSolution& solution) {
  std::string text(name(solution.report.status));
  return solution.certificate.size() > 0 ? text + ", proved" : text;
}

}  // namespace

std::string json_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string json_object(const SolvedFile& result) {
  const StoredSolution& s = result.solution;
  std::string object =
      fmt::format(R"({{"file": {}, "problem": "{}", "n": {}, "solver": "{}", "status": "{}", )"
                  R"("residual": {}, "iterations": {}, "seconds": {})",
                  json_text(result.file.string()), result.problem, s.z.size(), s.solver,
                  name(s.report.status), json_number(s.report.residual), s.report.iterations,
                  json_number(s.report.seconds)) +
      result.details;
  if (s.certificate.size() > 0) {
    object += ", \"certificate\": [";
    for (Index i = 0; i < s.certificate.size(); ++i)
      object += (i > 0 ? ", " : "") + json_number(s.certificate[i]);
    object += ']';
  }
  return object + '}';
}

SolveOutput::SolveOutput(const SolveRequest& request)
    : json_(request.json), width_(4), files_(request.files.size()) {
  for (const std::filesystem::path& file : request.files)
    width_ = std::max(width_, file.string().size());
}

void SolveOutput::print_row(const SolvedFile& result) {
  constexpr const char* form = "{:<{}}  {:<15}  {:>6}  {:<13}  {:<18}  {:>8}  {:>10}  {:>8}\n";
  if (!header_printed_)
    fmt::print(fmt::runtime(form), "FILE", width_, "PROBLEM", "N", "SOLVER", "STATUS", "RESIDUAL",
               "ITERATIONS", "TIME");
  header_printed_ = true;
  const StoredSolution& s = result.solution;
  fmt::print(fmt::runtime(form), result.file.string(), width_, result.problem, s.z.size(), s.solver,
             status_text(s), fmt::format("{:.2g}", s.report.residual), s.report.iterations,
             duration_text(s.report.seconds));
}

void SolveOutput::print(const SolvedFile& result) {
  if (result.solution.report.converged()) ++solved_;
  if (json_)
    fmt::print("{}\n", json_object(result));
  else
    print_row(result);
  std::fflush(stdout);
}

void SolveOutput::print_mistake(const std::filesystem::path& file, const std::string& message) {
  if (json_)
    fmt::print("{{\"file\": {}, \"error\": {}}}\n", json_text(file.string()), json_text(message));
  std::fflush(stdout);
  fmt::print(stderr, "saltus: {}\n", message);
}

void SolveOutput::print_end() const {
  if (!json_ && files_ > 1) fmt::print("{} of {} solved\n", solved_, files_);
}

}  // namespace saltus
