#include "saltus/solvers/nlp_dual.hpp"

#include "saltus/solvers/nlp_merit.hpp"

namespace saltus {

NlpDualValue dual_function(const Nlp& problem, ConstVectorRef lambda, ConstVectorRef mu,
                           ConstVectorRef guess, double gradient_tolerance, int max_iterations) {
  validate(problem, NlpPoint{guess, lambda, mu});
  require(lambda.size() == problem.m && mu.size() == problem.p,
          "dual_function: lambda has size {} and mu {}, expected {} and {}", lambda.size(),
          mu.size(), problem.m, problem.p);
  for (Index i = 0; i < lambda.size(); ++i)
    require(lambda[i] >= 0, "dual_function: lambda_{} is {}, expected >= 0", i, lambda[i]);
  const PlainLagrangian merit{lambda, mu};
  NlpDualValue dual;
  dual.z = guess;
  dual.status = minimise(problem, dual.z, merit, gradient_tolerance, max_iterations).status;
  const NlpValues v = evaluate(problem, dual.z);
  dual.value = evaluate(NlpMerit(merit), v.f, v.g, v.h).value;
  dual.lambda_slope = -v.g;
  dual.mu_slope = -v.h;
  return dual;
}

}  // namespace saltus
