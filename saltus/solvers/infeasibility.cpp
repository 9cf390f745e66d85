#include "saltus/solvers/infeasibility.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/equilibration.hpp"
#include "saltus/solvers/lemke.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The conditions of (2): y over the rows with a requirement, then z.
struct LeastSquares {
  BlockForm form;
  std::vector<Index> rows;  // of y
  Vector row;               // scales of the equilibrated problem
};

LeastSquares make_least_squares(const BoxView& box) {
  const Index n = box.size();
  const Equilibrated scaled = equilibrate(box);
  LeastSquares out;
  out.row = scaled.row;
  std::vector<int> place(static_cast<std::size_t>(n), -1);
  for (Index i = 0; i < n; ++i) {
    const bool below = box.lower[i] > -inf, above = box.upper[i] < inf;
    if (below && above) continue;
    place[i] = static_cast<int>(out.rows.size());
    out.rows.push_back(i);
    out.form.K.emplace_back(Interval{below ? 0 : -inf, above ? 0 : inf});
  }
  const auto m = static_cast<int>(out.rows.size());
  out.form.K.insert(out.form.K.end(), scaled.form.K.begin(), scaled.form.K.end());
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < m; ++i) entries.emplace_back(i, i, 1.0);
  const Eigen::SparseMatrix<double> W = scaled.form.W.to_sparse();
  for (int j = 0; j < W.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(W, j); e; ++e) {
      if (e.value() == 0 || place[e.row()] < 0) continue;
      entries.emplace_back(place[e.row()], m + j, e.value());
      entries.emplace_back(m + j, place[e.row()], -e.value());
    }
  Eigen::SparseMatrix<double> A(m + n, m + n);
  A.setFromTriplets(entries.begin(), entries.end());
  out.form.W = BlockSparse::sparse(A);
  out.form.q = Vector::Zero(m + n);
  for (int i = 0; i < m; ++i) out.form.q[i] = scaled.form.q[out.rows[i]];
  return out;
}

/// y of the whole problem, its signs made exact; true if it is a proof.
bool check_proof(const BoxView& box, const LeastSquares& problem, const Vector& x,
                 Workspace& work) {
  const Index n = box.size();
  Vector y = Vector::Zero(n);
  for (std::size_t k = 0; k < problem.rows.size(); ++k) {
    const Index i = problem.rows[k];
    const double value = problem.row[i] * x[static_cast<Index>(k)];
    y[i] = box.lower[i] > -inf  ? std::max(0.0, value)
           : box.upper[i] < inf ? std::min(0.0, value)
                                : value;
  }
  const Eigen::Map<const Vector> lower(box.lower, n), upper(box.upper, n);
  if (!proves_infeasible(box.W, box.q, lower, upper, y)) return false;
  work.certificate = y;
  return true;
}

}  // namespace

bool certify_infeasible(const BoxView& box, Workspace& work) {
  if (infeasible_row(box, work)) return true;
  const LeastSquares problem = make_least_squares(box);
  Workspace inner;
  Vector x = Vector::Zero(problem.form.q.size());
  const BlockPivoting pivoting{.tolerance = 1e-12,
                               .max_iterations = static_cast<int>(x.size()) + 50};
  const SolveReport first = solve(problem.form, x, pivoting, inner);
  if (check_proof(box, problem, x, work)) return true;
  const double y = x.head(static_cast<Index>(problem.rows.size())).lpNorm<Eigen::Infinity>();
  if (first.converged() && y <= 1e-9 * problem.form.q.lpNorm<Eigen::Infinity>()) return false;
  x.setZero();
  static_cast<void>(solve(problem.form, x, Lemke{.tolerance = 1e-12}, inner));
  return check_proof(box, problem, x, work);
}

}  // namespace saltus
