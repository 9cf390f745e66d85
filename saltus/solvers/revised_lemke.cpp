#include "saltus/solvers/revised_lemke.hpp"

#include "saltus/solvers/basis_factor.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int refactor_after = 64;
constexpr Index dense_limit = 100;

using Sparse = Eigen::SparseMatrix<double>;

/// The box problem with every bound moved to 0: 0 ≤ z ⟂ w = M z + q ≥ 0, but w_i = 0 on free rows.
/// z = base + sign z' for the first n entries; entry n + k belongs to the k-th two-sided row.
struct SparseLcp {
  Sparse M;
  Vector q, base, sign;
  std::vector<std::uint8_t> free;
  Index rows = 0;
};

void add_two_sided(const BoxView& box, SparseLcp& lcp,
                   std::vector<Eigen::Triplet<double>>& entries) {
  const Index n = box.size();
  Index k = n;
  for (Index i = 0; i < n; ++i)
    if (box.lower[i] > -inf && box.upper[i] < inf) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(k), 1.0);
      entries.emplace_back(static_cast<int>(k), static_cast<int>(i), -1.0);
      lcp.q.conservativeResize(k + 1);
      lcp.q[k++] = box.upper[i] - box.lower[i];
    }
  lcp.rows = k;
  lcp.free.resize(static_cast<std::size_t>(k), 0);
}

SparseLcp make_lcp(const BoxView& box) {
  const Index n = box.size();
  SparseLcp lcp;
  lcp.base = Vector::Zero(n);
  lcp.sign = Vector::Ones(n);
  lcp.free.assign(static_cast<std::size_t>(n), 0);
  for (Index i = 0; i < n; ++i) {
    const bool below = box.lower[i] > -inf, above = box.upper[i] < inf;
    lcp.free[i] = !below && !above;
    lcp.base[i] = below ? box.lower[i] : above ? box.upper[i] : 0;
    if (!below && above) lcp.sign[i] = -1;
  }
  lcp.q.resize(n);
  box.W.multiply(lcp.base, lcp.q);
  lcp.q = lcp.sign.cwiseProduct(lcp.q + box.q);
  std::vector<Eigen::Triplet<double>> entries;
  const Sparse W = box.W.to_sparse();
  for (int j = 0; j < W.outerSize(); ++j)
    for (Sparse::InnerIterator e(W, j); e; ++e)
      if (e.value() != 0)
        entries.emplace_back(static_cast<int>(e.row()), j,
                             lcp.sign[e.row()] * e.value() * lcp.sign[j]);
  add_two_sided(box, lcp, entries);
  lcp.M.resize(lcp.rows, lcp.rows);
  lcp.M.setFromTriplets(entries.begin(), entries.end());
  return lcp;
}

/// The basis and its solution. Variables: w_i = i, z_i = N + i, z₀ = 2N.
class Basis {
 public:
  explicit Basis(const SparseLcp& lcp) : lcp_(lcp), N_(lcp.rows) {
    variable.resize(static_cast<std::size_t>(N_));
    row_i_.resize(N_);
    row_k_.resize(N_);
    double largest = 0;
    for (Index e = 0; e < lcp.M.nonZeros(); ++e)
      largest = std::max(largest, std::abs(lcp.M.valuePtr()[e]));
    smallest_ = 1e-14 * std::min(1.0, largest);
  }

  std::vector<Index> variable;  ///< at each position
  Vector x;                     ///< values of the basic variables
  Vector d;                     ///< B⁻¹ times the entering column

  [[nodiscard]] bool refactor() {
    fill_matrix();
    if (!factor_.factorise(B_)) return false;
    x = lcp_.q;
    factor_.solve(x);
    d = lcp_.q - B_ * x;  // one step of refinement
    factor_.solve(d);
    x += d;
    double size = 0;
    for (Index i = 0; i < N_; ++i) size = std::max(size, std::abs(lcp_.q[i]));
    zero_ = 1e-14 * size;
    return x.allFinite();
  }

