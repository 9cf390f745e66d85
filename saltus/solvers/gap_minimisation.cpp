#include "saltus/solvers/gap_minimisation.hpp"

#include "saltus/solvers/qp_automatic.hpp"

#include <Eigen/SVD>

#include <vector>

namespace saltus {

namespace {

/// One run; the notation is that of the header.
class Gap {
 public:
  Gap(const GeneralisedLcp& problem, double tolerance, Workspace& work)
      : n_(problem.M.cols()),
        y_(problem.Q.cols()),
        problem_(problem),
        work_(work),
        limit_(tolerance * std::max(1.0, largest(problem.q))),
        solver_{.tolerance = 0.01 * tolerance} {
    E_.resize(problem.M.rows(), 2 * n_ + y_);
    E_ << problem.M, problem.N, problem.Q;
    x_ = Vector::Zero(2 * n_ + y_);
    error_ = measure(x_);
  }

  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double error() const { return error_; }
  [[nodiscard]] int iterations() const { return iterations_; }
  [[nodiscard]] GeneralisedPoint point() const {
    return {x_.head(n_), x_.segment(n_, n_), x_.tail(y_)};
  }

  /// False if E x = q, x ≥ 0 has no solution; leaves the proof.
  bool feasible() {
    const Vector none = Vector::Constant(x_.size(), inf);
    if (x_.size() == 0 || nearest(none, x_).status != SolveStatus::infeasible) return true;
    // (μ, π) with Eᵀμ + π = 0, π ≥ 0 and qᵀμ > 0
    const Vector mu = -work_.certificate.head(E_.rows());
    const double gain = -problem_.q.dot(mu);
    if (!(gain > 0) || (E_.transpose() * mu).minCoeff() < -1e-9 * gain) return true;
    work_.certificate = mu / gain;
    return false;
  }

  /// The quadratic program and the piece of its answer.
  SolveStatus minimise() {
    if (x_.size() == 0) return SolveStatus::stalled;
    const Eigen::JacobiSVD<Matrix> svd(E_, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Matrix U = svd.matrixV().rightCols(x_.size() - svd.rank());
    const Vector x0 = svd.solve(problem_.q);
    Qp qp;
    qp.Q = Matrix(U.transpose() * swap(U)).sparseView();
    qp.Q = Eigen::SparseMatrix<double>((qp.Q + Eigen::SparseMatrix<double>(qp.Q.transpose())) / 2);
    qp.p = U.transpose() * swap(x0);
    qp.A = U.sparseView();
    qp.b = -x0;
    QpPoint v;
    const SolveReport report = solve(qp, v, solver_, work_);
    iterations_ += report.iterations;
    if (v.z.size() != U.cols()) return report.status;
    const Vector x = x0 + U * v.z;
    accept(x);
    if (error_ > limit_ && report.converged()) piece(smaller(x), x);
    return report.status == SolveStatus::nonconvex ? report.status : SolveStatus::stalled;
  }

  /// Every piece until one has a solution.
  void enumerate() {
    std::vector<bool> z_is_zero(static_cast<std::size_t>(n_));
    for (unsigned long mask = 0; mask < 1ul << n_ && error_ > limit_; ++mask) {
      for (Index i = 0; i < n_; ++i) z_is_zero[static_cast<std::size_t>(i)] = (mask >> i & 1) == 0;
      piece(z_is_zero, Vector::Zero(x_.size()));
    }
  }

 private:
  [[nodiscard]] static double largest(const Vector& v) {
    return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>();
  }
  [[nodiscard]] double measure(const Vector& x) const {
    return residual(problem_, x.head(n_), x.segment(n_, n_), x.tail(y_));
  }
  void accept(const Vector& x) {
    const double error = measure(x);
    if (!(error < error_)) return;
    x_ = x;
    error_ = error;
  }
  /// (w, z, 0): the gradient of zᵀw.
  [[nodiscard]] Matrix swap(const Matrix& X) const {
    Matrix swapped = Matrix::Zero(X.rows(), X.cols());
    swapped.topRows(n_) = X.middleRows(n_, n_);
    swapped.middleRows(n_, n_) = X.topRows(n_);
    return swapped;
  }
  [[nodiscard]] std::vector<bool> smaller(const Vector& x) const {
    std::vector<bool> z_is_zero(static_cast<std::size_t>(n_));
    for (Index i = 0; i < n_; ++i) z_is_zero[static_cast<std::size_t>(i)] = x[i] <= x[n_ + i];
    return z_is_zero;
  }

  /// The point nearest to `target` with E x = q, 0 ≤ x ≤ upper; kept if it is better.
  SolveReport nearest(const Vector& upper, const Vector& target) {
    Qp qp;
    const Index size = x_.size();
    qp.Q.resize(size, size);
    qp.Q.setIdentity();
    qp.p = -target;
    qp.C = E_.sparseView();
    qp.d = problem_.q;
    qp.lower = Vector::Zero(size);
    qp.upper = upper;
    QpPoint point;
    const SolveReport report = solve(qp, point, solver_, work_);
    iterations_ += report.iterations;
    if (report.converged()) accept(point.z);
    return report;
  }

  /// The same on one piece.
  void piece(const std::vector<bool>& z_is_zero, const Vector& target) {
    Vector upper = Vector::Constant(x_.size(), inf);
    for (Index i = 0; i < n_; ++i) upper[z_is_zero[static_cast<std::size_t>(i)] ? i : n_ + i] = 0;
    static_cast<void>(nearest(upper, target));
  }

  Index n_, y_;
  const GeneralisedLcp& problem_;
  Workspace& work_;
  double limit_;
  QpAutomatic solver_;
  Matrix E_;
  Vector x_;
  double error_ = inf;
  int iterations_ = 0;
};

}  // namespace

SolveReport solve(const GeneralisedLcp& problem, GeneralisedPoint& point,
                  const GapMinimisation& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  Gap gap(problem, options.tolerance, work);
  SolveStatus status = SolveStatus::not_run;
  if (gap.error() > gap.limit()) status = gap.feasible() ? gap.minimise() : SolveStatus::infeasible;
  if (gap.error() > gap.limit() && status == SolveStatus::nonconvex &&
      problem.M.cols() <= options.enumerate) {
    gap.enumerate();
    status = SolveStatus::stalled;
  }
  if (status != SolveStatus::infeasible) work.certificate.resize(0);
  point = gap.point();
  return judge({status, gap.iterations()}, gap.error(), gap.limit(), clock);
}

SolveReport solve(const ExtendedLcp& problem, GeneralisedPoint& point,
                  const GapMinimisation& options, Workspace& work) {
  const Stopwatch clock;
  const GeneralisedLcp converted = to_generalised_lcp(problem);
  const SolveReport report = solve(converted, point, options, work);
  const double limit = threshold(options.tolerance, converted.q);
  return judge({report.status, report.iterations}, residual(problem, point.z, point.w), limit,
               clock);
}

}  // namespace saltus
