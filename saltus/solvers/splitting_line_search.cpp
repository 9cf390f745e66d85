#include "saltus/solvers/splitting_line_search.hpp"

#include "saltus/solvers/box_iteration.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/splitting.hpp"

#include <Eigen/Eigenvalues>

#include <optional>

namespace saltus {

namespace {

using Map = Eigen::Map<Vector>;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Minimiser along a direction with the given slope < 0 and curvature, at most `longest` ≥ 1.
double step_length(double slope, double curvature, double longest) {
  return curvature > 0 ? std::min(-slope / curvature, longest) : 1.0;
}

/// S:LCP-21.
class SymmetricSearch {
 public:
  SymmetricSearch(const BoxView& box, double omega, Workspace& work)
      : box_(box),
        omega_(omega),
        n_(box.size()),
        singular_(zero_pivot(box.W, 0)),
        u_(work.velocity.get(n_), n_),
        d_(work.rhs.get(n_), n_),
        Wd_(work.center.get(n_), n_),
        scratch_(work.iterate.get(n_)) {}

  Progress step(double* z) {
    if (singular_) return {SolveStatus::numerical_error};
    if (count_++ % refresh == 0) evaluate(box_, z, u_.data());
    Map at(z, n_);
    d_ = at;
    projected_sweep(box_, d_.data(), scratch_, omega_, 0, true);
    d_ -= at;
    const double slope = u_.dot(d_);
    if (!(slope < 0)) return {SolveStatus::stalled};
    box_.W.multiply(d_, Wd_);
    const double alpha = step_length(slope, d_.dot(Wd_), longest(z));
    for (Index i = 0; i < n_; ++i) z[i] = clamp(box_, i, z[i] + alpha * d_[i]);
    u_ += alpha * Wd_;
    return {SolveStatus::not_run, natural_map(box_, z, u_.data())};
  }

 private:
  static constexpr int refresh = 50;  // steps after which u is computed afresh

  [[nodiscard]] double longest(const double* z) const {
    double alpha = inf;
    for (Index i = 0; i < n_; ++i)
      if (d_[i] != 0)
        alpha = std::min(alpha, ((d_[i] > 0 ? box_.upper[i] : box_.lower[i]) - z[i]) / d_[i]);
    return std::max(1.0, alpha);
  }

  const BoxView& box_;
  double omega_;
  Index n_;
  bool singular_;
  Map u_, d_, Wd_;
  double* scratch_;
  int count_ = 0;
};

/// S:LCP-22, on the dense LCP.
class RowSufficientSearch {
 public:
  RowSufficientSearch(const BoxView& box, Workspace& work) : box_(box), work_(work) {
    DenseLcp lcp;
    if (!to_dense_lcp(box, work, lcp)) return;
    n_ = lcp.n;
    M_ = Eigen::Map<const RowMatrix>(lcp.M, n_, n_);
    q_ = Eigen::Map<const Vector>(lcp.q, n_);
    if (!M_.allFinite() || !q_.allFinite()) return;
    S_ = M_ + M_.transpose();
    const Vector eigenvalues =
        Eigen::SelfAdjointEigenSolver<Matrix>(S_, Eigen::EigenvaluesOnly).eigenvalues();
    const double largest = eigenvalues.lpNorm<Eigen::Infinity>();
    sigma_ = 2 * std::max(0.0, -eigenvalues.minCoeff()) + 1e-6 * std::max(largest, 1e-300);
    Matrix K = Matrix::Zero(2 * n_, 2 * n_);
    K.topLeftCorner(n_, n_) = S_ + sigma_ * Matrix::Identity(n_, n_);
    K.topRightCorner(n_, n_) = -M_.transpose();
    K.bottomLeftCorner(n_, n_) = M_;
    conditions_ = {BlockSparse::dense(K), Vector(2 * n_)};
    regular_ = true;
  }

  Progress step(double* z) {
    if (!regular_) return {SolveStatus::numerical_error};
    if (x_.size() == 0) {
      x_ = Vector::Zero(n_);
      const std::optional<Vector> feasible = minimiser();
      if (!feasible) return {SolveStatus::stalled};
      x_ = *feasible;
    } else {
      const std::optional<Vector> target = minimiser();
      if (!target) return {SolveStatus::stalled};
      const Vector d = *target - x_;
      const double slope = d.dot(q_ + S_ * x_);
      if (!(slope < 0)) return {SolveStatus::stalled};
      x_ += step_length(slope, d.dot(S_ * d), longest(d)) * d;
      x_ = x_.cwiseMax(0);
    }
    from_dense_lcp(box_, x_.data(), Map(z, box_.size()), work_);
    return {};
  }

 private:
  /// argmin ½ xᵀ B x + (q − σ x_old)ᵀ x over the feasible set; none if that is empty.
  std::optional<Vector> minimiser() {
    conditions_.q << q_ - sigma_ * x_, q_;
    Vector y = Vector::Zero(2 * n_);
    if (!solve(conditions_, y, Lemke{}, inner_).converged()) return std::nullopt;
    return Vector(y.head(n_));
  }

  [[nodiscard]] double longest(const Vector& d) const {
    const Vector w = M_ * x_ + q_, Md = M_ * d;
    double alpha = inf;
    for (Index i = 0; i < n_; ++i) {
      if (d[i] < 0) alpha = std::min(alpha, x_[i] / -d[i]);
      if (Md[i] < 0) alpha = std::min(alpha, w[i] / -Md[i]);
    }
    return std::max(1.0, alpha);
  }

  const BoxView& box_;
  Workspace& work_;
  Workspace inner_;
  Index n_ = 0;
  bool regular_ = false;
  Matrix M_, S_;  // S = M + Mᵀ
  Vector q_, x_;
  double sigma_ = 0;
  Lcp conditions_;
};

class Search {
 public:
  Search(const BoxView& box, const LineSearchSplitting& options, double, Workspace& work) {
    if (box.W.symmetric())
      symmetric_.emplace(box, options.omega, work);
    else
      asymmetric_.emplace(box, work);
  }
  Progress step(double* z) { return symmetric_ ? symmetric_->step(z) : asymmetric_->step(z); }

 private:
  std::optional<SymmetricSearch> symmetric_;
  std::optional<RowSufficientSearch> asymmetric_;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const LineSearchSplitting& options,
                  Workspace& work) {
  return solve_by_iteration<Search>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const LineSearchSplitting& options,
                  Workspace& work) {
  return solve_by_iteration<Search>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const LineSearchSplitting& options,
                  Workspace& work) {
  return solve_by_iteration<Search>(problem, r, options, work);
}

}  // namespace saltus
