#include "saltus/analysis/passivity.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <complex>

namespace saltus {

namespace {

/// Φ(ω) = H(jω) + H(jω)* as the real symmetric matrix [Re −Im; Im Re], which has its eigenvalues,
/// each twice. H = D + C X, (jω − A) X = B.
Matrix popov(const Lcs& s, double omega) {
  const Index n = s.states(), m = s.pairs();
  Matrix resolvent(2 * n, 2 * n), B = Matrix::Zero(2 * n, m);
  resolvent << -s.A, -omega * Matrix::Identity(n, n), omega * Matrix::Identity(n, n), -s.A;
  B.topRows(n) = s.B;
  const Matrix X = resolvent.partialPivLu().solve(B);
  const Matrix real = s.D + s.C * X.topRows(n), imaginary = s.C * X.bottomRows(n);
  Matrix Phi(2 * m, 2 * m);
  Phi << real + real.transpose(), imaginary.transpose() - imaginary,
      imaginary - imaginary.transpose(), real + real.transpose();
  return Phi;
}

double smallest_eigenvalue(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

/// |ω| with det Φ(ω) = 0, sorted: imaginary eigenvalues of the pencil. A double one, where Φ only
/// touches zero, splits by the square root of rounding.
std::vector<double> critical_frequencies(const Lcs& s) {
  const Index n = s.states(), m = s.pairs(), size = 2 * n + m;
  Matrix K = Matrix::Zero(size, size), E = Matrix::Zero(size, size);
  K.block(0, 0, n, n) = s.A;
  K.block(0, 2 * n, n, m) = s.B;
  K.block(n, n, n, n) = -s.A.transpose();
  K.block(n, 2 * n, n, m) = -s.C.transpose();
  K.block(2 * n, 0, m, n) = s.C;
  K.block(2 * n, n, m, n) = s.B.transpose();
  K.block(2 * n, 2 * n, m, m) = s.D + s.D.transpose();
  E.topLeftCorner(2 * n, 2 * n).setIdentity();
  const Eigen::GeneralizedEigenSolver<Matrix> solver(K, E, false);
  const double scale = s.A.norm();
  std::vector<double> found;
  for (Index i = 0; i < size; ++i) {
    const double beta = solver.betas()[i];
    if (std::abs(beta) <= 1e-10) continue;
    const std::complex<double> value = solver.alphas()[i] / beta;
    if (std::abs(value.real()) <= 1e-6 * (scale + std::abs(value)))
      found.push_back(std::abs(value.imag()));
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// H(s − ε) is positive real for small ε, given Φ > 0 at finite frequencies: ω² times the Schur
/// complement of Φ on V = ker(D + Dᵀ) tends to
///     −Vᵀ(CAB + (CAB)ᵀ)V − K R⁻¹ Kᵀ,   K = Vᵀ(CB − (CB)ᵀ)U,   R = Uᵀ(D + Dᵀ)U,
/// which must be positive definite.
bool strict_at_infinity(const Lcs& s, const Eigen::SelfAdjointEigenSolver<Matrix>& feedthrough,
                        Index kernel) {
  const Index m = s.pairs();
  const Matrix V = feedthrough.eigenvectors().leftCols(kernel);
  const Matrix U = feedthrough.eigenvectors().rightCols(m - kernel);
  const Matrix CB = s.C * s.B, CAB = s.C * s.A * s.B;
  const Matrix K = V.transpose() * (CB - CB.transpose()) * U;
  const Vector R = feedthrough.eigenvalues().tail(m - kernel);
  const Matrix limit = -(V.transpose() * (CAB + CAB.transpose()) * V) -
                       K * R.cwiseInverse().asDiagonal() * K.transpose();
  const double scale = s.C.norm() * s.A.norm() * s.B.norm();
  return Eigen::SelfAdjointEigenSolver<Matrix>(limit).eigenvalues().minCoeff() > 1e-10 * scale;
}

/// The smallest and, relative to the size of Φ, the decisive sign over the frequencies that matter.
struct Samples {
  bool negative = false;  ///< Φ has a negative eigenvalue somewhere
  bool zero = false;      ///< Φ is singular at a finite frequency
};

Samples sample(const Lcs& s) {
  const std::vector<double> critical = critical_frequencies(s);
  const double unit = s.A.norm() > 0 ? s.A.norm() : 1;
  std::vector<double> between{0, unit};
  for (std::size_t i = 0; i < critical.size(); ++i) {
    between.push_back(critical[i] / 2 + (i > 0 ? critical[i - 1] / 2 : 0));
    if (i + 1 == critical.size()) between.push_back(2 * critical[i] + unit);
  }
  const double size = (s.D + s.D.transpose()).norm() + s.C.norm() * s.B.norm() / unit;
  Samples result;
  const auto look = [&](double omega, double zero) {
    const Matrix Phi = popov(s, omega);
    const double least = smallest_eigenvalue(Phi);
    result.negative = result.negative || least < -1e-9 * size;
    result.zero = result.zero || std::abs(least) <= zero * std::max(Phi.norm(), 1e-12 * size);
  };
  for (double omega : between) look(omega, 1e-12);
  for (double omega : critical) look(omega, 1e-7);
  return result;
}

}  // namespace

std::string_view name(Positivity positivity) {
  switch (positivity) {
    case Positivity::none:
      return "none";
    case Positivity::positive_real:
      return "positive_real";
    case Positivity::weakly_strict:
      return "weakly_strict";
    case Positivity::strict:
      return "strict";
    case Positivity::strong:
      return "strong";
  }
  return "none";
}

double smallest_real_part(const Lcs& system, double omega) {
  return smallest_eigenvalue(popov(completed(system), omega));
}

Positivity positivity(const Lcs& system) {
  const Lcs s = completed(system);
  require(s.pairs() > 0, "positivity: the system has no complementary pairs");
  const double right = s.A.eigenvalues().real().maxCoeff(), zero = 1e-10 * (1 + s.A.norm());
  if (right > zero) return Positivity::none;
  if (right >= -zero) return Positivity::positive_real;
  const Samples samples = sample(s);
  if (samples.negative) return Positivity::none;
  if (samples.zero) return Positivity::positive_real;
  const Eigen::SelfAdjointEigenSolver<Matrix> feedthrough(s.D + s.D.transpose());
  const Vector& values = feedthrough.eigenvalues();
  const double largest = values.cwiseAbs().maxCoeff();
  Index kernel = 0;
  while (kernel < values.size() && values[kernel] <= 1e-12 * largest) ++kernel;
  if (kernel == 0) return Positivity::strong;
  return strict_at_infinity(s, feedthrough, kernel) ? Positivity::strict
                                                    : Positivity::weakly_strict;
}

namespace {

/// The sign of a matrix without imaginary eigenvalues, Newton's iteration with scaling by the
/// determinant; empty if it does not settle.
Matrix matrix_sign(Matrix S) {
  for (int k = 0; k < 100; ++k) {
    const Eigen::PartialPivLU<Matrix> lu(S);
    const double log_det = lu.matrixLU().diagonal().array().abs().log().sum();
    const double c = std::exp(-log_det / double(S.rows()));
    const Matrix next = 0.5 * (c * S + lu.inverse() / c);
    if (!next.allFinite()) return {};
    const double change = (next - S).norm();
    S = next;
    if (change <= 1e-13 * S.norm()) return S;
  }
  return {};
}

}  // namespace

StorageBounds storage_bounds(const Lcs& system) {
  const Lcs s = completed(system);
  const Index n = s.states();
  const Matrix R = s.D + s.D.transpose();
  const Eigen::LLT<Matrix> llt(R);
  require(s.pairs() > 0 && llt.info() == Eigen::Success,
          "storage_bounds: D + D' is not positive definite");
  const Matrix F = s.A - s.B * llt.solve(s.C);
  Matrix H(2 * n, 2 * n);
  H << F, s.B * llt.solve(s.B.transpose()), -s.C.transpose() * llt.solve(s.C), -F.transpose();
  const Matrix S = matrix_sign(H);
  if (S.size() == 0) return {};
  const auto graph = [&](double side) {  // [I; P] spans the kernel of S + side·I
    Matrix T = S;
    T.diagonal().array() += side;
    const Matrix P = T.rightCols(n).colPivHouseholderQr().solve(-T.leftCols(n));
    return Matrix(0.5 * (P + P.transpose()));
  };
  return {true, graph(1), graph(-1)};
}

}  // namespace saltus
