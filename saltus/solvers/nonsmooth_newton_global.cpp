#include "saltus/solvers/contact_rows.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The equations (2) of the global form.
class GlobalSystem {
 public:
  GlobalSystem(const GlobalBlockForm& problem, const NonsmoothNewton& options)
      : contacts(problem.K, problem.sizes, options), p_(problem), Ht_(problem.H.transpose()) {
    contacts.scale(problem.M, problem.H);
  }

  /// (M v − H r − f, G)
  Vector evaluate(const GlobalPoint& x, bool slopes) {
    const Index n = x.v.size(), m = x.r.size();
    Vector G(n + m);
    G.head(n) = p_.M * x.v - p_.H * contacts.reactions(x.r) - p_.f;
    contacts.evaluate(Ht_ * x.v + p_.w, x.r, slopes, G.tail(m));
    return G;
  }
  bool direction(const GlobalPoint&, const Vector& G, Vector& step) {
    return contacts.direction(p_.M, p_.H, Ht_, G, step);
  }

  ContactRows contacts;

 private:
  const GlobalBlockForm& p_;
  ContactRows::Sparse Ht_;
};

}  // namespace

SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                  const NonsmoothNewton& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require(r.size() == problem.w.size() && v.size() == problem.f.size(),
          "NonsmoothNewton: v and r have sizes {} and {}, the problem {} and {}", v.size(),
          r.size(), problem.f.size(), problem.w.size());
  for (double& value : r)
    if (!std::isfinite(value)) value = 0;
  const LinearSolve solve_with_mass = factorise("NonsmoothNewton", problem.M);
  const Vector q = problem.H.transpose() * solve_with_mass(problem.f) + problem.w;
  const double limit = threshold(options.tolerance, q);
  if (options.start_projections > 0) {
    const FixedPointProjection projections{.tolerance = options.tolerance,
                                           .max_iterations = options.start_projections,
                                           .extragradient = true};
    static_cast<void>(solve(reduce(problem), r, projections, work));
  }
  GlobalPoint x{solve_with_mass(problem.H * r + problem.f), r};
  GlobalSystem system(problem, options);
  system.contacts.scale_smoothing(q);
  const auto error = [&](const GlobalPoint& at) {
    return residual(problem, at.v, system.contacts.reactions(at.r));
  };
  const Outcome outcome = iterate_newton(system, options, limit, error, x);
  v = x.v;
  r = system.contacts.reactions(x.r);
  SolveReport report = judge(outcome, residual(problem, v, r), limit, clock);
  report.factorisations = outcome.iterations + 1;
  return report;
}

SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                  const NonsmoothNewton& options, Workspace& work) {
  return solve(to_global_block_form(problem), v, r, options, work);
}

}  // namespace saltus
