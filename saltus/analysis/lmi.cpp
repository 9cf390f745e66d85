#include "saltus/analysis/lmi.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace saltus {

namespace {

/// τ t − Σ log det S_b(v); infinite outside.
double barrier(const std::vector<AffineMatrix>& blocks, ConstVectorRef v, double tau) {
  double value = tau * v[v.size() - 1];
  for (const AffineMatrix& block : blocks) {
    const Eigen::LLT<Matrix> llt(block.at(v));
    if (llt.info() != Eigen::Success) return inf;
    value -= 2 * llt.matrixLLT().diagonal().array().log().sum();
  }
  return std::isfinite(value) ? value : inf;
}

/// Gradient and Hessian: with S = L Lᵀ and N_k = L⁻¹ S_k L⁻ᵀ, −tr N_k and ⟨N_k, N_l⟩.
void derivatives(const std::vector<AffineMatrix>& blocks, ConstVectorRef v, double tau,
                 Vector& gradient, Matrix& hessian) {
  const Index K = v.size();
  gradient = tau * Vector::Unit(K, K - 1);
  hessian.setZero(K, K);
  for (const AffineMatrix& block : blocks) {
    const Index s = block.constant.rows();
    const Eigen::LLT<Matrix> llt(block.at(v));
    Matrix scaled(s * s, K);
    for (Index k = 0; k < K; ++k) {
      const Matrix left = llt.matrixL().solve(block.slopes[k]);
      const Matrix N = llt.matrixL().solve(left.transpose());
      gradient[k] -= N.trace();
      scaled.col(k) = N.reshaped();
    }
    hessian.noalias() += scaled.transpose() * scaled;
  }
}

/// Newton's method at fixed τ; the number of steps, at most `budget`.
int centre(const std::vector<AffineMatrix>& blocks, VectorRef v, double tau, double enough,
           int budget) {
  Vector gradient;
  Matrix hessian;
  int iterations = 0;
  while (iterations < budget && v[v.size() - 1] >= enough) {
    derivatives(blocks, v, tau, gradient, hessian);
    const Vector direction = hessian.ldlt().solve(-gradient);
    const double decrement = -gradient.dot(direction);
    if (!(decrement > 1e-10)) break;  // half the squared decrement bounds what is left to gain
    ++iterations;
    const double start = barrier(blocks, v, tau);
    double length = 1;
    while (length > 1e-12 &&
           !(barrier(blocks, v + length * direction, tau) < start - 0.1 * length * decrement))
      length /= 2;
    if (length <= 1e-12) break;
    v += length * direction;
  }
  return iterations;
}

}  // namespace

Matrix AffineMatrix::at(ConstVectorRef v) const {
  Matrix S = constant;
  for (Index k = 0; k < v.size(); ++k) S += v[k] * slopes[k];
  return S;
}

LmiReport minimise_last(const std::vector<AffineMatrix>& blocks, VectorRef v, double tolerance,
                        double enough, int max_iterations) {
  LmiReport report;
  double size = 0;
  for (const AffineMatrix& block : blocks) size += double(block.constant.rows());
  if (barrier(blocks, v, 0) == inf) {
    report.status = SolveStatus::numerical_error;
    return report;
  }
  for (double tau = 1;; tau *= 10) {
    report.iterations += centre(blocks, v, tau, enough, max_iterations - report.iterations);
    report.gap = size / tau;
    if (v[v.size() - 1] < enough || report.gap < tolerance) {
      report.status = SolveStatus::converged;
      return report;
    }
    if (report.iterations >= max_iterations) {
      report.status = SolveStatus::max_iterations;
      return report;
    }
  }
}

}  // namespace saltus
