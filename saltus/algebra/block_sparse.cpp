#include "saltus/algebra/block_sparse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace saltus {

namespace {

void set_offsets(std::vector<Index>& offsets, std::span<const Index> sizes) {
  offsets.resize(sizes.size() + 1);
  offsets[0] = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) offsets[i + 1] = offsets[i] + sizes[i];
}

std::vector<Index> uniform_sizes(Index total, Index size, const char* what) {
  require(size > 0 && total % size == 0,
          "BlockSparse: {} {} is not a multiple of the block size {}", total, what, size);
  return std::vector<Index>(static_cast<std::size_t>(total / size), size);
}

}  // namespace

BlockSparse BlockSparse::dense(ConstMatrixRef A, Index block_size) {
  BlockSparse B;
  const bool one = block_size <= 0;
  const auto rows =
      one ? std::vector<Index>{A.rows()} : uniform_sizes(A.rows(), block_size, "rows");
  const auto cols =
      one ? std::vector<Index>{A.cols()} : uniform_sizes(A.cols(), block_size, "columns");
  B.start(rows, cols);
  for (Index i = 0; i < B.block_rows(); ++i) {
    for (Index j = 0; j < B.block_cols(); ++j) {
      const Index k = B.push_block(j);
      B.block(i, k) = A.block(B.row_offset(i), B.column_offset(j), B.row_size(i), B.column_size(j));
    }
    B.end_row();
  }
  return B;
}

BlockSparse BlockSparse::sparse(const Eigen::SparseMatrix<double>& A, Index block_size) {
  return sparse(A, uniform_sizes(A.rows(), block_size, "rows"),
                uniform_sizes(A.cols(), block_size, "columns"));
}

BlockSparse BlockSparse::sparse(const Eigen::SparseMatrix<double>& A,
                                std::span<const Index> row_sizes,
                                std::span<const Index> column_sizes) {
  BlockSparse B;
  B.start(row_sizes, column_sizes);
  require(A.rows() == B.rows() && A.cols() == B.cols(),
          "BlockSparse::sparse: matrix is {}x{}, block sizes add up to {}x{}", A.rows(), A.cols(),
          B.rows(), B.cols());
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = A;
  std::vector<Index> column_block(static_cast<std::size_t>(A.cols()));
  for (Index j = 0; j < B.block_cols(); ++j)
    for (Index c = B.column_offset(j); c < B.column_offset(j + 1); ++c) column_block[c] = j;
  std::vector<Index> found, number(column_sizes.size(), -1);
  for (Index i = 0; i < B.block_rows(); ++i) {
    found.clear();
    using It = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
    const Index first = B.row_offset(i), last = B.row_offset(i + 1);
    for (Index r = first; r < last; ++r)
      for (It it(by_rows, r); it; ++it)
        if (Index& n = number[column_block[it.col()]]; n < 0)
          n = 0, found.push_back(column_block[it.col()]);
    std::sort(found.begin(), found.end());
    for (Index j : found) number[j] = B.push_block(j);
    for (Index r = first; r < last; ++r)
      for (It it(by_rows, r); it; ++it) {
        const Index j = column_block[it.col()];
        B.block(i, number[j])(r - first, it.col() - B.column_offset(j)) = it.value();
      }
    for (Index j : found) number[j] = -1;
    B.end_row();
  }
  return B;
}

void BlockSparse::start(std::span<const Index> row_sizes, std::span<const Index> column_sizes) {
  set_offsets(row_offset_, row_sizes);
  set_offsets(column_offset_, column_sizes);
  row_begin_.assign(1, 0);
  row_begin_.reserve(row_sizes.size() + 1);
  diagonal_.assign(row_sizes.size(), -1);
  column_.clear();
  value_begin_.clear();
  values_.clear();
  scalar_ = rows() == block_rows() && cols() == block_cols();
}

Index BlockSparse::push_block(Index column) {
  const auto i = static_cast<Index>(row_begin_.size()) - 1;
  SALTUS_ASSERT(i < block_rows() && column < block_cols());
  SALTUS_ASSERT(blocks() == row_begin_[i] || column_.back() < column);
  const Index k = blocks();
  if (column == i) diagonal_[i] = k;
  column_.push_back(column);
  value_begin_.push_back(static_cast<Index>(values_.size()));
  values_.resize(values_.size() + static_cast<std::size_t>(row_size(i) * column_size(column)), 0.0);
  return k;
}

void BlockSparse::end_row() { row_begin_.push_back(blocks()); }

