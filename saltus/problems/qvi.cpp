#include "saltus/problems/qvi.hpp"

#include "saltus/base/report.hpp"

namespace saltus {

double residual(const Qvi& problem, ConstVectorRef z) {
  validate(problem);
  return z.allFinite() ? residual(freeze(problem, z), z) : inf;
}

void validate(const Qvi& problem) {
  require(problem.n >= 0, "Qvi: n is {}, expected >= 0", problem.n);
  require(problem.F && problem.X, "Qvi: F or X is empty, expected functions");
}

Vi freeze(const Qvi& problem, ConstVectorRef point) {
  require(point.size() == problem.n, "freeze(Qvi): the point has size {}, the problem {}",
          point.size(), problem.n);
  return {problem.n, problem.X(point), problem.F, problem.jacobian};
}

Qvi to_qvi(const Vi& problem) {
  validate(problem);
  const Set X = problem.X;
  return {problem.n, [X](ConstVectorRef) { return X; }, problem.F, problem.jacobian};
}

}  // namespace saltus
