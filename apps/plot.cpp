#include "apps/plot.hpp"

#include "apps/figure.hpp"
#include "apps/python_script.hpp"
#include "plot_script.hpp"
#include "saltus/io/atomic_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace saltus {

namespace {

/// What python/saltus/plot.py reads: a line of JSON {"figure", "columns", "rows"}, then the columns
/// one after the other, each as `rows` doubles. The first column is t.
File script_input(const Trajectory& run, const Notes& notes) {
  std::vector<std::string> names{"t"};
  std::istringstream list(notes.at("figure_columns"));
  for (std::string name; std::getline(list, name);) names.push_back(name);
  std::string quoted;
  for (const std::string& name : names) quoted += (quoted.empty() ? "" : ", ") + json_text(name);
  File file = scratch_file();
  fmt::print(file.get(), R"({{"figure": {}, "columns": [{}], "rows": {}}})", notes.at("figure"),
             quoted, run.size());
  fmt::print(file.get(), "\n");
  for (const std::string& name : names) {
    const Vector column = run.column(name);
    std::fwrite(column.data(), sizeof(double), static_cast<std::size_t>(column.size()), file.get());
  }
  require(std::fflush(file.get()) == 0, "cannot write a temporary file: {}", std::strerror(errno));
  std::rewind(file.get());
  return file;
}

}  // namespace

std::string draw(const std::filesystem::path& png, const Trajectory& run, Notes notes) {
  if (!notes.contains("figure")) add_notes(default_figure(run), notes);
  AtomicFile file(png);
  const File input = script_input(run, notes);
  const std::string problem = run_python(plot_script, {file.temporary().string()}, input.get());
  if (problem.empty()) file.commit();
  return problem;
}

}  // namespace saltus
