#include "saltus/problems/global_block_form.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <cmath>
#include <memory>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void require_finite(const char* what, const char* letter, ConstVectorRef x) {
  for (Index i = 0; i < x.size(); ++i)
    require(std::isfinite(x[i]), "{}: {}[{}] is {}, expected a finite number", what, letter, i,
            x[i]);
}

void require_finite(const char* what, const char* letter, const Sparse& A) {
  for (Index j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator it(A, j); it; ++it)
      require(std::isfinite(it.value()), "{}: {}({}, {}) is {}, expected a finite number", what,
              letter, it.row(), it.col(), it.value());
}

bool symmetric(const Sparse& M) {
  const Sparse gap = M - Sparse(M.transpose());
  return gap.norm() <= 1e-13 * M.norm();
}

/// Calls use(factor) with a shared pointer to a factorisation of M: LDLᵀ if M is symmetric and that
/// works, LU otherwise.
template <class Use>
auto with_factor(const char* what, const Sparse& M, Use&& use) {
  if (symmetric(M)) {
    const auto ldlt = std::make_shared<Eigen::SimplicialLDLT<Sparse>>(M);
    if (ldlt->info() == Eigen::Success && ldlt->vectorD().cwiseAbs().minCoeff() > 0)
      return use(ldlt);
  }
  Sparse compressed = M;
  compressed.makeCompressed();
  const auto lu = std::make_shared<Eigen::SparseLU<Sparse>>();
  lu->compute(compressed);
  require(lu->info() == Eigen::Success, "{}: the {}x{} matrix M is singular", what, M.rows(),
          M.cols());
  return use(lu);
}

}  // namespace

void validate_global(const char* what, const Sparse& M, const Sparse& H, ConstVectorRef f,
                     ConstVectorRef w) {
  const Index n = M.rows(), m = w.size();
  require(M.cols() == n, "{}: M is {}x{}, expected a square matrix", what, n, M.cols());
  require(H.rows() == n && H.cols() == m, "{}: H is {}x{}, expected {}x{}", what, H.rows(),
          H.cols(), n, m);
  require(f.size() == n, "{}: f has size {}, M has {} rows", what, f.size(), n);
  require_finite(what, "M", M);
  require_finite(what, "H", H);
  require_finite(what, "f", f);
  require_finite(what, "w", w);
}

Reduced reduce(const char* what, const Sparse& M, const Sparse& H, ConstVectorRef f,
               ConstVectorRef w) {
  const Sparse transposed = H.transpose();
  return with_factor(what, M, [&](const auto& factor) {
    const Sparse X = factor->solve(H);
    const Vector free = factor->solve(Vector(f));
    return Reduced{transposed * X, transposed * free + w};
  });
}

Vector velocity(const char* what, const Sparse& M, const Sparse& H, ConstVectorRef f,
                ConstVectorRef r) {
  require(r.size() == H.cols(), "velocity: r has size {}, H has {} columns", r.size(), H.cols());
  return factorise(what, M)(H * r + f);
}

LinearSolve factorise(const char* what, const Sparse& M) {
  return with_factor(what, M, [](auto factor) -> LinearSolve {
    return [factor](ConstVectorRef b) -> Vector { return factor->solve(Vector(b)); };
  });
}

void validate(const GlobalBlockForm& problem) {
  const char* what = "GlobalBlockForm";
  validate_global(what, problem.M, problem.H, problem.f, problem.w);
  require(problem.K.size() == problem.sizes.size(), "{}: {} sets but {} sizes are given", what,
          problem.K.size(), problem.sizes.size());
  Index rows = 0;
  for (std::size_t i = 0; i < problem.K.size(); ++i) {
    const auto block = static_cast<Index>(i);
    require(problem.sizes[i] >= 1 && problem.sizes[i] <= problem.w.size() - rows,
            "{}: block {} has {} rows, {} of {} rows are left", what, block, problem.sizes[i],
            problem.w.size() - rows, problem.w.size());
    validate(problem.K[i], block, problem.sizes[i]);
    rows += problem.sizes[i];
  }
  require(rows == problem.w.size(), "{}: the blocks have {} rows, w has {}", what, rows,
          problem.w.size());
}

double residual(const GlobalBlockForm& problem, ConstVectorRef v, ConstVectorRef r) {
  require(v.size() == problem.f.size() && r.size() == problem.w.size(),
          "residual(GlobalBlockForm): v and r have sizes {} and {}, the problem {} and {}",
          v.size(), r.size(), problem.f.size(), problem.w.size());
  const Vector balance = problem.M * v - problem.H * r - problem.f;
  const Vector u = problem.H.transpose() * v + problem.w;
  if (!balance.allFinite() || !u.allFinite() || !r.allFinite()) return inf;
  double sum = balance.squaredNorm();
  Index first = 0;
  for (std::size_t i = 0; i < problem.K.size(); first += problem.sizes[i], ++i)
    sum += squared_natural_map(problem.K[i], problem.sizes[i], r.data() + first, u.data() + first);
  return std::sqrt(sum);
}

BlockForm reduce(const GlobalBlockForm& problem) {
  validate(problem);
  Reduced reduced = reduce("GlobalBlockForm", problem.M, problem.H, problem.f, problem.w);
  return {BlockSparse::sparse(reduced.W, problem.sizes, problem.sizes), std::move(reduced.q),
          problem.K};
}

Vector velocity(const GlobalBlockForm& problem, ConstVectorRef r) {
  validate(problem);
  return velocity("GlobalBlockForm", problem.M, problem.H, problem.f, r);
}

}  // namespace saltus
