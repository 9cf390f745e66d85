#include "saltus/solvers/coulomb_system.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace saltus {

using Sparse = Eigen::SparseMatrix<double>;

namespace {

constexpr double worth_threads = 2e7;  // operations of a factorisation
constexpr Index many_cells = 1000;     // loops over them are worth it, too

}  // namespace

void CoulombSystem::Side::make_room() {
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  const auto rows = static_cast<std::size_t>(begin.back());
  row.resize(rows);
  value.resize(3 * rows);
}

/// What both forms have in common before the scaling.
struct CoulombSystem::Source {
  bool reduced;
  const Sparse &M, &L, &R;  // R is not used by a reduced form
  const Vector &f, &w;
  const std::vector<BlockSet>& K;
};

bool CoulombSystem::can_treat(const std::vector<BlockSet>& K, Index block, Index rows) {
  const BlockSet& set = K[block];
  if (const auto* cone = std::get_if<FrictionCone>(&set); cone != nullptr && std::isinf(cone->mu))
    return false;
  if (std::holds_alternative<Reals>(set) || std::holds_alternative<NonNegative>(set)) return true;
  if (std::holds_alternative<RollingCone>(set)) return rows == 3 || rows == 5;
  return rows <= 3 &&
         (std::holds_alternative<FrictionCone>(set) || std::holds_alternative<EllipticCone>(set) ||
          std::holds_alternative<SecondOrderCone>(set));
}

bool CoulombSystem::load(const BlockForm& problem) {
  block_begin_.assign(1, 0);
  for (Index b = 0; b < problem.W.block_rows(); ++b)
    block_begin_.push_back(block_begin_.back() + problem.W.row_size(b));
  const Sparse W = problem.W.to_sparse();
  Sparse I(W.rows(), W.rows());
  I.setIdentity();
  const Vector zero = Vector::Zero(W.rows());
  return load(Source{true, I, W, I, problem.q, zero, problem.K});
}

bool CoulombSystem::load(const GlobalBlockForm& problem) {
  block_begin_.assign(1, 0);
  for (const Index size : problem.sizes) block_begin_.push_back(block_begin_.back() + size);
  return load(Source{false, problem.M, problem.H, problem.H, problem.f, problem.w, problem.K});
}

bool CoulombSystem::load(const Source& source) {
  pause_analysis();
  tree_found_ = {};
  reduced_ = source.reduced;
  base_ = source.M.rows();
  rows_ = source.L.cols();
  factorisations_ = 0;
  limit_.reset();
  K_ = source.K;
  cut(source);
  M_ = source.M;
  M_.makeCompressed();
  Vector q = source.f;
  team_ = std::make_unique<ThreadTeam>(cells() < many_cells ? 1 : threads_);
  if (!reduced_) {
    if (!mass_.factorise(M_, *team_)) return false;
    mass_.solve(source.f, v_, *team_);
    q = source.R.transpose() * v_ + source.w;
  }
  norm_q_ = q.norm();
  scale(source);
  beta_ = 0;
  for (Index k = 0; k < D_.size(); ++k)
    if (component_[k] >= 0) beta_ = std::max(beta_, std::abs(D_[k] * q[component_[k]]));
  if (!(beta_ > 0)) beta_ = 1;
  f_ = Vector::Zero(n_);
  f_.head(base_) = source.f / beta_;
  w_ = Vector::Zero(D_.size());
  for (Index k = 0; k < D_.size(); ++k)
    if (component_[k] >= 0) w_[k] = D_[k] * source.w[component_[k]] / beta_;
  gather(source.L, left_);
  if (reduced_) gather(source.R, right_);
  add_twin_rows();
  M_.conservativeResize(n_, n_);
  for (Index i = base_; i < n_; ++i) M_.insert(i, i) = weight_[i - base_];
  M_.makeCompressed();
  M_by_rows_ = M_;
  r_.setZero(rows_);
  velocity_.setZero(rows_);
  transpose(right(), right_touch_, right_touch_begin_);
  copy_left_by_rows();
  analysed_ = placed_ = aside_ = false;
  next_column_ = 0;
  return true;
}

