#include "saltus/solvers/proximal_newton.hpp"

#include "saltus/solvers/lorentz.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int inner_budget = 16;  // factorisations of one proximal step
constexpr double smallest_rho = 1e-4, largest_rho = 1e12;
constexpr double rounding = 1e-15;
constexpr double shortest = 1.0 / 64;  // step of the line search
constexpr int patience = 40;           // proximal steps without gain
constexpr double last_digits = 1e-7;   // error that falls slowly for want of digits, or by a drift
constexpr double even = 0.95;          // cosine of steps that drift
constexpr double near = 1.1;           // error at the end of a drift, over the least
constexpr int corrections = 3, drift_corrections = 6;  // along curved cones

class ProximalNewton {
 public:
  ProximalNewton(CoulombSystem& system, const ProximalNewtonPlan& plan)
      : s_(system), plan_(plan), n_(system.cells()), A_(9 * system.cells()), rho_(plan.rho) {
    z_ = p_ = y_next_ = y_trial_ = step_ = step_before_ = drifted_ = Vector::Zero(3 * n_);
  }

  void run(CoulombBest& best) {
    y_ = best.y;
    for (Index c = 0; c < n_; ++c)
      if (!free(c)) lorentz::project(&y_[3 * c], &y_[3 * c]);
    s_.dynamics(y_, v_);
    double e = s_.error(y_), least = e;
    best.offer(y_, e);
    begin_ = s_.factorisations();
    int slow = 0, idle = 0;
    while (e >= plan_.tolerance && left() > 0) {
      const int before = s_.factorisations();
      const Vector start = v_;
      if (!step()) {
        v_ = start;
        rho_ *= 0.25;
        if (rho_ < smallest_rho) return;
        continue;
      }
      e = refine();
      best.offer(y_, e);
      adapt(s_.factorisations() - before, best.error);
      if (e > 0.9 * least) {
        if (e < last_digits && drift(least, e, best)) continue;
        if (++slow >= 2 && e < last_digits) {
          rho_ *= 0.2;
          slow = 0;
        }
        if (++idle > patience) return;
      } else {
        slow = idle = 0;
      }
      least = std::min(least, e);
    }
  }

 private:
  [[nodiscard]] bool free(Index c) const { return s_.kind(c) == CoulombSystem::Kind::free; }
  [[nodiscard]] bool slips(Index c) const { return s_.kind(c) == CoulombSystem::Kind::coulomb; }
  [[nodiscard]] int left() const { return plan_.budget - (s_.factorisations() - begin_); }
  [[nodiscard]] double norm(const Vector& d) {
    momentum_.setZero(d.size());
    s_.subtract_momentum(d, momentum_);
    return std::sqrt(std::max(0.0, -d.dot(momentum_)));
  }

  /// Φ(v); leaves z, p = P_L(z) and u.
  void evaluate(const Vector& v) {
    s_.right_transposed(v, u_);
    s_.team().for_range(n_, [&](Index c) {
      double* u = &u_[3 * c];
      for (Index k = 0; k < 3; ++k) u[k] += s_.w()[3 * c + k];
      double* z = &z_[3 * c];
      for (Index k = 0; k < 3; ++k) z[k] = y_[3 * c + k] - rho_ * u[k];
      if (slips(c)) z[0] -= rho_ * lorentz::tangent(u);
      if (free(c))
        std::copy(z, z + 3, &p_[3 * c]);
      else
        lorentz::project(z, &p_[3 * c]);
    });
    s_.left(p_, s_.f(), phi_);
    s_.subtract_momentum(v, phi_);
    phi_ = -phi_;
  }

  /// K(ρ P_L' G_θ)
  bool factorise(double theta) {
    s_.team().for_range(n_, [&](Index c) {
      double* A = &A_[9 * c];
      if (free(c)) {
        std::fill(A, A + 9, 0.0);
        A[0] = A[4] = A[8] = 1;
      } else {
        lorentz::projection_jacobian(&z_[3 * c], A);
      }
      for (int k = 0; k < 9; ++k) A[k] *= rho_;
      if (slips(c)) lorentz::times_shift(A, &u_[3 * c], theta);
    });
    return s_.factorise(A_);
  }

  /// Solves Φ(v) = 0 to a twentieth of the first Newton step; false if it cannot.
  bool step() {
    const int before = s_.factorisations();
    first_ = -1;
    weak_ = 0;
    evaluate(v_);
    while (s_.factorisations() - before < inner_budget && left() > 0) {
      bool accepted = false, done = false;
      for (const double theta : {1.0, 0.5}) {
        if (theta < 1) evaluate(v_);
        if (!factorise(theta)) break;
        accepted = search(done);
        if (accepted) break;
      }
      if (done) return true;
      if (!accepted || weak_ >= 4) return false;
    }
    return false;
  }

  [[nodiscard]] bool small(double level) {
    return level <= (plan_.natural ? std::max(rounding * norm(v_), 0.05 * first_) : 0.1 * first_);
  }

