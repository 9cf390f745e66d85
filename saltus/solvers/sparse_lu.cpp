#include "saltus/solvers/sparse_lu.hpp"

#include <umfpack.h>

#include <algorithm>
#include <array>

namespace saltus {

namespace {

constexpr Index dense_rows = 60;
constexpr double dense_share = 0.3;
constexpr double pivot_tolerance = 1e-3;  // of a diagonal pivot

}  // namespace

struct SparseLu::Umfpack {
  Umfpack() {
    umfpack_di_defaults(control.data());
    control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
    control[UMFPACK_SYM_PIVOT_TOLERANCE] = pivot_tolerance;
    control[UMFPACK_IRSTEP] = 0;  // the callers refine
    control[UMFPACK_SCALE] = UMFPACK_SCALE_NONE;
  }
  ~Umfpack() {
    free_numeric();
    if (symbolic != nullptr) umfpack_di_free_symbolic(&symbolic);
  }
  Umfpack(const Umfpack&) = delete;
  Umfpack& operator=(const Umfpack&) = delete;
  void free_numeric() {
    if (numeric != nullptr) umfpack_di_free_numeric(&numeric);
    numeric = nullptr;
  }
  void* symbolic = nullptr;
  void* numeric = nullptr;
  std::array<double, UMFPACK_CONTROL> control;
  std::array<double, UMFPACK_INFO> info;
  std::vector<int> integers;
  std::vector<double> doubles;
};

SparseLu::SparseLu() = default;
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

void SparseLu::analyse(std::vector<int> column_begin, std::vector<int> row) {
  begin_ = std::move(column_begin);
  row_ = std::move(row);
  n_ = static_cast<Index>(begin_.size()) - 1;
  const auto size = static_cast<double>(n_), entries = static_cast<double>(row_.size());
  dense_ = n_ <= dense_rows || entries > dense_share * size * size;
  umfpack_.reset();
  if (dense_) {
    matrix_.setZero(n_, n_);
    flops_ = 2.0 / 3 * size * size * size;
    return;
  }
  values_.assign(row_.size(), 1.0);
  umfpack_ = std::make_unique<Umfpack>();
  const int n = static_cast<int>(n_);
  umfpack_di_symbolic(n, n, begin_.data(), row_.data(), nullptr, &umfpack_->symbolic,
                      umfpack_->control.data(), umfpack_->info.data());
  flops_ = umfpack_->info[UMFPACK_FLOPS_ESTIMATE];
  umfpack_->integers.resize(begin_.size());
  umfpack_->doubles.resize(5 * begin_.size());
}

Index SparseLu::position(int row, int column) const {
  if (dense_) return column * n_ + row;
  const auto first = row_.begin() + begin_[column], last = row_.begin() + begin_[column + 1];
  return std::lower_bound(first, last, row) - row_.begin();
}

bool SparseLu::factorise() {
  if (dense_) {
    lu_.compute(matrix_);
    return (lu_.matrixLU().diagonal().array() != 0).all();
  }
  umfpack_->free_numeric();
  return umfpack_->symbolic != nullptr &&
         umfpack_di_numeric(begin_.data(), row_.data(), values_.data(), umfpack_->symbolic,
                            &umfpack_->numeric, umfpack_->control.data(),
                            umfpack_->info.data()) == UMFPACK_OK;
}

void SparseLu::solve(const Vector& b, Vector& x) {
  if (dense_) {
    x = lu_.solve(b);
    return;
  }
  x.resize(n_);
  umfpack_di_wsolve(UMFPACK_A, begin_.data(), row_.data(), values_.data(), x.data(), b.data(),
                    umfpack_->numeric, umfpack_->control.data(), umfpack_->info.data(),
                    umfpack_->integers.data(), umfpack_->doubles.data());
}

}  // namespace saltus
