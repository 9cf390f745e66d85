#include "saltus/problems/avi.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

namespace saltus {

double residual(const Avi& problem, ConstVectorRef z) {
  require(z.size() == problem.q.size(), "residual(Avi): z has size {}, the problem {}", z.size(),
          problem.q.size());
  Vector F(z.size());
  problem.M.multiply(z, F);
  F += problem.q;
  return natural_residual(problem.X, z, F);
}

void validate(const Avi& problem) {
  validate_affine("Avi", problem.M, problem.q);
  validate(problem.X);
  check_dimension(problem.X, problem.q.size());
}

Avi to_avi(LcpView problem) {
  validate(problem);
  return {problem.M, problem.q, NonNegative{}};
}

Vi to_vi(const Avi& problem) {
  validate(problem);
  const Ncp map = to_ncp(LcpView(problem.M, problem.q));
  return {map.n, problem.X, map.F, map.jacobian};
}

}  // namespace saltus
