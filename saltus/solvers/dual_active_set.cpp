#include "saltus/solvers/dual_active_set.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace saltus {

namespace {

constexpr double dependent = 1e-10;  // |component outside the span| / |row| of a dependent row

/// Active rows a_1 … a_k and the factors J, R: Jᵀ Q J = I, Jᵀ [a_1 … a_k] = [R; 0].
class Factors {
 public:
  Factors(ConstMatrixRef L, ConstVectorRef start) : z(start) {
    const Index n = start.size();
    J_ = L.transpose().triangularView<Eigen::Upper>().solve(Matrix::Identity(n, n));
    R_.setZero(n, n);
    d_.setZero(n);
  }
  /// Directions for a new row a: primal step J₂J₂ᵀa, dual step R⁻¹J₁ᵀa.
  void direct(const Vector& a) {
    d_ = J_.transpose() * a;
    const Index k = count(), n = z.size();
    inside_ = d_.tail(n - k).norm();
    independent_ = inside_ > dependent * d_.norm();
    dual = R_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(d_.head(k));
    primal = J_.rightCols(n - k) * d_.tail(n - k);
  }
  [[nodiscard]] bool independent() const { return independent_; }
  /// aᵀ times the primal step
  [[nodiscard]] double slope() const { return inside_ * inside_; }
  /// Takes in the row of the last direct().
  void add(Index row, double sign) {
    const Index k = count();
    for (Index j = z.size() - 1; j > k; --j) {
      const Rotation turn(d_[j], d_[j - 1]);
      turn.apply(d_.segment(j, 1), d_.segment(j - 1, 1));
      turn.apply(J_.col(j), J_.col(j - 1));
    }
    R_.col(k).head(k + 1) = d_.head(k + 1);
    active.push_back(row);
    signs.push_back(sign);
  }
  void drop(Index position) {
    const Index k = count();
    for (Index j = position; j + 1 < k; ++j) {
      R_.col(j).head(k) = R_.col(j + 1).head(k);
      const Rotation turn(R_(j + 1, j), R_(j, j));
      turn.apply(R_.row(j + 1).segment(j, 1), R_.row(j).segment(j, 1));
      for (Index c = j + 2; c < k; ++c)  // columns not yet shifted
        turn.apply(R_.col(c).segment(j + 1, 1), R_.col(c).segment(j, 1));
      turn.apply(J_.col(j + 1), J_.col(j));
    }
    R_.col(k - 1).setZero();
    active.erase(active.begin() + position);
    signs.erase(signs.begin() + position);
  }
  [[nodiscard]] Index count() const { return static_cast<Index>(active.size()); }

  Vector z, primal, dual;
  std::vector<Index> active;
  std::vector<double> signs;  // −1: an equality taken in as −aᵀz ≥ −g

 private:
  Matrix J_, R_;
  Vector d_;
  double inside_ = 0;
  bool independent_ = false;
};

/// The run of the method: factors, multipliers u of the active rows, and the count.
struct Run {
  const ConstraintRows& rows;
  Factors f;
  std::vector<double> u;
  int iterations = 0, limit;

  /// Position of the inequality whose multiplier reaches zero first along −dual; −1: none.
  [[nodiscard]] Index blocking(double& step) const {
    Index found = -1;
    for (Index k = 0; k < f.count(); ++k) {
      if (f.active[k] < rows.equalities || !(f.dual[k] > 0)) continue;
      const double ratio = std::max(0.0, u[k]) / f.dual[k];
      if (ratio < step) {
        step = ratio;
        found = k;
      }
    }
    return found;
  }
  void move_multipliers(double step) {
    for (Index k = 0; k < f.count(); ++k) u[k] -= step * f.dual[k];
  }
  /// Brings row p to hold: converged, infeasible or max_iterations.
  SolveStatus take_in(Index p) {
    const double value = rows.H.row(p).dot(f.z) - rows.g[p];
    const double sign = p < rows.equalities && value > 0 ? -1 : 1;
    const Vector a = sign * rows.row(p);
    double slack = sign * value, own = 0;
    for (;;) {
      if (iterations >= limit) return SolveStatus::max_iterations;
      f.direct(a);
      double step = inf;
      Index leaving = blocking(step);
      const double full = f.independent() ? -slack / f.slope() : inf;
      if (p < rows.equalities && !f.independent() &&
          std::abs(slack) <= 100 * rows.rounding(p, f.z.lpNorm<Eigen::Infinity>()))
        return SolveStatus::converged;  // a repeated equality
      if (full <= step) {
        step = full;
        leaving = -1;
      }
      if (step == inf) {
        proof(p, sign);
        return SolveStatus::infeasible;
      }
      if (f.independent()) {
        f.z += step * f.primal;
        slack += step * f.slope();
      }
      move_multipliers(step);
      own += step;
      ++iterations;
      if (leaving < 0) {
        f.add(p, sign);
        u.push_back(own);
        return SolveStatus::converged;
      }
      f.drop(leaving);
      u.erase(u.begin() + leaving);
    }
  }
  /// Farkas: row p minus the combination of the active rows that equals it.
  void proof(Index p, double sign) {
    certificate.setZero(rows.size());
    certificate[p] = sign;
    for (Index k = 0; k < f.count(); ++k) {
      const double y = -f.dual[k];
      certificate[f.active[k]] = f.active[k] < rows.equalities ? f.signs[k] * y : std::max(0.0, y);
    }
  }
  /// The violated inequality that is farthest outside, in units of its norm; −1: none.
  [[nodiscard]] Index most_violated() const {
    const Vector value = rows.H * f.z - rows.g;
    const double size = f.z.lpNorm<Eigen::Infinity>();
    Index found = -1;
    double worst = 0;
    for (Index i = rows.equalities; i < rows.size(); ++i) {
      if (value[i] >= -10 * rows.rounding(i, size)) continue;
      if (const double depth = value[i] / std::max(rows.norm1[i], 1e-300); depth < worst) {
        worst = depth;
        found = i;
      }
    }
    return found;
  }
  Vector certificate;
};

}  // namespace

