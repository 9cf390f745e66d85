#include "saltus/solvers/splitting_block.hpp"

#include "saltus/solvers/box_iteration.hpp"
#include "saltus/solvers/dense_lu.hpp"

namespace saltus {

namespace {

/// Shift of a singular block, relative to its largest entry: leaves half of the digits to the
/// solution, and the proximal iteration of the sweeps restores the rest.
constexpr double small_shift = 1e-8;

enum State : std::uint8_t { at_lower, is_free, at_upper };

/// The box problem of one block: A z + c with n rows, A by columns, shift ρ on its diagonal.
struct Local {
  Index n;
  const double* A;
  double rho;
  const double *c, *lower, *upper;
  double* z;  // guess in, solution out
  double* u;  // A z + ρ z + c
  std::uint8_t* state;

  [[nodiscard]] double entry(Index i, Index j) const { return A[j * n + i] + (i == j ? rho : 0); }
  void evaluate() const {
    for (Index i = 0; i < n; ++i) u[i] = c[i];
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; z[j] != 0 && i < n; ++i) u[i] += entry(i, j) * z[j];
  }
};

double largest_entry(const Local& p) {
  double largest = 0;
  for (Index e = 0; e < p.n * p.n; ++e) largest = std::max(largest, std::abs(p.A[e]));
  return largest;
}

/// Set predicted by the guess: a row stays at a bound that its u pushes against.
void predict(const Local& p) {
  p.evaluate();
  for (Index i = 0; i < p.n; ++i)
    p.state[i] = p.z[i] <= p.lower[i] && p.u[i] >= 0   ? at_lower
                 : p.z[i] >= p.upper[i] && p.u[i] <= 0 ? at_upper
                                                       : is_free;
}

/// z at its bounds outside the free set, u = 0 on it. False if that block of A is singular.
bool solve_set(const Local& p, Workspace& work) {
  work.active.clear();
  for (Index i = 0; i < p.n; ++i) {
    p.z[i] = p.state[i] == at_lower ? p.lower[i] : p.state[i] == at_upper ? p.upper[i] : 0.0;
    if (p.state[i] == is_free) work.active.push_back(i);
  }
  p.evaluate();
  const auto m = static_cast<Index>(work.active.size());
  double* lu = work.lu.get(p.n * p.n);
  double* rhs = work.lu_rhs.get(p.n);
  work.lu_pivots.resize(static_cast<std::size_t>(std::max<Index>(p.n, 1)));
  for (Index i = 0; i < m; ++i) {
    rhs[i] = -p.u[work.active[i]];
    for (Index j = 0; j < m; ++j) lu[i * m + j] = p.entry(work.active[i], work.active[j]);
  }
  if (!lu_factorise(m, lu, work.lu_pivots.data())) return false;
  lu_solve(m, lu, work.lu_pivots.data(), rhs);
  for (Index i = 0; i < m; ++i) p.z[work.active[i]] = rhs[i];
  p.evaluate();
  return true;
}

State wanted(const Local& p, Index i, double zero_z, double zero_u) {
  const auto state = static_cast<State>(p.state[i]);
  if (state == is_free)
    return p.z[i] < p.lower[i] - zero_z   ? at_lower
           : p.z[i] > p.upper[i] + zero_z ? at_upper
                                          : is_free;
  const double push = state == at_lower ? p.u[i] : -p.u[i];
  return p.lower[i] < p.upper[i] && push < -zero_u ? is_free : state;
}

/// Exchanges rows of wrong sign until none is left.
SolveStatus solve_exactly(const Local& p, Workspace& work) {
  const double largest = p.rho + largest_entry(p);
  predict(p);
  Index best = p.n + 1;
  int patience = 5;
  for (Index count = 0; count < 10 * (p.n + 10); ++count) {
    if (!solve_set(p, work)) return SolveStatus::numerical_error;
    double size_z = 0, size_c = 0;
    for (Index i = 0; i < p.n; ++i) {
      size_z = std::max(size_z, std::abs(p.z[i]));
      size_c = std::max(size_c, std::abs(p.c[i]));
    }
    // a few hundred roundings of the terms of z and u
    const double zero_z = 1e-13 * size_z, zero_u = 1e-13 * (size_c + largest * size_z);
    Index wrong = 0, first = -1;
    for (Index i = p.n - 1; i >= 0; --i)
      if (wanted(p, i, zero_z, zero_u) != p.state[i]) ++wrong, first = i;
    if (wrong == 0) return SolveStatus::converged;
    patience = wrong < best ? 5 : patience - 1;
    best = std::min(best, wrong);
    for (Index i = first; i < (patience < 0 ? first + 1 : p.n); ++i)
      p.state[i] = wanted(p, i, zero_z, zero_u);
  }
  return SolveStatus::stalled;
}

class Blocks {
 public:
  Blocks(const BoxView& box, const BlockSplitting& options, double, Workspace& work)
      : box_(box),
        work_(work),
        rho_(options.rho),
        c_(work.rhs.get(box.size())),
        u_(work.velocity.get(box.size())),
        old_(work.iterate.get(box.size())) {
    work.state.resize(static_cast<std::size_t>(box.size()));
    Index largest = 0;
    for (Index b = 0; b < box.W.block_rows(); ++b)
      if (box.W.diagonal(b) < 0) largest = std::max(largest, box.W.row_size(b));
    zeros_ = work.dense_matrix.get(largest * largest);
    std::fill(zeros_, zeros_ + largest * largest, 0.0);
  }

  Progress step(double* z) {
    const BlockSparse& W = box_.W;
    double met = 0;
    for (Index b = 0; b < W.block_rows(); ++b) {
      const Index first = W.row_offset(b), n = W.row_size(b), k = W.diagonal(b);
      Local local{n,
                  k < 0 ? zeros_ : W.value(k),
                  rho_,
                  c_,
                  box_.lower + first,
                  box_.upper + first,
                  z + first,
                  u_,
                  work_.state.data()};
      std::copy_n(local.z, n, old_);
      met = std::max(met, gather(b, z, local));
      SolveStatus status = solve_exactly(local, work_);
      if (status == SolveStatus::numerical_error && rho_ == 0) {
        local.rho = small_shift * largest_entry(local);
        std::copy_n(old_, n, local.z);
        gather(b, z, local);
        status = solve_exactly(local, work_);
      }
      for (Index i = 0; i < n; ++i) local.z[i] = clamp(box_, first + i, local.z[i]);
      if (status != SolveStatus::converged) return {status};
    }
    return {SolveStatus::not_run, met};
  }

 private:
  /// c of the local problem; returns the natural map of the block.
  double gather(Index b, const double* z, const Local& local) const {
    const Index first = box_.W.row_offset(b), n = local.n;
    box_.W.multiply_row(b, Eigen::Map<const Vector>(z, box_.size()), Eigen::Map<Vector>(c_, n));
    double met = 0;
    for (Index i = 0; i < n; ++i) {
      c_[i] += box_.q[first + i];
      met = std::max(met, std::abs(local.z[i] - clamp(box_, first + i, local.z[i] - c_[i])));
    }
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) c_[i] -= local.entry(i, j) * local.z[j];
    return met;
  }

  const BoxView& box_;
  Workspace& work_;
  double rho_;
  double *c_, *u_, *old_, *zeros_;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const BlockSplitting& options, Workspace& work) {
  return solve_by_iteration<Blocks>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const BlockSplitting& options,
                  Workspace& work) {
  return solve_by_iteration<Blocks>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const BlockSplitting& options,
                  Workspace& work) {
  return solve_by_iteration<Blocks>(problem, r, options, work);
}

}  // namespace saltus
