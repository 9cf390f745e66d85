#include "saltus/solvers/sparse_lu.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace saltus {

namespace {

constexpr Index one_front = 60;          // rows of a matrix that is not worth a tree
constexpr double one_front_share = 0.3;  // or so full
constexpr Index panel = 64, narrow_tile = 64, wide_tile = 192, strip = 512;
constexpr Index large = 384, large_root = 128;  // rows of a front that all threads do together
constexpr Index few = 6;
constexpr double subtree_share = 1.0 / 16;

/// y ← y − factor x; most fronts have so few pivots that the call would take longer.
void subtract_multiple(Index n, double factor, const double* x, double* y) {
  if (n >= few) return kernels::subtract_multiple(n, factor, x, y);
  for (Index i = 0; i < n; ++i) y[i] -= factor * x[i];
}

}  // namespace

namespace {

/// The pattern of A, by columns.
struct Pattern {
  explicit Pattern(const Eigen::SparseMatrix<double>& A) {
    for (Index j = 0; j < A.cols(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, j); it; ++it)
        row.push_back(static_cast<int>(it.row()));
      begin.push_back(static_cast<int>(row.size()));
    }
  }
  std::vector<int> begin = {0}, row;
};

}  // namespace

void SparseLu::analyse(const std::vector<int>& column_begin, const std::vector<int>& row) {
  n_ = static_cast<Index>(column_begin.size()) - 1;
  kept_ = 0;
  const auto size = static_cast<double>(n_);
  if (n_ <= one_front || static_cast<double>(row.size()) > one_front_share * size * size) {
    tree_ = single_front(n_);
  } else {
    tree_ = front_tree(column_begin, row);
  }
  plan();
}

void SparseLu::plan() {
  values_.clear();
  local_.assign(tree_.row.size(), 0.0);
  pivots_.assign(static_cast<std::size_t>(n_), 0);
  order_.resize(static_cast<std::size_t>(n_));
  for (int i = 0; i < static_cast<int>(n_); ++i) order_[tree_.position[i]] = i;
  share_out();
}

double* SparseLu::values() {
  if (values_.empty()) values_.assign(static_cast<std::size_t>(tree_.storage), 0.0);
  return values_.data();
}

void SparseLu::clear(ThreadTeam& team) {
  constexpr Index part = 1 << 16;
  values_.resize(static_cast<std::size_t>(tree_.storage));
  team.for_parts((tree_.storage + part - 1) / part, [&](Index i) {
    std::fill_n(values_.data() + i * part, std::min(part, tree_.storage - i * part), 0.0);
  });
}

/// Large fronts and what is above them are done by all threads together; the same ones whatever
/// the number of threads. The front that is kept, if any, is not eliminated.
void SparseLu::share_out() {
  const Index count = static_cast<Index>(tree_.fronts.size()) - (kept_ > 0 ? 1 : 0);
  const double limit = subtree_share * tree_.flops;
  std::vector<double> below(tree_.fronts.size(), 0.0);  // operations of the subtree
  std::vector<TaskForest::Pass> passes(tree_.fronts.size());
  shared_.clear();
  for (Index f = 0; f < count; ++f) {
    const Front& front = tree_.fronts[f];
    const Index parent = front.parent;
    passes[f].parent = parent;
    passes[f].work = front.flops;
    below[f] += front.flops;
    if (parent >= 0) below[parent] += below[f];
    if (below[f] > limit && front.rows >= (parent < 0 ? large_root : large)) passes[f].apart = true;
    if (!passes[f].apart) continue;
    shared_.push_back(f);
    if (parent >= 0) passes[parent].apart = true;
  }
  if (kept_ > 0) passes.back().apart = true;
  tasks_.plan(passes, limit);
}

void SparseLu::reserve(const ThreadTeam& team) {
  const auto room = static_cast<std::size_t>(kernels::packing_room(tree_.largest) * team.size());
  if (packed_.size() < room) packed_.resize(room);
}

kernels::Packing SparseLu::packing(int thread) {
  return kernels::packing(packed_.data() + thread * kernels::packing_room(tree_.largest),
                          tree_.largest);
}

/// Adds columns begin…end−1 of what is left of the child to the parent.
void SparseLu::assemble(const Front& parent, const Front& child, Index begin, Index end) {
  const int* place = &tree_.place[child.row_begin];
  const Index s = child.columns, m = child.rows;
  for (Index j = begin; j < end; ++j) {
    const double* from = block(child).column(j);
    double* to = block(parent).column(place[j]);
    for (Index i = s; i < m; ++i) to[place[i]] += from[i];
  }
}

/// Moves U₁₂ to the front of its columns, without gaps: what was left there is used up.
void SparseLu::compress(const Front& front) {
  const Index s = front.columns, m = front.rows;
  double* first = block(front).column(s);
  for (Index j = 1; j < m - s; ++j) std::copy(first + j * m, first + j * m + s, first + j * s);
}

