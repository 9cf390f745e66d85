#include "saltus/systems/gyroscopic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus {

Vector gyroscopic_term(const std::function<void(ConstVectorRef, MatrixRef)>& mass, ConstVectorRef q,
                       ConstVectorRef v) {
  const Index n = q.size();
  require(v.size() == n, "gyroscopic_term: {} velocities for {} positions", v.size(), n);
  const double step = std::pow(std::numeric_limits<double>::epsilon(), 0.2) *
                      std::max(1.0, n > 0 ? q.lpNorm<Eigen::Infinity>() : 0.0);
  Vector N = Vector::Zero(n), moved = q;
  Matrix M(n, n), derivative(n, n);
  for (Index l = 0; l < n; ++l) {
    derivative.setZero();
    for (const auto& [steps, weight] :
         {std::pair{-2, 1.0}, std::pair{-1, -8.0}, std::pair{1, 8.0}, std::pair{2, -1.0}}) {
      moved[l] = q[l] + steps * step;
      mass(moved, M);
      derivative += weight / (12 * step) * M;
    }
    moved[l] = q[l];
    N += v[l] * (derivative * v);  // both sums over ∂_l M_ik v_k v_l
    N[l] -= 0.5 * v.dot(derivative * v);
  }
  return N;
}

}  // namespace saltus
