#pragma once

#include "apps/figure.hpp"
#include "saltus/model/model.hpp"
#include "saltus/solvers/algorithm.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace saltus {

/// A parameter of a built-in model, as text.
struct Parameter {
  std::string name, meaning, range, value;
};

/// name=value pairs given by the user.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// A built-in model with its parameters settled.
struct BuiltinCase {
  Model model;
  std::string parameters;  ///< "DiodeBridge(inductance=0.01, …)"
  Figure figure = {};      ///< without panels: the default figure
  /// Compares a run with the exact solution, in one line.
  std::function<std::string(const Trajectory&)> compare = [](const Trajectory&) { return ""; };
};

/// A model that the command line knows by its name.
struct BuiltinModel {
  std::string name;   ///< "diode_bridge"
  std::string title;  ///< what it is
  std::string shows;  ///< what it shows
  double step = 0;    ///< default time step [s]
  double time = 0;    ///< default end time [s]
  int every = 1;      ///< default: record each every-th step
  Algorithm solver = Automatic{};
  std::vector<Parameter> parameters = {};
  /// Applies the settings and builds the model, for a run whose last step has length h. Throws
  /// Error on unknown names and values out of range.
  std::function<BuiltinCase(const Settings&, double h)> make = {};
};

[[nodiscard]] const std::vector<BuiltinModel>& builtin_models();
/// Throws Error with the nearest names if there is none of that name.
[[nodiscard]] const BuiltinModel& builtin_model(std::string_view name);

}  // namespace saltus
