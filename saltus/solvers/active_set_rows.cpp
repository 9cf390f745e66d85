#include "saltus/solvers/active_set_rows.hpp"

#include <cmath>

namespace saltus {

ConstraintRows constraint_rows(const Qp& qp) {
  ConstraintRows out;
  out.equalities = qp.C.rows();
  out.rows = qp.A.rows();
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> g;
  const auto add = [&](const Eigen::SparseMatrix<double>& A, const Vector& b) {
    const auto first = static_cast<Index>(g.size());
    for (Index k = 0; k < A.outerSize(); ++k)
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, k); it; ++it)
        entries.emplace_back(static_cast<int>(first + it.row()), static_cast<int>(it.col()),
                             it.value());
    g.insert(g.end(), b.data(), b.data() + b.size());
  };
  add(qp.C, qp.d);
  add(qp.A, qp.b);
  const auto bound = [&](Index i, double sign, double value) {
    entries.emplace_back(static_cast<int>(g.size()), static_cast<int>(i), sign);
    g.push_back(sign * value);
    (sign > 0 ? out.lower : out.upper).push_back(i);
  };
  for (Index i = 0; i < qp.p.size(); ++i)
    if (qp.lower[i] > -inf) bound(i, 1, qp.lower[i]);
  for (Index i = 0; i < qp.p.size(); ++i)
    if (qp.upper[i] < inf) bound(i, -1, qp.upper[i]);
  out.g = Eigen::Map<const Vector>(g.data(), static_cast<Index>(g.size()));
  out.H.resize(out.g.size(), qp.p.size());
  out.H.setFromTriplets(entries.begin(), entries.end());
  out.norm1 = out.H.cwiseAbs() * Vector::Ones(qp.p.size());
  return out;
}

void ConstraintRows::distribute(ConstVectorRef multipliers, QpPoint& point) const {
  point.mu = multipliers.head(equalities);
  point.lambda = multipliers.segment(equalities, rows);
  point.bounds.setZero(H.cols());
  Index k = equalities + rows;
  for (Index i : lower) point.bounds[i] += multipliers[k++];
  for (Index i : upper) point.bounds[i] -= multipliers[k++];
}

Vector ConstraintRows::proof(ConstVectorRef multipliers) const {
  QpPoint point;
  distribute(multipliers, point);
  Vector y(point.lambda.size() + point.mu.size() + point.bounds.size());
  y << point.lambda, point.mu, point.bounds;
  return y;
}

double qp_threshold(const Qp& qp, double tolerance) {
  double size = 1;
  for (const Vector* data : {&qp.p, &qp.b, &qp.d})
    if (data->size() > 0) size = std::max(size, data->lpNorm<Eigen::Infinity>());
  return tolerance * size;
}

}  // namespace saltus
