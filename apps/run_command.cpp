#include "apps/run_command.hpp"

#include "apps/builtin_models.hpp"
#include "apps/plot.hpp"
#include "apps/progress_bar.hpp"
#include "apps/settings.hpp"
#include "apps/summary.hpp"
#include "saltus/base/stopwatch.hpp"
#include "saltus/io/atomic_file.hpp"
#include "saltus/io/output_folder.hpp"
#include "saltus/io/problem_dump.hpp"
#include "saltus/io/trajectory_csv.hpp"

#include <unistd.h>

#include <cmath>

namespace saltus {

namespace {

Settings parse_settings(const std::vector<std::string>& words) {
  Settings settings;
  for (const std::string& word : words) {
    const std::size_t sign = word.find('=');
    require(sign != std::string::npos && sign > 0, "--set is '{}', expected name=value", word);
    settings.emplace_back(word.substr(0, sign), word.substr(sign + 1));
  }
  return settings;
}

double positive_or(const std::optional<double>& given, double fallback, const char* option) {
  const double value = given.value_or(fallback);
  require(value > 0 && value < inf, "{} is {}, expected a number > 0", option, value);
  return value;
}

template <class... Option>
std::vector<std::string> names_of(const std::variant<Option...>&) {
  return {std::string(Option::name)...};
}

Algorithm solver_by_name(const std::string& name) {
  try {
    return algorithm_by_name(name);
  } catch (const Error&) {
    fail("--solver {}", unknown_name(name, names_of(Algorithm{})));
  }
}

Scheme chosen_scheme(const std::string& name) {
  try {
    return scheme_by_name(name);
  } catch (const Error&) {
    fail("--scheme {}", unknown_name(name, names_of(Scheme{})));
  }
}

/// Sets a number of the scheme, if it has it.
void set_number(const std::optional<double>& given, std::string_view field, Scheme& scheme) {
  if (!given) return;
  bool known = false;
  std::visit(
      [&]<class S>(S& s) {
        S::fields(s, [&]<class V>(const Field& f, V& value) {
          if constexpr (std::is_same_v<V, double>)
            if (f.name == field) value = *given, known = true;
        });
      },
      scheme);
  require(known, "--{}: {} has no {}", field, name(scheme), field);
}

Scheme scheme_of(const RunRequest& request, const BuiltinModel& entry) {
  Scheme scheme = chosen_scheme(request.scheme.value_or("MoreauJean"));
  set_number(request.theta, "theta", scheme);
  set_number(request.gamma, "gamma", scheme);
  const auto choose = [&](Algorithm& solver) {
    solver = request.solver ? solver_by_name(*request.solver) : entry.solver;
    if (request.tolerance) std::visit([&](auto& s) { s.tolerance = *request.tolerance; }, solver);
  };
  std::visit(
      [&](auto& s) {
        if constexpr (requires { s.solver; })
          choose(s.solver);
        else
          require(!request.solver && !request.tolerance,
                  "--solver and --tolerance: {} solves no one-step problem", s.name);
      },
      scheme);
  validate(scheme);
  return scheme;
}

/// What solves the one-step problems.
std::string solver_text(const Scheme& scheme) {
  return std::visit(
      [](const auto& s) -> std::string {
        if constexpr (requires { s.solver; })
          return std::string(describe(s.solver));
        else
          return "none";
      },
      scheme);
}

/// "MoreauJean, theta = 0.5, gamma = 0.5": its numbers θ and γ, if it has them.
std::string scheme_text(const Scheme& scheme) {
  std::string text(name(scheme));
  std::visit(
      [&]<class S>(const S& s) {
        S::fields(s, [&]<class V>(const Field& f, const V& value) {
          if constexpr (std::is_same_v<V, double>)
            if (f.name == "theta" || f.name == "gamma")
              text += fmt::format(", {} = {}", f.name, value);
        });
      },
      scheme);
  return text;
}

/// The last step of a run is shorter if the end does not lie on the grid.
double last_step(double time, double step) {
  const double remainder = time - std::floor(time / step + 1e-9) * step;
  return remainder > 1e-9 * step ? remainder : step;
}

/// The record of the whole run is kept in memory: refuses one that cannot fit.
void require_memory(const Model& model, double steps, int every) {
  const auto columns =
      static_cast<double>(model.positions() + model.dof() + model.first_order_size() +
                          (model.dof() > 0 ? 3 : 2) * model.rows() + 1);
  const double needed = steps / every * columns * sizeof(double);
  const double present =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  require(needed < present,
          "recording {:.4g} steps needs {:.3g} GB, this machine has {:.3g} GB: raise --every or "
          "--step, or lower --time",
          steps / every, needed / 1e9, present / 1e9);
}

/// Makes the folder and checks that files can be written there.
void prepare_folder(const std::filesystem::path& folder) {
  make_output_folder(folder);
  const AtomicFile probe(folder / "saltus");
}

Trajectory simulate(Simulation& simulation, double time, bool progress) {
  ProgressBar bar;
  if (progress) simulation.observe([&](const Observation& seen) { bar.update(seen); });
  Trajectory run = simulation.run(time);
  bar.clear();
  return run;
}

void report_file(const std::filesystem::path& path, double seconds) {
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  fmt::print(
      "  {}  {}, written in {}\n", path.string(),
      size < 1e6 ? fmt::format("{:.1f} kB", size / 1e3) : fmt::format("{:.1f} MB", size / 1e6),
      duration_text(seconds));
}

void report_missing_picture(const std::string& reason) {
  fmt::print(stderr, "saltus: no picture: {}\n", reason);
}

void write_files(const RunRequest& request, const Trajectory& run, const Notes& notes) {
  Stopwatch clock;
  const auto path = [&](const char* ending) { return request.output / (request.model + ending); };
  const auto written = [&](const std::filesystem::path& file) {
    if (!request.quiet) report_file(file, clock.lap());
  };
  if (!request.quiet) fmt::print("\nFiles\n");
  write_hdf5(path(".h5"), run, notes);
  written(path(".h5"));
  write_csv(path(".csv"), run);
  written(path(".csv"));
  if (!request.plot) return;
  const std::string problem = draw(path(".png"), run, notes);
  if (problem.empty())
    written(path(".png"));
  else
    report_missing_picture(problem);
}

}  // namespace

int run(const RunRequest& request) {
  const BuiltinModel& entry = builtin_model(request.model);
  const double step = positive_or(request.step, entry.step, "--step");
  const double time = positive_or(request.time, entry.time, "--time");
  const Scheme scheme = scheme_of(request, entry);
  const SimulationOptions options{.step = step,
                                  .adaptive = {.tolerance = request.adaptive.value_or(0)},
                                  .record = {.every = request.every.value_or(entry.every)},
                                  .profile = true};
  validate(options);
  const BuiltinCase chosen = entry.make(parse_settings(request.settings), last_step(time, step));
  require_memory(chosen.model, time / step, options.record.every);
  Simulation simulation(chosen.model, scheme, options);
  prepare_folder(request.output);

  if (!request.quiet)
    fmt::print("Model   {}\nScheme  {}, {} s in steps of {} s\nSolver  {}\n", chosen.parameters,
               scheme_text(scheme), time, step, solver_text(scheme));
  std::shared_ptr<const DumpCount> dumped;
  if (!request.dump.empty())
    dumped = dump_problems(
        simulation, {.folder = request.dump, .title = request.model, .every = request.dump_every});
  const Trajectory result = simulate(simulation, time, request.progress);
  if (!request.quiet) {
    fmt::print("\nRun\n{}", summary(result.report));
    const std::string comparison = chosen.compare(result);
    if (!comparison.empty()) fmt::print("  check        {}\n", comparison);
    if (dumped)
      fmt::print(
          "  problems     {} FCLib files in {}{}\n", dumped->files, request.dump.string(),
          dumped->skipped > 0 ? fmt::format(", {} of mixed kinds left out", dumped->skipped) : "");
  }
  Notes notes{{"model", request.model},
              {"parameters", chosen.parameters},
              {"scheme", describe(scheme)},
              {"step", fmt::format("{}", step)}};
  if (!chosen.figure.panels.empty()) add_notes(chosen.figure, notes);
  write_files(request, result, notes);
  if (result.report.ok()) return 0;
  fmt::print(stderr, "saltus: {}\n", result.report.message());
  return 1;
}

int plot(const std::filesystem::path& file, const std::filesystem::path& png) {
  const Trajectory run = read_hdf5(file);
  const std::string problem = draw(png, run, read_notes(file));
  if (problem.empty()) return 0;
  report_missing_picture(problem);
  return 1;
}

}  // namespace saltus
