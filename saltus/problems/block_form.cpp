#include "saltus/problems/block_form.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

namespace {

/// Squared natural map of a cone block: r − P_K(r − (u + g(u))).
double cone_residual(const FrictionCone& K, Index size, const double* r, const double* u) {
  std::array<double, max_piece> x, p;
  double slip = 0;
  for (Index i = 1; i < size; ++i) slip += u[i] * u[i];
  for (Index i = 0; i < size; ++i) x[i] = r[i] - u[i];
  x[0] -= K.mu * std::sqrt(slip);
  project(K, Eigen::Map<const Vector>(x.data(), size), Eigen::Map<Vector>(p.data(), size));
  double sum = 0;
  for (Index i = 0; i < size; ++i) sum += (r[i] - p[i]) * (r[i] - p[i]);
  return sum;
}

double interval_residual(double lower, double upper, Index size, const double* r, const double* u) {
  double sum = 0;
  for (Index i = 0; i < size; ++i) {
    const double e = r[i] - std::clamp(r[i] - u[i], lower, upper);
    sum += e * e;
  }
  return sum;
}

}  // namespace

double squared_natural_map(const BlockSet& set, Index size, const double* r, const double* u) {
  return std::visit(
      Overloaded{[&](const Reals&) { return interval_residual(-inf, inf, size, r, u); },
                 [&](const NonNegative&) { return interval_residual(0, inf, size, r, u); },
                 [&](const Interval& K) { return interval_residual(K.lower, K.upper, size, r, u); },
                 [&](const FrictionCone& K) { return cone_residual(K, size, r, u); }},
      set);
}

double residual(const BlockForm& problem, ConstVectorRef r) {
  require(r.size() == problem.q.size(), "residual(BlockForm): r has size {}, the problem {}",
          r.size(), problem.q.size());
  double sum = 0;
  bool finite = true;
  visit_rows(problem.W, r, problem.q, [&](Index block, Index first, Index size, const double* u) {
    const double* x = r.data() + first;
    for (Index i = 0; i < size; ++i) finite = finite && std::isfinite(x[i]) && std::isfinite(u[i]);
    if (finite) sum += squared_natural_map(problem.K[block], size, x, u);
  });
  return finite ? std::sqrt(sum) : inf;
}

void validate(const BlockSet& set, Index block) {
  if (const auto* cone = std::get_if<FrictionCone>(&set))
    require(std::isfinite(cone->mu) && cone->mu >= 0,
            "BlockForm: mu of block {} is {}, expected a finite number >= 0", block, cone->mu);
  if (const auto* interval = std::get_if<Interval>(&set))
    require(interval->lower <= interval->upper && interval->lower < inf && interval->upper > -inf,
            "BlockForm: block {} has the interval [{}, {}], expected lower <= upper", block,
            interval->lower, interval->upper);
}

void validate(const BlockForm& problem) {
  const BlockSparse& W = problem.W;
  validate_affine("BlockForm", W, problem.q);
  require(static_cast<Index>(problem.K.size()) == W.block_rows(),
          "BlockForm: {} sets are given, the matrix has {} block rows", problem.K.size(),
          W.block_rows());
  require(W.block_cols() == W.block_rows(), "BlockForm: {} block rows but {} block columns",
          W.block_rows(), W.block_cols());
  for (Index i = 0; i < W.block_rows(); ++i) {
    require(
        W.row_size(i) == W.column_size(i),
        "BlockForm: block row {} has {} rows, block column {} has {} columns, expected the same", i,
        W.row_size(i), i, W.column_size(i));
    validate(problem.K[i], i);
    require(!std::holds_alternative<FrictionCone>(problem.K[i]) ||
                (W.row_size(i) >= 2 && W.row_size(i) <= max_piece),
            "BlockForm: the friction cone of block {} has {} rows, expected 2 to {}", i,
            W.row_size(i), max_piece);
  }
}

bool has_friction(const BlockForm& problem) {
  for (const BlockSet& set : problem.K)
    if (std::holds_alternative<FrictionCone>(set)) return true;
  return false;
}

std::string_view name(const BlockSet& set) {
  return std::visit(Overloaded{[](const Reals&) { return "set of reals"; },
                               [](const NonNegative&) { return "set of nonnegative numbers"; },
                               [](const Interval&) { return "interval"; },
                               [](const FrictionCone&) { return "friction cone"; }},
                    set);
}

}  // namespace saltus
