#include "saltus/problems/soclcp.hpp"

#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

double residual(const Soclcp& problem, ConstVectorRef z) { return residual(to_avi(problem), z); }

void validate(const Soclcp& problem) {
  validate_affine("Soclcp", problem.M, problem.q);
  Index rows = 0;
  for (Index size : problem.sizes) {
    require(size >= 1, "Soclcp: a cone has {} rows, expected at least 1", size);
    rows += size;
  }
  require(rows == problem.q.size(), "Soclcp: the cones have {} rows, q has {}", rows,
          problem.q.size());
  const Index cones = static_cast<Index>(problem.sizes.size());
  require(problem.mu.size() == 0 || problem.mu.size() == cones,
          "Soclcp: mu has size {}, expected {} (one per cone) or 0", problem.mu.size(), cones);
  for (Index i = 0; i < problem.mu.size(); ++i)
    require(problem.mu[i] > 0 && std::isfinite(problem.mu[i]),
            "Soclcp: mu of cone {} is {}, expected > 0", i, problem.mu[i]);
}

Product cone(const Soclcp& problem) {
  Product K;
  for (std::size_t i = 0; i < problem.sizes.size(); ++i) {
    const double mu = problem.mu.size() == 0 ? 1.0 : problem.mu[static_cast<Index>(i)];
    if (problem.sizes[i] == 1)
      K.factors.push_back({NonNegative{}, 1});
    else
      K.factors.push_back({FrictionCone{mu}, problem.sizes[i]});
  }
  return K;
}

Avi to_avi(const Soclcp& problem) {
  validate(problem);
  return {problem.M, problem.q, cone(problem)};
}

BlockForm to_block_form(const Soclcp& problem) {
  validate(problem);
  BlockForm form{
      BlockSparse::sparse(problem.M.to_sparse(), problem.sizes, problem.sizes), problem.q, {}};
  form.K.reserve(problem.sizes.size());
  for (std::size_t i = 0; i < problem.sizes.size(); ++i) {
    const double mu = problem.mu.size() == 0 ? 1.0 : problem.mu[static_cast<Index>(i)];
    form.K.push_back(problem.sizes[i] == 1 ? BlockSet(NonNegative{}) : SecondOrderCone{mu});
  }
  validate(form);
  return form;
}

}  // namespace saltus