bool SparseLu::eliminate(Index f, int thread) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  for (int c = tree_.child_begin[f]; c < tree_.child_begin[f + 1]; ++c) {
    const Front& child = tree_.fronts[tree_.child[c]];
    assemble(front, child, child.columns, child.rows);
    compress(child);
  }
  const kernels::Block F = block(front);
  const kernels::Packing packed = packing(thread);
  Index* pivots = &pivots_[front.first];
  if (!kernels::lu(m, exchange_ ? s : 0, s, F, 0, pivots, packed)) return false;
  if (m == s) return true;
  kernels::exchange_rows(m - s, F.at(0, s), 0, s, pivots);
  kernels::divide_unit_lower(s, m - s, F, F.at(0, s), packed);
  kernels::subtract_product(m - s, m - s, s, F.at(s, 0), F.at(0, s), false, F.at(s, s), packed);
  return true;
}

bool SparseLu::eliminate_large(Index f, ThreadTeam& team) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  for (int c = tree_.child_begin[f]; c < tree_.child_begin[f + 1]; ++c) {
    const Front& child = tree_.fronts[tree_.child[c]];
    const Index width = child.rows - child.columns, parts = (width + panel - 1) / panel;
    team.for_each(parts, [&](Index i, int) {
      const Index begin = child.columns + i * panel;
      assemble(front, child, begin, std::min(begin + panel, child.rows));
    });
    compress(child);
  }
  const kernels::Block F = block(front);
  Index* pivots = &pivots_[front.first];
  const Index tile = m < large ? narrow_tile : wide_tile;
  const auto eliminate_panel = [&](Index k, int thread) {
    const Index p = std::min(panel, s - k);
    return kernels::lu(m - k, exchange_ ? s - k : 0, p, F.at(k, k), 0, pivots + k, packing(thread));
  };
  bool regular = eliminate_panel(0, 0);
  for (Index k = 0; k < s && regular; k += panel) {
    const Index p = std::min(panel, s - k), next = k + p, ahead = std::min(panel, s - next);
    const auto update = [&](Index j, Index width, int thread) {
      kernels::exchange_rows(width, F.at(k, j), 0, p, pivots + k);
      kernels::divide_unit_lower(p, width, F.at(k, k), F.at(k, j), packing(thread));
      kernels::subtract_product(m - next, width, p, F.at(next, k), F.at(k, j), false, F.at(next, j),
                                packing(thread));
    };
    const Index tiles = (m - next - ahead + tile - 1) / tile;
    // whoever is first goes on to the next panel, the others do the rest meanwhile
    team.for_each(tiles + 2, [&](Index i, int thread) {
      if (i == 0 && ahead > 0) {
        update(next, ahead, thread);
        regular = eliminate_panel(next, thread);
      } else if (i > tiles) {
        kernels::exchange_rows(k, F.at(k, 0), 0, p, pivots + k);
      } else if (i > 0) {
        const Index j = next + ahead + (i - 1) * tile;
        update(j, std::min(tile, m - j), thread);
      }
    });
    for (Index i = k; i < next; ++i) pivots[i] += k;
  }
  return regular;
}

bool SparseLu::factorise(ThreadTeam& team) {
  reserve(team);
  std::atomic<bool> regular = true;
  tasks_.upward(team, [&](Index f, int thread) {
    if (regular && !eliminate(f, thread)) regular = false;
  });
  for (const Index f : shared_)
    if (regular) regular = eliminate_large(f, team);
  return regular;
}

void SparseLu::load(const Eigen::SparseMatrix<double>& A) {
  double* out = values();
  for (Index j = 0; j < A.cols(); ++j) {
    const auto count = static_cast<std::size_t>(A.col(j).nonZeros());
    const double* value = A.valuePtr() + A.outerIndexPtr()[j];
    for_positions(static_cast<int>(j), {A.innerIndexPtr() + A.outerIndexPtr()[j], count},
                  [&](int, Index place) { out[place] = *value++; });
  }
}

bool SparseLu::factorise(const Eigen::SparseMatrix<double>& A, ThreadTeam& team) {
  const Pattern pattern(A);
  analyse(pattern.begin, pattern.row);
  load(A);
  return factorise(team);
}

bool SparseLu::condense(const Eigen::SparseMatrix<double>& A, Index kept, Matrix& S,
                        ThreadTeam& team) {
  const Pattern pattern(A);
  n_ = A.rows();
  kept_ = kept;
  tree_ = front_tree(pattern.begin, pattern.row, kept);
  plan();
  load(A);
  if (!factorise(team)) return false;
  const auto last = static_cast<Index>(tree_.fronts.size()) - 1;
  const Front& front = tree_.fronts[last];
  for (int c = tree_.child_begin[last]; c < tree_.child_begin[last + 1]; ++c) {
    const Front& child = tree_.fronts[tree_.child[c]];
    assemble(front, child, child.columns, child.rows);
    compress(child);
  }
  const Index first = n_ - kept;
  const int* place = &tree_.position[first];
  S.resize(kept, kept);
  for (Index j = 0; j < kept; ++j) {
    const double* column = block(front).column(place[j] - first);
    for (Index i = 0; i < kept; ++i) S(i, j) = column[place[i] - first];
  }
  return true;
}

