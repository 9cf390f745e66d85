#pragma once

#include "saltus/base/stopwatch.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus {

/// Progress of a run on the standard error stream: bar, per cent, time elapsed and to go. Drawn
/// about ten times a second; in between a step costs one comparison.
class ProgressBar {
 public:
  void update(const Observation& seen);
  /// The same for work of another kind, of which this fraction is done.
  void update(double fraction);
  /// Removes the bar.
  void clear();

 private:
  void draw(double fraction);

  Stopwatch clock_;
  double drawn_ = 0;    ///< seconds at which the bar was drawn last
  long next_look_ = 1;  ///< step at which to look at the clock again
  bool visible_ = false;
};

}  // namespace saltus
