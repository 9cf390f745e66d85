#include "saltus/solvers/mixed_newton.hpp"

#include "saltus/solvers/contact_rows.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The equations of the nonlinear problem.
class MixedSystem {
 public:
  using Sparse = ContactRows::Sparse;

  MixedSystem(const MixedNonlinear& problem, const NonsmoothNewton& options, ConstVectorRef v)
      : contacts(problem.K, problem.sizes, options), p_(problem) {
    problem.jacobian(v, J_);
    problem.directions(v, H_);
    contacts.scale(J_, H_);
    contacts.scale_smoothing(H_.transpose() * v + problem.w);
  }

  /// (R(v) − H(v) r, G)
  Vector evaluate(const GlobalPoint& x, bool slopes) {
    const Index n = x.v.size(), m = x.r.size();
    Vector G(n + m);
    p_.residual(x.v, G.head(n));
    p_.directions(x.v, H_);
    G.head(n) -= H_ * contacts.reactions(x.r);
    contacts.evaluate(H_.transpose() * x.v + p_.w, x.r, slopes, G.tail(m));
    return G;
  }
  bool direction(const GlobalPoint& x, const Vector& G, Vector& step) {
    p_.jacobian(x.v, J_);
    if (p_.force_slope) {
      p_.force_slope(x.v, contacts.reactions(x.r), slope_);
      J_ = J_ - slope_;
    }
    if (p_.velocity_slope)
      p_.velocity_slope(x.v, U_);
    else
      U_ = H_.transpose();
    return contacts.direction(J_, H_, U_, G, step);
  }

  ContactRows contacts;

 private:
  const MixedNonlinear& p_;
  Sparse J_, H_, U_, slope_;
};

}  // namespace

SolveReport solve(const MixedNonlinear& problem, VectorRef v, VectorRef r,
                  const NonsmoothNewton& options, Workspace&) {
  const Stopwatch clock;
  require_valid(options);
  require(r.size() == problem.w.size(), "NonsmoothNewton: r has size {}, the problem {}", r.size(),
          problem.w.size());
  validate(problem, v);
  for (double& value : r)
    if (!std::isfinite(value)) value = 0;
  const GlobalBlockForm first = linearise(problem, v);
  const Vector u = first.H.transpose() * v + first.w;
  const double limit = threshold(options.tolerance, u);
  GlobalPoint x{v, r};
  MixedSystem system(problem, options, v);
  const auto error = [&](const GlobalPoint& at) {
    return residual(problem, at.v, system.contacts.reactions(at.r));
  };
  const Outcome outcome = iterate_newton(system, options, limit, error, x);
  v = x.v;
  r = system.contacts.reactions(x.r);
  SolveReport report = judge(outcome, residual(problem, v, r), limit, clock);
  report.factorisations = outcome.iterations;
  return report;
}

}  // namespace saltus
