#include "saltus/solvers/convex_projected_gradient.hpp"

#include "saltus/base/overloaded.hpp"

namespace saltus {

BlockSet without_shift(const BlockSet& K, std::string_view algorithm) {
  return std::visit(
      Overloaded{[](const FrictionCone& cone) { return BlockSet(SecondOrderCone{cone.mu}); },
                 [&]<class S>(const S& other) {
                   if constexpr (std::is_same_v<S, EllipticCone> || std::is_same_v<S, RollingCone>)
                     fail("{}: there is no associated law for the {}: use Nsgs", algorithm,
                          name(K));
                   return BlockSet(other);
                 }},
      K);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const ConvexProjectedGradient& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, ConvexProjectedGradient::name);
  const double limit = threshold(options.tolerance, problem.q);
  const double error = residual(problem, r);
  std::vector<BlockSet> K;
  K.reserve(problem.K.size());
  for (const BlockSet& set : problem.K)
    K.push_back(without_shift(set, ConvexProjectedGradient::name));
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge({SolveStatus::max_iterations, 0}, error, limit, clock);
  project_guess(problem, r);
  const BlockSparse& W = problem.W;
  FrictionWorkspace& w = work.friction;
  w.point.resize(r.size());
  w.trial.resize(r.size());
  w.point.z = r;
  const auto evaluate = [&](const Vector& z, Vector& u) {
    W.multiply(z, u);
    u += problem.q;
  };
  const auto project_all = [&](Vector& x) { project_blocks(problem, x); };
  const auto finished = [&](const Vector& z, const Vector& u) {
    if (!u.allFinite() || runaway(z, limit)) return true;
    double sum = 0;
    for (Index b = 0; b < W.block_rows(); ++b)
      sum += squared_natural_map(K[b], W.row_size(b), z.data() + W.row_offset(b),
                                 u.data() + W.row_offset(b));
    return sum <= limit * limit / 4;
  };
  const Outcome outcome = projected_gradient(options, evaluate, project_all, finished, w.point.z,
                                             w.point.u, w.trial.z, w.trial.u);
  if (w.point.z.allFinite()) r = w.point.z;
  return judge(outcome, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r,
                  const ConvexProjectedGradient& options, Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