  /// One Newton direction with its line search, and chord steps after a full one.
  bool search(bool& done) {
    const double phi = phi_.norm();
    s_.solve(phi_, dv_);
    dv_ = -dv_;
    if (!dv_.allFinite()) return false;
    const double level = plan_.natural ? norm(dv_) : phi;
    if (first_ < 0) {
      first_ = level;
    } else if (small(level)) {
      v_ += dv_;
      done = true;
      return true;
    }
    if (level <= rounding * norm(v_)) {
      done = true;
      return true;
    }
    for (double a = 1; a >= shortest; a *= 0.5) {
      trial_ = v_ + a * dv_;
      evaluate(trial_);
      const double next = trial_level();
      if (!(next <= (plan_.natural ? 1 - a / 4 : 1 - 1e-4 * a) * level)) continue;
      v_ = trial_;
      if (next > 0.8 * level) ++weak_;
      done = small(next) || (plan_.natural && a == 1 && next < 0.3 * level && chord(next));
      return true;
    }
    return false;
  }

  double trial_level() {
    if (!plan_.natural) return phi_.norm();
    s_.solve(phi_, next_);
    return norm(next_);
  }

  /// Steps with the same factor while they halve the level; true once it is small.
  bool chord(double level) {
    for (int k = 0; k < 8; ++k) {
      trial_ = v_ - next_;
      evaluate(trial_);
      s_.solve(phi_, ddv_);
      const double next = norm(ddv_);
      if (!(next < 0.5 * level)) break;
      v_ = trial_;
      next_ = ddv_;
      level = next;
      if (small(level)) return true;
    }
    evaluate(v_);
    return false;
  }

  /// y ← P_L(z), corrected; the error.
  double refine() {
    evaluate(v_);
    y_next_ = p_;
    const double e = corrected(s_.error(y_next_), corrections);
    step_before_.swap(step_);
    step_ = y_next_ - y_;
    y_.swap(y_next_);
    return e;
  }

  /// Additive corrections of (v, y_next), K(A) dv = L y + f − M v and y ← P_L(y − A Rᵀ dv), while
  /// they reduce the error; the error.
  double corrected(double e, int most) {
    for (int repeat = 0; repeat < most; ++repeat) {
      s_.left(y_next_, s_.f(), b_);
      s_.subtract_momentum(v_, b_);
      s_.solve(b_, ddv_);
      s_.right_transposed(ddv_, hd_);
      s_.team().for_range(n_, [&](Index c) {
        double t[3];
        lorentz::multiply(&A_[9 * c], &hd_[3 * c], t);
        for (Index k = 0; k < 3; ++k) y_trial_[3 * c + k] = y_next_[3 * c + k] - t[k];
        if (!free(c)) lorentz::project(&y_trial_[3 * c], &y_trial_[3 * c]);
      });
      const double next = s_.error(y_trial_);
      if (!(next < e)) break;
      y_next_.swap(y_trial_);
      v_ += ddv_;
      e = next;
    }
    return e;
  }

  /// Even steps along null(L) at an even error e: w contradicts itself there by little more than
  /// roundings, and reactions drift until contacts slide or open. They go on at once as far as the
  /// error stays near `least`, and `best` with them. False if they do not move.
  bool drift(double least, double& e, CoulombBest& best) {
    const double length = step_.norm(), size = y_.norm();
    if (!(step_.dot(step_before_) > even * length * step_before_.norm())) return false;
    bool moved = false;
    trial_ = v_;
    for (double t = 1; t * length < size; t *= 2) {
      y_next_ = y_ + t * step_;
      v_ = trial_;
      const double next = corrected(inf, drift_corrections);
      if (!(next <= near * least)) break;
      e = next;
      drifted_.swap(y_next_);
      moved = true;
    }
    v_ = trial_;
    if (!moved) return false;
    y_ = drifted_;
    if (e <= near * best.error) best = {y_, e};
    return true;
  }

  void adapt(int used, double best) {
    rho_ *= used <= 2 ? 5 : used <= 4 ? 2 : used <= 6 ? 1 : 0.5;
    rho_ = std::min(rho_, largest_rho);
    if (!plan_.natural)
      rho_ = std::min(rho_, std::max(30.0, 0.05 * std::max(best, plan_.tolerance) / 2.2e-16));
  }

  CoulombSystem& s_;
  ProximalNewtonPlan plan_;
  Index n_;
  UnsetVector<double> A_;
  double rho_, first_ = -1;
  int weak_ = 0, begin_ = 0;
  Vector y_, v_, step_, step_before_, drifted_, u_, z_, p_, phi_, dv_, next_, trial_, ddv_, hd_, b_,
      y_next_, y_trial_, momentum_;
};

}  // namespace

void proximal_newton(CoulombSystem& system, const ProximalNewtonPlan& plan, CoulombBest& best) {
  ProximalNewton(system, plan).run(best);
}

}  // namespace saltus
