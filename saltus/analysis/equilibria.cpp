#include "saltus/analysis/equilibria.hpp"

#include "saltus/solvers/automatic.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/workspace.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace saltus {

namespace {

/// The polyhedron of one set of active pairs in the unknowns (x, λ_α): equalities and inequalities.
Qp face(const Lcs& s, const std::vector<Index>& active, const std::vector<Index>& passive) {
  const Index n = s.states(), k = static_cast<Index>(active.size());
  const Index rest = static_cast<Index>(passive.size());
  Matrix E(n + k, n + k), F(k + rest, n + k);
  Vector d(n + k), b = Vector::Zero(k + rest);
  E << s.A, s.B(Eigen::all, active), s.C(active, Eigen::all), s.D(active, active);
  d << -s.a, -s.b(active);
  F << Matrix::Zero(k, n), Matrix::Identity(k, k), s.C(passive, Eigen::all), s.D(passive, active);
  b.tail(rest) = -s.b(passive);
  return {.Q = Matrix::Identity(n + k, n + k).sparseView(),
          .p = Vector::Zero(n + k),
          .A = F.sparseView(),
          .b = b,
          .C = E.sparseView(),
          .d = d,
          .lower = {},
          .upper = {}};
}

/// The point of the polyhedron nearest to `target`; empty if there is none.
Vector nearest(Qp& problem, ConstVectorRef target, Workspace& work) {
  problem.p = -target;
  QpPoint point;
  const SolveReport report = solve(problem, point, QpAutomatic{.tolerance = 1e-10}, work);
  return report.converged() ? point.z : Vector();
}

Matrix kernel_of(const Matrix& E) {
  const Eigen::JacobiSVD<Matrix> svd(E, Eigen::ComputeFullV);
  Index rank = 0;
  const Vector& sigma = svd.singularValues();
  while (rank < sigma.size() && sigma[rank] > 1e-10 * sigma[0]) ++rank;
  return svd.matrixV().rightCols(E.cols() - rank);
}

/// Whether the polyhedron has a second point, looked for on both sides of each direction.
bool has_more(Qp& problem, ConstVectorRef v, const Matrix& kernel, Workspace& work) {
  const double reach = 1 + v.norm();
  for (Index k = 0; k < kernel.cols(); ++k)
    for (double side : {-1.0, 1.0}) {
      const Vector other = nearest(problem, v + side * reach * kernel.col(k), work);
      if (other.size() > 0 && (other - v).norm() > 1e-6 * reach) return true;
    }
  return false;
}

bool known(const std::vector<Equilibrium>& list, const Equilibrium& e) {
  for (const Equilibrium& other : list)
    if (!e.family && (other.x - e.x).norm() + (other.lambda - e.lambda).norm() <=
                         1e-7 * (1 + e.x.norm() + e.lambda.norm()))
      return true;
  return false;
}

}  // namespace

Lcp equilibrium_lcp(const Lcs& system) {
  const Lcs s = completed(system);
  const Eigen::FullPivLU<Matrix> lu(s.A);
  require(lu.isInvertible(), "equilibrium_lcp: A is singular, its rank is {} of {}: use equilibria",
          lu.rank(), s.states());
  return {BlockSparse::dense(s.D - s.C * lu.solve(s.B)), s.b - s.C * lu.solve(s.a)};
}

Equilibrium equilibrium(const Lcs& system, SolveReport& report) {
  const Lcs s = completed(system);
  const Lcp problem = equilibrium_lcp(s);
  Equilibrium rest;
  rest.lambda = Vector::Zero(s.pairs());
  Workspace work;
  report = solve(problem, rest.lambda, Automatic{}, work);
  rest.x = -Eigen::FullPivLU<Matrix>(s.A).solve(s.B * rest.lambda + s.a);
  for (Index i = 0; i < s.pairs(); ++i)
    if (rest.lambda[i] > 0) rest.active.push_back(i);
  return rest;
}

std::vector<Equilibrium> equilibria(const Lcs& system) {
  const Lcs s = completed(system);
  const Index n = s.states(), m = s.pairs();
  require(m <= 12, "equilibria: {} pairs, expected at most 12", m);
  std::vector<Equilibrium> found;
  Workspace work;
  for (Index set = 0; set < (Index{1} << m); ++set) {
    std::vector<Index> active, passive;
    for (Index i = 0; i < m; ++i) ((set >> i) & 1 ? active : passive).push_back(i);
    Qp problem = face(s, active, passive);
    const Vector v = nearest(problem, Vector::Zero(problem.p.size()), work);
    if (v.size() == 0) continue;
    Equilibrium rest{v.head(n), Vector::Zero(m), active, false, Matrix(n + m, 0)};
    rest.lambda(active) = v.tail(v.size() - n);
    const Matrix kernel = kernel_of(Matrix(problem.C));
    rest.family = has_more(problem, v, kernel, work);
    if (rest.family) {
      rest.directions = Matrix::Zero(n + m, kernel.cols());
      rest.directions.topRows(n) = kernel.topRows(n);
      for (std::size_t i = 0; i < active.size(); ++i)
        rest.directions.row(n + active[i]) = kernel.row(n + Index(i));
    }
    if (!known(found, rest)) found.push_back(rest);
  }
  return found;
}

double equilibrium_residual(const Lcs& system, ConstVectorRef x, ConstVectorRef lambda) {
  const Lcs s = completed(system);
  require(x.size() == s.states() && lambda.size() == s.pairs(),
          "equilibrium_residual: x has size {} and lambda {}, the system {} states and {} pairs",
          x.size(), lambda.size(), s.states(), s.pairs());
  const Vector rate = s.A * x + s.B * lambda + s.a, w = s.C * x + s.D * lambda + s.b;
  const double gap = lambda.size() > 0 ? lambda.cwiseMin(w).lpNorm<Eigen::Infinity>() : 0;
  return std::max(rate.lpNorm<Eigen::Infinity>(), gap);
}

}  // namespace saltus