bool SparseLu::positive_definite(const Eigen::SparseMatrix<double>& S, double zero,
                                 ThreadTeam& team) {
  exchange_ = false;
  bool positive = factorise(S, team);
  exchange_ = true;
  if (!positive) return false;
  for (const Front& front : tree_.fronts)
    for (Index k = 0; k < front.columns; ++k)
      positive = positive && values_[front.value_begin + k * (front.rows + 1)] > zero;
  return positive;
}

int SparseLu::determinant_sign() const {
  int sign = 1;
  for (const Front& front : tree_.fronts)
    for (Index k = 0; k < front.columns; ++k) {
      if (values_[front.value_begin + k * (front.rows + 1)] < 0) sign = -sign;
      if (pivots_[front.first + k] != k) sign = -sign;
    }
  return sign;
}

/// The right-hand side of a front: its own rows and what the children leave.
void SparseLu::gather(const Front& front, Index f, const Vector& x) {
  double* z = &local_[front.row_begin];
  std::copy(&x[front.first], &x[front.first] + front.columns, z);
  std::fill(z + front.columns, z + front.rows, 0.0);
  for (int c = tree_.child_begin[f]; c < tree_.child_begin[f + 1]; ++c) {
    const Front& child = tree_.fronts[tree_.child[c]];
    const int* place = &tree_.place[child.row_begin];
    const double* from = &local_[child.row_begin];
    for (Index i = child.columns; i < child.rows; ++i) z[place[i]] += from[i];
  }
  for (Index k = 0; k < front.columns; ++k) std::swap(z[k], z[pivots_[front.first + k]]);
}

void SparseLu::forward(Index f, Vector& x) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  gather(front, f, x);
  double* z = &local_[front.row_begin];
  const kernels::Block F = block(front);
  for (Index k = 0; k < s; ++k) subtract_multiple(s - k - 1, z[k], F.column(k) + k + 1, z + k + 1);
  kernels::subtract_product(m - s, s, F.data + s, m, z, z + s);
  std::copy(z, z + s, &x[front.first]);
}

void SparseLu::backward(Index f, Vector& x) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  double *z = &local_[front.row_begin], *own = &x[front.first];
  const kernels::Block F = block(front);
  for (Index i = s; i < m; ++i) z[i] = x[tree_.row[front.row_begin + i]];
  kernels::subtract_product(s, m - s, F.column(s), s, z + s, own);
  for (Index k = s - 1; k >= 0; --k) {
    own[k] /= F.column(k)[k];
    subtract_multiple(k, own[k], F.column(k), own);
  }
}

void SparseLu::forward_large(Index f, Vector& x, ThreadTeam& team) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  gather(front, f, x);
  double* z = &local_[front.row_begin];
  const kernels::Block F = block(front);
  for (Index k = 0; k < s; k += strip) {
    const Index end = std::min(k + strip, s);
    for (Index j = k; j < end; ++j)
      kernels::subtract_multiple(end - j - 1, z[j], F.column(j) + j + 1, z + j + 1);
    team.for_each((m - end + strip - 1) / strip, [&](Index i, int) {
      const Index r = end + i * strip;
      kernels::subtract_product(std::min(strip, m - r), end - k, F.at(r, k).data, m, z + k, z + r);
    });
  }
  std::copy(z, z + s, &x[front.first]);
}

void SparseLu::backward_large(Index f, Vector& x, ThreadTeam& team) {
  const Front& front = tree_.fronts[f];
  const Index s = front.columns, m = front.rows;
  double *z = &local_[front.row_begin], *own = &x[front.first];
  const kernels::Block F = block(front);
  for (Index i = s; i < m; ++i) z[i] = x[tree_.row[front.row_begin + i]];
  team.for_each((s + strip - 1) / strip, [&](Index i, int) {
    const Index r = i * strip;
    kernels::subtract_product(std::min(strip, s - r), m - s, F.column(s) + r, s, z + s, own + r);
  });
  for (Index end = s; end > 0;) {
    const Index k = (end - 1) / strip * strip;
    for (Index j = end - 1; j >= k; --j) {
      own[j] /= F.column(j)[j];
      kernels::subtract_multiple(j - k, own[j], F.column(j) + k, own + k);
    }
    team.for_each(k / strip, [&](Index i, int) {
      const Index r = i * strip;
      kernels::subtract_product(strip, end - k, F.at(r, k).data, m, own + k, own + r);
    });
    end = k;
  }
}

void SparseLu::solve(const Vector& b, Vector& x, ThreadTeam& team) {
  const Index n = n_ - kept_;
  permuted_.resize(n_);
  permuted_.tail(kept_).setZero();
  team.for_range(n, [&](Index k) { permuted_[k] = b[order_[k]]; });
  tasks_.upward(team, [&](Index f, int) { forward(f, permuted_); });
  for (const Index f : shared_) forward_large(f, permuted_, team);
  for (auto f = shared_.rbegin(); f != shared_.rend(); ++f) backward_large(*f, permuted_, team);
  tasks_.downward(team, [&](Index f, int) { backward(f, permuted_); });
  x.resize(n);
  team.for_range(n, [&](Index i) { x[i] = permuted_[tree_.position[i]]; });
}

}  // namespace saltus
