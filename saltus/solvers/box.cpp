#include "saltus/solvers/box.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/dense_lu.hpp"

#include <cmath>

namespace saltus {

namespace {

void check_size(std::string_view algorithm, Index z, Index q, const BlockSparse& W) {
  require(z == q && W.rows() == q && W.cols() == q,
          "{}: the matrix is {}x{}, q has size {}, the initial guess {}", algorithm, W.rows(),
          W.cols(), q, z);
}

void fill(double* x, Index first, Index size, double value) {
  std::fill(x + first, x + first + size, value);
}

/// W into A by rows.
void copy_by_rows(const BlockSparse& W, double* A) {
  const Index n = W.cols();
  std::fill(A, A + W.rows() * n, 0.0);
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      const double* a = W.value(k);
      const Index rows = W.row_size(i), j = W.column(k);
      double* corner = A + W.row_offset(i) * n + W.column_offset(j);
      for (Index c = 0; c < W.column_size(j); ++c)
        for (Index r = 0; r < rows; ++r) corner[r * n + c] = *a++;
    }
}

/// Sorts the rows of the box by their bounds; writes base and sign of the bounded ones.
void classify(const BoxView& box, Workspace& work) {
  double* base = work.base.get(box.size());
  double* sign = work.sign.get(box.size());
  work.free_rows.clear();
  work.bound_rows.clear();
  work.twice_bound_rows.clear();
  for (Index i = 0; i < box.size(); ++i) {
    const bool below = box.lower[i] > -inf, above = box.upper[i] < inf;
    if (!below && !above) {
      work.free_rows.push_back(i);
      continue;
    }
    const auto b = static_cast<Index>(work.bound_rows.size());
    if (below && above) work.twice_bound_rows.push_back(b);
    base[b] = below ? box.lower[i] : box.upper[i];
    sign[b] = below ? 1 : -1;
    work.bound_rows.push_back(i);
  }
}

/// X = W_FF⁻¹ [W_FB | q_F], by rows, one row per free row. False if W_FF is singular.
bool eliminate_free(const BoxView& box, const double* A, Workspace& work) {
  const auto& F = work.free_rows;
  const auto& B = work.bound_rows;
  const Index n = box.size(), f = static_cast<Index>(F.size()), m = static_cast<Index>(B.size());
  double* lu = work.free_block.get(f * f);
  double* X = work.free_slope.get(f * (m + 1));
  double* column = work.lu_rhs.get(n);
  work.lu_pivots.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < f; ++i)
    for (Index j = 0; j < f; ++j) lu[i * f + j] = A[F[i] * n + F[j]];
  if (!lu_factorise(f, lu, work.lu_pivots.data())) return false;
  for (Index j = 0; j <= m; ++j) {
    for (Index i = 0; i < f; ++i) column[i] = j < m ? A[F[i] * n + B[j]] : box.q[F[i]];
    lu_solve(f, lu, work.lu_pivots.data(), column);
    for (Index i = 0; i < f; ++i) X[i * (m + 1) + j] = column[i];
  }
  return true;
}

/// Rows of the single-bounded part: sign S sign and sign (S base + s), with S, s the Schur
/// complement.
void fill_bounded(const BoxView& box, const double* A, Workspace& work, Index stride, double* M,
                  double* q) {
  const auto& F = work.free_rows;
  const auto& B = work.bound_rows;
  const Index n = box.size(), f = static_cast<Index>(F.size()), m = static_cast<Index>(B.size());
  const double* X = work.free_slope.get(f * (m + 1));
  const double* base = work.base.get(n);
  const double* sign = work.sign.get(n);
  for (Index i = 0; i < m; ++i) {
    double* row = M + i * stride;
    for (Index j = 0; j < m; ++j) row[j] = A[B[i] * n + B[j]];
    q[i] = box.q[B[i]];
    for (Index k = 0; k < f; ++k) {
      const double a = A[B[i] * n + F[k]];
      if (a == 0) continue;
      for (Index j = 0; j < m; ++j) row[j] -= a * X[k * (m + 1) + j];
      q[i] -= a * X[k * (m + 1) + m];
    }
    for (Index j = 0; j < m; ++j) {
      q[i] += row[j] * base[j];
      row[j] *= sign[i] * sign[j];
    }
    q[i] *= sign[i];
  }
}

}  // namespace

