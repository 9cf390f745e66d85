#include "saltus/solvers/friction_existence.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/certificates.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/cone_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double rounding = 1e-12;  // of data that were computed, relative

/// u = A x + b with x free, the sets of the rows of u.
struct Kinematics {
  Sparse A;
  Vector b;
  std::span<const BlockSet> K;
  std::vector<Index> sizes;
};

Kinematics kinematics_of(const GlobalBlockForm& problem) {
  return {problem.H.transpose(), problem.w, problem.K, problem.sizes};
}
Kinematics kinematics_of(const BlockForm& problem) {
  return {problem.W.to_sparse(), problem.q, problem.K, block_sizes(problem)};
}

/// Rows of u with the cones they must lie in the dual of.
struct Demand {
  std::vector<Index> rows;  ///< of u
  std::vector<BlockSet> K;
  std::vector<Index> sizes;
  std::vector<bool> normal;  ///< of each row: it takes part in e_N

  void add(const BlockSet& cone, Index first, Index size, bool has_interior) {
    for (Index i = 0; i < size; ++i) {
      rows.push_back(first + i);
      normal.push_back(has_interior && (i == 0 || row_by_row(cone)));
    }
    K.push_back(cone);
    sizes.push_back(size);
  }
};

enum class Rows { cones, normals };

/// Rows::cones: u ∈ K*; of bounded sets the dual of their directions to infinity. Rows::normals:
/// what û ∈ K* says of u (u_N ≥ 0).
Demand demand_of(const Kinematics& kinematics, Rows what) {
  Demand demand;
  Index first = 0;
  for (std::size_t b = 0; b < kinematics.K.size(); first += kinematics.sizes[b], ++b) {
    const BlockSet& K = kinematics.K[b];
    const Index size = kinematics.sizes[b];
    std::visit(
        Overloaded{[&](const Reals&) { demand.add(K, first, size, false); },
                   [&](const NonNegative&) { demand.add(K, first, size, true); },
                   [&](const Interval& set) {
                     const bool below = set.lower > -inf, above = set.upper < inf;
                     if (below && above) return;
                     if (!below && !above) return demand.add(Reals{}, first, size, false);
                     demand.add(Interval{below ? 0 : -inf, above ? 0 : inf}, first, size, false);
                   },
                   [&](const SecondOrderCone&) { demand.add(K, first, size, true); },
                   [&](const FrictionCylinder&) { demand.add(NonNegative{}, first, 1, true); },
                   [&](const auto&) {
                     if (what == Rows::cones)
                       demand.add(K, first, size, true);
                     else
                       demand.add(NonNegative{}, first, 1, true);
                   }},
        K);
  }
  return demand;
}

/// The rows of A that the demand names, divided by `scale`.
Sparse select(const Sparse& A, const Demand& demand, double scale, Index columns) {
  std::vector<int> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t i = 0; i < demand.rows.size(); ++i) place[demand.rows[i]] = static_cast<int>(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator e(A, j); e; ++e)
      if (place[e.row()] >= 0 && e.value() != 0)
        entries.emplace_back(place[e.row()], j, e.value() / scale);
  Sparse B(static_cast<Index>(demand.rows.size()), columns);
  B.setFromTriplets(entries.begin(), entries.end());
  return B;
}

double largest(const Sparse& A) {
  double size = 0;
  for (Index k = 0; k < A.nonZeros(); ++k) size = std::max(size, std::abs(A.valuePtr()[k]));
  return size > 0 ? size : 1;
}

/// min ½‖y‖² of the demand; b scaled to 1.
ConeAnswer least_change_of(const Kinematics& kinematics, const Demand& demand) {
  ConeProgram program{select(kinematics.A, demand, largest(kinematics.A), kinematics.A.cols()),
                      Vector(std::ssize(demand.rows)), Vector::Zero(kinematics.A.cols()), demand.K,
                      demand.sizes};
  for (std::size_t i = 0; i < demand.rows.size(); ++i)
    program.b[static_cast<Index>(i)] = kinematics.b[demand.rows[i]];
  const double size = program.b.size() > 0 ? program.b.lpNorm<Eigen::Infinity>() : 0;
  if (size > 0) program.b /= size;
  return least_change(program);
}

