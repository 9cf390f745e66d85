#include "saltus/analysis/passivity.hpp"

#include "saltus/analysis/lmi.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include <cmath>

namespace saltus {

namespace {

/// ker(D + Dᵀ) and its complement, orthonormal, and D + Dᵀ on the latter (diagonal).
struct FeedthroughSplit {
  Matrix kernel, range;
  Vector values;
};

FeedthroughSplit split_feedthrough(const Matrix& D) {
  const Matrix R = D + D.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(R);
  const Vector& values = eigen.eigenvalues();
  const double zero = 1e-12 * std::max(values.cwiseAbs().maxCoeff(), 1e-300);
  std::vector<Index> kernel, range;
  for (Index i = 0; i < R.rows(); ++i) (std::abs(values[i]) <= zero ? kernel : range).push_back(i);
  return {eigen.eigenvectors()(Eigen::all, kernel), eigen.eigenvectors()(Eigen::all, range),
          values(range)};
}

/// The system with states, time and pairs scaled to norms of order 1: P = scale · T P' T.
struct Scaled {
  Lcs system;
  Vector T;
  double scale = 1;
};

Scaled scaled(const Lcs& s) {
  const Index n = s.states();
  Scaled out{s, Vector::Ones(n), 1};
  for (int sweep = 0; sweep < 20; ++sweep)  // balances rows and columns of the states
    for (Index i = 0; i < n; ++i) {
      Lcs& x = out.system;
      const double own = std::abs(x.A(i, i));
      const double column = std::max(0.0, x.A.col(i).cwiseAbs().sum() - own) + x.C.col(i).norm();
      const double row = std::max(0.0, x.A.row(i).cwiseAbs().sum() - own) + x.B.row(i).norm();
      if (!(column > 0 && row > 0)) continue;
      const double f = std::sqrt(column / row);
      x.A.row(i) *= f, x.B.row(i) *= f, x.A.col(i) /= f, x.C.col(i) /= f, out.T[i] *= f;
    }
  const auto or_one = [](double norm) { return norm > 0 ? norm : 1; };
  const double a = or_one(out.system.A.norm());
  const double b = or_one(out.system.B.norm()), c = or_one(out.system.C.norm());
  out.scale = c / b;
  out.system.A /= a, out.system.B /= b, out.system.C /= c;
  out.system.D *= out.scale * a / (c * c);
  return out;
}

/// All symmetric matrices P with (PB − Cᵀ)V = 0: base + Σ y_k directions[k].
struct StorageFamily {
  bool empty = true;
  Matrix base;
  std::vector<Matrix> directions;
};

Matrix unpacked(ConstVectorRef p, Index n) {
  Matrix P(n, n);
  for (Index j = 0, k = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i, ++k) P(i, j) = P(j, i) = p[k];
  return P;
}

StorageFamily storage_family(const Lcs& s, const Matrix& V) {
  const Index n = s.states(), size = n * (n + 1) / 2;
  const Matrix BV = s.B * V, CV = s.C.transpose() * V;
  Matrix L = Matrix::Zero(n * V.cols(), size);
  for (Index k = 0; k < size; ++k) L.col(k) = (unpacked(Vector::Unit(size, k), n) * BV).reshaped();
  StorageFamily family;
  Vector base = Vector::Zero(size);
  Matrix kernel = Matrix::Identity(size, size);
  if (L.rows() > 0) {
    Eigen::JacobiSVD<Matrix> svd(L, Eigen::ComputeFullU | Eigen::ComputeFullV);
    svd.setThreshold(1e-11);
    base = svd.solve(CV.reshaped());
    kernel = svd.matrixV().rightCols(size - svd.rank());
  }
  family.base = unpacked(base, n);
  family.empty = (family.base * BV - CV).norm() > 1e-9 * (1 + CV.norm());
  for (Index k = 0; k < kernel.cols(); ++k) family.directions.push_back(unpacked(kernel.col(k), n));
  return family;
}

/// [AᵀP + PA, PBU − CᵀU; ·, −UᵀRU], linear in P apart from the constant parts.
Matrix reduced_matrix(const Lcs& s, const FeedthroughSplit& D, const Matrix& P, bool constants) {
  const Index n = s.states(), k = D.range.cols();
  Matrix M = Matrix::Zero(n + k, n + k);
  M.topLeftCorner(n, n) = s.A.transpose() * P + P * s.A;
  M.topRightCorner(n, k) = P * s.B * D.range;
  if (constants) {
    M.topRightCorner(n, k) -= s.C.transpose() * D.range;
    M.bottomRightCorner(k, k) = -Matrix(D.values.asDiagonal());
  }
  M.bottomLeftCorner(k, n) = M.topRightCorner(n, k).transpose();
  return M;
}

/// The blocks t I − M(P), P + t I and β I − P of (1) in the unknowns (y, t).
std::vector<AffineMatrix> storage_blocks(const Lcs& s, const FeedthroughSplit& D,
                                         const StorageFamily& family, double bound) {
  const Matrix M = reduced_matrix(s, D, family.base, true);
  const Matrix I = Matrix::Identity(s.states(), s.states());
  std::vector<AffineMatrix> blocks{{-M, {}}, {family.base, {}}, {bound * I - family.base, {}}};
  for (const Matrix& E : family.directions) {
    blocks[0].slopes.push_back(-reduced_matrix(s, D, E, false));
    blocks[1].slopes.push_back(E);
    blocks[2].slopes.push_back(-E);
  }
  blocks[0].slopes.push_back(Matrix::Identity(M.rows(), M.cols()));
  blocks[1].slopes.push_back(I);
  blocks[2].slopes.push_back(0 * I);
  return blocks;
}

double largest_eigenvalue(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

/// P, and whether it solves (1).
void find_storage(const Lcs& s, const StorageSearch& options, Passivity& result) {
  const Scaled small = scaled(s);
  const FeedthroughSplit D = split_feedthrough(small.system.D);
  const StorageFamily family = storage_family(small.system, D.kernel);
  Matrix P = family.base;
  if (family.empty) {  // PB = Cᵀ cannot be had where it must
    result.passive = Answer::no;
  } else {
    const Index K = static_cast<Index>(family.directions.size());
    const auto blocks =
        storage_blocks(small.system, D, family, options.bound * (1 + family.base.norm()));
    Vector v = Vector::Zero(K + 1);
    v[K] =
        1 + std::max(0.0, -blocks[0].constant.eigenvalues().real().minCoeff()) + family.base.norm();
    const LmiReport report = minimise_last(blocks, v, 0.1 * options.tolerance,
                                           -10 * options.tolerance, options.max_iterations);
    for (Index k = 0; k < K; ++k) P += v[k] * family.directions[k];
    result.violation = v[K];
    if (v[K] <= options.tolerance)
      result.passive = Answer::yes;
    else if (report.status == SolveStatus::converged)
      result.passive = Answer::no;
  }
  result.P = small.scale * small.T.asDiagonal() * P * small.T.asDiagonal();
}

/// Every eigenvalue s of A: rank [sI − A, B] = n, as the rank 2n of the real [Re −Im; Im Re].
bool hautus(const Matrix& A, const Matrix& B) {
  const Index n = A.rows(), m = B.cols();
  const Matrix scaled = B * ((A.norm() > 0 ? A.norm() : 1) / (B.norm() > 0 ? B.norm() : 1));
  Matrix test = Matrix::Zero(2 * n, 2 * (n + m));
  test.block(0, 2 * n, n, m) = test.block(n, 2 * n + m, n, m) = scaled;
  for (const std::complex<double>& eigenvalue : A.eigenvalues()) {
    test.leftCols(2 * n) << -A, Matrix::Zero(n, n), Matrix::Zero(n, n), -A;
    test.leftCols(2 * n).diagonal().array() += eigenvalue.real();
    test.block(0, n, n, n).diagonal().setConstant(-eigenvalue.imag());
    test.block(n, 0, n, n).diagonal().setConstant(eigenvalue.imag());
    const Vector sigma = Eigen::JacobiSVD<Matrix>(test).singularValues();
    if (sigma[2 * n - 1] <= 1e-10 * sigma[0]) return false;
  }
  return true;
}

}  // namespace

Passivity passivity(const Lcs& system, const StorageSearch& options) {
  const Lcs s = completed(system);
  validate(options);
  require(s.pairs() > 0, "passivity: the system has no complementary pairs");
  Passivity result;
  find_storage(s, options, result);
  result.lmi_largest = largest_eigenvalue(passivity_matrix(s, result.P));
  const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(result.P).eigenvalues();
  result.positive_definite = values[0] > 1e-9 * values.cwiseAbs().maxCoeff();
  result.controllable = controllable(s);
  result.observable = observable(s);
  Matrix stack(s.states() + s.pairs(), s.pairs());
  stack << s.B, s.D + s.D.transpose();
  result.full_rank = stack.colPivHouseholderQr().rank() == s.pairs();
  result.positivity = positivity(s);
  // With poles on the imaginary axis Φ alone does not decide.
  if (result.positivity == Positivity::positive_real && result.passive == Answer::no)
    result.positivity = Positivity::none;
  return result;
}

Matrix passivity_matrix(const Lcs& system, ConstMatrixRef P) {
  const Lcs s = completed(system);
  const Index n = s.states(), m = s.pairs();
  require(P.rows() == n && P.cols() == n, "passivity_matrix: P is {}×{}, the system has {} states",
          P.rows(), P.cols(), n);
  Matrix M(n + m, n + m);
  M.topLeftCorner(n, n) = s.A.transpose() * P + P * s.A;
  M.topRightCorner(n, m) = P * s.B - s.C.transpose();
  M.bottomLeftCorner(m, n) = M.topRightCorner(n, m).transpose();
  M.bottomRightCorner(m, m) = -(s.D + s.D.transpose());
  return M;
}

bool controllable(const Lcs& system) {
  const Lcs s = completed(system);
  return hautus(s.A, s.B);
}

bool observable(const Lcs& system) {
  const Lcs s = completed(system);
  return hautus(s.A.transpose(), s.C.transpose());
}

}  // namespace saltus