void CoulombSystem::add_cell(Kind kind, Index normal, Index tangent, Index tangents, double mu1,
                             double mu2) {
  kind_.push_back(kind);
  twin_.push_back(-1);
  component_.insert(component_.end(),
                    {normal, tangents > 0 ? tangent : -1, tangents > 1 ? tangent + 1 : -1});
  coefficient_.insert(coefficient_.end(), {1, mu1, mu2});
  if (kind != Kind::free) ++conic_;
}

void CoulombSystem::cut(const Source& source) {
  kind_.clear();
  twin_.clear();
  component_.clear();
  coefficient_.clear();
  conic_ = 0;
  n_ = base_;
  for (std::size_t b = 0; b < source.K.size(); ++b) {
    const Index first = block_begin_[b], size = block_begin_[b + 1] - first;
    const BlockSet& set = source.K[b];
    if (const auto* cone = std::get_if<FrictionCone>(&set)) {
      add_cell(Kind::coulomb, first, first + 1, size - 1, cone->mu, cone->mu);
    } else if (const auto* ellipse = std::get_if<EllipticCone>(&set)) {
      add_cell(Kind::coulomb, first, first + 1, size - 1, ellipse->mu_1, ellipse->mu_2);
    } else if (const auto* second = std::get_if<SecondOrderCone>(&set)) {
      add_cell(Kind::associated, first, first + 1, size - 1, second->mu, second->mu);
    } else if (const auto* rolling = std::get_if<RollingCone>(&set)) {
      const Index half = (size - 1) / 2;
      add_cell(Kind::coulomb, first, first + 1, half, rolling->mu, rolling->mu);
      add_cell(Kind::coulomb, -1, first + 1 + half, half, rolling->mu_rolling, rolling->mu_rolling);
      twin_.back() = cells() - 2;
      ++n_;
    } else if (std::holds_alternative<NonNegative>(set)) {
      for (Index i = 0; i < size; ++i) add_cell(Kind::coulomb, first + i, 0, 0, 0, 0);
    } else {
      for (Index i = 0; i < size; i += 3)
        add_cell(Kind::free, first + i, first + i + 1, std::min<Index>(2, size - i - 1), 1, 1);
    }
  }
}

void CoulombSystem::scale(const Source& source) {
  const Vector mass = source.M.diagonal();
  D_ = Vector::Zero(3 * cells());
  const auto diagonal = [&](Index row) {
    if (reduced_) return source.L.coeff(row, row);
    double sum = 0;
    for (Sparse::InnerIterator it(source.L, row); it; ++it)
      sum += it.value() * it.value() / std::abs(mass[it.row()]);
    return sum;
  };
  const double squares = team_->sum(cells(), [&](Index c) {
    double largest = 0, own = 0;
    for (Index k = 3 * c; k < 3 * c + 3; ++k) {
      const Index row = k == 3 * c && twin_[c] >= 0 ? component_[3 * twin_[c]] : component_[k];
      if (row < 0) continue;
      const double mu = coefficient_[k];
      largest = std::max(largest, mu * mu * diagonal(row));
      own += mu * mu * (reduced_ ? source.L.coeff(row, row) : source.L.col(row).squaredNorm());
    }
    const double d = largest > 0 && std::isfinite(largest) ? 1 / std::sqrt(largest) : 1;
    for (Index k = 3 * c; k < 3 * c + 3; ++k)
      if (component_[k] >= 0 || (k == 3 * c && twin_[c] >= 0)) D_[k] = d * coefficient_[k];
    return own;
  });
  rho0_ = squares > 0 ? mass.cwiseAbs().sum() / squares : 1;
}

