#include "saltus/problems/block_form.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"
#include "saltus/sets/set.hpp"

#include <array>
#include <cmath>
#include <concepts>

namespace saltus {

namespace {

template <class S>
constexpr bool is_row_by_row =
    std::same_as<S, Reals> || std::same_as<S, NonNegative> || std::same_as<S, Interval>;

double length(const double* x, Index size) {
  double sum = 0;
  for (Index i = 0; i < size; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

double shift_of(const FrictionCone& K, Index size, const double* u) {
  return K.mu * length(u + 1, size - 1);
}
double shift_of(const RollingCone& K, Index size, const double* u) {
  const Index k = (size - 1) / 2;
  return K.mu * length(u + 1, k) + K.mu_rolling * length(u + 1 + k, k);
}
double shift_of(const EllipticCone& K, Index, const double* u) {
  return std::hypot(K.mu_1 * u[1], K.mu_2 * u[2]);
}
template <class S>
double shift_of(const S&, Index, const double*) {
  return 0;
}

/// Row 0 of J += factor · x/‖x‖, at the columns first … of the piece x = u[first …].
void add_direction(double factor, ConstVectorRef u, Index first, Index size, MatrixRef J) {
  const double norm = length(u.data() + first, size);
  if (!(norm > 0)) return;
  for (Index i = first; i < first + size; ++i) J(0, i) += factor * u[i] / norm;
}

/// Squared natural map of a block with a normal component: r − P_K(r − û), û = u + g(u). It is û
/// itself where r − û is in K, so that no r, however large, hides û. Infinite where squares
/// overflow: a projection is none there.
template <class S>
double cone_residual(const S& K, Index size, const double* r, const double* u) {
  std::array<double, max_piece> shifted, x, p;
  bool inside = true;
  for (Index i = 0; i < size; ++i) {
    shifted[i] = u[i] + (i == 0 ? shift_of(K, size, u) : 0);
    x[i] = r[i] - shifted[i];
  }
  if (!std::isfinite(length(x.data(), size))) return inf;
  project(K, Eigen::Map<const Vector>(x.data(), size), Eigen::Map<Vector>(p.data(), size));
  for (Index i = 0; i < size; ++i) inside = inside && p[i] == x[i];
  double sum = 0;
  for (Index i = 0; i < size; ++i) {
    const double e = inside ? shifted[i] : r[i] - p[i];
    sum += e * e;
  }
  return sum;
}

/// Squared dual map of such a block: û − P_K*(û − r). Infinite as above.
template <class S>
double dual_residual(const S& K, Index size, const double* r, const double* u) {
  std::array<double, max_piece> shifted, x, p;
  for (Index i = 0; i < size; ++i) {
    shifted[i] = u[i] + (i == 0 ? shift_of(K, size, u) : 0);
    x[i] = shifted[i] - r[i];
  }
  if (!std::isfinite(length(x.data(), size))) return inf;
  project(dual(K), Eigen::Map<const Vector>(x.data(), size), Eigen::Map<Vector>(p.data(), size));
  double sum = 0;
  for (Index i = 0; i < size; ++i) sum += (shifted[i] - p[i]) * (shifted[i] - p[i]);
  return sum;
}

/// r − P_[lower, upper](r − u) = u cut to [r − upper, r − lower].
double interval_residual(double lower, double upper, Index size, const double* r, const double* u) {
  double sum = 0;
  for (Index i = 0; i < size; ++i) {
    const double e = std::max(r[i] - upper, std::min(r[i] - lower, u[i]));
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
                 [&](const auto& K) { return cone_residual(K, size, r, u); }},
      set);
}

double squared_dual_map(const BlockSet& set, Index size, const double* r, const double* u) {
  return std::visit(
      [&]<class S>(const S& K) {
        if constexpr (Cone<S> && !is_row_by_row<S>)
          return dual_residual(K, size, r, u);
        else
          return squared_natural_map(set, size, r, u);
      },
      set);
}

double shift(const BlockSet& set, Index size, const double* u) {
  return std::visit([&](const auto& K) { return shift_of(K, size, u); }, set);
}

void add_shift_jacobian(const BlockSet& set, ConstVectorRef u, MatrixRef J) {
  const Index size = u.size(), k = (size - 1) / 2;
  std::visit(Overloaded{[&](const FrictionCone& K) { add_direction(K.mu, u, 1, size - 1, J); },
                        [&](const RollingCone& K) {
                          add_direction(K.mu, u, 1, k, J);
                          add_direction(K.mu_rolling, u, 1 + k, k, J);
                        },
                        [&](const EllipticCone& K) {
                          const double g = shift_of(K, size, u.data());
                          if (!(g > 0)) return;
                          J(0, 1) += K.mu_1 * K.mu_1 * u[1] / g;
                          J(0, 2) += K.mu_2 * K.mu_2 * u[2] / g;
                        },
                        [](const auto&) {}},
             set);
}

void project(const BlockSet& set, ConstVectorRef x, VectorRef p) {
  std::visit([&](const auto& K) { project(K, x, p); }, set);
}

void projection_jacobian(const BlockSet& set, ConstVectorRef x, MatrixRef J) {
  std::visit([&](const auto& K) { projection_jacobian(K, x, J); }, set);
}

void project_dual(const BlockSet& set, ConstVectorRef x, VectorRef p) {
  std::visit(
      [&]<class S>(const S& K) {
        if constexpr (Cone<S>)
          project(dual(K), x, p);
        else
          fail("project_dual: the {} is not a cone", name(set));
      },
      set);
}

bool row_by_row(const BlockSet& set) {
  return std::visit([]<class S>(const S&) { return is_row_by_row<S>; }, set);
}

namespace {

/// The residual of a matrix of single numbers: a loop without the detour over blocks.
double scalar_residual(const BlockForm& problem, ConstVectorRef r) {
  const BlockSparse& W = problem.W;
  const double* value = W.value(0);
  double sum = 0;
  for (Index i = 0; i < r.size(); ++i) {
    double u = problem.q[i];
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) u += value[k] * r[W.column(k)];
    if (!std::isfinite(r[i]) || !std::isfinite(u)) return inf;
    sum += std::holds_alternative<Reals>(problem.K[i])
               ? u * u
               : squared_natural_map(problem.K[i], 1, r.data() + i, &u);
  }
  return std::sqrt(sum);
}

}  // namespace

double residual(const BlockForm& problem, ConstVectorRef r) {
  require(r.size() == problem.q.size(), "residual(BlockForm): r has size {}, the problem {}",
          r.size(), problem.q.size());
  if (problem.W.scalar() && problem.W.blocks() > 0) return scalar_residual(problem, r);
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
  const auto coefficient = [&](const char* letter, double value) {
    require(std::isfinite(value) && value >= 0,
            "BlockForm: {} of block {} is {}, expected a finite number >= 0", letter, block, value);
  };
  std::visit(Overloaded{[](const Reals&) {}, [](const NonNegative&) {},
                        [&](const Interval& K) {
                          require(K.lower <= K.upper && K.lower < inf && K.upper > -inf,
                                  "BlockForm: block {} has the interval [{}, {}], expected lower "
                                  "<= upper",
                                  block, K.lower, K.upper);
                        },
                        [&](const FrictionCone& K) { coefficient("mu", K.mu); },
                        [&](const SecondOrderCone& K) { coefficient("mu", K.mu); },
                        [&](const RollingCone& K) {
                          coefficient("mu", K.mu);
                          coefficient("mu_rolling", K.mu_rolling);
                        },
                        [&](const EllipticCone& K) {
                          coefficient("mu_1", K.mu_1);
                          coefficient("mu_2", K.mu_2);
                        },
                        [&](const FrictionCylinder& K) { coefficient("radius", K.radius); }},
             set);
}

void validate(const BlockSet& set, Index block, Index rows) {
  validate(set, block);
  const auto size = [&](bool fits, const char* expected) {
    require(fits && (row_by_row(set) || rows <= max_piece),
            "BlockForm: the {} of block {} has {} rows, expected {}", name(set), block, rows,
            expected);
  };
  if (std::holds_alternative<RollingCone>(set))
    size(rows == 3 || rows == 5, "3 or 5");
  else if (std::holds_alternative<EllipticCone>(set))
    size(rows == 3, "3");
  else if (!row_by_row(set))
    size(rows >= 2, "2 to 32");
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
    validate(problem.K[i], i, W.row_size(i));
  }
}

bool has_friction(const BlockForm& problem) {
  for (const BlockSet& set : problem.K)
    if (!row_by_row(set)) return true;
  return false;
}

std::string_view name(const BlockSet& set) {
  return std::visit(Overloaded{[](const Reals&) { return "set of reals"; },
                               [](const NonNegative&) { return "set of nonnegative numbers"; },
                               [](const Interval&) { return "interval"; },
                               [](const FrictionCone&) { return "friction cone"; },
                               [](const RollingCone&) { return "rolling friction cone"; },
                               [](const EllipticCone&) { return "elliptic friction cone"; },
                               [](const FrictionCylinder&) { return "friction cylinder"; },
                               [](const SecondOrderCone&) { return "second-order cone"; }},
                    set);
}

}  // namespace saltus
