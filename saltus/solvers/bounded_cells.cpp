#include "saltus/solvers/bounded_cells.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double trusted = 1e3;  // ‖r‖ relative to the size of the velocities

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

void append(const Sparse& A, Triplets& list) {
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it)
      list.emplace_back(static_cast<int>(it.row()), static_cast<int>(j), it.value());
}

Sparse matrix_of(Index rows, Index cols, const Triplets& list) {
  Sparse A(rows, cols);
  A.setFromTriplets(list.begin(), list.end());
  return A;
}

}  // namespace

bool BoundedCells::present(const std::vector<BlockSet>& K) {
  return std::any_of(K.begin(), K.end(), [](const BlockSet& set) {
    return std::holds_alternative<Interval>(set) || std::holds_alternative<FrictionCylinder>(set);
  });
}

void BoundedCells::add(BlockSet set, Index first, Index count, double sign) {
  K_.push_back(std::move(set));
  sizes_.push_back(count);
  for (Index k = 0; k < count; ++k) rows_.push_back({.from = first + k, .sign = sign});
}

void BoundedCells::add_bounded(Index first, Index count, double given, double speed) {
  const double bound = std::min(given, highest_);
  K_.emplace_back(FrictionCone{1});
  sizes_.push_back(count + 1);
  rows_.push_back({.from = -1, .bound = bound, .slope = speed / bound});
  for (Index k = 0; k < count; ++k) rows_.push_back({.from = first + k});
}

void BoundedCells::add_interval(Index row, const Interval& interval, double speed) {
  const bool below = std::isfinite(interval.lower), above = std::isfinite(interval.upper);
  if (below && above) {
    constant_[row] = 0.5 * (interval.lower + interval.upper);
    const double bound = 0.5 * (interval.upper - interval.lower);
    if (bound > 0) add_bounded(row, 1, bound, speed);
  } else if (below || above) {
    constant_[row] = below ? interval.lower : interval.upper;
    add(NonNegative{}, row, 1, below ? 1 : -1);
  } else {
    add(Reals{}, row, 1);
  }
}

void BoundedCells::cut(const std::vector<BlockSet>& K, const std::vector<Index>& sizes,
                       const Vector& q, double impedance) {
  rows_.clear();
  K_.clear();
  sizes_.clear();
  constant_.setZero(q.size());
  const double size = q.norm() > 0 ? q.norm() : 1;
  Index bounded = 0;
  for (std::size_t b = 0; b < K.size(); ++b)
    if (std::holds_alternative<Interval>(K[b]) || std::holds_alternative<FrictionCylinder>(K[b]))
      bounded += sizes[b];
  highest_ = trusted * impedance * size / std::sqrt(static_cast<double>(bounded));
  const double least = size / std::sqrt(static_cast<double>(q.size()));
  Index first = 0;
  for (std::size_t b = 0; b < K.size(); ++b) {
    if (const auto* interval = std::get_if<Interval>(&K[b])) {
      for (Index k = 0; k < sizes[b]; ++k)
        add_interval(first + k, *interval, std::max(std::abs(q[first + k]), least));
    } else if (const auto* cylinder = std::get_if<FrictionCylinder>(&K[b])) {
      add(NonNegative{}, first, 1);
      const double slip = q.segment(first + 1, sizes[b] - 1).norm();
      if (cylinder->radius > 0)
        add_bounded(first + 1, sizes[b] - 1, cylinder->radius, std::max(slip, least));
    } else {
      add(K[b], first, sizes[b]);
    }
    first += sizes[b];
  }
}

Index BoundedCells::normals() const {
  return std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.from < 0; });
}

GlobalBlockForm BoundedCells::convert(const GlobalBlockForm& problem, const Vector& q) {
  cut(problem.K, problem.sizes, q, problem.M.diagonal().cwiseAbs().sum() / problem.H.squaredNorm());
  const Index n = problem.M.rows(), extra = normals(), m = static_cast<Index>(rows_.size());
  GlobalBlockForm form{.K = K_, .sizes = sizes_};
  form.f.resize(n + extra);
  form.f.head(n) = problem.f + problem.H * constant_;
  form.w.setZero(m);
  Triplets mass, jacobian;
  append(problem.M, mass);
  Index body = n;
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[i];
    if (row.from < 0) {
      mass.emplace_back(static_cast<int>(body), static_cast<int>(body), 1 / row.slope);
      jacobian.emplace_back(static_cast<int>(body), static_cast<int>(i), 1.0);
      form.f[body++] = -row.bound;
      continue;
    }
    form.w[i] = row.sign * problem.w[row.from];
    for (Sparse::InnerIterator it(problem.H, row.from); it; ++it)
      jacobian.emplace_back(static_cast<int>(it.row()), static_cast<int>(i), row.sign * it.value());
  }
  form.M = matrix_of(n + extra, n + extra, mass);
  form.H = matrix_of(n + extra, m, jacobian);
  return form;
}

BlockForm BoundedCells::convert(const BlockForm& problem) {
  std::vector<Index> sizes;
  for (Index b = 0; b < problem.W.block_rows(); ++b) sizes.push_back(problem.W.row_size(b));
  const Sparse W = problem.W.to_sparse();
  const Vector diagonal = W.diagonal();
  cut(problem.K, sizes, problem.q,
      static_cast<double>(diagonal.size()) / diagonal.cwiseAbs().sum());
  const auto m = static_cast<Index>(rows_.size());
  const Vector shifted = problem.q + W * constant_;
  std::vector<Index> place(static_cast<std::size_t>(problem.q.size()), -1);
  for (Index i = 0; i < m; ++i)
    if (rows_[i].from >= 0) place[rows_[i].from] = i;
  BlockForm form{.W = {}, .q = Vector(m), .K = K_};
  Triplets entries;
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[i];
    form.q[i] = row.from < 0 ? -row.slope * row.bound : row.sign * shifted[row.from];
    if (row.from < 0) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(i), row.slope);
      continue;
    }
    for (Sparse::InnerIterator it(W, row.from); it; ++it)
      if (const Index k = place[it.row()]; k >= 0)
        entries.emplace_back(static_cast<int>(k), static_cast<int>(i),
                             rows_[k].sign * row.sign * it.value());
  }
  form.W = BlockSparse::sparse(matrix_of(m, m, entries), sizes_, sizes_);
  return form;
}

Vector BoundedCells::to_cells(ConstVectorRef r) const {
  Vector cells(static_cast<Index>(rows_.size()));
  for (Index i = 0; i < cells.size(); ++i) {
    const Row& row = rows_[i];
    cells[i] = row.from < 0 ? row.bound : row.sign * (r[row.from] - constant_[row.from]);
  }
  return cells;
}

void BoundedCells::to_problem(ConstVectorRef cells, VectorRef r) const {
  r = constant_;
  for (Index i = 0; i < cells.size(); ++i)
    if (rows_[i].from >= 0) r[rows_[i].from] += rows_[i].sign * cells[i];
}

}  // namespace saltus
