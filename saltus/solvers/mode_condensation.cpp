#include "saltus/solvers/mode_condensation.hpp"

#include "saltus/base/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace saltus {

namespace {

/// A diagonal entry of less than this, relative to its row, is no pivot.
constexpr double good_pivot = 0.1;
/// Of smaller matrices the inverse is kept (ModeFactors): nothing is eliminated.
constexpr Index worthwhile = 32;
/// Entries besides the diagonal that a row and a column of H may have.
constexpr std::size_t few = 4;

}  // namespace

void ModeCondensation::analyse(const BlockSparse& W, bool afresh) {
  const Index n = W.rows();
  if (afresh) banned_.assign(static_cast<std::size_t>(n), 0);
  diagonal_.assign(static_cast<std::size_t>(n), -1);
  rows_.assign(static_cast<std::size_t>(n), {});
  columns_.assign(static_cast<std::size_t>(n), {});
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      const Index j = W.column(k);
      if (i == j) {
        diagonal_[i] = k;
      } else {
        rows_[i].push_back({i, j, k});
        columns_[j].push_back({i, j, k});
      }
    }
  numbers_.clear();
  choose(W);
  make_pattern();
}

/// The rows of HingeRows, and the tables of their pieces.
void ModeCondensation::take_hinges(const BlockSparse& W, std::vector<char>& taken,
                                   std::vector<char>& blocked) {
  std::vector<std::size_t> begin;
  pieces_.clear();
  for (const HingeSum& f : hinges_.functions) {
    begin.push_back(pieces_.size());
    for (std::size_t k = 0; k <= f.breaks.size(); ++k)
      pieces_.push_back({k == 0 ? -inf : f.breaks[k - 1], k < f.breaks.size() ? f.breaks[k] : inf,
                         f.steepness[k], f.offset[k]});
  }
  function_.clear();
  for (const HingeRows::Row& hinge : hinges_.rows) {
    const Index i = hinge.row;
    require(i >= 0 && i < W.rows() && taken[i] == 0 && blocked[i] == 0 && diagonal_[i] >= 0 &&
                *W.value(diagonal_[i]) == 1,
            "HingeRows: row {} must have 1 on the diagonal and not be coupled with another one", i);
    taken[i] = 1;
    function_.push_back(begin[static_cast<std::size_t>(hinge.function)]);
    for (const Entry& entry : rows_[i]) blocked[entry.j] = 1;
    for (const Entry& entry : columns_[i]) blocked[entry.i] = 1;
  }
}

void ModeCondensation::choose(const BlockSparse& W) {
  const Index n = W.rows();
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  const auto cost = [&](Index i) { return rows_[i].size() * columns_[i].size(); };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return cost(a) < cost(b); });
  std::vector<char> taken(static_cast<std::size_t>(n), 0), blocked(static_cast<std::size_t>(n), 0);
  take_hinges(W, taken, blocked);
  const auto good = [&](Index i) {
    if (banned_[i] != 0 || blocked[i] != 0 || diagonal_[i] < 0 || rows_[i].size() > few ||
        columns_[i].size() > few)
      return false;
    double largest = 0;
    for (const Entry& entry : rows_[i]) largest = std::max(largest, std::abs(*W.value(entry.k)));
    return std::abs(*W.value(diagonal_[i])) > good_pivot * largest;
  };
  for (const Index i : order) {
    if (n <= worthwhile || taken[i] != 0 || !good(i)) continue;
    taken[i] = 1;
    for (const Entry& entry : rows_[i]) blocked[entry.j] = 1;
    for (const Entry& entry : columns_[i]) blocked[entry.i] = 1;
  }
  kept_.clear();
  eliminated_.clear();
  where_.assign(static_cast<std::size_t>(n), -1);
  for (const HingeRows::Row& hinge : hinges_.rows) taken[hinge.row] = 2;
  for (Index i = 0; i < n; ++i) {
    if (taken[i] == 1) {
      eliminated_.push_back(i);
    } else if (taken[i] == 0) {
      where_[i] = static_cast<Index>(kept_.size());
      kept_.push_back(i);
    }
  }
  plain_ = eliminated_.size();
  for (const HingeRows::Row& hinge : hinges_.rows) eliminated_.push_back(hinge.row);
}

int ModeCondensation::place(Index i, Index j) const {
  const auto first = row_.begin() + begin_[where_[j]], last = row_.begin() + begin_[where_[j] + 1];
  return static_cast<int>(std::lower_bound(first, last, static_cast<int>(where_[i])) -
                          row_.begin());
}

