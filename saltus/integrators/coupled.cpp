#include "saltus/integrators/coupled.hpp"

#include <algorithm>

namespace saltus {

namespace {

void mark(const SparseMatrix& A, bool transposed, std::vector<Eigen::Triplet<double>>& entries) {
  for (int j = 0; j < A.cols(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
      const auto i = static_cast<int>(it.row());
      entries.emplace_back(i, j, 0.0);
      if (transposed) entries.emplace_back(j, i, 0.0);
    }
}

/// Where the values of A stand among those of `whole`.
std::vector<Index> places(const SparseMatrix& A, const SparseMatrix& whole) {
  std::vector<Index> place;
  for (int j = 0; j < A.cols(); ++j) {
    const int* begin = whole.innerIndexPtr() + whole.outerIndexPtr()[j];
    const int* end = whole.innerIndexPtr() + whole.outerIndexPtr()[j + 1];
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      place.push_back(std::lower_bound(begin, end, it.row()) - whole.innerIndexPtr());
  }
  return place;
}

void add(double weight, const SparseMatrix& A, const std::vector<Index>& place, SparseMatrix& sum) {
  const double* value = A.valuePtr();
  for (const Index k : place) sum.valuePtr()[k] += weight * *value++;
}

/// The operator was evaluated anew: it must stand where it stood.
void require_pattern(const SparseMatrix& A, const std::vector<Index>& place,
                     const SparseMatrix& whole, const char* name) {
  require(A.isCompressed() && A.nonZeros() == static_cast<Index>(place.size()),
          "coupled system: {} has {} entries, it had {} when the run began: its pattern must stay",
          name, A.nonZeros(), place.size());
  for (std::size_t k = 0; k < place.size(); ++k)
    require(A.innerIndexPtr()[k] == whole.innerIndexPtr()[place[k]],
            "coupled system: entry {} of {} has moved to another row: its pattern must stay", k,
            name);
}

}  // namespace

void CoupledOperators::prepare(const System& given, const StateView& x) {
  given.coupled_mass(x, M);
  given.coupled_damping(x, C);
  given.coupled_stiffness(x, K);
  std::vector<Eigen::Triplet<double>> entries;
  for (SparseMatrix* A : {&M, &C, &K}) {
    A->makeCompressed();
    mark(*A, given.order() == Order::second, entries);
  }
  const Index n = M.cols();
  for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 0.0);
  iteration.resize(n, n);
  iteration.setFromTriplets(entries.begin(), entries.end());
  M_place = places(M, iteration);
  C_place = places(C, iteration);
  K_place = places(K, iteration);
}

void CoupledOperators::evaluate_mass(const System& given, const StateView& x) {
  given.coupled_mass(x, M);
  require_pattern(M, M_place, iteration, given.order() == Order::second ? "M" : "E");
}

void CoupledOperators::evaluate_iteration(const System& given, const StateView& x,
                                          IterationWeights weights) {
  const bool second = given.order() == Order::second;
  const bool damped = weights.damping != 0, stiff = weights.stiffness != 0 && second;
  if (!given.time_invariant() && damped) {
    given.coupled_damping(x, C);
    require_pattern(C, C_place, iteration, second ? "C" : "A");
  }
  if (!given.time_invariant() && stiff) {
    given.coupled_stiffness(x, K);
    require_pattern(K, K_place, iteration, "K");
  }
  iteration.coeffs().setZero();
  add(1, M, M_place, iteration);
  if (damped) add(weights.damping, C, C_place, iteration);
  if (stiff) add(weights.stiffness, K, K_place, iteration);
}

void CoupledOperators::add_mass_product(const double* x, double* f) const {
  for (int j = 0; j < M.cols(); ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it) f[it.row()] += it.value() * x[j];
}

}  // namespace saltus
