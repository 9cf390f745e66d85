#include "saltus/solvers/masked_factor.hpp"

#include "saltus/solvers/klu_factors.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

extern "C" {
#include <suitesparse/ldl.h>
}

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// A pivot below this fraction of the largest diagonal entry counts as zero: a few hundred
/// roundings.
constexpr double singular_pivot = 1e-13;

constexpr Index dense_limit = 64;  // rows up to which every W is treated as dense

using Pattern = Eigen::SparseMatrix<double>;

/// W is one dense block, not a sparse matrix with one entry.
bool whole(const BlockSparse& W) { return W.block_rows() == 1 && W.blocks() == 1; }

/// Calls visit(row, column, number of the value) for every stored scalar of W.
template <class Visit>
void visit_scalars(const BlockSparse& W, Visit&& visit) {
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      const Index first = W.value(k) - W.value(0), rows = W.row_size(i), j = W.column(k);
      for (Index c = 0; c < W.column_size(j); ++c)
        for (Index r = 0; r < rows; ++r)
          visit(static_cast<int>(W.row_offset(i) + r), static_cast<int>(W.column_offset(j) + c),
                first + c * rows + r);
    }
}

bool positive_diagonal(const BlockSparse& W) {
  for (Index i = 0; i < W.block_rows(); ++i) {
    const Index k = W.diagonal(i), n = W.row_size(i);
    if (k < 0) return false;
    for (Index r = 0; r < n; ++r)
      if (!(W.value(k)[r * n + r] > 0)) return false;
  }
  return true;
}

struct Entry {
  int row, column;
  Index source;
};

}  // namespace

struct MaskedFactor::Klu : KluFactors {
  [[nodiscard]] bool regular() {
    return common.status == KLU_OK && klu_rcond(symbolic, numeric, &common) != 0 &&
           common.rcond > singular_pivot;
  }
  [[nodiscard]] bool factorise(int* begin, int* row, double* value) {
    if (numeric != nullptr && klu_refactor(begin, row, value, symbolic, numeric, &common) != 0 &&
        regular())
      return true;
    klu_free_numeric(&numeric, &common);
    numeric = klu_factor(begin, row, value, symbolic, &common);
    return numeric != nullptr && regular();
  }
};

MaskedFactor::MaskedFactor() = default;
MaskedFactor::~MaskedFactor() = default;
MaskedFactor::MaskedFactor(MaskedFactor&&) noexcept = default;
MaskedFactor& MaskedFactor::operator=(MaskedFactor&&) noexcept = default;

bool MaskedFactor::same_pattern(const BlockSparse& W) const {
  const Index m = W.block_rows();
  if (static_cast<Index>(block_row_begin_.size()) != m + 1 ||
      static_cast<Index>(block_column_.size()) != W.blocks())
    return false;
  for (Index i = 0; i < m; ++i)
    if (block_offset_[i] != W.row_offset(i) || block_row_begin_[i] != W.row_begin(i)) return false;
  for (Index k = 0; k < W.blocks(); ++k)
    if (block_column_[k] != W.column(k)) return false;
  return n_ == W.rows();
}

void MaskedFactor::store_pattern(const BlockSparse& W) {
  n_ = static_cast<int>(W.rows());
  block_offset_.clear();
  block_row_begin_.clear();
  block_column_.clear();
  for (Index i = 0; i < W.block_rows(); ++i) {
    block_offset_.push_back(W.row_offset(i));
    block_row_begin_.push_back(W.row_begin(i));
  }
  block_row_begin_.push_back(W.blocks());
  for (Index k = 0; k < W.blocks(); ++k) block_column_.push_back(W.column(k));
}

