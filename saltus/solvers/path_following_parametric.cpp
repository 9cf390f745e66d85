#include "saltus/solvers/path_following_parametric.hpp"

#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

/// x_B = b + t c − T x_N, rows of n + 2 entries: T, b, c. Row i and column i hold w_i and z_i, in
/// either order: pivots are principal, so complements stay in the same place.
struct Tableau {
  Index n;
  std::vector<double> T;
  std::vector<std::uint8_t> z_basic;

  [[nodiscard]] double at(Index i, Index j) const { return T[i * (n + 2) + j]; }
  [[nodiscard]] double b(Index i) const { return at(i, n); }
  [[nodiscard]] double c(Index i) const { return at(i, n + 1); }
  [[nodiscard]] double value(Index i, double t) const { return b(i) + t * c(i); }
  /// w basic everywhere.
  void load(const ParametricLcp& problem) {
    n = problem.q.size();
    T.resize(static_cast<std::size_t>(n * (n + 2)));
    z_basic.assign(static_cast<std::size_t>(n), 0);
    const Matrix M = problem.M.to_dense();
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) T[i * (n + 2) + j] = -M(i, j);
      T[i * (n + 2) + n] = problem.q[i];
      T[i * (n + 2) + n + 1] = problem.d[i];
    }
  }
  void exchange(Index i) {
    pivot(T.data(), n, n + 2, i, i);
    z_basic[i] ^= 1;
  }
  /// Principal pivot on {i, j}, whose diagonal entries may be zero.
  void exchange(Index i, Index j) {
    // rows i, j leave for columns j, i; then the two rows and the two columns change places
    pivot(T.data(), n, n + 2, j, i);
    pivot(T.data(), n, n + 2, i, j);
    for (Index k = 0; k < n + 2; ++k) std::swap(T[i * (n + 2) + k], T[j * (n + 2) + k]);
    for (Index k = 0; k < n; ++k) std::swap(T[k * (n + 2) + i], T[k * (n + 2) + j]);
    z_basic[i] ^= 1;
    z_basic[j] ^= 1;
  }
  [[nodiscard]] Vector z(double t) const {
    Vector out = Vector::Zero(n);
    for (Index i = 0; i < n; ++i)
      if (z_basic[i] != 0) out[i] = std::max(0.0, value(i, t));
    return out;
  }
  /// Size of the entries that are rounding.
  [[nodiscard]] double zero() const {
    double largest = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) largest = std::max(largest, std::abs(at(i, j)));
    return 1e-12 * largest;
  }
};

/// Brings z_i with positive value into the basis, largest diagonal first; false if stuck.
bool enter_basis(Tableau& tableau, const Vector& z) {
  std::vector<Index> left;
  for (Index i = 0; i < z.size(); ++i)
    if (z[i] > 0) left.push_back(i);
  while (!left.empty()) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < left.size(); ++k)
      if (std::abs(tableau.at(left[k], left[k])) > std::abs(tableau.at(left[best], left[best])))
        best = k;
    const Index i = left[best];
    if (std::abs(tableau.at(i, i)) > tableau.zero()) {
      tableau.exchange(i);
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
      continue;
    }
    std::size_t other = 0;
    double size = 0;
    for (std::size_t k = 0; k < left.size(); ++k)
      if (const double a = std::abs(tableau.at(left[k], i) * tableau.at(i, left[k])); a > size) {
        size = a;
        other = k;
      }
    if (!(size > 0) || other == best) return false;
    tableau.exchange(i, left[other]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::max(best, other)));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(std::min(best, other)));
  }
  return true;
}

/// The next t at which a basic variable reaches zero, and its row; `to` and −1 if none does before.
double next_breakpoint(const Tableau& tableau, double t, double to, Index& row) {
  double next = to;
  row = -1;
  for (Index i = 0; i < tableau.n; ++i) {
    if (!(tableau.c(i) < 0)) continue;
    const double zero = -tableau.b(i) / tableau.c(i);
    if (std::max(zero, t) < next) {
      next = std::max(zero, t);
      row = i;
    }
  }
  return next;
}

