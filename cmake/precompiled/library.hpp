// The headers of others that most sources include, parsed once (SALTUS_PCH). A source includes what
// it uses all the same: it has to compile without this, too.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "eigen_instances.hpp"