void CoulombSystem::gather(const Sparse& H, Side& side) {
  const auto for_entries = [&](Index c, const auto& visit) {  // of the columns of a cell
    for (Index a = 0; a < 3; ++a) {
      const Index column = component_[3 * c + a];
      if (column < 0 || D_[3 * c + a] == 0) continue;
      for (Sparse::InnerIterator it(H, column); it; ++it)
        if (it.value() != 0) visit(static_cast<int>(it.row()), a, it.value());
    }
  };
  // of each row: the cell that had it last, then its last place in the side
  std::vector<std::vector<Index>> last(static_cast<std::size_t>(team_->size()),
                                       std::vector<Index>(static_cast<std::size_t>(base_), -1));
  side.begin.assign(static_cast<std::size_t>(cells()) + 1, 0);
  team_->for_range(cells(), [&](Index c, int thread) {
    for_entries(c, [&](int row, Index, double) {
      if (std::exchange(last[thread][row], c) != c) ++side.begin[c + 1];
    });
  });
  side.make_room();
  team_->for_range(cells(), [&](Index c, int thread) {
    const Index first = side.begin[c];
    Index next = first;
    for_entries(c, [&](int row, Index a, double value) {
      Index& k = last[thread][row];
      if (k < first || k >= next || side.row[k] != row) {
        k = next++;
        side.row[k] = row;
        std::fill_n(&side.value[3 * k], 3, 0.0);
      }
      side.value[3 * k + a] = value * D_[3 * c + a];
    });
  });
}

/// The equation d² a = n₂ − n₁ of each rolling contact: −n₁ in the first cell, +n₂ in the second.
void CoulombSystem::add_twin_rows() {
  weight_ = Vector::Zero(n_ - base_);
  if (n_ == base_) return;
  std::vector<int> row_of(static_cast<std::size_t>(cells()), -1);
  std::vector<double> sign(static_cast<std::size_t>(cells()), 0.0);
  int next = static_cast<int>(base_);
  for (Index c = 0; c < cells(); ++c) {
    if (twin_[c] < 0) continue;
    weight_[next - base_] = D_[3 * c] * D_[3 * c];
    row_of[c] = row_of[twin_[c]] = next++;
    sign[c] = 1;
    sign[twin_[c]] = -1;
  }
  for (Side* side : {&left_, &right_}) {
    if (side == &right_ && !reduced_) continue;
    Side extended;
    for (Index c = 0; c < cells(); ++c) {
      const Index first = side->begin[c], last = side->begin[c + 1];
      extended.row.insert(extended.row.end(), side->row.begin() + first, side->row.begin() + last);
      extended.value.insert(extended.value.end(), side->value.begin() + 3 * first,
                            side->value.begin() + 3 * last);
      if (row_of[c] >= 0) {
        extended.row.push_back(row_of[c]);
        extended.value.insert(extended.value.end(), {sign[c] * D_[3 * c], 0.0, 0.0});
      }
      extended.begin.push_back(static_cast<Index>(extended.row.size()));
    }
    *side = std::move(extended);
  }
}

/// The cells that touch each row of a side, in the order of the cells.
void CoulombSystem::transpose(const Side& side, UnsetVector<Touch>& touch,
                              std::vector<Index>& begin) const {
  begin.assign(static_cast<std::size_t>(n_) + 1, 0);
  const Index parts = team_->size();
  const auto for_rows = [&](const auto& body) {  // body(first, end) for each part of the rows
    team_->for_parts(parts, [&](Index p) { body(p * n_ / parts, (p + 1) * n_ / parts); });
  };
  for_rows([&](Index first, Index end) {
    for (const int row : side.row)
      if (row >= first && row < end) ++begin[row + 1];
  });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  touch.resize(side.row.size());
  for_rows([&](Index first, Index end) {
    for (Index c = 0; c < cells(); ++c)
      for (Index k = side.begin[c]; k < side.begin[c + 1]; ++k)
        if (const int row = side.row[k]; row >= first && row < end)
          touch[next[row]++] = {static_cast<int>(c), static_cast<int>(k), 0};
  });
}

void CoulombSystem::copy_left_by_rows() {
  UnsetVector<Touch> own;
  if (reduced_)
    transpose(left_, own, left_row_begin_);
  else
    left_row_begin_ = right_touch_begin_;
  const UnsetVector<Touch>& touches = reduced_ ? own : right_touch_;
  left_row_cell_.resize(touches.size());
  left_row_value_.resize(3 * touches.size());
  team_->for_range(std::ssize(touches), [&](Index k) {
    left_row_cell_[k] = touches[k].cell;
    std::copy_n(&left_.value[3 * static_cast<std::size_t>(touches[k].entry)], 3,
                &left_row_value_[3 * k]);
  });
}

