#include "saltus/solvers/mode_factors.hpp"

#include "saltus/solvers/klu_factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace saltus {

namespace {

/// Ratio of the smallest to the largest pivot below which a matrix counts as singular. Circuits mix
/// volts with amperes over many decades; a wrong answer is found by its residual anyway.
constexpr double singular_ratio = 1e-40;
constexpr double proximal_ratio = 1e-9;
/// Reciprocal pivot growth below which pivots of another matrix are not taken over.
constexpr double weak_growth = 1e-6;
constexpr int small = 32;  // rows up to which the inverse is kept

struct Factors {
  std::vector<Mode> modes;
  std::uint64_t label = 0;  // of the values of W
  bool proximal = false, regular = false;
  klu_numeric* numeric = nullptr;
  std::vector<double> inverse;    // by columns; empty unless the matrix is small
  std::vector<double> functions;  // see ModeCondensation::reduce_functions
  std::uint64_t constants = 0;    // version of q they were made of
};

std::size_t hash_of(std::span<const Mode> modes, bool proximal, std::uint64_t label) {
  std::size_t hash = (proximal ? 1099511628211u : 14695981039346656037u) ^ (label << 20);
  std::size_t word = 0;
  for (std::size_t k = 0; k + 8 <= modes.size(); k += 8) {
    std::memcpy(&word, modes.data() + k, 8);
    hash = (hash ^ (hash >> 29) ^ word) * 1099511628211u;
  }
  for (std::size_t k = modes.size() & ~std::size_t{7}; k < modes.size(); ++k)
    hash = (hash ^ (hash >> 29) ^ static_cast<std::size_t>(modes[k])) * 1099511628211u;
  return hash;
}

/// Gauss-Jordan elimination with partial pivoting of the n rows of A, in place; `order` holds the
/// exchanges. False if a pivot is zero or the smallest is too far below the largest.
bool invert_in_place(int n, double* A, int* order) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[pivot * n + k])) pivot = i;
    order[k] = pivot;
    if (pivot != k) std::swap_ranges(A + k * n, A + (k + 1) * n, A + pivot * n);
    const double size = std::abs(A[k * n + k]);
    least = std::min(least, size);
    largest = std::max(largest, size);
    if (!(size > 0)) return false;
    const double scale = 1 / A[k * n + k];
    A[k * n + k] = 1;
    for (int j = 0; j < n; ++j) A[k * n + j] *= scale;
    for (int i = 0; i < n; ++i) {
      const double factor = A[i * n + k];
      if (i == k || factor == 0) continue;
      A[i * n + k] = 0;
      for (int j = 0; j < n; ++j) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  for (int k = n - 1; k >= 0; --k)
    if (order[k] != k)
      for (int i = 0; i < n; ++i) std::swap(A[i * n + k], A[i * n + order[k]]);
  return least > singular_ratio * largest;
}

}  // namespace

struct ModeFactors::Impl : KluFactors {
  ModeCondensation matrix;
  std::vector<Factors> known;                           // a ring once it is full
  std::unordered_map<std::size_t, std::size_t> places;  // by hash
  std::size_t oldest = 0, current = 0;
  std::vector<double> reduced, solution, dense;
  std::vector<double> constant;  // q of the rows that are functions
  std::uint64_t constants = 0;   // how often these changed
  std::vector<int> order, row_place, column_place;