void refuse_friction(std::string_view algorithm, std::span<const BlockSet> K) {
  for (std::size_t i = 0; i < K.size(); ++i)
    require(row_by_row(K[i]),
            "{} solves complementarity problems; block {} is a {}: use Nsgs or Automatic",
            algorithm, i, name(K[i]));
}

BoxView as_box(LcpView problem, ConstVectorRef z, std::string_view algorithm, Workspace& work) {
  const Index n = problem.q.size();
  check_size(algorithm, z.size(), n, problem.M);
  work.certificate.resize(0);
  double* lower = work.lower.get(n);
  double* upper = work.upper.get(n);
  fill(lower, 0, n, 0);
  fill(upper, 0, n, inf);
  return {problem.M, problem.q, lower, upper};
}

BoxView as_box(const Mlcp& problem, ConstVectorRef z, std::string_view algorithm, Workspace& work) {
  const BoxView box = as_box(LcpView(problem.M, problem.q), z, algorithm, work);
  double* lower = work.lower.get(box.size());
  for (Index i : problem.equalities) {
    require(i >= 0 && i < box.size(), "{}: equality {} is out of range, the problem has {} rows",
            algorithm, i, box.size());
    lower[i] = -inf;
  }
  return box;
}

BoxView as_box(const BlockForm& problem, ConstVectorRef z, std::string_view algorithm,
               Workspace& work) {
  const BlockSparse& W = problem.W;
  const Index n = problem.q.size();
  check_size(algorithm, z.size(), n, W);
  require(static_cast<Index>(problem.K.size()) == W.block_rows(),
          "{}: {} sets are given, the matrix has {} block rows", algorithm, problem.K.size(),
          W.block_rows());
  work.certificate.resize(0);
  double* lower = work.lower.get(n);
  double* upper = work.upper.get(n);
  for (Index i = 0; i < W.block_rows(); ++i) {
    const Index first = W.row_offset(i), size = W.row_size(i);
    const auto bound = [&](double from, double to) {
      fill(lower, first, size, from);
      fill(upper, first, size, to);
    };
    std::visit(Overloaded{[&](const Reals&) { bound(-inf, inf); },
                          [&](const NonNegative&) { bound(0, inf); },
                          [&](const Interval& K) { bound(K.lower, K.upper); },
                          [&](const auto&) { refuse_friction(algorithm, problem.K); }},
               problem.K[i]);
  }
  return {W, problem.q, lower, upper};
}

namespace {

/// A row whose range of u excludes what (1) asks, and the sign of its unit vector in the proof.
struct RowProof {
  Index row = -1;
  double sign = 0;
};

RowProof find_infeasible_row(const BoxView& box) {
  const BlockSparse& W = box.W;
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index r = 0; r < W.row_size(i); ++r) {
      const Index row = W.row_offset(i) + r;
      double lowest = box.q[row], highest = box.q[row], size = std::abs(box.q[row]);
      for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k)
        for (Index c = 0; c < W.column_size(W.column(k)); ++c) {
          const double a = W.value(k)[c * W.row_size(i) + r];
          const Index j = W.column_offset(W.column(k)) + c;
          if (a == 0) continue;
          const double p = a * box.lower[j], q = a * box.upper[j];
          lowest += std::min(p, q);
          highest += std::max(p, q);
          if (std::isfinite(p)) size = std::max(size, std::abs(p));
          if (std::isfinite(q)) size = std::max(size, std::abs(q));
        }
      const double margin = 1e-12 * size;  // far above the rounding of the sums
      if (box.upper[row] == inf && highest < -margin) return {row, 1};
      if (box.lower[row] == -inf && lowest > margin) return {row, -1};
    }
  return {};
}

}  // namespace

bool infeasible_row(const BoxView& box) { return find_infeasible_row(box).row >= 0; }