void MaskedFactor::analyse(const BlockSparse& W) {
  dense_ = W.rows() <= dense_limit || 4 * W.nonzeros() >= W.rows() * W.rows();
  if (dense_) {
    n_ = static_cast<int>(W.rows());
    block_row_begin_.clear();
    set_.reserve(static_cast<std::size_t>(n_));
    place_.resize(static_cast<std::size_t>(n_));
    x_.resize(static_cast<std::size_t>(n_));
    static_cast<void>(dense_factor_.matrix(n_));  // room for the largest set
    symmetric_ = whole(W) ? symmetric_by_columns(n_, W.value(0)) : W.symmetric();
    return;
  }
  const bool symmetric = W.symmetric() && positive_diagonal(W);
  if (symmetric == symmetric_ && same_pattern(W)) return;
  symmetric_ = symmetric;
  store_pattern(W);
  if (symmetric)
    analyse_ldlt(W);
  else
    analyse_klu(W);
  values_.resize(row_.size());
  x_.resize(static_cast<std::size_t>(n_));
  inside_.resize(static_cast<std::size_t>(n_));
}

namespace {

/// Stores the entries by columns, rows increasing; a diagonal entry is added where it is missing.
void compress(std::vector<Entry>& entries, int n, std::vector<int>& begin, std::vector<int>& row,
              std::vector<Index>& source) {
  std::vector<char> diagonal(static_cast<std::size_t>(n), 0);
  for (const Entry& e : entries)
    if (e.row == e.column) diagonal[e.row] = 1;
  for (int i = 0; i < n; ++i)
    if (diagonal[i] == 0) entries.push_back({i, i, -1});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  begin.assign(static_cast<std::size_t>(n) + 1, 0);
  row.clear();
  source.clear();
  for (const Entry& e : entries) {
    ++begin[e.column + 1];
    row.push_back(e.row);
    source.push_back(e.source);
  }
  for (int j = 0; j < n; ++j) begin[j + 1] += begin[j];
}

}  // namespace

void MaskedFactor::analyse_ldlt(const BlockSparse& W) {
  std::vector<Eigen::Triplet<double>> triplets;
  visit_scalars(W, [&](int i, int j, Index) { triplets.emplace_back(i, j, 1.0); });
  Pattern pattern(n_, n_);
  pattern.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> inverse;
  Eigen::AMDOrdering<int>()(pattern, inverse);
  new_of_.resize(static_cast<std::size_t>(n_));
  for (int p = 0; p < n_; ++p) new_of_[inverse.indices()[p]] = p;

  std::vector<Entry> entries;  // upper triangle after the ordering
  visit_scalars(W, [&](int i, int j, Index source) {
    if (new_of_[i] <= new_of_[j]) entries.push_back({new_of_[i], new_of_[j], source});
  });
  compress(entries, n_, column_begin_, row_, source_);

  const auto n = static_cast<std::size_t>(n_);
  for (auto* indices : {&parent_, &flag_, &l_count_, &pattern_}) indices->resize(n);
  l_begin_.resize(n + 1);
  ldl_symbolic(n_, column_begin_.data(), row_.data(), l_begin_.data(), parent_.data(),
               l_count_.data(), flag_.data(), nullptr, nullptr);
  l_row_.resize(static_cast<std::size_t>(l_begin_[n_]));
  l_.resize(l_row_.size());
  d_.resize(n);
  y_.resize(n);
}

void MaskedFactor::analyse_klu(const BlockSparse& W) {
  std::vector<Entry> entries;
  visit_scalars(W, [&](int i, int j, Index source) { entries.push_back({i, j, source}); });
  compress(entries, n_, column_begin_, row_, source_);
  new_of_.resize(static_cast<std::size_t>(n_));
  for (int i = 0; i < n_; ++i) new_of_[i] = i;
  klu_ = std::make_unique<Klu>();
  klu_->symbolic = klu_analyze(n_, column_begin_.data(), row_.data(), &klu_->common);
}

