#include "saltus/problems/friction_contact.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void validate_contacts(const char* what, Index dimension, Index rows, ConstVectorRef mu) {
  require(dimension == 2 || dimension == 3, "{}: dimension is {}, expected 2 or 3", what,
          dimension);
  require(rows == dimension * mu.size(), "{}: mu has size {}, {} rows make {} contacts of {} rows",
          what, mu.size(), rows, rows / dimension, dimension);
  for (Index i = 0; i < mu.size(); ++i)
    require(std::isfinite(mu[i]) && mu[i] >= 0, "{}: mu[{}] is {}, expected a finite number >= 0",
            what, i, mu[i]);
}

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

/// Calls use(solver) with a factorisation of M: LDLᵀ if M is symmetric and that works, LU
/// otherwise.
template <class Use>
auto with_factor(const Sparse& M, Use&& use) {
  if (symmetric(M)) {
    const Eigen::SimplicialLDLT<Sparse> ldlt(M);
    if (ldlt.info() == Eigen::Success && ldlt.vectorD().cwiseAbs().minCoeff() > 0) return use(ldlt);
  }
  Sparse compressed = M;
  compressed.makeCompressed();
  Eigen::SparseLU<Sparse> lu;
  lu.compute(compressed);
  require(lu.info() == Eigen::Success, "GlobalFrictionContact: the {}x{} matrix M is singular",
          M.rows(), M.cols());
  return use(lu);
}

}  // namespace

double residual(const FrictionContact& problem, ConstVectorRef r) {
  require(r.size() == problem.q.size(), "residual(FrictionContact): r has size {}, the problem {}",
          r.size(), problem.q.size());
  double sum = 0;
  bool finite = true;
  visit_rows(problem.W, r, problem.q, [&](Index block, Index first, Index size, const double* u) {
    const double* x = r.data() + first;
    for (Index i = 0; i < size; ++i) finite = finite && std::isfinite(x[i]) && std::isfinite(u[i]);
    if (finite) sum += squared_natural_map(FrictionCone{problem.mu[block]}, size, x, u);
  });
  return finite ? std::sqrt(sum) : inf;
}

double residual(const GlobalFrictionContact& problem, ConstVectorRef v, ConstVectorRef r) {
  const Index d = problem.dimension;
  const Vector balance = problem.M * v - problem.H * r - problem.f;
  const Vector u = problem.H.transpose() * v + problem.w;
  double sum = balance.squaredNorm();
  if (!balance.allFinite() || !u.allFinite() || !r.allFinite()) return inf;
  for (Index i = 0; i < problem.mu.size(); ++i)
    sum += squared_natural_map(FrictionCone{problem.mu[i]}, d, r.data() + d * i, u.data() + d * i);
  return std::sqrt(sum);
}

void validate(const FrictionContact& problem) {
  validate_affine("FrictionContact", problem.W, problem.q);
  validate_contacts("FrictionContact", problem.dimension, problem.q.size(), problem.mu);
  for (Index i = 0; i < problem.W.block_rows(); ++i)
    require(
        problem.W.row_size(i) == problem.dimension && problem.W.column_size(i) == problem.dimension,
        "FrictionContact: block {} of W is {}x{}, expected the dimension {}", i,
        problem.W.row_size(i), problem.W.column_size(i), problem.dimension);
}

void validate(const GlobalFrictionContact& problem) {
  const char* what = "GlobalFrictionContact";
  const Index n = problem.M.rows(), m = problem.w.size();
  require(problem.M.cols() == n, "{}: M is {}x{}, expected a square matrix", what, n,
          problem.M.cols());
  require(problem.H.rows() == n && problem.H.cols() == m, "{}: H is {}x{}, expected {}x{}", what,
          problem.H.rows(), problem.H.cols(), n, m);
  require(problem.f.size() == n, "{}: f has size {}, M has {} rows", what, problem.f.size(), n);
  validate_contacts(what, problem.dimension, m, problem.mu);
  require_finite(what, "M", problem.M);
  require_finite(what, "H", problem.H);
  require_finite(what, "f", problem.f);
  require_finite(what, "w", problem.w);
}

FrictionContact reduce(const GlobalFrictionContact& problem) {
  validate(problem);
  const Sparse transposed = problem.H.transpose();
  return with_factor(problem.M, [&](const auto& factor) {
    const Sparse X = factor.solve(problem.H);
    const Vector free = factor.solve(problem.f);
    const Sparse W = transposed * X;
    return FrictionContact{problem.dimension, BlockSparse::sparse(W, problem.dimension),
                           transposed * free + problem.w, problem.mu};
  });
}

Vector velocity(const GlobalFrictionContact& problem, ConstVectorRef r) {
  validate(problem);
  require(r.size() == problem.H.cols(), "velocity: r has size {}, H has {} columns", r.size(),
          problem.H.cols());
  const Vector rhs = problem.H * r + problem.f;
  return with_factor(problem.M, [&](const auto& factor) -> Vector { return factor.solve(rhs); });
}

void to_block_form(const FrictionContact& problem, BlockForm& form) {
  form.W = problem.W;
  form.q = problem.q;
  form.K.resize(static_cast<std::size_t>(problem.mu.size()));
  for (Index i = 0; i < problem.mu.size(); ++i) form.K[i] = FrictionCone{problem.mu[i]};
}

BlockForm to_block_form(const FrictionContact& problem) {
  validate(problem);
  BlockForm form;
  to_block_form(problem, form);
  return form;
}

}  // namespace saltus
