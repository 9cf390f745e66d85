#include "saltus/problems/vi.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

double residual(const Vi& problem, ConstVectorRef z) {
  require(static_cast<bool>(problem.F), "residual(Vi): F is empty, expected a function");
  require(z.size() == problem.n, "residual(Vi): z has size {}, the problem {}", z.size(),
          problem.n);
  return natural_residual(problem.X, z, evaluate(problem.F, z));
}

double natural_residual(const Set& X, ConstVectorRef z, ConstVectorRef F) {
  const Index n = z.size();
  if (!z.allFinite() || !F.allFinite()) return inf;
  Vector lower(n), upper(n);
  if (box_bounds(X, lower, upper)) return F.cwiseMin(z - lower).cwiseMax(z - upper).norm();
  Vector p(n);
  project(X, z - F, p);
  const double value = (z - p).norm();
  return std::isnan(value) ? inf
                           : std::max(value, std::numeric_limits<double>::epsilon() * z.norm());
}

void validate(const Vi& problem) {
  require(problem.n >= 0, "Vi: n is {}, expected >= 0", problem.n);
  require(static_cast<bool>(problem.F), "Vi: F is empty, expected a function");
  validate(problem.X);
  check_dimension(problem.X, problem.n);
}

void natural_map(const Vi& problem, ConstVectorRef z, VectorRef out, double rho) {
  require(z.size() == problem.n && out.size() == problem.n,
          "natural_map: z has size {}, the result {}, the problem {}", z.size(), out.size(),
          problem.n);
  const Vector shifted = z - rho * evaluate(problem.F, z);
  if (!shifted.allFinite()) {
    out.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  project(problem.X, shifted, out);
  out = z - out;
}

void normal_map(const Vi& problem, ConstVectorRef y, VectorRef out) {
  require(y.size() == problem.n && out.size() == problem.n,
          "normal_map: y has size {}, the result {}, the problem {}", y.size(), out.size(),
          problem.n);
  Vector x(problem.n);
  project(problem.X, y, x);
  problem.F(x, out);
  out += y - x;
}

Vi cone_problem(Index n, const Set& K, const VectorFunction& F, const JacobianFunction& jacobian) {
  require(is_cone(K), "cone_problem: {} is not a cone", name(K));
  const Vi problem{n, K, F, jacobian};
  validate(problem);
  return problem;
}

Vi to_vi(const Ncp& problem) {
  validate(problem);
  return {problem.n, NonNegative{}, problem.F, problem.jacobian};
}

Vi to_vi(const Mcp& problem) {
  validate(problem);
  return {problem.n, Box{problem.lower, problem.upper}, problem.F, problem.jacobian};
}

bool box_bounds(const Set& X, VectorRef lower, VectorRef upper) {
  const auto fill = [&](double l, double u) {
    lower.setConstant(l);
    upper.setConstant(u);
    return true;
  };
  return std::visit(Overloaded{[&](const Reals&) { return fill(-inf, inf); },
                               [&](const Zero&) { return fill(0, 0); },
                               [&](const NonNegative&) { return fill(0, inf); },
                               [&](const Interval& s) { return fill(s.lower, s.upper); },
                               [&](const Box& s) {
                                 lower = s.lower;
                                 upper = s.upper;
                                 return true;
                               },
                               [&](const Product& product) {
                                 Index first = 0;
                                 for (const Factor& f : product.factors) {
                                   if (!box_bounds(f.set, lower.segment(first, f.dimension),
                                                   upper.segment(first, f.dimension)))
                                     return false;
                                   first += f.dimension;
                                 }
                                 return true;
                               },
                               [](const auto&) { return false; }},
                    X);
}

Mcp to_mcp(const Vi& problem) {
  validate(problem);
  Mcp mcp{problem.n, problem.F, problem.jacobian, Vector(problem.n), Vector(problem.n)};
  require(box_bounds(problem.X, mcp.lower, mcp.upper), "to_mcp(Vi): {} is not a box",
          name(problem.X));
  return mcp;
}

}  // namespace saltus