/// y without its tangential and other forbidden parts, 1 in its largest entry, entries at the level
/// of rounding dropped.
Vector clean(const Demand& demand, Vector y) {
  Index first = 0;
  for (std::size_t b = 0; b < demand.K.size(); first += demand.sizes[b], ++b) {
    Vector p(demand.sizes[b]);
    project(demand.K[b], y.segment(first, demand.sizes[b]), p);
    y.segment(first, demand.sizes[b]) = p;
  }
  const double size = y.size() > 0 ? y.lpNorm<Eigen::Infinity>() : 0;
  if (!(size > 0) || !std::isfinite(size)) return Vector::Zero(y.size());
  y /= size;
  return y.unaryExpr([](double value) { return std::abs(value) < 1e-9 ? 0 : value; });
}

/// Moves y into the null space of Bᵀ within its support, twice: the digits that the tests of
/// proves_infeasible ask for.
Vector polish(const Sparse& B, const Demand& demand, const Vector& y) {
  std::vector<Eigen::Triplet<double>> kept;
  for (Index i = 0; i < y.size(); ++i)
    if (y[i] != 0) kept.emplace_back(static_cast<int>(i), static_cast<int>(i), 1.0);
  Sparse support(y.size(), y.size()), I(y.size(), y.size());
  support.setFromTriplets(kept.begin(), kept.end());
  I.setIdentity();
  // min ‖z − y‖² + ‖Bᵀz‖²/ε: z = y − B (ε I + BᵀB)⁻¹ Bᵀy on the support
  const ConeProgram least{Sparse(support * B), Vector(-(support * y)), Vector::Zero(B.cols()),
                          std::vector<BlockSet>{Reals{}}, std::vector<Index>{y.size()}};
  const Vector moved = support * least_change(least, 1e-15, 20).y;
  return clean(demand, moved);
}

template <class Form>
std::optional<Vector> proof_from(const Form& problem, const Kinematics& kinematics,
                                 const Demand& demand, const Vector& y) {
  const Vector start = clean(demand, y);
  if (start.isZero(0)) return {};
  const Sparse B = select(kinematics.A, demand, largest(kinematics.A), kinematics.A.cols());
  for (const Vector& candidate : {start, polish(B, demand, start)}) {
    Vector d = Vector::Zero(kinematics.b.size());
    for (std::size_t i = 0; i < demand.rows.size(); ++i)
      d[demand.rows[i]] = candidate[static_cast<Index>(i)];
    if (proves_infeasible(problem, d)) return d;
  }
  return {};
}

template <class Form>
std::optional<Vector> infeasibility_of(const Form& problem, ConstVectorRef r) {
  const Kinematics kinematics = kinematics_of(problem);
  require(r.size() == kinematics.b.size() || r.size() == 0,
          "friction_infeasibility: r has size {}, the problem {} rows", r.size(),
          kinematics.b.size());
  if (kinematics.b.isZero(0)) return {};
  const Demand demand = demand_of(kinematics, Rows::normals);
  if (r.size() > 0 && r.allFinite()) {
    Vector y(std::ssize(demand.rows));
    for (std::size_t i = 0; i < demand.rows.size(); ++i)
      y[static_cast<Index>(i)] = r[demand.rows[i]];
    if (auto proof = proof_from(problem, kinematics, demand, y)) return proof;
  }
  return proof_from(problem, kinematics, demand, least_change_of(kinematics, demand).y);
}

/// b ∈ im A within rounding.
bool in_range(const Kinematics& kinematics) {
  if (kinematics.b.isZero(0)) return true;
  Demand all;
  all.add(Reals{}, 0, kinematics.b.size(), false);
  return least_change_of(kinematics, all).y.lpNorm<Eigen::Infinity>() <= rounding;
}

