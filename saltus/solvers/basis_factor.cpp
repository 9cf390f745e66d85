#include "saltus/solvers/basis_factor.hpp"

#include "saltus/solvers/klu_factors.hpp"

namespace saltus {

struct BasisFactor::Klu : KluFactors {
  int n = 0;
};

BasisFactor::BasisFactor() : klu_(std::make_unique<Klu>()) {}
BasisFactor::~BasisFactor() = default;
BasisFactor::BasisFactor(BasisFactor&&) noexcept = default;
BasisFactor& BasisFactor::operator=(BasisFactor&&) noexcept = default;

bool BasisFactor::factorise(Eigen::SparseMatrix<double>& B) {
  etas_.clear();
  row_.clear();
  value_.clear();
  Klu& k = *klu_;
  k.clear();
  k.n = static_cast<int>(B.cols());
  k.symbolic = klu_analyze(k.n, B.outerIndexPtr(), B.innerIndexPtr(), &k.common);
  if (k.symbolic == nullptr) return false;
  k.numeric = klu_factor(B.outerIndexPtr(), B.innerIndexPtr(), B.valuePtr(), k.symbolic, &k.common);
  if (k.numeric == nullptr || k.common.status != KLU_OK) return false;
  // the smallest pivot against the largest: a few roundings above zero
  return klu_rcond(k.symbolic, k.numeric, &k.common) != 0 && k.common.rcond > 1e-15;
}

void BasisFactor::solve(Vector& x) const {
  const Klu& k = *klu_;
  klu_solve(k.symbolic, k.numeric, k.n, 1, x.data(), &k.common);
  for (const Eta& eta : etas_) {
    double& xp = x[eta.position];
    if (xp == 0) continue;
    xp /= eta.pivot;
    for (std::size_t e = eta.begin; e < eta.end; ++e) x[row_[e]] -= value_[e] * xp;
  }
}

void BasisFactor::solve_transposed(Vector& x) const {
  for (auto eta = etas_.rbegin(); eta != etas_.rend(); ++eta) {
    double sum = x[eta->position];
    for (std::size_t e = eta->begin; e < eta->end; ++e) sum -= value_[e] * x[row_[e]];
    x[eta->position] = sum / eta->pivot;
  }
  const Klu& k = *klu_;
  klu_tsolve(k.symbolic, k.numeric, k.n, 1, x.data(), &k.common);
}

void BasisFactor::exchange(Index position, const Vector& d) {
  const std::size_t begin = row_.size();
  for (Index i = 0; i < d.size(); ++i)
    if (i != position && d[i] != 0) {
      row_.push_back(static_cast<int>(i));
      value_.push_back(d[i]);
    }
  etas_.push_back({static_cast<int>(position), d[position], begin, row_.size()});
}

}  // namespace saltus
