#pragma once

#include "saltus/systems/lcs.hpp"

namespace saltus::testing {

/// x^(n) = λ with output x; λ acts on derivative number `degree`.
inline Lcs integrator_chain(Index n, Index degree) {
  Lcs s{.A = Matrix::Zero(n, n), .B = Matrix::Zero(n, 1), .C = Matrix::Zero(1, n)};
  for (Index i = 0; i + 1 < n; ++i) s.A(i, i + 1) = 1;
  s.B(degree - 1, 0) = 1;
  s.C(0, 0) = 1;
  return s;
}

}  // namespace saltus::testing
