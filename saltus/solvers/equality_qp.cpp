#include "saltus/solvers/equality_qp.hpp"

#include "saltus/solvers/equality_qp_ldlt.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <functional>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
constexpr Index dense_limit = 500;  // unknowns up to which K is factorised densely

/// [Q + δ I, Cᵀ; C, −δ I]
Sparse kkt_matrix(const Qp& qp, double delta) {
  const Index n = qp.p.size(), m = qp.C.rows();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index k = 0; k < n; ++k) {
    for (Sparse::InnerIterator it(qp.Q, k); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(k), it.value());
    for (Sparse::InnerIterator it(qp.C, k); it; ++it) {
      entries.emplace_back(static_cast<int>(n + it.row()), static_cast<int>(k), it.value());
      entries.emplace_back(static_cast<int>(k), static_cast<int>(n + it.row()), it.value());
    }
  }
  for (int i = 0; i < n + m; ++i) entries.emplace_back(i, i, i < n ? delta : -delta);
  Sparse K(n + m, n + m);
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

/// Solves K x = (−p, d) with `apply`, an approximate K⁻¹, and refines while that helps.
void refine(const Qp& qp, QpPoint& point, const std::function<Vector(const Vector&)>& apply) {
  const Index n = qp.p.size(), m = qp.C.rows();
  const Sparse K = kkt_matrix(qp, 0);
  Vector rhs(n + m);
  rhs << -qp.p, qp.d;
  Vector x = apply(rhs), best = x;
  double least = (rhs - K * x).norm();
  for (int round = 0; round < 20; ++round) {
    x += apply(rhs - K * x);
    const double now = (rhs - K * x).norm();
    if (!(now < 0.5 * least)) break;
    least = now;
    best = x;
  }
  point.z = best.head(n);
  point.mu = -best.tail(m);
  point.bounds.setZero(n);
  point.lambda.resize(0);
}

/// C of rank r = `rank`: Y a basis of its rows, Z of its kernel.
struct Bases {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  Matrix Y, Z;
  explicit Bases(const Qp& qp) : qr(Matrix(qp.C).transpose()) {
    const Index n = qp.p.size(), rank = qp.C.rows() > 0 ? qr.rank() : 0;
    const Matrix basis =
        qp.C.rows() > 0 ? Matrix(qr.householderQ()) : Matrix(Matrix::Identity(n, n));
    Y = basis.leftCols(rank);
    Z = basis.rightCols(n - rank);
  }
};

/// Names the reason why (1) has no solution, with its proof; `otherwise` if there is none.
SolveStatus reason(const Qp& qp, SolveStatus otherwise, Workspace& work) {
  const Index n = qp.p.size(), m = qp.C.rows();
  const Bases bases(qp);
  const Matrix H = bases.Z.transpose() * (qp.Q * bases.Z);
  const double size = std::max(Matrix(qp.Q).cwiseAbs().maxCoeff(), 1e-300);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (H + H.transpose()));
  const double zero = 1e-12 * static_cast<double>(n) * size;
  if (H.rows() > 0 && eigen.eigenvalues()[0] < -zero) return SolveStatus::nonconvex;
  if (m > 0) {  // what of d is outside the range of C
    const Matrix C = qp.C;
    const Vector z = C.completeOrthogonalDecomposition().solve(qp.d), miss = qp.d - C * z;
    work.certificate.setZero(m + n);
    work.certificate.head(m) = miss;
    if (proves_infeasible(qp, work.certificate)) return SolveStatus::infeasible;
  }
  Vector v = Vector::Zero(n);  // the part of −p in the flat directions of {C z = 0}
  for (Index k = 0; k < H.rows(); ++k) {
    const Vector direction = bases.Z * eigen.eigenvectors().col(k);
    if (std::abs(eigen.eigenvalues()[k]) <= zero) v -= direction.dot(qp.p) * direction;
  }
  work.certificate = v;
  if (proves_unbounded(qp, v)) return SolveStatus::unbounded;
  work.certificate.resize(0);
  return otherwise;
}

/// The frame of the four methods. `method(qp, point)` answers false if its factor is singular.
template <class Options, class Method>
SolveReport run(const Qp& problem, QpPoint& point, const Options& options, Workspace& work,
                Method&& method) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  require(only_equalities(problem),
          "{} takes equality constraints only; use ActiveSet, QpInteriorPoint or QpAutomatic",
          Options::name);
  const Qp qp = completed(problem);
  resize(qp, point);
  work.certificate.resize(0);
  const double goal = qp_threshold(qp, options.tolerance);
  const bool curved = curvature(qp.Q) != Curvature::indefinite;
  Outcome outcome{SolveStatus::converged, 1};
  if (!curved && reason(qp, SolveStatus::converged, work) == SolveStatus::nonconvex)
    return judge({SolveStatus::nonconvex, 0}, residual(qp, point), -1, clock);
  if (!method(qp, point)) outcome.status = SolveStatus::numerical_error;
  SolveReport report = judge(outcome, residual(qp, point), goal, clock);
  if (!report.converged()) report.status = reason(qp, report.status, work);
  report.seconds = clock.seconds();
  return report;
}