  /// d ← B⁻¹ a for the column a of variable v.
  void enter(Index v) {
    d.setZero(N_);
    if (v < N_) {
      d[v] = 1;
    } else if (v == 2 * N_) {
      for (Index i = 0; i < N_; ++i) d[i] = lcp_.free[i] ? 0 : -1;
    } else {
      for (Sparse::InnerIterator e(lcp_.M, v - N_); e; ++e) d[e.row()] = -e.value();
    }
    factor_.solve(d);
  }

  /// The variable at position p leaves for `entering`, whose column is in d.
  [[nodiscard]] bool exchange(Index p, Index entering) {
    const double step = x[p] / d[p];
    x -= step * d;
    x[p] = step;
    variable[p] = entering;
    if (factor_.exchanges() >= refactor_after) return refactor();
    factor_.exchange(p, d);
    return true;
  }

  /// Least ratio x_p / d_p over d_p > 0, ties to z₀, then lexicographic; −1: ray.
  [[nodiscard]] Index blocking() {
    double largest = 0, least = inf;
    for (Index p = 0; p < N_; ++p) largest = std::max(largest, std::abs(d[p]));
    const double positive = std::max(1e-12 * largest, smallest_);
    for (Index p = 0; p < N_; ++p)
      if (d[p] > positive && may_leave(p)) least = std::min(least, ratio(p));
    if (least == inf) return -1;
    const double tie = least * (1 + 1e-12);  // rounding of the ratios
    Index best = -1;
    bool have_row = false;
    for (Index p = 0; p < N_; ++p) {
      if (!(d[p] > positive) || !may_leave(p) || ratio(p) > tie) continue;
      if (variable[p] == 2 * N_) return p;
      if (best < 0) {
        best = p;
        continue;
      }
      if (!have_row) inverse_row(best, row_k_);
      have_row = true;
      inverse_row(p, row_i_);
      if (!lexicographically_less(d[p], d[best])) continue;
      best = p;
      row_k_.swap(row_i_);
    }
    return best;
  }

 private:
  [[nodiscard]] bool may_leave(Index p) const {
    const Index v = variable[p];
    return v < N_ || v == 2 * N_ || !lcp_.free[v - N_];
  }
  [[nodiscard]] double ratio(Index p) const { return x[p] > zero_ ? x[p] / d[p] : 0.0; }

  /// Row p of B⁻¹.
  void inverse_row(Index p, Vector& row) const {
    row.setZero();
    row[p] = 1;
    factor_.solve_transposed(row);
  }

  /// row_i over scale_i before row_k over scale_k, entry by entry up to rounding.
  [[nodiscard]] bool lexicographically_less(double scale_i, double scale_k) const {
    const double zero = 1e-12 * std::max(row_i_.lpNorm<Eigen::Infinity>() / scale_i,
                                         row_k_.lpNorm<Eigen::Infinity>() / scale_k);
    for (Index v = 0; v < N_; ++v) {
      if (lcp_.free[v]) continue;
      const double gap = row_i_[v] / scale_i - row_k_[v] / scale_k;
      if (std::abs(gap) > zero) return gap < 0;
    }
    return false;
  }

  void fill_matrix() {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index p = 0; p < N_; ++p) {
      const Index v = variable[p];
      const auto column = static_cast<int>(p);
      if (v < N_) {
        entries.emplace_back(static_cast<int>(v), column, 1.0);
      } else if (v == 2 * N_) {
        for (Index i = 0; i < N_; ++i)
          if (!lcp_.free[i]) entries.emplace_back(static_cast<int>(i), column, -1.0);
      } else {
        for (Sparse::InnerIterator e(lcp_.M, v - N_); e; ++e)
          entries.emplace_back(static_cast<int>(e.row()), column, -e.value());
      }
    }
    B_.resize(N_, N_);
    B_.setFromTriplets(entries.begin(), entries.end());
  }

  const SparseLcp& lcp_;
  Index N_;
  Sparse B_;
  BasisFactor factor_;
  Vector row_i_, row_k_;
  double smallest_ = 0, zero_ = 0;
};

