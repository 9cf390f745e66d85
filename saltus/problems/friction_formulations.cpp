#include "saltus/problems/friction_formulations.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void check(const FrictionContact& problem, const char* what) {
  validate(problem);
  require(problem.mu_rolling.size() == 0, "{}: the problem has rolling friction, expected none",
          what);
}

Sparse normal_block(const FrictionContact& problem) {
  const Sparse W = problem.W.to_sparse();
  const Index contacts = problem.mu.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < W.outerSize(); j += static_cast<int>(problem.dimension))
    for (Sparse::InnerIterator e(W, j); e; ++e)
      if (e.row() % problem.dimension == 0)
        entries.emplace_back(static_cast<int>(e.row() / problem.dimension),
                             static_cast<int>(j / problem.dimension), e.value());
  Sparse N(contacts, contacts);
  N.setFromTriplets(entries.begin(), entries.end());
  return N;
}

Vector normal_part(const FrictionContact& problem) {
  Vector q(problem.mu.size());
  for (Index i = 0; i < q.size(); ++i) q[i] = problem.q[problem.dimension * i];
  return q;
}

}  // namespace

Lcp normal_lcp(const FrictionContact& problem) {
  check(problem, "normal_lcp");
  return {BlockSparse::sparse(normal_block(problem)), normal_part(problem)};
}

Qp normal_qp(const FrictionContact& problem) {
  check(problem, "normal_qp");
  const Sparse N = normal_block(problem), transposed = N.transpose();
  require((N - transposed).norm() <= 1e-12 * N.norm(),
          "normal_qp: ‖W_NN − W_NN'‖ is {:.3g}, expected a symmetric matrix",
          (N - transposed).norm());
  Qp qp;
  qp.Q = 0.5 * (N + transposed);
  qp.p = normal_part(problem);
  qp.lower = Vector::Zero(qp.p.size());
  qp.upper = Vector::Constant(qp.p.size(), inf);
  return qp;
}

Qvi to_qvi(const FrictionContact& problem) {
  check(problem, "to_qvi");
  const Index d = problem.dimension;
  Qvi qvi;
  qvi.n = problem.q.size();
  qvi.X = [d, mu = problem.mu](ConstVectorRef r) {
    Product set;
    for (Index i = 0; i < mu.size(); ++i)
      set.factors.push_back({FrictionCylinder{mu[i] * std::max(0.0, r[d * i])}, d});
    return Set(set);
  };
  qvi.F = [W = problem.W, q = problem.q](ConstVectorRef r, VectorRef u) {
    W.multiply(r, u);
    u += q;
  };
  qvi.jacobian = [W = problem.W.to_dense()](ConstVectorRef, MatrixRef J) { J = W; };
  return qvi;
}

double bipotential(const FrictionContact& problem, ConstVectorRef r) {
  require(r.size() == problem.q.size(), "bipotential: r has size {}, the problem {}", r.size(),
          problem.q.size());
  Vector u(r.size());
  problem.W.multiply(r, u);
  u += problem.q;
  double sum = r.dot(u);
  for (Index i = 0; i < problem.mu.size(); ++i) {
    const Index first = problem.dimension * i;
    sum += problem.mu[i] * r[first] * u.segment(first + 1, problem.dimension - 1).norm();
  }
  return sum;
}

double uniqueness_margin(const FrictionContact& problem) {
  check(problem, "uniqueness_margin");
  if (problem.q.size() == 0) return inf;
  const Matrix W = problem.W.to_dense();
  const Index tangents = problem.dimension - 1;
  Matrix T(problem.mu.size() * tangents, W.cols());
  for (Index i = 0; i < problem.mu.size(); ++i)
    T.middleRows(tangents * i, tangents) = W.middleRows(problem.dimension * i + 1, tangents);
  const double least =
      Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (W + W.transpose()), Eigen::EigenvaluesOnly)
          .eigenvalues()[0];
  const double slip = Eigen::JacobiSVD<Matrix>(T).singularValues()[0];
  return least - problem.mu.maxCoeff() * slip;
}

}  // namespace saltus