bool infeasible_row(const BoxView& box, Workspace& work) {
  const RowProof proof = find_infeasible_row(box);
  if (proof.row < 0) return false;
  work.certificate.setZero(box.size());
  work.certificate[proof.row] = proof.sign;
  return true;
}

bool certified_infeasible(const BoxView& box, Workspace& work) {
  const Index n = box.size();
  const Eigen::Map<const Vector> lower(box.lower, n), upper(box.upper, n);
  if (work.certificate.size() == n && n > 0) {
    Vector& y = work.certificate;
    const double zero = 1e-14 * y.lpNorm<Eigen::Infinity>();  // rounding of the direction
    for (Index i = 0; i < n; ++i)
      if ((y[i] < 0 && y[i] >= -zero && lower[i] > -inf) ||
          (y[i] > 0 && y[i] <= zero && upper[i] < inf))
        y[i] = 0;
    if (proves_infeasible(box.W, box.q, lower, upper, y)) return true;
  }
  work.certificate.resize(0);
  return infeasible_row(box, work);
}

bool to_dense_lcp(const BoxView& box, Workspace& work, DenseLcp& lcp) {
  const Index n = box.size();
  classify(box, work);
  const auto m = static_cast<Index>(work.bound_rows.size());
  const auto twice = static_cast<Index>(work.twice_bound_rows.size());
  const double* base = work.base.get(n);
  const bool plain = m == n && twice == 0 &&
                     std::all_of(base, base + n, [](double b) { return b == 0; }) &&
                     std::all_of(box.upper, box.upper + n, [](double u) { return u == inf; });
  if (plain) {
    double* M = work.lcp_matrix.get(n * n);
    copy_by_rows(box.W, M);
    lcp = {n, M, box.q.data()};
    return true;
  }
  double* A = work.full_matrix.get(n * n);
  copy_by_rows(box.W, A);
  if (!eliminate_free(box, A, work)) return false;
  const Index N = m + twice;
  double* M = work.lcp_matrix.get(N * N);
  double* q = work.lcp_vector.get(N);
  std::fill(M, M + N * N, 0.0);
  fill_bounded(box, A, work, N, M, q);
  for (Index k = 0; k < twice; ++k) {
    const Index b = work.twice_bound_rows[k], i = work.bound_rows[b];
    M[b * N + m + k] = 1;
    M[(m + k) * N + b] = -1;
    q[m + k] = box.upper[i] - box.lower[i];
  }
  lcp = {N, M, q};
  return true;
}

void from_dense_lcp(const BoxView& box, const double* solution, VectorRef z, Workspace& work) {
  const auto& F = work.free_rows;
  const auto& B = work.bound_rows;
  const Index f = static_cast<Index>(F.size()), m = static_cast<Index>(B.size());
  const double* base = work.base.get(box.size());
  const double* sign = work.sign.get(box.size());
  for (Index b = 0; b < m; ++b) z[B[b]] = base[b] + sign[b] * solution[b];
  const double* X = work.free_slope.get(f * (m + 1));
  for (Index i = 0; i < f; ++i) {
    double sum = X[i * (m + 1) + m];
    for (Index b = 0; b < m; ++b) sum += X[i * (m + 1) + b] * z[B[b]];
    z[F[i]] = -sum;
  }
}

void direction_from_dense_lcp(const BoxView& box, Workspace& work) {
  const auto& F = work.free_rows;
  const auto& B = work.bound_rows;
  const Index f = static_cast<Index>(F.size()), m = static_cast<Index>(B.size());
  const double* sign = work.sign.get(box.size());
  const double* X = work.free_slope.get(f * (m + 1));
  const Vector ray = work.certificate;
  Vector& y = work.certificate;
  y.setZero(box.size());
  for (Index b = 0; b < m; ++b) y[B[b]] = sign[b] * ray[b];
  for (Index i = 0; i < f; ++i)
    for (Index b = 0; b < m; ++b) y[F[i]] -= X[i * (m + 1) + b] * y[B[b]];
}

}  // namespace saltus
