#include "saltus/solvers/mode_factors.hpp"

#include "saltus/solvers/klu_factors.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// Ratio of the smallest to the largest pivot below which a matrix counts as singular. Circuits mix
/// volts with amperes over many decades; a wrong answer is found by its residual anyway.
constexpr double singular_ratio = 1e-40;
constexpr double proximal_ratio = 1e-9;
constexpr int small = 32;  // rows up to which the inverse is kept

struct Factors {
  std::vector<Mode> modes;
  std::size_t hash = 0;
  bool proximal = false, regular = false;
  klu_numeric* numeric = nullptr;
  std::vector<double> inverse;  // by columns; empty unless the matrix is small
};

std::size_t hash_of(std::span<const Mode> modes, bool proximal) {
  std::size_t hash = proximal ? 1099511628211u : 14695981039346656037u;
  for (const Mode mode : modes) hash = (hash ^ static_cast<std::size_t>(mode)) * 1099511628211u;
  return hash;
}

}  // namespace

struct ModeFactors::Impl : KluFactors {
  ModeCondensation matrix;
  std::vector<Factors> known;  // a ring once it is full
  std::size_t oldest = 0, current = 0;
  std::vector<double> reduced, solution;

  ~Impl() { drop(); }
  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  void drop() {
    for (Factors& f : known) klu_free_numeric(&f.numeric, &common);
    known.clear();
    oldest = 0;
  }
  [[nodiscard]] int size() const { return matrix.size(); }
  /// The place of these modes, or −1.
  [[nodiscard]] Index find(std::span<const Mode> modes, bool proximal, std::size_t hash) const {
    const auto is_it = [&](const Factors& f) {
      return f.hash == hash && f.proximal == proximal &&
             std::equal(modes.begin(), modes.end(), f.modes.begin());
    };
    for (std::size_t k = 0; k < known.size(); ++k)
      if (is_it(known[k])) return static_cast<Index>(k);
    return -1;
  }
  /// False if the matrix is numerically singular.
  [[nodiscard]] bool factorise(Factors& made) {
    if (size() == 0) return true;
    common.halt_if_singular = 1;
    if (symbolic != nullptr)
      made.numeric = klu_factor(matrix.begin().data(), matrix.row().data(), matrix.value().data(),
                                symbolic, &common);
    return made.numeric != nullptr && common.status == KLU_OK &&
           klu_rcond(symbolic, made.numeric, &common) != 0 && common.rcond > singular_ratio;
  }
  void invert(Factors& made) {
    const int n = size();
    made.inverse.assign(static_cast<std::size_t>(n) * n, 0.0);
    for (int i = 0; i < n; ++i) made.inverse[i * n + i] = 1;
    klu_solve(symbolic, made.numeric, n, n, made.inverse.data(), &common);
  }
  /// solution = S⁻¹ reduced
  void solve(const Factors& now) {
    const int n = size();
    if (now.inverse.empty()) {
      std::copy(reduced.begin(), reduced.end(), solution.begin());
      if (n > 0) klu_solve(symbolic, now.numeric, n, 1, solution.data(), &common);
      return;
    }
    std::fill(solution.begin(), solution.end(), 0.0);
    const double* column = now.inverse.data();
    for (int j = 0; j < n; ++j, column += n)
      if (reduced[j] != 0)
        for (int i = 0; i < n; ++i) solution[i] += column[i] * reduced[j];
  }
  /// A free place for another factorisation.
  [[nodiscard]] std::size_t place(std::size_t capacity) {
    if (known.size() < capacity) {
      known.emplace_back();
      return known.size() - 1;
    }
    const std::size_t k = oldest;
    oldest = (oldest + 1) % capacity;
    klu_free_numeric(&known[k].numeric, &common);
    return k;
  }
};

ModeFactors::ModeFactors() : impl_(std::make_unique<Impl>()) {}
ModeFactors::~ModeFactors() = default;
ModeFactors::ModeFactors(ModeFactors&&) noexcept = default;
ModeFactors& ModeFactors::operator=(ModeFactors&&) noexcept = default;

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
  constexpr std::size_t most = 1024, least = 16, scalars = 10000000, per_row = 8;
  return std::clamp(scalars / (per_row * std::max<std::size_t>(delta_.size(), 1)), least, most);
}

void ModeFactors::take(const BlockSparse& W) {
  const bool known = same_pattern(W);
  if (known && same_values(W)) return;
  impl_->drop();
  const double* value = W.blocks() > 0 ? W.value(0) : nullptr;
  if (!known || !impl_->matrix.fits(value)) analyse(W);
  values_.assign(value, value + W.blocks());
  for (Index i = 0; i < W.rows(); ++i) {
    double largest = 0;
    for (Index k = row_begin_[i]; k < row_begin_[i + 1]; ++k)
      largest = std::max(largest, std::abs(values_[k]));
    delta_[i] = proximal_ratio * (largest > 0 ? largest : 1.0);
  }
}

void ModeFactors::analyse(const BlockSparse& W) {
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
  Impl& f = *impl_;
  f.drop();
  f.clear();
  f.matrix.analyse(W);
  f.reduced.resize(static_cast<std::size_t>(f.size()));
  f.solution.resize(static_cast<std::size_t>(f.size()));
  if (f.size() > 0)
    f.symbolic = klu_analyze(f.size(), f.matrix.begin().data(), f.matrix.row().data(), &f.common);
}

bool ModeFactors::choose(std::span<const Mode> modes, bool proximal) {
  Impl& f = *impl_;
  if (f.current < f.known.size() && f.known[f.current].proximal == proximal &&
      std::equal(modes.begin(), modes.end(), f.known[f.current].modes.begin()))
    return f.known[f.current].regular;
  const std::size_t hash = hash_of(modes, proximal);
  if (const Index k = f.find(modes, proximal, hash); k >= 0) {
    f.current = static_cast<std::size_t>(k);
    return f.known[k].regular;
  }
  const std::size_t k = f.place(capacity());
  Factors& made = f.known[k];
  made.modes.assign(modes.begin(), modes.end());
  made.hash = hash;
  made.proximal = proximal;
  f.matrix.fill(values_.data(), modes, proximal ? delta_.data() : nullptr);
  made.regular = f.factorise(made);
  ++factorisations_;
  f.current = k;
  made.inverse.clear();
  if (made.regular && f.size() > 0 && f.size() <= small) f.invert(made);
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

}  // namespace saltus
