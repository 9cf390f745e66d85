#include "saltus/solvers/mass_factor.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr double singular = 1e-14;  // pivot over the largest one

/// [M H; Hᵀ 0]
Sparse saddle(const Sparse& M, const Sparse& H) {
  const Index n = M.rows(), m = H.cols();
  const Sparse transposed = H.transpose();
  Sparse A(n + m, n + m);
  A.reserve(M.nonZeros() + 2 * H.nonZeros());
  for (Index j = 0; j < n + m; ++j) {
    A.startVec(j);
    for (Sparse::InnerIterator it(j < n ? M : H, j < n ? j : j - n); it; ++it)
      A.insertBack(it.row(), j) = it.value();
    if (j < n)
      for (Sparse::InnerIterator it(transposed, j); it; ++it)
        A.insertBack(n + it.row(), j) = it.value();
  }
  A.finalize();
  return A;
}

}  // namespace

bool MassFactor::reduce(const Sparse& M, const Sparse& H, Sparse& W, ThreadTeam& team) {
  small_ = find_blocks(M);
  if (small_) {
    if (!invert_blocks(M, team)) return false;
    W = Sparse(H.transpose()) * times_inverse(H);
    return true;
  }
  Matrix S;
  if (!lu_.condense(saddle(M, H), H.cols(), S, team)) return false;
  W = Matrix(-S).sparseView();
  return true;
}

/// M⁻¹ H by the blocks of M.
Sparse MassFactor::times_inverse(const Sparse& H) const {
  Sparse X(H.rows(), H.cols());
  X.reserve(6 * H.nonZeros());
  std::vector<int> found;  // blocks that a column touches
  Vector column = Vector::Zero(H.rows());
  for (Index j = 0; j < H.cols(); ++j) {
    X.startVec(j);
    found.clear();
    for (Sparse::InnerIterator it(H, j); it; ++it) {
      column[it.row()] = it.value();
      found.push_back(block_of_[it.row()]);
    }
    std::sort(found.begin(), found.end(),
              [&](int a, int b) { return block_rows(a)[0] < block_rows(b)[0]; });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const int b : found) {
      const Index size = block_size(b);
      for (Index i = 0; i < size; ++i) {
        double sum = 0;
        for (Index k = 0; k < size; ++k) sum += inverse(b)(i, k) * column[block_rows(b)[k]];
        X.insertBackByOuterInnerUnordered(j, block_rows(b)[i]) = sum;
      }
    }
    for (Sparse::InnerIterator it(H, j); it; ++it) column[it.row()] = 0;
  }
  X.finalize();
  return X;
}

bool MassFactor::factorise(const Sparse& M, ThreadTeam& team) {
  small_ = find_blocks(M);
  return small_ ? invert_blocks(M, team) : lu_.factorise(M, team);
}

/// The connected parts of the graph of M; false if one is large.
bool MassFactor::find_blocks(const Sparse& M) {
  const Index n = M.rows();
  const Sparse by_rows = M.transpose();
  block_of_.assign(static_cast<std::size_t>(n), -1);
  place_.assign(static_cast<std::size_t>(n), 0);
  rows_.clear();
  begin_.assign(1, 0);
  for (Index i = 0; i < n; ++i) {
    if (block_of_[i] >= 0) continue;
    const int block = static_cast<int>(begin_.size()) - 1;
    const auto first = static_cast<Index>(rows_.size());
    const auto take = [&](Index row) {
      if (block_of_[row] >= 0) return;
      block_of_[row] = block;
      rows_.push_back(static_cast<int>(row));
    };
    take(i);
    for (auto k = static_cast<std::size_t>(first); k < rows_.size(); ++k)
      for (const Sparse* matrix : {&M, &by_rows})
        for (Sparse::InnerIterator it(*matrix, rows_[k]); it; ++it)
          if (it.value() != 0) take(it.row());
    const auto end = static_cast<Index>(rows_.size());
    if (end - first > largest_block) return false;
    std::sort(rows_.begin() + first, rows_.end());
    for (Index k = first; k < end; ++k) place_[rows_[k]] = k - first;
    begin_.push_back(end);
  }
  return true;
}

bool MassFactor::invert_blocks(const Sparse& M, ThreadTeam& team) {
  const int blocks = static_cast<int>(begin_.size()) - 1;
  inverse_begin_.assign(1, 0);
  for (int b = 0; b < blocks; ++b)
    inverse_begin_.push_back(inverse_begin_.back() + block_size(b) * block_size(b));
  inverse_.resize(static_cast<std::size_t>(inverse_begin_.back()));
  const auto failure = [&](Index b) { return invert_block(M, static_cast<int>(b)) ? 0.0 : 1.0; };
  return team.sum(blocks, failure) == 0;
}

bool MassFactor::invert_block(const Sparse& M, int b) {
  using Block =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, largest_block, largest_block>;
  const Index size = block_size(b);
  Eigen::Map<Matrix> inverse(&inverse_[inverse_begin_[b]], size, size);
  Block block = Block::Zero(size, size);
  for (Index j = 0; j < size; ++j)
    for (Sparse::InnerIterator it(M, block_rows(b)[j]); it; ++it)
      if (it.value() != 0) block(place_[it.row()], j) = it.value();
  if (size == 1) {
    if (!(std::abs(block(0, 0)) > 0)) return false;
    inverse(0, 0) = 1 / block(0, 0);
    return true;
  }
  const Eigen::PartialPivLU<Block> lu(block);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!(pivots.minCoeff() > singular * pivots.maxCoeff())) return false;
  inverse = lu.inverse();
  return true;
}

void MassFactor::solve(const Vector& b, Vector& x, ThreadTeam& team) {
  if (!small_) {
    lu_.solve(b, x, team);
    return;
  }
  x.resize(b.size());
  team.for_range(static_cast<Index>(begin_.size()) - 1, [&](Index block) {
    const Index size = begin_[block + 1] - begin_[block];
    const int* rows = &rows_[begin_[block]];
    const double* inverse = &inverse_[inverse_begin_[block]];
    if (size == 1) {
      x[rows[0]] = inverse[0] * b[rows[0]];
      return;
    }
    double sum[largest_block];
    std::fill(sum, sum + size, 0.0);
    for (Index j = 0; j < size; ++j) {
      const double value = b[rows[j]];
      for (Index i = 0; i < size; ++i) sum[i] += inverse[j * size + i] * value;
    }
    for (Index i = 0; i < size; ++i) x[rows[i]] = sum[i];
  });
}

Eigen::SparseMatrix<double> padded(const Eigen::SparseMatrix<double>& H,
                                   const std::vector<Index>& sizes) {
  using Sparse = Eigen::SparseMatrix<double>;
  Sparse result(H.rows(), H.cols());
  result.reserve(3 * H.nonZeros());
  std::vector<Index> rows;
  Index first = 0;
  for (const Index size : sizes) {
    rows.clear();
    for (Index j = first; j < first + size; ++j)
      for (Sparse::InnerIterator it(H, j); it; ++it) rows.push_back(it.row());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (Index j = first; j < first + size; ++j) {
      result.startVec(j);
      Sparse::InnerIterator it(H, j);
      for (const Index row : rows) {
        const bool stored = it && it.row() == row;
        result.insertBack(row, j) = stored ? it.value() : 0;
        if (stored) ++it;
      }
    }
    first += size;
  }
  result.finalize();
  return result;
}

}  // namespace saltus