/// Drives the nonbasic variable of place r up at constant t; the row that blocks, −1: a ray.
Index blocking_row(const Tableau& tableau, Index r, double t, double zero) {
  Index row = -1;
  double least = inf;
  for (Index i = 0; i < tableau.n; ++i) {
    if (i == r || !(tableau.at(i, r) > zero)) continue;
    const double ratio = std::max(0.0, tableau.value(i, t)) / tableau.at(i, r);
    if (ratio < least) {
      least = ratio;
      row = i;
    }
  }
  return row;
}

/// Past the end of the path: the problem a little farther on, for its certificate.
bool infeasible_beyond(const ParametricLcp& problem, double t, double to, Workspace& work) {
  const Lcp beyond = problem.at(t + std::min(to - t, 1e-3 * std::max(1.0, std::abs(t))));
  Vector z = Vector::Zero(problem.q.size());
  return solve(beyond, z, Lemke{}, work).status == SolveStatus::infeasible;
}

}  // namespace

Vector evaluate(const LcpPath& path, double t) {
  require(!path.empty() && t >= path.front().t && t <= path.back().t,
          "evaluate(LcpPath): t is {}, expected a value on the path", t);
  std::size_t k = path.size() - 1;
  while (k > 0 && path[k].t > t) --k;
  if (k + 1 == path.size()) return path[k].z;
  const double part = (t - path[k].t) / (path[k + 1].t - path[k].t);
  return (1 - part) * path[k].z + part * path[k + 1].z;
}

SolveReport solve(const ParametricLcp& problem, LcpPath& path, const ParametricPivoting& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require(options.to > options.from, "ParametricPivoting: to is {}, expected more than from {}",
          options.to, options.from);
  validate(problem);
  path.clear();
  double worst = 0, t = options.from;
  bool good = true;
  const auto record = [&](double at, const Vector& z) {
    const Lcp member = problem.at(at);
    const double error = residual(member, z);
    worst = std::max(worst, error);
    good = good && error <= threshold(options.tolerance, member.q);
    path.push_back({at, z});
  };
  Vector z = Vector::Zero(problem.q.size());
  SolveReport report = solve(problem.at(t), z, Lemke{.tolerance = options.tolerance}, work);
  if (!report.converged()) return report;
  record(t, z);
  Tableau tableau{};
  tableau.load(problem);
  report.status = enter_basis(tableau, z) ? SolveStatus::max_iterations : SolveStatus::stalled;
  const Index limit = pivot_limit(options.max_iterations, tableau.n);
  while (report.status == SolveStatus::max_iterations && report.iterations < limit) {
    Index row = -1;
    t = next_breakpoint(tableau, t, options.to, row);
    if (path.back().t < t) record(t, tableau.z(t));
    if (row < 0) {
      report.status = SolveStatus::converged;
      break;
    }
    ++report.iterations;
    const double zero = tableau.zero();
    if (tableau.at(row, row) < -zero) {
      tableau.exchange(row);
      continue;
    }
    if (tableau.at(row, row) > zero) {  // the path turns back in t: M is not P₀
      report.status = SolveStatus::stalled;
      break;
    }
    const Index other = blocking_row(tableau, row, t, zero);
    if (other < 0 || !(std::abs(tableau.at(row, other)) > zero)) {
      report.status = infeasible_beyond(problem, t, options.to, work) ? SolveStatus::infeasible
                                                                      : SolveStatus::stalled;
      break;
    }
    tableau.exchange(row, other);
    record(t, tableau.z(t));
  }
  report.residual = worst;
  if (report.status == SolveStatus::converged && !good) report.status = SolveStatus::stalled;
  report.seconds = clock.seconds();
  return report;
}

}  // namespace saltus