/// max t: variables (x, t), rows of the demand and 1 − t ≥ 0. All velocities over |b|∞.
ConeProgram margin_program(const Kinematics& kinematics, const Demand& demand, double unit) {
  const Index n = kinematics.A.cols(), rows = std::ssize(demand.rows);
  ConeProgram program;
  const Sparse A = select(kinematics.A, demand, largest(kinematics.A), n);
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator e(A, j); e; ++e)
      entries.emplace_back(static_cast<int>(e.row()), j, e.value());
  const auto t = static_cast<int>(n);
  for (int i = 0; i < rows; ++i)
    if (demand.normal[i]) entries.emplace_back(i, t, -1.0);
  entries.emplace_back(static_cast<int>(rows), t, -1.0);
  program.B = Sparse(rows + 1, n + 1);
  program.B.setFromTriplets(entries.begin(), entries.end());
  program.b = Vector(rows + 1);
  for (Index i = 0; i < rows; ++i) program.b[i] = kinematics.b[demand.rows[i]] / unit;
  program.b[rows] = 1 / unit;
  program.c = Vector::Zero(n + 1);
  program.c[n] = -1;
  program.K = demand.K;
  program.K.emplace_back(NonNegative{});
  program.sizes = demand.sizes;
  program.sizes.push_back(1);
  return program;
}

/// The largest t ≤ 1 with u − t e_N ∈ K*, for one u: −∞ if a bilateral row is not met.
double margin_at(const Kinematics& kinematics, const Demand& demand, const Vector& u) {
  double t = 1;
  const double met = 1e-9 * std::max(1e-300, kinematics.b.lpNorm<Eigen::Infinity>());
  Index first = 0;
  for (std::size_t b = 0; b < demand.K.size(); first += demand.sizes[b], ++b) {
    Vector part(demand.sizes[b]);
    for (Index i = 0; i < part.size(); ++i) part[i] = u[demand.rows[first + i]];
    if (row_by_row(demand.K[b])) {
      for (const double value : part) {
        if (demand.normal[first]) {
          t = std::min(t, value);
        } else {
          Vector p(1);
          project(demand.K[b], Values{-value}, p);  // P_K(−u) = 0 exactly if u ∈ K*
          if (std::abs(p[0]) > met) return -inf;
        }
      }
    } else {
      const BlockSet& K = demand.K[b];
      const auto* cone = std::get_if<SecondOrderCone>(&K);
      const BlockSet shifted = cone ? BlockSet(FrictionCone{cone->mu}) : K;
      t = std::min(t, part[0] - shift(shifted, part.size(), part.data()));
    }
  }
  return t;
}

template <class Form>
FrictionExistence existence_of(const Form& problem) {
  validate(problem);
  FrictionExistence result;
  const Kinematics kinematics = kinematics_of(problem);
  const Demand demand = demand_of(kinematics, Rows::cones);
  const double unit = kinematics.b.isZero(0) ? 1 : kinematics.b.lpNorm<Eigen::Infinity>();
  const ConeAnswer answer = solve_cone_program(margin_program(kinematics, demand, unit));
  const Index n = kinematics.A.cols();
  result.v = answer.x.head(n) * (unit / largest(kinematics.A));
  result.margin = margin_at(kinematics, demand, kinematics.A * result.v + kinematics.b);
  if (kinematics.b.isZero(0) && result.margin > rounding) {  // any multiple of v will do
    result.v /= result.margin;
    result.margin = 1;
  }
  if (result.margin > rounding * unit || in_range(kinematics)) {
    result.verdict = Existence::guaranteed;
  } else if (auto direction = infeasibility_of(problem, Vector())) {
    result.verdict = Existence::impossible;
    result.direction = *direction;
  }
  return result;
}

}  // namespace

std::string_view name(Existence verdict) {
  constexpr std::array<std::string_view, 3> names{"guaranteed", "impossible", "undecided"};
  return names[static_cast<std::size_t>(verdict)];
}

FrictionExistence friction_existence(const GlobalBlockForm& problem) {
  return existence_of(problem);
}
FrictionExistence friction_existence(const BlockForm& problem) { return existence_of(problem); }

std::optional<Vector> friction_infeasibility(const GlobalBlockForm& problem, ConstVectorRef r) {
  return infeasibility_of(problem, r);
}
std::optional<Vector> friction_infeasibility(const BlockForm& problem, ConstVectorRef r) {
  return infeasibility_of(problem, r);
}

}  // namespace saltus
