#pragma once

#include "saltus/algebra/types.hpp"

#include <string_view>

namespace saltus {

/// x ∈ S up to `tolerance`, a distance:  contains ⇔ distance(S, x) ≤ tolerance. With the default 0
/// a point of the boundary may fall on either side of a curved set by rounding. A point with a NaN
/// is in no set but the whole space.
template <class S>
[[nodiscard]] bool contains(const S& set, ConstVectorRef x,
                            double tolerance = 0) requires requires {
  distance(set, x);
}
{ return distance(set, x) <= tolerance; }

/// Throws Error unless the result p has the size of x.
inline void check_result(std::string_view set, Index x, Index p) {
  require(x == p, "{}: x has size {}, the result has size {}", set, x, p);
}

/// Throws Error unless J is n×n for x of size n.
inline void check_jacobian(std::string_view set, Index n, const MatrixRef& J) {
  require(J.rows() == n && J.cols() == n,
          "{}: x has size {}, its Jacobian is {}x{}, expected {}x{}", set, n, J.rows(), J.cols(), n,
          n);
}

}  // namespace saltus
