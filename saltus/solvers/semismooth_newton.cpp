#include "saltus/solvers/semismooth_newton.hpp"

#include "saltus/solvers/box_iteration.hpp"
#include "saltus/solvers/semismooth_system.hpp"

namespace saltus {

namespace {

using Map = Eigen::Map<Vector>;

class Newton {
 public:
  Newton(const BoxView& box, const SemismoothNewton& options, double, Workspace& work)
      : box_(box),
        options_(options),
        n_(box.size()),
        u_(work.velocity.get(n_)),
        a_(work.base.get(n_)),
        b_(work.sign.get(n_)),
        c_(work.rhs.get(n_)),
        Wc_(work.block_velocity.get(n_)),
        phi_(work.center.get(n_), n_),
        d_(work.block_factor.get(n_), n_),
        gradient_(work.tableau.get(n_), n_),
        trial_(work.iterate.get(n_), n_),
        system_(box.W, a_, b_, work) {}

  Progress step(double* z) {
    linearise(z);
    system_.multiply_transposed(phi_.data(), gradient_.data());
    const double norm = phi_.norm();
    if (!std::isfinite(norm)) return {SolveStatus::numerical_error};
    if (system_.solve(phi_.data(), d_.data())) {
      if (full_step(z, norm)) return {};
      const double slope = gradient_.dot(d_);
      const double enough = -options_.kappa * std::pow(d_.norm(), options_.power);
      if (slope <= enough && search(z, norm, slope)) return {};
    }
    system_.levenberg_marquardt(phi_.data(), 1e-2 * std::min(1.0, norm), d_.data());
    const double slope = gradient_.dot(d_);
    return {slope < 0 && search(z, norm, slope) ? SolveStatus::not_run : SolveStatus::stalled};
  }

 private:
  /// Φ, a and b at z.
  void linearise(const double* z) {
    evaluate(box_, z, u_);
    bool kinks = false;
    for (Index i = 0; i < n_; ++i) {
      const double lower = box_.lower[i], upper = box_.upper[i];
      const bool kink = (z[i] == lower || z[i] == upper) && (u_[i] == 0 || lower == upper);
      c_[i] = kink ? 1 : 0;
      kinks = kinks || kink;
    }
    Map Wc(Wc_, n_);
    if (kinks)
      box_.W.multiply(Map(c_, n_), Wc);
    else
      Wc.setZero();
    std::visit(
        [&](const auto& phi) {
          for (Index i = 0; i < n_; ++i) {
            const BoxFunction f =
                box_function(phi, box_.lower[i], box_.upper[i], u_[i], z[i], Wc_[i], c_[i]);
            phi_[i] = f.value;
            a_[i] = f.slope.by_w;
            b_[i] = f.slope.by_z;
          }
        },
        options_.function);
  }

  /// ‖Φ‖ at the trial point.
  double merit() {
    evaluate(box_, trial_.data(), u_);
    double sum = 0;
    std::visit(
        [&](const auto& phi) {
          for (Index i = 0; i < n_; ++i) {
            const double value =
                box_function(phi, box_.lower[i], box_.upper[i], u_[i], trial_[i], 0, 0).value;
            sum += value * value;
          }
        },
        options_.function);
    return std::sqrt(sum);
  }

  /// Takes the whole step if it shortens Φ by a tenth.
  bool full_step(double* z, double norm) {
    trial_ = Map(z, n_) + d_;
    if (!(merit() <= 0.9 * norm)) return false;
    std::copy_n(trial_.data(), n_, z);
    return true;
  }

  /// Armijo along d_: moves z and returns true, or finds no step.
  bool search(double* z, double norm, double slope) {
    for (double t = 1; t > 1e-12; t /= 2) {
      trial_ = Map(z, n_) + t * d_;
      const double next = merit();
      // (norm² − next²) / 2 without cancellation
      if ((norm - next) * (norm + next) / 2 < -options_.sigma * t * slope) continue;
      if (!(next < norm)) continue;
      std::copy_n(trial_.data(), n_, z);
      return true;
    }
    return false;
  }

  const BoxView& box_;
  const SemismoothNewton& options_;
  Index n_;
  double *u_, *a_, *b_, *c_, *Wc_;
  Map phi_, d_, gradient_, trial_;
  SemismoothSystem system_;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const SemismoothNewton& options, Workspace& work) {
  return solve_by_iteration<Newton>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const SemismoothNewton& options,
                  Workspace& work) {
  return solve_by_iteration<Newton>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const SemismoothNewton& options,
                  Workspace& work) {
  return solve_by_iteration<Newton>(problem, r, options, work);
}

}  // namespace saltus