void MaskedFactor::fill(const BlockSparse& W, std::span<const std::uint8_t> in_set, double shift) {
  for (int i = 0; i < n_; ++i) inside_[new_of_[i]] = in_set[i];
  const double* value = W.blocks() > 0 ? W.value(0) : nullptr;
  for (int j = 0; j < n_; ++j)
    for (int e = column_begin_[j]; e < column_begin_[j + 1]; ++e) {
      const int i = row_[e];
      const bool inside = inside_[i] != 0 && inside_[j] != 0;
      const double a = inside && source_[e] >= 0 ? value[source_[e]] : 0.0;
      values_[e] = i != j ? a : (inside ? a + shift : 1.0);
    }
}

bool MaskedFactor::factorise(const BlockSparse& W, std::span<const std::uint8_t> in_set,
                             double shift) {
  if (dense_) return factorise_dense(W, in_set, shift);
  fill(W, in_set, shift);
  if (symmetric_) return factorise_ldlt();
  return klu_->symbolic != nullptr &&
         klu_->factorise(column_begin_.data(), row_.data(), values_.data());
}

bool MaskedFactor::factorise_ldlt() {
  double largest = 0;
  for (int k = 0; k < n_; ++k)
    largest = std::max(largest, std::abs(values_[column_begin_[k + 1] - 1]));
  const int done =
      ldl_numeric(n_, column_begin_.data(), row_.data(), values_.data(), l_begin_.data(),
                  parent_.data(), l_count_.data(), l_row_.data(), l_.data(), d_.data(), y_.data(),
                  pattern_.data(), flag_.data(), nullptr, nullptr);
  return done == n_ && std::all_of(d_.begin(), d_.end(), [&](double d) {
           return std::abs(d) > singular_pivot * largest;
         });
}

/// W_FF + shift I into the factor, or at least its lower triangle.
void MaskedFactor::gather(const BlockSparse& W, double shift, bool lower) {
  const auto m = static_cast<Index>(set_.size());
  double* a = dense_factor_.matrix(m);
  if (whole(W)) {
    for (Index j = 0; j < m; ++j) {
      const double* column = W.value(0) + set_[j] * n_;
      for (Index i = lower ? j : 0; i < m; ++i) a[j * m + i] = column[set_[i]];
    }
  } else {
    std::fill(a, a + m * m, 0.0);
    visit_scalars(W, [&](int i, int j, Index source) {
      if (place_[i] >= 0 && place_[j] >= 0) a[place_[j] * m + place_[i]] = W.value(0)[source];
    });
  }
  for (Index j = 0; j < m; ++j) a[j * (m + 1)] += shift;
}

bool MaskedFactor::factorise_dense(const BlockSparse& W, std::span<const std::uint8_t> in_set,
                                   double shift) {
  set_.clear();
  for (Index i = 0; i < n_; ++i) {
    place_[i] = in_set[i] != 0 ? static_cast<Index>(set_.size()) : -1;
    if (in_set[i] != 0) set_.push_back(i);
  }
  gather(W, shift, symmetric_);
  if (symmetric_ && dense_factor_.cholesky()) return true;
  if (symmetric_) gather(W, shift, false);
  return dense_factor_.lu();
}

void MaskedFactor::solve(double* x) {
  if (dense_) {
    const std::size_t m = set_.size();
    for (std::size_t i = 0; i < m; ++i) x_[i] = x[set_[i]];
    dense_factor_.solve(x_.data());
    for (std::size_t i = 0; i < m; ++i) x[set_[i]] = x_[i];
    return;
  }
  if (!symmetric_) {
    klu_solve(klu_->symbolic, klu_->numeric, n_, 1, x, &klu_->common);
    return;
  }
  for (int i = 0; i < n_; ++i) x_[new_of_[i]] = x[i];
  ldl_lsolve(n_, x_.data(), l_begin_.data(), l_row_.data(), l_.data());
  ldl_dsolve(n_, x_.data(), d_.data());
  ldl_ltsolve(n_, x_.data(), l_begin_.data(), l_row_.data(), l_.data());
  for (int i = 0; i < n_; ++i) x[i] = x_[new_of_[i]];
}

}  // namespace saltus
