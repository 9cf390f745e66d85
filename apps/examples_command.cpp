#include "apps/examples_command.hpp"

#include "apps/builtin_models.hpp"

#include <algorithm>
#include <array>

namespace saltus {

namespace {

/// Left-aligned columns under a header.
template <std::size_t N>
std::string aligned(const std::vector<std::array<std::string, N>>& rows) {
  std::array<std::size_t, N> width{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < N; ++i) width[i] = std::max(width[i], row[i].size());
  std::string text;
  for (const auto& row : rows) {
    std::string line = "  ";
    for (std::size_t i = 0; i < N; ++i) line += fmt::format("{:<{}}  ", row[i], width[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace

std::string list_examples() {
  std::vector<std::array<std::string, 4>> rows{
      {"NAME", "STEP [s]", "TIME [s]", "WHAT IT IS AND SHOWS"}};
  for (const BuiltinModel& model : builtin_models()) {
    rows.push_back({model.name, fmt::format("{}", model.step), fmt::format("{}", model.time),
                    model.title + ":"});
    rows.push_back({"", "", "", model.shows});
  }
  return fmt::format(
      "Built-in models:\n{}\n"
      "Run one:         saltus run {}\n"
      "Its parameters:  saltus examples {}\n",
      aligned(rows), builtin_models().front().name, builtin_models().front().name);
}

std::string describe_example(const std::string& name) {
  const BuiltinModel& model = builtin_model(name);
  std::vector<std::array<std::string, 4>> rows{{"PARAMETER", "DEFAULT", "RANGE", "MEANING"}};
  for (const Parameter& p : model.parameters) rows.push_back({p.name, p.value, p.range, p.meaning});
  return fmt::format(
      "{}: {}\nShows {}.\n\n{}\n"
      "Defaults: --step {} --time {} --every {} --solver {}\n"
      "Change a parameter:  saltus run {} --set {}={}\n",
      model.name, model.title, model.shows, aligned(rows), model.step, model.time, model.every,
      std::visit([](const auto& s) { return s.name; }, model.solver), model.name,
      model.parameters.front().name, model.parameters.front().value);
}

}  // namespace saltus