/// Most negative x of a bounded row; the last one of equals is the lexicographic choice. −1: none.
Index most_negative(const SparseLcp& lcp, const Vector& x) {
  Index row = -1;
  for (Index i = 0; i < lcp.rows; ++i)
    if (!lcp.free[i] && x[i] < 0 && (row < 0 || x[i] <= x[row])) row = i;
  return row;
}

void write_point(const SparseLcp& lcp, const Basis& basis, VectorRef z) {
  const Index N = lcp.rows, n = z.size();
  z = lcp.base;
  for (Index p = 0; p < N; ++p) {
    const Index i = basis.variable[p] - N;
    if (i < 0 || i >= n) continue;
    z[i] += lcp.sign[i] * (lcp.free[i] ? basis.x[p] : std::max(0.0, basis.x[p]));
  }
}

/// Direction in which z moves when `entering` grows.
void write_ray(const SparseLcp& lcp, const Basis& basis, Index entering, Vector& ray, Index n) {
  const Index N = lcp.rows;
  ray.setZero(n);
  for (Index p = 0; p < N; ++p) {
    const Index i = basis.variable[p] - N;
    if (i >= 0 && i < n) ray[i] = -lcp.sign[i] * basis.d[p];
  }
  if (entering >= N && entering - N < n) ray[entering - N] = lcp.sign[entering - N];
}

/// Basis of the guess: z_i where it is off its bound. True if that solves up to rounding.
bool guess_solves(const SparseLcp& lcp, VectorRef z, Basis& basis) {
  const Index N = lcp.rows;
  if (N != z.size()) return false;
  bool any = false;
  for (Index i = 0; i < N; ++i) {
    const bool off = lcp.free[i] || lcp.sign[i] * (z[i] - lcp.base[i]) > 0;
    basis.variable[i] = off ? N + i : i;
    any = any || (off && !lcp.free[i]);
  }
  if (!any || !basis.refactor()) return false;
  const double zero =
      1e-14 * std::max(lcp.q.lpNorm<Eigen::Infinity>(), basis.x.lpNorm<Eigen::Infinity>());
  for (Index i = 0; i < N; ++i)
    if (!lcp.free[i] && !(basis.x[i] >= -zero)) return false;
  write_point(lcp, basis, z);
  return true;
}

Outcome pivot_until_solved(const SparseLcp& lcp, Basis& basis, Index limit, Vector& ray, Index n) {
  const Index N = lcp.rows;
  Outcome outcome{SolveStatus::converged, 0};
  Index row = most_negative(lcp, basis.x), entering = 2 * N;
  if (row < 0) return outcome;
  basis.enter(entering);
  for (;;) {
    if (outcome.iterations >= limit) return {SolveStatus::max_iterations, outcome.iterations};
    const Index leaving = basis.variable[row];
    ++outcome.iterations;
    if (!basis.exchange(row, entering)) return {SolveStatus::numerical_error, outcome.iterations};
    if (leaving == 2 * N) return outcome;
    entering = leaving < N ? leaving + N : leaving - N;
    basis.enter(entering);
    row = basis.blocking();
    if (row < 0) {
      write_ray(lcp, basis, entering, ray, n);
      return {SolveStatus::stalled, outcome.iterations};
    }
  }
}

}  // namespace

bool prefers_revised_lemke(const BoxView& box) {
  const Index n = box.size();
  return n > dense_limit && box.W.nonzeros() <= n * n / 10;
}

Outcome revised_lemke(const BoxView& box, VectorRef z, Index limit, Workspace& work) {
  const SparseLcp lcp = make_lcp(box);
  Basis basis(lcp);
  if (guess_solves(lcp, z, basis)) return {SolveStatus::converged, 0};
  for (Index i = 0; i < lcp.rows; ++i) basis.variable[i] = lcp.free[i] ? lcp.rows + i : i;
  if (!basis.refactor()) return {SolveStatus::numerical_error, 0};
  Outcome outcome = pivot_until_solved(lcp, basis, limit, work.certificate, box.size());
  if (outcome.status == SolveStatus::converged && !basis.refactor())
    outcome.status = SolveStatus::numerical_error;
  write_point(lcp, basis, z);
  return outcome;
}

}  // namespace saltus
