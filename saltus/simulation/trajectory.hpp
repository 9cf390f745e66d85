#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/simulation/run_report.hpp"

#include <string>
#include <vector>

namespace saltus {

/// A quantity recorded over time: one row per instant, one column per component, row after row.
struct Table {
  using View =
      Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

  std::vector<std::string> names;  ///< of the columns, "ball.q[0]"
  std::vector<double> values;

  [[nodiscard]] Index columns() const { return static_cast<Index>(names.size()); }
  [[nodiscard]] Index rows() const {
    return names.empty() ? 0 : static_cast<Index>(values.size()) / columns();
  }
  [[nodiscard]] View matrix() const { return {values.data(), rows(), columns()}; }
  [[nodiscard]] double operator()(Index row, Index column) const {
    return values[row * columns() + column];
  }
};

/// What a run recorded. Tables that were not asked for have no columns.
struct Trajectory {
  std::vector<double> t;
  Table q;  ///< positions
  Table v;  ///< velocities, right limits
  Table x;  ///< first-order states
  Table y;  ///< outputs of the interactions
  Table u;  ///< relative velocities of the Lagrangian interactions
  Table r;  ///< percussions over the step (Lagrangian), multipliers λ (first order)
  RunReport report;

  [[nodiscard]] Index size() const { return static_cast<Index>(t.size()); }
  /// One column by its name, e.g. "ball.q[0]". Throws Error with the known names otherwise.
  [[nodiscard]] Vector column(std::string_view name) const;
};

}  // namespace saltus