bool null_space(const Qp& qp, QpPoint& point) {
  const Bases bases(qp);
  const Matrix H = bases.Z.transpose() * (qp.Q * bases.Z);
  const Eigen::CompleteOrthogonalDecomposition<Matrix> reduced(H);
  const Matrix CY = qp.C * bases.Y;
  const Eigen::ColPivHouseholderQR<Matrix> range(CY), transposed(CY.transpose());
  refine(qp, point, [&](const Vector& rhs) {
    const Index n = qp.p.size();
    Vector z = Vector::Zero(n), x(rhs.size());
    if (bases.Y.cols() > 0) z = bases.Y * range.solve(rhs.tail(rhs.size() - n));
    if (bases.Z.cols() > 0)
      z += bases.Z * reduced.solve(bases.Z.transpose() * (rhs.head(n) - qp.Q * z));
    x.head(n) = z;
    if (rhs.size() > n) {
      const Vector left = bases.Y.transpose() * (rhs.head(n) - qp.Q * z);
      x.tail(rhs.size() - n) = transposed.solve(left);
    }
    return x;
  });
  return point.z.allFinite();
}

}  // namespace

bool only_equalities(const Qp& problem) {
  const auto infinite = [](const Vector& bound) { return !bound.array().isFinite().any(); };
  return problem.A.rows() == 0 && infinite(problem.lower) && infinite(problem.upper);
}

SolveReport solve(const Qp& problem, QpPoint& point, const KktLdlt& options, Workspace& work) {
  return run(problem, point, options, work, [&](const Qp& qp, QpPoint& at) {
    double delta = options.regularisation;
    if (qp.p.size() + qp.C.rows() <= dense_limit) {
      const SymmetricIndefinite factor(Matrix(kkt_matrix(qp, delta)));
      refine(qp, at, [&](const Vector& b) { return factor.solve(b); });
      return !factor.singular();
    }
    const Sparse K = kkt_matrix(qp, 0);
    delta = std::max(delta, 1e-10 * K.coeffs().cwiseAbs().maxCoeff());
    const Eigen::SimplicialLDLT<Sparse> factor(kkt_matrix(qp, delta));
    if (factor.info() != Eigen::Success) return false;
    refine(qp, at, [&](const Vector& b) { return Vector(factor.solve(b)); });
    return true;
  });
}

SolveReport solve(const Qp& problem, QpPoint& point, const KktLu& options, Workspace& work) {
  return run(problem, point, options, work, [&](const Qp& qp, QpPoint& at) {
    const Sparse K = kkt_matrix(qp, options.regularisation);
    if (K.rows() <= dense_limit) {
      const Eigen::PartialPivLU<Matrix> lu{Matrix(K)};
      if (!(lu.rcond() > 1e-15)) return false;
      refine(qp, at, [&](const Vector& b) { return Vector(lu.solve(b)); });
      return true;
    }
    ShiftedFactor& factor = work.interior.factor;
    factor.load(BlockSparse::sparse(K));
    if (!factor.factorise(Vector::Zero(K.rows()))) return false;
    refine(qp, at, [&](const Vector& b) {
      Vector x = b;
      factor.solve(x);
      return x;
    });
    return true;
  });
}

SolveReport solve(const Qp& problem, QpPoint& point, const RangeSpace& options, Workspace& work) {
  return run(problem, point, options, work, [&](const Qp& qp, QpPoint& at) {
    const Index n = qp.p.size(), m = qp.C.rows();
    const Eigen::SimplicialLLT<Sparse> llt(qp.Q);
    if (llt.info() != Eigen::Success || curvature(qp.Q) != Curvature::positive_definite)
      return false;
    const Matrix right = llt.solve(Matrix(qp.C).transpose());
    Matrix S = qp.C * right;
    S.diagonal().array() += options.regularisation;
    const Eigen::LDLT<Matrix> schur(S);
    if (m > 0 && !(schur.vectorD().cwiseAbs().minCoeff() > 1e-13 * S.diagonal().maxCoeff()))
      return false;
    refine(qp, at, [&](const Vector& b) {  // (z, −μ) with Q z = b₁ + Cᵀμ, C z = b₂
      Vector x(n + m);
      const Vector free = llt.solve(b.head(n));
      const Vector mu = schur.solve(b.tail(m) - qp.C * free);
      x << free + right * mu, -mu;
      return x;
    });
    return true;
  });
}

SolveReport solve(const Qp& problem, QpPoint& point, const NullSpace& options, Workspace& work) {
  return run(problem, point, options, work, null_space);
}

}  // namespace saltus