/// The pattern of K(A) by columns.
void CoulombSystem::pattern(std::vector<int>& begin, std::vector<int>& row) const {
  begin.assign(1, 0);
  row.clear();
  std::vector<Index> seen(static_cast<std::size_t>(n_), -1);
  for (Index j = 0; j < n_; ++j) {
    const auto take = [&](Index i) {
      if (seen[i] == j) return;
      seen[i] = j;
      row.push_back(static_cast<int>(i));
    };
    take(j);
    for (Sparse::InnerIterator it(M_, j); it; ++it) take(it.row());
    for (Index k = right_touch_begin_[j]; k < right_touch_begin_[j + 1]; ++k) {
      const int cell = right_touch_[k].cell;
      for (Index i = left_.begin[cell]; i < left_.begin[cell + 1]; ++i) take(left_.row[i]);
    }
    std::sort(row.begin() + begin.back(), row.end());
    begin.push_back(static_cast<int>(row.size()));
  }
}

/// The elimination tree of K(A), and room for the places of contributions to it.
void CoulombSystem::analyse() {
  pattern(column_begin_, column_row_);
  factor_.analyse(column_begin_, column_row_);
  Index positions = 0;
  for (Touch& touch : right_touch_) {
    touch.position = positions;
    positions += left_.begin[touch.cell + 1] - left_.begin[touch.cell];
  }
  cell_position_.resize(static_cast<std::size_t>(positions));
  matrix_position_.resize(static_cast<std::size_t>(M_.nonZeros()));
}

/// Where the contributions to a column of K(A) go; `position` has a place for every row.
void CoulombSystem::find_places(Index column, std::vector<Index>& position) {
  const int first = column_begin_[column];
  const std::span rows(&column_row_[first],
                       static_cast<std::size_t>(column_begin_[column + 1] - first));
  factor_.for_positions(static_cast<int>(column), rows,
                        [&](int row, Index place) { position[row] = place; });
  for (Index k = M_.outerIndexPtr()[column]; k < M_.outerIndexPtr()[column + 1]; ++k)
    matrix_position_[k] = position[M_.innerIndexPtr()[k]];
  for (Index k = right_touch_begin_[column]; k < right_touch_begin_[column + 1]; ++k) {
    const int cell = right_touch_[k].cell;
    Index* out = &cell_position_[right_touch_[k].position];
    for (Index i = left_.begin[cell]; i < left_.begin[cell + 1]; ++i)
      *out++ = position[left_.row[i]];
  }
}

/// Those of one column after the other, until paused.
void CoulombSystem::find_places_alone() {
  std::vector<Index> position(static_cast<std::size_t>(n_));
  for (; next_column_ < n_ && !paused_; ++next_column_) find_places(next_column_, position);
}

void CoulombSystem::begin_analysis() {
  if (analysed_ || tree_found_.valid() || team_->size() == 1 || cells() < many_cells) return;
  std::promise<void> found;
  tree_found_ = found.get_future();
  places_found_ = std::async(std::launch::async, [this, promise = std::move(found)]() mutable {
    analyse();
    promise.set_value();
    find_places_alone();
  });
}

void CoulombSystem::end_analysis() {
  if (analysed_) return;
  analysed_ = true;
  if (tree_found_.valid())
    tree_found_.get();
  else
    analyse();
  if (cells() < many_cells && factor_.flops() > worth_threads)
    team_ = std::make_unique<ThreadTeam>(threads_);
}

void CoulombSystem::make_places() {
  end_analysis();
  if (placed_) return;
  placed_ = true;
  pause_analysis();
  std::vector<std::vector<Index>> position(static_cast<std::size_t>(team_->size()),
                                           std::vector<Index>(static_cast<std::size_t>(n_)));
  team_->for_range(n_ - next_column_,
                   [&](Index k, int thread) { find_places(next_column_ + k, position[thread]); });
}

void CoulombSystem::pause_analysis() {
  if (!places_found_.valid()) return;
  paused_ = true;
  places_found_.get();
  paused_ = false;
}

}  // namespace saltus
