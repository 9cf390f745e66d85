#pragma once

#include "saltus/io/trajectory_hdf5.hpp"

#include <string>
#include <vector>

namespace saltus {

/// One curve: the sum of columns of the trajectory, times `scale`.
struct Curve {
  std::string label;
  std::vector<std::string> columns;
  double scale = 1;
  bool background = false;  ///< drawn pale and wide, below the others
};

/// One diagram over time, or, as a profile, the last instant of the columns of each curve, one
/// point per column, against their number from 1.
struct Panel {
  std::string title;
  std::string y_label;
  std::vector<Curve> curves;
  bool profile = false;
  std::string x_label = "";  ///< of a profile
  double until = 0;          ///< last instant shown [s]; 0 means all
};

/// What to draw of a trajectory. It travels in the notes of the HDF5 file.
struct Figure {
  std::string title;
  std::vector<Panel> panels;
  double time_scale = 1;
  std::string time_label = "time [s]";
};

/// A text as a JSON string, with its quotes.
[[nodiscard]] std::string json_text(const std::string& text);

/// First states and multipliers: for trajectories of which nothing else is known.
[[nodiscard]] Figure default_figure(const Trajectory& run);

/// As notes: `figure` (JSON, read by python/saltus/plot.py), `figure_columns` (names, one per
/// line).
void add_notes(const Figure& figure, Notes& notes);

}  // namespace saltus
