#include "saltus/systems/lcs.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>

#include <algorithm>
#include <numeric>

namespace saltus {

namespace {

void require_shape(const char* what, const Matrix& given, Index rows, Index columns) {
  require(given.rows() == rows && given.cols() == columns, "Lcs: {} is {}×{}, expected {}×{}", what,
          given.rows(), given.cols(), rows, columns);
  require(given.allFinite(), "Lcs: {} has an entry that is NaN or infinite", what);
}

constexpr double zero_tolerance = 1e-12;

/// Smallest over largest singular value; 0 for the zero matrix, 1 for an empty one.
double reciprocal_condition(const Matrix& M) {
  if (M.size() == 0) return 1;
  const Vector sigma = Eigen::JacobiSVD<Matrix>(M).singularValues();
  return sigma[0] > 0 ? sigma[sigma.size() - 1] / sigma[0] : 0;
}

}  // namespace

void Lcs::check() const {
  const Index n = states(), m = pairs();
  require_shape("A", A, n, n);
  require_shape("B", B, n, m);
  require_shape("C", C, m, n);
  if (D.size() > 0) require_shape("D", D, m, m);
  if (a.size() > 0) require_shape("a", a, n, 1);
  if (b.size() > 0) require_shape("b", b, m, 1);
}

Lcs completed(Lcs system) {
  require(system.states() > 0, "Lcs: A is empty, expected n × n");
  system.check();
  const Index n = system.states(), m = system.pairs();
  if (system.D.size() == 0) system.D = Matrix::Zero(m, m);
  if (system.a.size() == 0) system.a = Vector::Zero(n);
  if (system.b.size() == 0) system.b = Vector::Zero(m);
  return system;
}

Lcs transformed(const Lcs& system, ConstMatrixRef W) {
  const Lcs s = completed(system);
  require(W.rows() == s.states() && W.cols() == s.states(),
          "transformed(Lcs): W is {}×{}, the system has {} states", W.rows(), W.cols(), s.states());
  const Eigen::FullPivLU<Matrix> lu(W);
  require(lu.isInvertible(), "transformed(Lcs): W is singular, its rank is {}", lu.rank());
  const Matrix inverse = lu.inverse();
  return {
      .A = W * s.A * inverse, .B = W * s.B, .C = s.C * inverse, .D = s.D, .a = W * s.a, .b = s.b};
}

std::vector<Matrix> markov_parameters(const Lcs& system, Index count) {
  const Lcs s = completed(system);
  std::vector<Matrix> parameters;
  Matrix row = s.C;
  for (Index k = 0; k < count; ++k) {
    parameters.push_back(k == 0 ? Matrix(s.D) : Matrix(row * s.B));
    if (k > 0) row = row * s.A;
  }
  return parameters;
}

Index RelativeDegree::uniform() const {
  if (!exists || degrees.empty()) return -1;
  const bool same = std::all_of(degrees.begin(), degrees.end(),
                                [&](Index degree) { return degree == degrees.front(); });
  return same ? degrees.front() : -1;
}

Index RelativeDegree::sum() const {
  return std::accumulate(degrees.begin(), degrees.end(), Index{0});
}

Index RelativeDegree::largest() const {
  return degrees.empty() ? -1 : *std::max_element(degrees.begin(), degrees.end());
}

RelativeDegree relative_degree(const Lcs& system) {
  const Lcs s = completed(system);
  const Index m = s.pairs();
  RelativeDegree result{.degrees = std::vector<Index>(static_cast<std::size_t>(m), -1),
                        .decoupling = Matrix::Zero(m, m)};
  const double norm_A = s.A.norm(), norm_B = s.B.norm(), norm_D = s.D.norm();
  Index found = 0;
  for (Index i = 0; i < m; ++i) {
    const auto accept = [&](Index degree, const Eigen::RowVectorXd& row, double scale) {
      if (row.lpNorm<Eigen::Infinity>() <= zero_tolerance * scale) return false;
      result.degrees[i] = degree;
      result.decoupling.row(i) = row;
      ++found;
      return true;
    };
    if (accept(0, s.D.row(i), norm_D)) continue;
    Eigen::RowVectorXd row = s.C.row(i);
    double scale = row.norm() * norm_B;
    for (Index k = 1; k <= s.states() && !accept(k, row * s.B, scale); ++k) {
      row = row * s.A;
      scale *= norm_A;
    }
  }
  result.exists = found == m && reciprocal_condition(result.decoupling) > zero_tolerance;
  return result;
}

void require_point_multipliers(const Lcs& system, std::string_view who) {
  const Index degree = relative_degree(system).largest();
  require(
      degree <= 1,
      "{}: the relative degree is {}, so that λ is no function of time: expected at most 1; use "
      "Emts",
      who, degree);
}

TransferFunction transfer_function(const Lcs& system) {
  const Lcs s = completed(system);
  const Index n = s.states();
  require(s.pairs() == 1, "transfer_function: the system has {} pairs, expected 1", s.pairs());
  TransferFunction H{Vector::Zero(n + 1), Vector::Zero(n + 1)};
  H.denominator[n] = 1;
  Matrix adjoint = Matrix::Identity(n, n);  // coefficient of s^(n−k) in adj(sI − A)
  for (Index k = 1; k <= n; ++k) {
    H.numerator[n - k] = (s.C * adjoint * s.B)(0, 0);
    const Matrix next = s.A * adjoint;
    H.denominator[n - k] = -next.trace() / double(k);
    adjoint = next + H.denominator[n - k] * Matrix::Identity(n, n);
  }
  H.numerator += s.D(0, 0) * H.denominator;
  return H;
}

}  // namespace saltus