void ModeCondensation::make_pattern() {
  std::vector<std::vector<int>> pattern(kept_.size());
  for (const Index i : kept_) {
    pattern[where_[i]].push_back(static_cast<int>(where_[i]));
    for (const Entry& entry : rows_[i])
      if (where_[entry.j] >= 0) pattern[where_[entry.j]].push_back(static_cast<int>(where_[i]));
  }
  for (const Index h : eliminated_)
    for (const Entry& left : columns_[h])
      for (const Entry& right : rows_[h])
        pattern[where_[right.j]].push_back(static_cast<int>(where_[left.i]));
  begin_.assign(1, 0);
  row_.clear();
  for (std::vector<int>& column : pattern) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
    row_.insert(row_.end(), column.begin(), column.end());
    begin_.push_back(static_cast<int>(row_.size()));
  }
  value_.resize(row_.size());
  direct_.clear();
  fill_.clear();
  fill_begin_.assign(1, 0);
  for (const Index i : kept_) {
    direct_.push_back({i, diagonal_[i], place(i, i), true});
    for (const Entry& entry : rows_[i])
      if (where_[entry.j] >= 0) direct_.push_back({i, entry.k, place(i, entry.j), false});
  }
  for (const Index h : eliminated_) {
    for (const Entry& left : columns_[h])
      for (const Entry& right : rows_[h])
        fill_.push_back({left.i, left.k, right.k, place(left.i, right.j)});
    fill_begin_.push_back(fill_.size());
  }
  flatten();
}

void ModeCondensation::flatten() {
  in_row_.clear();
  in_column_.clear();
  row_begin_.assign(1, 0);
  column_begin_.assign(1, 0);
  const auto coupling = [&](Index other, Index k) {
    return Coupling{static_cast<int>(where_[other]), static_cast<int>(other), static_cast<int>(k)};
  };
  for (const Index h : eliminated_) {
    for (const Entry& entry : rows_[h]) in_row_.push_back(coupling(entry.j, entry.k));
    for (const Entry& entry : columns_[h]) in_column_.push_back(coupling(entry.i, entry.k));
    row_begin_.push_back(static_cast<int>(in_row_.size()));
    column_begin_.push_back(static_cast<int>(in_column_.size()));
  }
}

bool ModeCondensation::take(const double* values, std::uint64_t label) {
  constexpr std::size_t most = 256;
  if (const auto found = numbers_.find(label); label > 0 && found != numbers_.end()) {
    now_ = &found->second;
    return true;
  }
  if (numbers_.size() >= most) numbers_.clear();
  Numbers& made = numbers_[label];
  const std::size_t count = eliminated_.size();
  for (auto* numbers : {&made.diagonal, &made.inverse}) numbers->resize(count);
  made.product.resize(fill_.size());
  bool good = true;
  for (std::size_t e = 0; e < count; ++e) {
    const Index h = eliminated_[e];
    double largest = 0;
    for (const Entry& entry : rows_[h]) largest = std::max(largest, std::abs(values[entry.k]));
    if (!(std::abs(values[diagonal_[h]]) > good_pivot * largest)) {
      banned_[h] = 1;
      good = false;
    }
    made.diagonal[e] = values[diagonal_[h]];
    made.inverse[e] = 1 / values[diagonal_[h]];
    for (std::size_t f = fill_begin_[e]; f < fill_begin_[e + 1]; ++f)
      made.product[f] = values[fill_[f].left] * values[fill_[f].right] * made.inverse[e];
  }
  const auto couplings = [&](const std::vector<Coupling>& from, std::vector<Term>& to) {
    to.clear();
    for (const Coupling& c : from) to.push_back({values[c.k], c.place});
  };
  couplings(in_row_, made.in_row);
  couplings(in_column_, made.in_column);
  now_ = &made;
  return good;
}

void ModeCondensation::fill(const double* values, std::span<const Mode> modes,
                            const double* delta) {
  std::fill(value_.begin(), value_.end(), 0.0);
  for (const Direct& d : direct_) {
    if (modes[d.i] != Mode::free) {
      if (d.diagonal) value_[d.e] = 1;
      continue;
    }
    if (d.k >= 0) value_[d.e] += values[d.k];
    if (d.diagonal && delta != nullptr) value_[d.e] += delta[d.i];
  }
  for (std::size_t e = 0; e < eliminated_.size(); ++e) {
    const Mode mode = modes[eliminated_[e]];
    double change = 1;
    if (e >= plain_)
      change = piece(e, mode).steepness;
    else if (mode != Mode::free)
      change = 0;
    else if (delta != nullptr)
      change = inverse(values, delta, e) / now_->inverse[e];
    if (change == 0) continue;
    for (std::size_t f = fill_begin_[e]; f < fill_begin_[e + 1]; ++f)
      if (modes[fill_[f].i] == Mode::free) value_[fill_[f].e] -= now_->product[f] * change;
  }
}

