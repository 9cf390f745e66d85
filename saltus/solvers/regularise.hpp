#pragma once

#include "saltus/problems/vi.hpp"

namespace saltus {

/// The problem with F(z) + ρ (z − center) in place of F: a step of the proximal point method, and
/// the perturbation that leads out of local minima of merit functions.
template <class Problem>
[[nodiscard]] Problem regularise(const Problem& problem, const Vector& center, double rho) {
  Problem shifted = problem;
  const VectorFunction F = problem.F;
  const JacobianFunction jacobian = problem.jacobian;
  shifted.F = [F, center, rho](ConstVectorRef z, VectorRef value) {
    F(z, value);
    value += rho * (z - center);
  };
  shifted.jacobian = [F, jacobian, rho](ConstVectorRef z, MatrixRef J) {
    evaluate_jacobian(F, jacobian, z, J);
    J.diagonal().array() += rho;
  };
  return shifted;
}

}  // namespace saltus