  ~Impl() { drop(); }
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  void drop() {
    for (Factors& f : known) klu_free_numeric(&f.numeric, &common);
    known.clear();
    places.clear();
    oldest = 0;
  }
  [[nodiscard]] int size() const { return matrix.size(); }
  [[nodiscard]] bool is(std::size_t k, std::span<const Mode> modes, bool proximal,
                        std::uint64_t label) const {
    const Factors& f = known[k];
    return f.label == label && f.proximal == proximal &&
           std::memcmp(modes.data(), f.modes.data(), modes.size()) == 0;
  }
  [[nodiscard]] bool usable(klu_numeric* made) const {
    return made != nullptr && common.status == KLU_OK && klu_rcond(symbolic, made, &common) != 0 &&
           common.rcond > singular_ratio;
  }
  /// False if the matrix is numerically singular. The pivots of a matrix that was given up are
  /// tried first.
  [[nodiscard]] bool factorise(Factors& made) {
    if (size() == 0) return true;
    if (symbolic == nullptr) return false;
    if (size() <= small) return invert(made);
    common.halt_if_singular = 1;
    int* begin = matrix.begin().data();
    int* row = matrix.row().data();
    double* value = matrix.value().data();
    if (made.numeric != nullptr) {
      if (klu_refactor(begin, row, value, symbolic, made.numeric, &common) != 0 &&
          usable(made.numeric) &&
          klu_rgrowth(begin, row, value, symbolic, made.numeric, &common) != 0 &&
          common.rgrowth > weak_growth)
        return true;
      klu_free_numeric(&made.numeric, &common);
    }
    made.numeric = klu_factor(begin, row, value, symbolic, &common);
    return usable(made.numeric);
  }
  /// The inverse of the matrix with its rows scaled, in the block triangular order of the analysis:
  /// what is exactly zero by structure stays so.
  [[nodiscard]] bool invert(Factors& made) {
    const int n = size();
    const std::vector<int>&begin = matrix.begin(), &row = matrix.row();
    std::fill(dense.begin(), dense.end(), 0.0);
    std::fill(solution.begin(), solution.end(), 0.0);
    for (int e = 0; e < begin[n]; ++e)
      solution[row[e]] = std::max(solution[row[e]], std::abs(matrix.value()[e]));
    for (int i = 0; i < n; ++i) solution[i] = solution[i] > 0 ? 1 / solution[i] : 0.0;
    for (int j = 0; j < n; ++j)
      for (int e = begin[j]; e < begin[j + 1]; ++e)
        dense[row_place[row[e]] * n + column_place[j]] = matrix.value()[e] * solution[row[e]];
    if (!invert_in_place(n, dense.data(), order.data())) return false;
    made.inverse.resize(dense.size());
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        made.inverse[j * n + i] = dense[column_place[i] * n + row_place[j]] * solution[j];
    return true;
  }
  /// The part of the functions in the right-hand side; made again if their q has changed.
  [[nodiscard]] const double* functions_of(Factors& now, const double* q) {
    const std::vector<HingeRows::Row>& rows = matrix.hinges().rows;
    bool same = constant.size() == rows.size();
    constant.resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      same &= constant[k] == q[rows[k].row];
      constant[k] = q[rows[k].row];
    }
    if (!same) ++constants;
    if (now.constants != constants || now.functions.empty()) {
      now.functions.resize(static_cast<std::size_t>(size()));
      matrix.reduce_functions(now.modes, q, now.functions.data());
      now.constants = constants;
    }
    return now.functions.data();
  }
  /// solution = S⁻¹ reduced
  void solve(const Factors& now) {
    const int n = size();
    if (n > small) {
      std::copy(reduced.begin(), reduced.end(), solution.begin());
      klu_solve(symbolic, now.numeric, n, 1, solution.data(), &common);
      return;
    }
    std::fill(solution.begin(), solution.end(), 0.0);
    const double* column = now.inverse.data();
    double* x = solution.data();
    for (int j = 0; j < n; ++j, column += n)
      if (const double b = reduced[j]; b != 0)
        for (int i = 0; i < n; ++i) x[i] += column[i] * b;
  }
  /// A free place for another factorisation.
  [[nodiscard]] std::size_t place(std::size_t capacity) {
    if (known.size() < capacity) {
      known.emplace_back();
      return known.size() - 1;
    }
    const std::size_t k = oldest;
    oldest = (oldest + 1) % capacity;
    const std::size_t hash = hash_of(known[k].modes, known[k].proximal, known[k].label);
    if (const auto found = places.find(hash); found != places.end() && found->second == k)
      places.erase(found);
    return k;
  }
};

ModeFactors::ModeFactors() : impl_(std::make_unique<Impl>()) {}
ModeFactors::~ModeFactors() = default;
ModeFactors::ModeFactors(ModeFactors&&) noexcept = default;
ModeFactors& ModeFactors::operator=(ModeFactors&&) noexcept = default;

std::span<const Index> ModeFactors::plain() const { return impl_->matrix.plain(); }
std::span<const Index> ModeFactors::kept() const { return impl_->matrix.kept(); }

const HingeRows& ModeFactors::hinges() const { return impl_->matrix.hinges(); }

void ModeFactors::set_hinges(const HingeRows& hinges) {
  impl_->matrix.set_hinges(hinges);
  column_.clear();  // the pattern must be analysed again
  row_begin_.clear();
}

bool ModeFactors::same_pattern(const BlockSparse& W) const {
  if (static_cast<Index>(row_begin_.size()) != W.rows() + 1 ||
      static_cast<Index>(column_.size()) != W.blocks())
    return false;
  for (Index i = 0; i < W.rows(); ++i)
    if (row_begin_[i] != W.row_begin(i)) return false;
  for (Index k = 0; k < W.blocks(); ++k)
    if (column_[k] != W.column(k)) return false;
  return true;
}

bool ModeFactors::same_values(const BlockSparse& W) const {
  const double* value = W.blocks() > 0 ? W.value(0) : nullptr;
  return std::equal(values_.begin(), values_.end(), value);
}