void ModeCondensation::reduce(const double* values, std::span<const Mode> modes,
                              const double* delta, const double* b, double* reduced) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) reduced[k] = b[kept_[k]];
  for (std::size_t e = 0; e < eliminated_.size(); ++e) {
    const Index h = eliminated_[e];
    if (b[h] == 0) continue;
    const double amount =
        e < plain_ && modes[h] == Mode::free ? b[h] * inverse(values, delta, e) : b[h];
    for (int c = column_begin_[e]; c < column_begin_[e + 1]; ++c)
      if (modes[in_column_[c].row] == Mode::free)
        reduced[in_column_[c].place] -= values[in_column_[c].k] * amount;
  }
}

void ModeCondensation::expand(const double* values, std::span<const Mode> modes,
                              const double* delta, const double* b, const double* reduced,
                              double* x) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) x[kept_[k]] = reduced[k];
  for (std::size_t e = 0; e < eliminated_.size(); ++e) {
    const Index h = eliminated_[e];
    x[h] = b[h];
    if (e < plain_ && modes[h] != Mode::free) continue;
    double sum = 0;
    for (int c = row_begin_[e]; c < row_begin_[e + 1]; ++c)
      sum += values[in_row_[c].k] * reduced[in_row_[c].place];
    x[h] = e < plain_ ? (b[h] - sum) * inverse(values, delta, e)
                      : b[h] - piece(e, modes[h]).steepness * sum;
  }
}

void ModeCondensation::subtract(std::size_t e, double amount, double* reduced) const {
  const Term* const end = now_->in_column.data() + column_begin_[e + 1];
  for (const Term* term = now_->in_column.data() + column_begin_[e]; term != end; ++term)
    reduced[term->place] -= term->value * amount;
}

void ModeCondensation::reduce_functions(std::span<const Mode> modes, const double* q,
                                        double* functions) const {
  std::fill_n(functions, kept_.size(), 0.0);
  for (std::size_t e = plain_; e < eliminated_.size(); ++e) {
    const Piece& f = piece(e, modes[eliminated_[e]]);
    subtract(e, -f.steepness * q[eliminated_[e]] - f.offset, functions);
  }
}

void ModeCondensation::reduce(std::span<const Mode> modes, const double* q, const double* lower,
                              const double* upper, const double* functions, double* reduced) const {
  const auto bound = [&](Index i) { return modes[i] == Mode::lower ? lower[i] : upper[i]; };
  const std::size_t count = kept_.size();
  for (std::size_t k = 0; k < count; ++k) reduced[k] = functions[k] - q[kept_[k]];
  for (std::size_t e = 0; e < plain_; ++e) {
    const Index h = eliminated_[e];
    const double amount = modes[h] == Mode::free ? -q[h] * now_->inverse[e] : bound(h);
    if (amount != 0) subtract(e, amount, reduced);
  }
  for (std::size_t k = 0; k < count; ++k)
    if (const Index i = kept_[k]; modes[i] != Mode::free) reduced[k] = bound(i);
}

bool ModeCondensation::expand(std::span<const Mode> modes, const double* q, const double* lower,
                              const double* upper, const double* reduced, double* x, double* u,
                              double* argument) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) x[kept_[k]] = reduced[k];
  const Term* term = now_->in_row.data();
  const auto row_sum = [&](std::size_t e) {
    double sum = q[eliminated_[e]];
    for (const Term* end = now_->in_row.data() + row_begin_[e + 1]; term != end; ++term)
      sum += term->value * reduced[term->place];
    return sum;
  };
  for (std::size_t e = 0; e < plain_; ++e) {
    const Index h = eliminated_[e];
    const double sum = row_sum(e);
    if (modes[h] == Mode::free) {
      x[h] = -sum * now_->inverse[e];
      u[h] = 0;
    } else {
      x[h] = modes[h] == Mode::lower ? lower[h] : upper[h];
      u[h] = sum + now_->diagonal[e] * x[h];
    }
  }
  bool fits = true;
  for (std::size_t e = plain_; e < eliminated_.size(); ++e) {
    const Index h = eliminated_[e];
    const double at = -row_sum(e);
    const Piece& f = piece(e, modes[h]);
    fits &= f.from <= at && at <= f.to;
    x[h] = f.steepness * at - f.offset;
    *argument++ = at;
  }
  return fits;
}

void ModeCondensation::set_pieces(const double* x, std::span<Mode> modes) const {
  for (std::size_t k = 0; k < function_.size(); ++k) {
    Mode& mode = modes[eliminated_[plain_ + k]];
    const Piece* const first = pieces_.data() + function_[k];
    const Piece* f = first + piece_of(mode);
    while (x[k] < f->from) --f;
    while (x[k] > f->to) ++f;
    mode = mode_of_piece(static_cast<int>(f - first));
  }
}

}  // namespace saltus
