#include "saltus/simulation/trajectory.hpp"

#include <algorithm>

namespace saltus {

Vector Trajectory::column(std::string_view name) const {
  if (name == "t") return Eigen::Map<const Vector>(t.data(), size());
  std::string known = "t";
  for (const Table* table : {&q, &v, &x, &y, &u, &r}) {
    const auto it = std::find(table->names.begin(), table->names.end(), name);
    if (it != table->names.end()) return table->matrix().col(it - table->names.begin());
    for (const std::string& other : table->names)
      if (known.size() < 400) known += ", " + other;
  }
  fail("Trajectory: no column '{}'; known: {}", name, known);
}

}  // namespace saltus
