#include "saltus/algebra/hinge_sum.hpp"

#include "saltus/base/error.hpp"

#include <cmath>
#include <utility>

namespace saltus {

HingeSum::HingeSum(std::vector<double> breaks_, std::vector<double> slopes_)
    : breaks(std::move(breaks_)), slopes(std::move(slopes_)) {
  require(!breaks.empty() && breaks.size() == slopes.size() && breaks.size() <= 200,
          "HingeSum: there are {} breaks and {} slopes, expected as many, 1 to 200", breaks.size(),
          slopes.size());
  for (std::size_t j = 0; j < breaks.size(); ++j) {
    require(std::isfinite(breaks[j]) && std::isfinite(slopes[j]) &&
                (j == 0 || breaks[j] > breaks[j - 1]),
            "HingeSum: hinge {} has break {} and slope {}, expected increasing breaks, all finite",
            j, breaks[j], slopes[j]);
    steepness.push_back(steepness.back() + slopes[j]);
    offset.push_back(offset.back() + slopes[j] * breaks[j]);
  }
}

}  // namespace saltus
