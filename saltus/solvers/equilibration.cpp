#include "saltus/solvers/equilibration.hpp"

#include "saltus/base/report.hpp"

#include <cmath>
#include <random>

namespace saltus {

namespace {

double power_of_two(double x) { return std::exp2(std::round(std::log2(x))); }

}  // namespace

Equilibrated equilibrate(const BoxView& box) {
  const Index n = box.size();
  Eigen::SparseMatrix<double> W = box.W.to_sparse();
  W.prune(0.0, 0.0);
  Vector row = Vector::Ones(n), column = Vector::Ones(n);
  for (int sweep = 0; sweep < 10; ++sweep) {
    Vector largest_row = Vector::Zero(n), largest_column = Vector::Zero(n);
    for (int j = 0; j < n; ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(W, j); e; ++e) {
        const double a = std::abs(row[e.row()] * e.value() * column[j]);
        largest_row[e.row()] = std::max(largest_row[e.row()], a);
        largest_column[j] = std::max(largest_column[j], a);
      }
    for (Index i = 0; i < n; ++i) {
      if (largest_row[i] > 0) row[i] /= std::sqrt(largest_row[i]);
      if (largest_column[i] > 0) column[i] /= std::sqrt(largest_column[i]);
    }
  }
  row = row.unaryExpr(&power_of_two);
  column = column.unaryExpr(&power_of_two);
  for (int j = 0; j < n; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(W, j); e; ++e)
      e.valueRef() *= row[e.row()] * column[j];
  Equilibrated out{{BlockSparse::sparse(W), row.cwiseProduct(box.q), {}}, row, column};
  for (Index i = 0; i < n; ++i)
    out.form.K.emplace_back(Interval{box.lower[i] / column[i], box.upper[i] / column[i]});
  return out;
}

void vary_rows(Equilibrated& problem, unsigned number) {
  std::mt19937 random(number);
  BlockSparse& W = problem.form.W;
  for (Index i = 0; i < W.block_rows(); ++i) {
    const double factor = std::exp2(static_cast<int>(random() % 5) - 2);
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) *W.value(k) *= factor;
    problem.form.q[i] *= factor;
    problem.row[i] *= factor;
  }
}

}  // namespace saltus
