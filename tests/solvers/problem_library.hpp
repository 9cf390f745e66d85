#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/problems/lcp.hpp"
#include "saltus/problems/mlcp.hpp"

#include <Eigen/Dense>

#include <random>
#include <string>
#include <vector>

/// Problems that several tests of the solvers share: the cards' validation cases and random
/// classes.
namespace saltus::library {

inline Lcp dense(const Matrix& M, const Vector& q) { return {BlockSparse::dense(M), q}; }

/// S:V-01: P, not positive definite; z = (4, 1).
inline Lcp seed() { return dense(Rows{{1, -3}, {0, 1}}, Values{-1, -1}); }
/// S:V-09: symmetric positive definite; z = (4/3, 7/3).
inline Lcp spd() { return dense(Rows{{2, 1}, {1, 2}}, Values{-5, -6}); }
/// S:V-11: unit upper triangular with 2 above the diagonal, q = −1.
inline Lcp worst_case(Index n, bool transposed) {
  Matrix M = Matrix::Identity(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) M(i, j) = 2;
  return dense(transposed ? Matrix(M.transpose()) : M, Vector::Constant(n, -1));
}
/// S:V-13: static diode bridge, g = 1e-3; positive semi-definite, zero diagonal entries.
inline Lcp diode_bridge(double v) {
  const double g = 1e-3;
  return dense(Rows{{g, g, -1, 0}, {g, g, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}}, Values{0, 0, -v, v});
}
/// S:V-14: one implicit step of the diode bridge.
inline Lcp diode_bridge_step() {
  Lcp problem = diode_bridge(9.9995000125);
  Matrix M = problem.M.to_dense();
  M(2, 2) = M(3, 3) = 0.9999750006;
  M(2, 3) = M(3, 2) = -0.9999750006;
  problem.M = BlockSparse::dense(M);
  return problem;
}
/// S:V-16: redundant constraints.
inline Lcp redundant() { return dense(Matrix::Ones(2, 2), Values{-1, -1}); }
/// S:V-17: tridiagonal, n = 50.
inline Lcp slow_chain() {
  const Index n = 50;
  Matrix M = Matrix::Zero(n, n);
  Vector q(n);
  for (Index i = 0; i < n; ++i) {
    M(i, i) = 2;
    if (i > 0) M(i, i - 1) = M(i - 1, i) = -1;
    q[i] = i % 7 < 3 ? -1 : 0.6;
  }
  return {BlockSparse::dense(M, 1), q};
}
inline constexpr double gh = 9.81 * 5e-3;
/// PL:C-03: static column of n beads of mass 1; impulse of bead i (from the ground): (n − i) gh.
inline Lcp column(Index n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, i == 0 ? 1 : 2);
    if (i == 0) continue;
    entries.emplace_back(i, i - 1, -1);
    entries.emplace_back(i - 1, i, -1);
  }
  Eigen::SparseMatrix<double> M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  Vector q = Vector::Zero(n);
  q[0] = -gh;
  return {BlockSparse::sparse(M), q};
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()() { return normal_(engine_); }
  Vector vector(Index n) {
    return Vector::NullaryExpr(n, [this] { return (*this)(); });
  }
  Matrix matrix(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [this] { return (*this)(); });
  }
  double uniform(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine_);
  }

 private:
  std::mt19937 engine_;
  std::normal_distribution<double> normal_;
};