std::size_t ModeFactors::capacity() const {
  constexpr std::size_t most = 1024, least = 16, scalars = 2000000, per_row = 8;
  return std::clamp(scalars / (per_row * std::max<std::size_t>(delta_.size(), 1)), least, most);
}

void ModeFactors::take(const BlockSparse& W, std::uint64_t label) {
  const bool known =
      label > 0 && label_ > 0 ? W.blocks() == static_cast<Index>(column_.size()) : same_pattern(W);
  if (known && label == label_ && (label > 0 || same_values(W))) return;
  if (label == 0 || label_ == 0 || !known) impl_->drop();
  if (!known) take_pattern(W);
  label_ = label;
  const double* value = W.blocks() > 0 ? W.value(0) : nullptr;
  values_.assign(value, value + W.blocks());
  delta_known_ = false;
  if (!known) analyse(W, true);
  while (!impl_->matrix.take(value, label)) analyse(W, false);
  impl_->current = impl_->known.size();
}

void ModeFactors::make_delta() {
  for (std::size_t i = 0; i < delta_.size(); ++i) {
    double largest = 0;
    for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k)
      largest = std::max(largest, std::abs(values_[k]));
    delta_[i] = proximal_ratio * (largest > 0 ? largest : 1.0);
  }
  delta_known_ = true;
}

void ModeFactors::take_pattern(const BlockSparse& W) {
  require(W.scalar() && W.rows() == W.cols(),
          "ModePivoting: the matrix is {}x{} in {} blocks, expected a square one in blocks of one "
          "row",
          W.rows(), W.cols(), W.blocks());
  const Index n = W.rows();
  row_begin_.resize(static_cast<std::size_t>(n) + 1);
  column_.resize(static_cast<std::size_t>(W.blocks()));
  delta_.resize(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) row_begin_[i] = W.row_begin(i);
  row_begin_[n] = W.blocks();
  for (Index k = 0; k < W.blocks(); ++k) column_[k] = W.column(k);
}

void ModeFactors::analyse(const BlockSparse& W, bool afresh) {
  Impl& f = *impl_;
  f.drop();
  f.clear();
  f.matrix.analyse(W, afresh);
  const auto n = static_cast<std::size_t>(f.size());
  f.reduced.resize(n);
  f.solution.resize(n);
  f.order.resize(n);
  f.dense.resize(n <= small ? n * n : 0);
  if (n == 0) return;
  f.symbolic = klu_analyze(f.size(), f.matrix.begin().data(), f.matrix.row().data(), &f.common);
  if (n > small || f.symbolic == nullptr) return;
  f.row_place.resize(n);
  f.column_place.resize(n);
  for (int k = 0; k < f.size(); ++k) {
    f.row_place[f.symbolic->P[k]] = k;
    f.column_place[f.symbolic->Q[k]] = k;
  }
}

bool ModeFactors::choose(std::span<const Mode> modes, bool proximal) {
  Impl& f = *impl_;
  if (f.current < f.known.size() && f.is(f.current, modes, proximal, label_))
    return f.known[f.current].regular;
  if (proximal && !delta_known_) make_delta();
  const std::size_t hash = hash_of(modes, proximal, label_);
  const auto found = f.places.find(hash);
  if (found != f.places.end() && f.is(found->second, modes, proximal, label_)) {
    f.current = found->second;
    return f.known[f.current].regular;
  }
  const std::size_t k = f.place(capacity());
  Factors& made = f.known[k];
  made.modes.assign(modes.begin(), modes.end());
  made.label = label_;
  made.proximal = proximal;
  made.functions.clear();
  f.places[hash] = k;
  f.matrix.fill(values_.data(), modes, proximal ? delta_.data() : nullptr);
  made.regular = f.factorise(made);
  ++factorisations_;
  f.current = k;
  return made.regular;
}

void ModeFactors::solve(const double* b, double* x) {
  Impl& f = *impl_;
  const Factors& now = f.known[f.current];
  const double* delta = now.proximal ? delta_.data() : nullptr;
  f.matrix.reduce(values_.data(), now.modes, delta, b, f.reduced.data());
  f.solve(now);
  f.matrix.expand(values_.data(), now.modes, delta, b, f.solution.data(), x);
}

bool ModeFactors::solve(const double* q, const double* lower, const double* upper, double* x,
                        double* u, double* argument) {
  Impl& f = *impl_;
  Factors& now = f.known[f.current];
  f.matrix.reduce(now.modes, q, lower, upper, f.functions_of(now, q), f.reduced.data());
  f.solve(now);
  return f.matrix.expand(now.modes, q, lower, upper, f.solution.data(), x, u, argument);
}

void ModeFactors::set_pieces(const double* x, std::span<Mode> modes) const {
  impl_->matrix.set_pieces(x, modes);
}

}  // namespace saltus
