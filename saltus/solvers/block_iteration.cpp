#include "saltus/solvers/block_iteration.hpp"

#include "saltus/problems/rows.hpp"

#include <cmath>
#include <utility>

namespace saltus {

void require_fitting(const BlockForm& problem, ConstVectorRef r, std::string_view algorithm) {
  const BlockSparse& W = problem.W;
  require(
      r.size() == problem.q.size() && W.rows() == r.size() && W.cols() == r.size() &&
          static_cast<Index>(problem.K.size()) == W.block_rows(),
      "{}: the matrix is {}x{} with {} block rows, q has size {}, the initial guess {}, {} sets",
      algorithm, W.rows(), W.cols(), W.block_rows(), problem.q.size(), r.size(), problem.K.size());
}

void add_shift(const BlockForm& problem, ConstVectorRef u, VectorRef F) {
  const BlockSparse& W = problem.W;
  F = u;
  for (Index b = 0; b < W.block_rows(); ++b)
    if (!row_by_row(problem.K[b]))
      F[W.row_offset(b)] += shift(problem.K[b], W.row_size(b), u.data() + W.row_offset(b));
}

void evaluate(const BlockForm& problem, BlockPoint& point) {
  problem.W.multiply(point.z, point.u);
  point.u += problem.q;
  add_shift(problem, point.u, point.F);
}

void project_blocks(const BlockForm& problem, VectorRef x) {
  const BlockSparse& W = problem.W;
  for (Index b = 0; b < W.block_rows(); ++b) {
    auto part = x.segment(W.row_offset(b), W.row_size(b));
    project(problem.K[b], part, part);
  }
}

void project_guess(const BlockForm& problem, VectorRef r) {
  for (Index i = 0; i < r.size(); ++i)
    if (!std::isfinite(r[i])) r[i] = 0;
  project_blocks(problem, r);
}

double natural_residual(const BlockForm& problem, const BlockPoint& point) {
  if (!point.z.allFinite() || !point.u.allFinite()) return inf;
  const BlockSparse& W = problem.W;
  double sum = 0;
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index first = W.row_offset(b);
    sum += squared_natural_map(problem.K[b], W.row_size(b), point.z.data() + first,
                               point.u.data() + first);
  }
  return std::sqrt(sum);
}

double spectral_radius(const BlockSparse& W, Vector& x, Vector& y) {
  x.resize(W.rows());
  y.resize(W.rows());
  for (Index i = 0; i < x.size(); ++i) x[i] = 1 + 0.5 * std::sin(static_cast<double>(7 * i + 1));
  double value = 0;
  for (int k = 0; k < 30 && x.size() > 0; ++k) {
    x.normalize();
    W.multiply(x, y);
    value = y.norm();
    std::swap(x, y);
    if (!(value > 0)) break;
  }
  return value;
}

void copy_with_diagonal(const BlockSparse& W, BlockSparse& A) {
  std::vector<Index> sizes;
  for (Index i = 0; i < W.block_rows(); ++i) sizes.push_back(W.row_size(i));
  A.start(sizes, sizes);
  const auto push = [&](Index i, Index k) {
    const Index number = A.push_block(W.column(k));
    std::copy_n(W.value(k), W.row_size(i) * W.column_size(W.column(k)), A.value(number));
  };
  for (Index i = 0; i < W.block_rows(); ++i) {
    Index k = W.row_begin(i);
    for (; k < W.row_begin(i + 1) && W.column(k) < i; ++k) push(i, k);
    if (W.diagonal(i) < 0) A.push_block(i);
    for (; k < W.row_begin(i + 1); ++k) push(i, k);
    A.end_row();
  }
}

}  // namespace saltus
