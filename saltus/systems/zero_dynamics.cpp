#include "saltus/systems/zero_dynamics.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <algorithm>

namespace saltus {

namespace {

/// Rows of W that are derivatives of outputs, and the shift that constant inputs ask for.
void fill_chains(const Lcs& system, ZeroDynamicsForm& form) {
  for (Index j = 0; j < form.outputs(); ++j) {
    Eigen::RowVectorXd row = system.C.row(j);
    form.shift[form.row(j, 0)] = system.b[j];
    for (Index i = 0; i < form.degrees[j]; ++i) {
      form.W.row(form.row(j, i)) = row;
      if (i + 1 < form.degrees[j]) form.shift[form.row(j, i + 1)] = row * system.a;
      row = row * system.A;
    }
  }
}

/// Orthonormal rows normal to the columns of B and to the chains without their last rows, then in
/// echelon form on the columns that a pivoted QR picks.
Matrix complement(const Lcs& system, const ZeroDynamicsForm& form) {
  const Index n = form.size(), m = form.outputs(), k = n - form.chains;
  if (k == 0) return Matrix(0, n);
  Matrix normal(form.chains, n);
  normal.topRows(m) = system.B.transpose();
  Index next = m;
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i + 1 < form.degrees[j]; ++i)
      normal.row(next++) = form.W.row(form.row(j, i)).normalized();
  const Eigen::JacobiSVD<Matrix> svd(normal, Eigen::ComputeFullV);
  const Matrix basis = svd.matrixV().rightCols(k).transpose();
  const Eigen::ColPivHouseholderQR<Matrix> qr(basis);
  std::vector<Index> pivots(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) pivots[i] = qr.colsPermutation().indices()[i];
  std::sort(pivots.begin(), pivots.end());
  return basis(Eigen::all, pivots).fullPivLu().solve(basis);
}

/// Adds multiples of chain rows to N₀ until ξ̇ depends on ξ and w alone.
void decouple_zero_dynamics(const Lcs& system, ZeroDynamicsForm& form) {
  const Index k = form.size() - form.chains;
  if (k == 0) return;
  const Matrix rate =  // N₀ A in the rows of W
      form.W.transpose()
          .fullPivLu()
          .solve((form.W.bottomRows(k) * system.A).transpose())
          .transpose();
  const Matrix A_xi = rate.rightCols(k);
  for (Index j = 0; j < form.outputs(); ++j) {
    Vector K = Vector::Zero(k);
    for (Index i = form.degrees[j] - 1; i > 0; --i) {
      K = A_xi * K - rate.col(form.row(j, i));
      form.W.bottomRows(k) += K * form.W.row(form.row(j, i - 1));
    }
  }
}

}  // namespace

Index ZeroDynamicsForm::row(Index output, Index derivative) const {
  Index position = 0;
  for (Index i = 0; i < derivative; ++i)
    position += std::count_if(degrees.begin(), degrees.end(), [&](Index r) { return r > i; });
  return position + std::count_if(degrees.begin(), degrees.begin() + output,
                                  [&](Index r) { return r > derivative; });
}

ZeroDynamicsForm zero_dynamics_form(const Lcs& system) {
  const Lcs s = completed(system);
  const RelativeDegree degree = relative_degree(s);
  require(s.D.isZero(0), "zero_dynamics_form: D is not zero, expected relative degrees ≥ 1");
  require(degree.exists && s.pairs() > 0,
          "zero_dynamics_form: the system has no vector relative degree: the matrix of first "
          "nonzero Markov parameters is singular");
  const Index n = s.states(), rho = degree.sum();
  ZeroDynamicsForm form{.degrees = degree.degrees,
                        .W = Matrix::Zero(n, n),
                        .shift = Vector::Zero(n),
                        .decoupling = degree.decoupling,
                        .chains = rho};
  fill_chains(s, form);
  form.W.bottomRows(n - rho) = complement(s, form);
  decouple_zero_dynamics(s, form);
  form.inverse = form.W.fullPivLu().inverse();
  form.A = form.W * s.A * form.inverse;
  // What (1) says holds exactly, whatever the rounding.
  for (Index j = 0; j < form.outputs(); ++j)
    for (Index i = 0; i + 1 < form.degrees[j]; ++i)
      form.A.row(form.row(j, i)) = Eigen::RowVectorXd::Unit(n, form.row(j, i + 1));
  form.A.block(rho, form.outputs(), n - rho, rho - form.outputs()).setZero();
  form.c = form.W * s.a - form.A * form.shift;
  for (Index j = 0; j < form.outputs(); ++j)
    for (Index i = 0; i + 1 < form.degrees[j]; ++i) form.c[form.row(j, i)] = 0;
  form.A_xi = form.A.bottomRightCorner(n - rho, n - rho);
  form.B_xi = form.A.block(rho, 0, n - rho, form.outputs());
  return form;
}

}  // namespace saltus