void BlockSparse::multiply_row(Index i, ConstVectorRef x, VectorRef y) const {
  const Index n = row_size(i);
  y.setZero();
  for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
    const double* a = value(k);
    const Index first = column_offset_[column_[k]], last = column_offset_[column_[k] + 1];
    for (Index c = first; c < last; ++c, a += n)
      for (Index r = 0; r < n; ++r) y[r] += a[r] * x[c];
  }
}

void BlockSparse::multiply(ConstVectorRef x, VectorRef y) const {
  SALTUS_ASSERT(x.size() == cols() && y.size() == rows());
  if (scalar_) {
    for (Index i = 0; i < block_rows(); ++i) {
      double sum = 0;
      for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k) sum += values_[k] * x[column_[k]];
      y[i] = sum;
    }
    return;
  }
  for (Index i = 0; i < block_rows(); ++i)
    multiply_row(i, x, y.segment(row_offset_[i], row_size(i)));
}

void BlockSparse::multiply_transposed(ConstVectorRef x, VectorRef y) const {
  SALTUS_ASSERT(x.size() == rows() && y.size() == cols());
  y.setZero();
  for (Index i = 0; i < block_rows(); ++i)
    for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k)
      y.segment(column_offset_[column_[k]], column_size(column_[k])).noalias() +=
          block(i, k).transpose() * x.segment(row_offset_[i], row_size(i));
}

void BlockSparse::copy_to(MatrixRef dense) const {
  SALTUS_ASSERT(dense.rows() == rows() && dense.cols() == cols());
  dense.setZero();
  for (Index i = 0; i < block_rows(); ++i)
    for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k)
      dense.block(row_offset_[i], column_offset_[column_[k]], row_size(i),
                  column_size(column_[k])) = block(i, k);
}

Matrix BlockSparse::to_dense() const {
  Matrix A(rows(), cols());
  copy_to(A);
  return A;
}

Eigen::SparseMatrix<double> BlockSparse::to_sparse() const {
  const auto for_nonzeros = [&](const auto& body) {  // those of a column by increasing row
    for (Index i = 0; i < block_rows(); ++i)
      for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
        const ConstBlock b = block(i, k);
        for (Index c = 0; c < b.cols(); ++c)
          for (Index r = 0; r < b.rows(); ++r)
            if (b(r, c) != 0) body(row_offset_[i] + r, column_offset_[column_[k]] + c, b(r, c));
      }
  };
  Eigen::SparseMatrix<double> A(rows(), cols());
  int* begin = A.outerIndexPtr();
  for_nonzeros([&](Index, Index c, double) { ++begin[c + 1]; });
  std::partial_sum(begin, begin + cols() + 1, begin);
  A.resizeNonZeros(begin[cols()]);
  std::vector<int> next(begin, begin + cols());
  for_nonzeros([&](Index r, Index c, double value) {
    const int place = next[c]++;
    A.innerIndexPtr()[place] = static_cast<int>(r);
    A.valuePtr()[place] = value;
  });
  return A;
}

double BlockSparse::max_abs_diagonal() const {
  double largest = 0;
  for (Index i = 0; i < block_rows(); ++i) {
    const Index k = diagonal_[i];
    if (k < 0) continue;
    const Index n = std::min(row_size(i), column_size(i));
    for (Index r = 0; r < n; ++r)
      largest = std::max(largest, std::abs(value(k)[r * row_size(i) + r]));
  }
  return largest;
}

Index BlockSparse::find(Index i, Index j) const {
  const auto first = column_.begin() + row_begin_[i], last = column_.begin() + row_begin_[i + 1];
  const auto it = std::lower_bound(first, last, j);
  return it != last && *it == j ? static_cast<Index>(it - column_.begin()) : -1;
}

double BlockSparse::row_asymmetry(Index i) const {
  double largest = 0;
  for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
    const Index j = column_[k], mirror = find(j, i);
    if (mirror >= 0 && j < i) continue;  // compared in row j
    const ConstBlock b = block(i, k);
    const double gap = mirror < 0 ? b.cwiseAbs().maxCoeff()
                                  : (b - block(j, mirror).transpose()).cwiseAbs().maxCoeff();
    if (!(gap <= largest)) largest = gap;
  }
  return largest;
}

bool BlockSparse::symmetric(double tolerance) const {
  if (row_offset_ != column_offset_) return false;
  double largest = 0;
  for (double a : values_) largest = std::max(largest, std::abs(a));
  for (Index i = 0; i < block_rows(); ++i)
    if (!(row_asymmetry(i) <= tolerance * largest)) return false;
  return true;
}

bool BlockSparse::all_finite() const {
  return std::all_of(values_.begin(), values_.end(), [](double a) { return std::isfinite(a); });
}

}  // namespace saltus