inline Matrix random_spd(Index n, Random& random) {
  const Matrix A = random.matrix(n, n);
  return A * A.transpose() / static_cast<double>(n) + 0.1 * Matrix::Identity(n, n);
}
inline Lcp random_spd_lcp(Index n, Random& random) {
  return dense(random_spd(n, random), random.vector(n));
}
/// Positive definite, not symmetric.
inline Lcp random_pd_lcp(Index n, Random& random) {
  const Matrix S = random.matrix(n, n);
  return dense(random_spd(n, random) + S - S.transpose(), random.vector(n));
}
/// Symmetric positive semi-definite of rank about n/2, q in its range minus a nonnegative vector's
/// image: solvable (q = w* − M z* for a complementary pair).
inline Lcp random_psd_lcp(Index n, Random& random) {
  const Matrix A = random.matrix(n, n / 2 + 1);
  const Matrix M = A * A.transpose() / static_cast<double>(n);
  Vector z = random.vector(n), w = Vector::Zero(n);
  for (Index i = 0; i < n; ++i)
    if (z[i] < 0) w[i] = -z[i], z[i] = 0;
  return dense(M, w - M * z);
}
/// P but not positive definite: lower triangular with a positive diagonal.
inline Lcp random_p_lcp(Index n, Random& random) {
  Matrix M = random.matrix(n, n).triangularView<Eigen::StrictlyLower>();
  for (Index i = 0; i < n; ++i) M(i, i) = random.uniform(0.5, 1.5);
  return dense(M, random.vector(n));
}
/// Strictly copositive: positive entries.
inline Lcp random_copositive_lcp(Index n, Random& random) {
  return dense(random.matrix(n, n).cwiseAbs() + 0.1 * Matrix::Identity(n, n), random.vector(n));
}
/// Positive definite with a solution where z_i = w_i = 0 for a third of the rows.
inline Lcp random_degenerate_lcp(Index n, Random& random) {
  const Matrix M = random_spd(n, random);
  Vector z = Vector::Zero(n), w = Vector::Zero(n);
  for (Index i = 0; i < n; ++i) {
    if (i % 3 == 0) z[i] = random.uniform(0.5, 2);
    if (i % 3 == 1) w[i] = random.uniform(0.5, 2);
  }
  return dense(M, w - M * z);
}
/// Infeasible: a random positive definite problem with one row ≤ 0 and q < 0 there (S:LCP-26).
inline Lcp random_infeasible_lcp(Index n, Random& random) {
  Matrix M = random_spd(n, random);
  Vector q = random.vector(n);
  M.row(n - 1) = -M.row(n - 1).cwiseAbs();
  q[n - 1] = -1;
  return dense(M, q);
}

/// n contacts on bodies with more degrees of freedom than rows: W symmetric positive definite.
inline FrictionContact random_contacts(Index dimension, Index contacts, Random& random) {
  const Index n = dimension * contacts;
  const Matrix H = random.matrix(2 * n, n);
  FrictionContact problem;
  problem.dimension = dimension;
  problem.W = BlockSparse::dense(H.transpose() * H / static_cast<double>(2 * n), dimension);
  problem.q = random.vector(n);
  problem.mu = Vector::NullaryExpr(contacts, [&] { return random.uniform(0, 0.8); });
  return problem;
}

/// S:V-27: square block in the plane on two corners.
inline GlobalFrictionContact plane_block(const Vector& v_free) {
  const Vector mass = Values{1, 1, 1.0 / 6};
  const Matrix H = Rows{{0, 1, 0, 1}, {1, 0, 1, 0}, {-0.5, 0.5, 0.5, 0.5}};
  return {2,
          Matrix(mass.asDiagonal()).sparseView(),
          H.sparseView(),
          mass.cwiseProduct(v_free),
          Vector::Zero(4),
          Vector::Constant(2, 0.3)};
}

/// S:V-28: cube of side 1 on its four lower corners, velocity (v, ω).
inline GlobalFrictionContact cube(const Vector& v_free) {
  Vector mass(6);
  mass << 1, 1, 1, 1.0 / 6, 1.0 / 6, 1.0 / 6;
  Matrix H(6, 12);
  Index contact = 0;
  for (double x : {-0.5, 0.5})
    for (double y : {-0.5, 0.5}) {
      const Eigen::Vector3d p(x, y, -0.5);
      Index row = 3 * contact++;
      for (const Eigen::Vector3d& d :
           {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0)}) {
        H.col(row).head<3>() = d;
        H.col(row++).tail<3>() = p.cross(d);
      }
    }
  return {3,
          Matrix(mass.asDiagonal()).sparseView(),
          H.sparseView(),
          mass.cwiseProduct(v_free),
          Vector::Zero(12),
          Vector::Constant(4, 0.3)};
}

}  // namespace saltus::library
