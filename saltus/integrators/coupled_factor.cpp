#include "saltus/integrators/coupled_factor.hpp"

#include "saltus/solvers/klu_factors.hpp"

#include <algorithm>
#include <limits>

namespace saltus {

namespace {

constexpr double singular = std::numeric_limits<double>::epsilon();  // of the extreme pivots
constexpr double growth = 1e-8;  // of the pivots, before the order of rows is chosen anew

}  // namespace

CoupledFactor::CoupledFactor() = default;
CoupledFactor::~CoupledFactor() = default;
CoupledFactor::CoupledFactor(CoupledFactor&&) noexcept = default;
CoupledFactor& CoupledFactor::operator=(CoupledFactor&&) noexcept = default;

void CoupledFactor::analyse(const SparseMatrix& A, Order order, Index bodies) {
  const Index n = A.cols();
  order_ = order;
  each_ = n / bodies;
  place_.assign(bodies, -1);
  touched_.clear();
  complete_.clear();
  S_.resize(0, 0);
  for (Vector* v : {&load_, &rhs_, &solution_}) v->setZero(n);
  loaded_ = false;
  if (order == Order::first) {
    klu_ = std::make_unique<KluFactors>();
    klu_->symbolic = klu_analyze(static_cast<int>(n), const_cast<int*>(A.outerIndexPtr()),
                                 const_cast<int*>(A.innerIndexPtr()), &klu_->common);
    return;
  }
  lu_.analyse({A.outerIndexPtr(), A.outerIndexPtr() + n + 1},
              {A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros()});
  position_.clear();
  for (int j = 0; j < A.cols(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      position_.push_back(lu_.position(static_cast<int>(it.row()), j));
}

bool CoupledFactor::factorise(const SparseMatrix& A) {
  std::fill(complete_.begin(), complete_.end(), 0);
  if (!A.coeffs().isFinite().all()) return false;
  if (order_ == Order::first) return factorise_klu(A);
  std::fill_n(lu_.values(), lu_.size(), 0.0);
  const double* value = A.valuePtr();
  for (const Index place : position_) lu_.values()[place] = *value++;
  ThreadTeam alone;
  return lu_.factorise(alone);
}

/// With the row order of the last time, unless that has become a bad one.
bool CoupledFactor::factorise_klu(const SparseMatrix& A) {
  if (klu_->symbolic == nullptr) return false;
  int* begin = const_cast<int*>(A.outerIndexPtr());
  int* row = const_cast<int*>(A.innerIndexPtr());
  double* value = const_cast<double*>(A.valuePtr());
  const auto regular = [&] {
    return klu_->common.status == KLU_OK &&
           klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common) != 0 &&
           klu_->common.rcond > singular;
  };
  if (klu_->numeric != nullptr &&
      klu_refactor(begin, row, value, klu_->symbolic, klu_->numeric, &klu_->common) != 0 &&
      regular() &&
      klu_rgrowth(begin, row, value, klu_->symbolic, klu_->numeric, &klu_->common) != 0 &&
      klu_->common.rgrowth > growth)
    return true;
  klu_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric = klu_factor(begin, row, value, klu_->symbolic, &klu_->common);
  return klu_->numeric != nullptr && regular();
}

void CoupledFactor::solve(const double* b, double* x) {
  const Index n = rhs_.size();
  if (order_ == Order::first) {
    if (b != x) std::copy_n(b, n, x);
    klu_solve(klu_->symbolic, klu_->numeric, static_cast<int>(n), 1, x, &klu_->common);
    return;
  }
  std::copy_n(b, n, rhs_.data());
  ThreadTeam alone;
  lu_.solve(rhs_, solution_, alone);
  std::copy_n(solution_.data(), n, x);
}

void CoupledFactor::touch(Index body) {
  if (place_[body] >= 0) return;
  place_[body] = static_cast<Index>(touched_.size());
  touched_.push_back(body);
  complete_.assign(touched_.size(), 0);
}

void CoupledFactor::complete(Index body) {
  const auto count = static_cast<Index>(touched_.size());
  if (S_.rows() != count * each_) S_.resize(count * each_, count * each_);
  const Index place = place_[body];
  if (complete_[place]) return;
  for (Index k = 0; k < each_; ++k) {
    Vector& x = order_ == Order::first ? rhs_ : solution_;
    rhs_.setZero();
    rhs_[body * each_ + k] = 1;
    solve(rhs_.data(), x.data());
    double* column = S_.data() + (place * each_ + k) * S_.rows();
    for (const Index other : touched_) {
      std::copy_n(x.data() + other * each_, each_, column);
      column += each_;
    }
  }
  complete_[place] = 1;
}

void CoupledFactor::unload(double sign, double* x) {
  if (!loaded_) return;
  solve(load_.data(), load_.data());
  for (Index i = 0; i < load_.size(); ++i) x[i] += sign * load_[i];
  load_.setZero();
  loaded_ = false;
}

}  // namespace saltus
