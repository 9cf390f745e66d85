#include "saltus/solvers/contact_islands.hpp"

#include <numeric>

namespace saltus {

using Sparse = Eigen::SparseMatrix<double>;

namespace {

constexpr Index small = 50;             // blocks of islands that are put together
constexpr double dominant = 0.7;        // share of the blocks in one island that leaves no gain
constexpr double worth_trimming = 0.8;  // share of the velocities that blocks touch

/// The representative of i, with the path halved.
Index find(std::vector<Index>& group, Index i) {
  while (group[i] != i) i = group[i] = group[group[i]];
  return i;
}

/// Joins i to the group of the representative given; returns that of both.
Index join(std::vector<Index>& group, Index i, Index representative) {
  i = find(group, i);
  const Index both = std::min(i, representative);
  group[i] = group[representative] = both;
  return both;
}

std::vector<Index> singles(Index count) {
  std::vector<Index> group(static_cast<std::size_t>(count));
  std::iota(group.begin(), group.end(), Index{0});
  return group;
}

/// Columns `columns` of A, whose rows are numbered anew by `place`, increasing within an island.
Sparse submatrix(const Sparse& A, const std::vector<Index>& columns,
                 const std::vector<Index>& place, Index rows) {
  Index entries = 0;
  for (const Index j : columns) entries += A.col(j).nonZeros();
  Sparse part(rows, static_cast<Index>(columns.size()));
  part.reserve(entries);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    part.startVec(static_cast<Index>(j));
    for (Sparse::InnerIterator it(A, columns[j]); it; ++it)
      if (it.value() != 0) part.insertBack(place[it.row()], static_cast<Index>(j)) = it.value();
  }
  part.finalize();
  return part;
}

Vector select(ConstVectorRef x, const std::vector<Index>& entries) {
  Vector part(static_cast<Index>(entries.size()));
  for (std::size_t i = 0; i < entries.size(); ++i) part[static_cast<Index>(i)] = x[entries[i]];
  return part;
}

}  // namespace

ContactIslands::ContactIslands(const GlobalBlockForm& problem) {
  const Index n = problem.M.rows();
  std::vector<Index> group = singles(n + static_cast<Index>(problem.sizes.size()));
  for (Index j = 0; j < n; ++j) {
    Index own = find(group, j);
    for (Sparse::InnerIterator it(problem.M, j); it; ++it)
      if (it.value() != 0) own = join(group, it.row(), own);
  }
  for (std::size_t b = 0; b < problem.sizes.size(); ++b) {
    row_begin_.push_back(row_begin_.back() + problem.sizes[b]);
    Index own = n + static_cast<Index>(b);
    for (Index j = row_begin_[b]; j < row_begin_[b + 1]; ++j)
      for (Sparse::InnerIterator it(problem.H, j); it; ++it)
        if (it.value() != 0) own = join(group, it.row(), own);
  }
  number(group, n);
}

ContactIslands::ContactIslands(const BlockForm& problem) {
  std::vector<Index> group = singles(problem.W.block_rows());
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    row_begin_.push_back(row_begin_.back() + problem.W.row_size(b));
    Index own = find(group, b);
    for (Index k = problem.W.row_begin(b); k < problem.W.row_begin(b + 1); ++k)
      if (find(group, problem.W.column(k)) != own && !problem.W.block(b, k).isZero(0))
        own = join(group, problem.W.column(k), own);
  }
  number(group, 0);
}

/// Islands in the order of their first block; `unknowns` velocities come before the blocks.
void ContactIslands::number(std::vector<Index>& group, Index unknowns) {
  unknowns_ = unknowns;
  const auto blocks = static_cast<Index>(row_begin_.size()) - 1;
  std::vector<Index> size(group.size(), 0), island(group.size(), -1);
  Index largest = 0;
  for (Index b = 0; b < blocks; ++b) largest = std::max(largest, ++size[find(group, unknowns + b)]);
  const Index limit = static_cast<double>(largest) > dominant * static_cast<double>(blocks)
                          ? blocks
                          : small;  // up to which they are put together
  Index open = -1, held = 0;        // the island that takes small ones, and what these hold
  for (Index b = 0; b < blocks; ++b) {
    const Index root = find(group, unknowns + b);
    Index& own = island[root];
    if (own < 0) {
      const bool joins = size[root] <= limit;
      own = joins && open >= 0 ? open : count();
      if (own == count()) blocks_.emplace_back();
      if (joins) {
        held = own == open ? held + size[root] : size[root];
        open = held < limit ? own : -1;
      }
    }
    block_place_.push_back(static_cast<Index>(blocks_[own].size()));
    blocks_[own].push_back(b);
  }
  velocities_.resize(blocks_.size());
  place_.assign(static_cast<std::size_t>(unknowns), -1);
  for (Index i = 0; i < unknowns; ++i)
    if (const Index k = island[find(group, i)]; k >= 0) {
      place_[i] = static_cast<Index>(velocities_[k].size());
      velocities_[k].push_back(i);
    }
}

bool ContactIslands::worth_splitting() const {
  if (count() != 1) return count() > 1;
  return static_cast<double>(velocities_.front().size()) <
         worth_trimming * static_cast<double>(unknowns_);
}

Vector ContactIslands::gather(ConstVectorRef r, Index k) const {
  Index rows = 0;
  for (const Index b : blocks_[k]) rows += row_begin_[b + 1] - row_begin_[b];
  Vector own(rows);
  Index at = 0;
  for (const Index b : blocks_[k])
    for (Index i = row_begin_[b]; i < row_begin_[b + 1]; ++i) own[at++] = r[i];
  return own;
}

void ContactIslands::scatter(ConstVectorRef own, Index k, VectorRef r) const {
  Index at = 0;
  for (const Index b : blocks_[k])
    for (Index i = row_begin_[b]; i < row_begin_[b + 1]; ++i) r[i] = own[at++];
}

GlobalBlockForm ContactIslands::part(const GlobalBlockForm& problem, Index k) const {
  const std::vector<Index>& rows = velocities_[k];
  std::vector<Index> columns;
  GlobalBlockForm own;
  for (const Index b : blocks_[k]) {
    own.K.push_back(problem.K[b]);
    own.sizes.push_back(problem.sizes[b]);
    for (Index i = row_begin_[b]; i < row_begin_[b + 1]; ++i) columns.push_back(i);
  }
  const auto n = static_cast<Index>(rows.size());
  own.M = submatrix(problem.M, rows, place_, n);
  own.H = submatrix(problem.H, columns, place_, n);
  own.f = select(problem.f, rows);
  own.w = select(problem.w, columns);
  return own;
}

BlockForm ContactIslands::part(const BlockForm& problem, Index k) const {
  std::vector<Index> sizes;
  BlockForm own;
  for (const Index b : blocks_[k]) {
    sizes.push_back(problem.W.row_size(b));
    own.K.push_back(problem.K[b]);
  }
  own.W.start(sizes, sizes);
  for (const Index b : blocks_[k]) {
    for (Index j = problem.W.row_begin(b); j < problem.W.row_begin(b + 1); ++j) {
      if (problem.W.block(b, j).isZero(0)) continue;
      const Index made = own.W.push_block(block_place_[problem.W.column(j)]);
      own.W.block(block_place_[b], made) = problem.W.block(b, j);
    }
    own.W.end_row();
  }
  own.q = gather(problem.q, k);
  return own;
}

}  // namespace saltus