DualActiveSetResult dual_active_set(const ConstraintRows& rows, ConstMatrixRef L,
                                    ConstVectorRef start, int max_iterations) {
  Run run{rows, Factors(L, start), {}, 0, max_iterations, {}};
  SolveStatus status = SolveStatus::converged;
  for (Index i = 0; i < rows.equalities && status == SolveStatus::converged; ++i)
    status = run.take_in(i);
  while (status == SolveStatus::converged) {
    const Index p = run.most_violated();
    if (p < 0) break;
    status = run.take_in(p);
  }
  DualActiveSetResult out{status, run.iterations, run.f.z, run.f.active, run.certificate};
  if (status == SolveStatus::infeasible) return out;
  out.multipliers.setZero(rows.size());
  for (Index k = 0; k < run.f.count(); ++k)
    out.multipliers[run.f.active[k]] = run.f.signs[k] * run.u[k];
  return out;
}

namespace {

/// One minimisation with the Hessian Q + shift I and the linear term p.
DualActiveSetResult minimise(const ConstraintRows& rows, const Matrix& Q, const Vector& p,
                             double shift, int limit) {
  Matrix shifted = Q;
  shifted.diagonal().array() += shift;
  const Eigen::LLT<Matrix> llt(shifted);
  if (llt.info() != Eigen::Success)
    return {SolveStatus::numerical_error, 0, Vector::Zero(p.size()), {}, Vector::Zero(rows.size())};
  return dual_active_set(rows, Matrix(llt.matrixL()), -llt.solve(p), limit);
}

}  // namespace

SolveReport solve(const Qp& problem, QpPoint& point, const DualActiveSet& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  const Qp qp = completed(problem);
  resize(qp, point);
  work.certificate.resize(0);
  const double goal = qp_threshold(qp, options.tolerance);
  const Curvature sign = curvature(qp.Q);
  if (sign == Curvature::indefinite)
    return judge({SolveStatus::nonconvex, 0}, residual(qp, point), -1, clock);
  const ConstraintRows rows = constraint_rows(qp);
  const Matrix Q = qp.Q;
  const auto n = static_cast<int>(qp.p.size() + rows.size());
  const int limit = options.max_iterations > 0 ? options.max_iterations : 100 * (n + 10);
  const double size = Q.size() > 0 ? Q.diagonal().cwiseAbs().maxCoeff() : 0;
  const double shift =
      sign == Curvature::positive_definite ? 0 : options.rho * (size > 0 ? size : 1);
  if (!point.z.allFinite()) point.z.setZero();
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = inf;
  for (int round = 0; round < (shift > 0 ? 200 : 1); ++round) {
    const Vector last = point.z;
    const auto result = minimise(rows, Q, qp.p - shift * last, shift, limit - outcome.iterations);
    outcome = {result.status, outcome.iterations + result.iterations};
    if (result.status == SolveStatus::infeasible) {
      work.certificate = rows.proof(result.multipliers);
      if (!proves_infeasible(qp, work.certificate)) outcome.status = SolveStatus::stalled;
    }
    if (result.status != SolveStatus::converged) break;
    point.z = result.z;
    rows.distribute(result.multipliers, point);
    error = residual(qp, point);
    if (error <= goal) break;
    if (const Vector step = point.z - last; shift > 0 && proves_unbounded(qp, step)) {
      work.certificate = step / step.lpNorm<Eigen::Infinity>();
      outcome.status = SolveStatus::unbounded;
      break;
    }
    outcome.status = shift > 0 ? SolveStatus::max_iterations : SolveStatus::converged;
  }
  error = residual(qp, point);
  if (outcome.status == SolveStatus::stalled) work.certificate.resize(0);
  return judge(outcome, error, goal, clock);
}

}  // namespace saltus
