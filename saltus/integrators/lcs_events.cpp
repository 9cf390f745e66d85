#include "saltus/integrators/lcs_events.hpp"

#include "saltus/integrators/emts.hpp"
#include "saltus/integrators/state_jump.hpp"
#include "saltus/problems/matrix_classes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// x(t) of ẋ = A x + a from x at t = 0.
Vector flow(const LcsMode& mode, ConstVectorRef x, double t) {
  const Index n = x.size();
  Matrix big = Matrix::Zero(n + 1, n + 1);
  big.topLeftCorner(n, n) = t * mode.A;
  big.topRightCorner(n, 1) = t * mode.a;
  const Matrix power = big.exp();
  return power.topLeftCorner(n, n) * x + power.topRightCorner(n, 1);
}

/// The jump map of a system.
class Jumps {
 public:
  explicit Jumps(const Lcs& system, const LcsEvents& options) : system_(completed(system)) {
    const Matrix symmetric = system_.D + system_.D.transpose();
    const RelativeDegree degree = relative_degree(system_);
    if (system_.D.isZero(0) && degree.exists && degree.largest() > 1) {
      rule_ = Rule::chain;
      form_ = zero_dynamics_form(system_);
      emts_.zero_tolerance = options.tolerance;
      prepare(form_, emts_, work_);
    } else if (Eigen::SelfAdjointEigenSolver<Matrix>(symmetric).eigenvalues().minCoeff() >=
               -1e-12 * symmetric.norm()) {
      rule_ = Rule::cone;
    } else {
      require(classify(BlockSparse::dense(system_.D)).p.yes(),
              "simulate_events: D is not zero, not positive semidefinite and no P-matrix");
      rule_ = Rule::none;
    }
  }

  /// False if the problem was not solved. A jump below rounding is none.
  bool apply(Vector& x, double tolerance) {
    if (rule_ == Rule::none) return true;
    Vector next = x;
    if (rule_ == Rule::chain) {
      Vector z = form_.to_canonical(x);
      if (!step(form_, z, 0, emts_, work_).done()) return false;
      next = form_.from_canonical(z);
    } else {
      const StateJump jump = consistent_jump(system_, x);
      if (!jump.report.converged()) return false;
      next = jump.x;
    }
    if ((next - x).lpNorm<Eigen::Infinity>() > tolerance * std::max(1.0, x.norm())) x = next;
    return true;
  }

 private:
  enum class Rule { none, cone, chain };
  Lcs system_;
  Rule rule_ = Rule::none;
  ZeroDynamicsForm form_;
  Emts emts_;
  EmtsWorkspace work_;
};

/// The pairs with λ > 0 in the problem of step ε.
std::vector<Index> held_by_limit(const Lcs& s, ConstVectorRef x, double epsilon,
                                 const LcsEvents& options, Workspace& work) {
  const Index n = s.states(), m = s.pairs();
  const Eigen::PartialPivLU<Matrix> factor(Matrix::Identity(n, n) - epsilon * s.A);
  const Matrix M = s.D + epsilon * s.C * factor.solve(s.B);
  const Vector q = s.C * factor.solve(x + epsilon * s.a) + s.b;
  const double scale = std::max(M.cwiseAbs().maxCoeff(), 1e-300),
               size = std::max(q.cwiseAbs().maxCoeff(), 1e-300);
  const Lcp problem{BlockSparse::dense(M / scale), q / size};
  Vector z = Vector::Zero(m);
  std::vector<Index> held;
  if (!solve(LcpView(problem), z, options.solver, work).converged()) return held;
  for (Index i = 0; i < m; ++i)
    if (z[i] > 1e-12) held.push_back(i);
  return held;
}

/// The mode in which a solution from x goes on; not regular if there is none.
LcsMode next_mode(const Lcs& s, ConstVectorRef x, const LcsEvents& options, Workspace& work) {
  const auto admitted = [&](const LcsMode& mode) {
    return mode.regular &&
           (mode.consistent(x) - x).norm() <= 1e2 * options.tolerance * std::max(1.0, x.norm()) &&
           mode.admits(mode.consistent(x), options.tolerance);
  };
  const double rate = std::max(s.A.norm(), 1e-3);
  for (const double epsilon : {1e-4, 1e-6, 1e-3, 1e-8}) {
    LcsMode mode = lcs_mode(s, held_by_limit(s, x, epsilon / rate, options, work));
    if (admitted(mode)) return mode;
  }
  if (s.pairs() > 12) return {};
  for (Index set = 0; set < (Index{1} << s.pairs()); ++set) {
    std::vector<Index> held;
    for (Index i = 0; i < s.pairs(); ++i)
      if (((set >> i) & 1) != 0) held.push_back(i);
    LcsMode mode = lcs_mode(s, held);
    if (admitted(mode)) return mode;
  }
  return {};
}

/// The functions whose signs end a stay, and where.
class SignChange {
 public:
  SignChange(const LcsMode& mode, ConstVectorRef x, double tolerance)
      : mode_(mode),
        x_(x),
        slopes_(mode.sign_slopes()),
        levels_(mode.sign_levels()),
        rates_(slopes_ * mode.A),
        tolerance_(tolerance) {
    const auto eigenvalues = Eigen::EigenSolver<Matrix>(mode.A, false).eigenvalues();
    fastest_ = eigenvalues.cwiseAbs().maxCoeff();
    turning_ = eigenvalues.imag().cwiseAbs().maxCoeff();
  }

  /// First time in (0, length] at which a function turns negative; `length` if none does.
  double find(double length) {
    double step = fastest_ > 0 ? std::min(length / 32, 0.1 / fastest_) : length / 32;
    const double longest = turning_ > 0 ? std::min(length / 32, 0.2 / turning_) : length / 32;
    Vector at = x_;
    double t = 0;
    while (t < length) {
      const double next = std::min(length, t + step);
      const Vector ahead = flow(mode_, x_, next);
      if (!ahead.allFinite()) return length;
      double first = inf;
      for (Index i = 0; i < slopes_.rows(); ++i)
        first = std::min(first, crossing(i, t, at, next, ahead));
      if (first < inf) return first;
      t = next;
      at = ahead;
      step = std::min(1.3 * step, longest);
    }
    return length;
  }

 private:
  [[nodiscard]] double value(Index i, ConstVectorRef x) const {
    return slopes_.row(i).dot(x) + levels_[i];
  }
  [[nodiscard]] double slope(Index i, ConstVectorRef x) const {
    return rates_.row(i).dot(x) + slopes_.row(i).dot(mode_.a);
  }
  [[nodiscard]] bool negative(Index i, ConstVectorRef x) const {
    const double scale = slopes_.row(i).norm() * x.norm() + std::abs(levels_[i]);
    return value(i, x) < -tolerance_ * scale;
  }

  /// Where function i turns negative between a and b; inf if it does not.
  double crossing(Index i, double a, ConstVectorRef at_a, double b, ConstVectorRef at_b) const {
    if (negative(i, at_b)) return bisect(i, a, b);
    if (slope(i, at_a) >= 0 || slope(i, at_b) <= 0) return inf;
    double left = a, right = b;  // a minimum inside: where the slope changes its sign
    for (int k = 0; k < 60; ++k) {
      const double middle = (left + right) / 2;
      (slope(i, flow(mode_, x_, middle)) < 0 ? left : right) = middle;
    }
    return negative(i, flow(mode_, x_, left)) ? bisect(i, a, left) : inf;
  }

  double bisect(Index i, double a, double b) const {
    const double width = b - a;
    for (int k = 0; k < 60; ++k) {
      const double middle = (a + b) / 2;
      (negative(i, flow(mode_, x_, middle)) ? b : a) = middle;
    }
    // The root itself, not the end of the tolerance behind it
    const Vector x = flow(mode_, x_, a);
    const double rate = slope(i, x), back = rate != 0 ? value(i, x) / rate : 0;
    return std::abs(back) <= 1e-3 * width ? std::max(a - back, 0.0) : a;
  }

  const LcsMode& mode_;
  Vector x_;
  Matrix slopes_;
  Vector levels_;
  Matrix rates_;
  double tolerance_, fastest_ = 0, turning_ = 0;
};

}  // namespace

std::string_view name(EventStatus status) {
  switch (status) {
    case EventStatus::done:
      return "done";
    case EventStatus::no_mode:
      return "no_mode";
    case EventStatus::accumulation:
      return "accumulation";
    case EventStatus::max_events:
      return "max_events";
    case EventStatus::solver_failed:
      return "solver_failed";
    case EventStatus::not_finite:
      return "not_finite";
  }
  return "unknown";
}

const LcsStay& LcsEventRun::stay(double t) const {
  require(!stays.empty() && t >= 0 && t <= end, "LcsEventRun: t is {}, the run is from 0 to {}", t,
          end);
  std::size_t i = stays.size() - 1;
  while (i > 0 && stays[i].t > t) --i;
  return stays[i];
}

Vector LcsEventRun::x(double t) const {
  const LcsStay& here = stay(t);
  return flow(here.mode, here.x, t - here.t);
}

Vector LcsEventRun::lambda(double t) const {
  const LcsStay& here = stay(t);
  return here.mode.K * x(t) + here.mode.k;
}

Vector LcsEventRun::w(double t) const {
  const LcsStay& here = stay(t);
  return here.mode.C * x(t) + here.mode.c;
}

LcsEventRun simulate_events(const Lcs& system, ConstVectorRef x0, double end,
                            const LcsEvents& options) {
  validate(options);
  const Lcs s = completed(system);
  require(x0.size() == s.states(), "simulate_events: x0 has size {}, the system {} states",
          x0.size(), s.states());
  require(x0.allFinite() && end > 0, "simulate_events: to t = {}, expected > 0 and x0 finite", end);
  Jumps jumps(s, options);
  Workspace work;
  LcsEventRun run;
  Vector x = x0;
  int brief = 0;
  const auto stop = [&](EventStatus status) {
    run.status = status;
    return run;
  };
  while (true) {
    const Vector before = x;
    if (!jumps.apply(x, options.tolerance)) return stop(EventStatus::solver_failed);
    LcsMode mode = next_mode(s, x, options, work);
    if (!mode.regular) return stop(EventStatus::no_mode);
    x = mode.consistent(x);
    const Vector jump = x - before;
    const bool jumped = jump.norm() > 1e3 * options.tolerance * std::max(1.0, before.norm());
    run.stays.push_back({run.end, x, std::move(mode), jumped ? jump : Vector::Zero(x.size())});
    const LcsStay& here = run.stays.back();
    const double length = end - run.end;
    const double stay = SignChange(here.mode, x, options.tolerance).find(length);
    x = flow(here.mode, here.x, stay);
    if (!x.allFinite()) return stop(EventStatus::not_finite);
    run.end += stay;
    if (stay >= length) break;
    if (run.stays.size() > 1) run.shortest = std::min(run.shortest, stay);
    brief = stay < options.min_dwell * end ? brief + 1 : 0;
    if (brief >= options.max_short) return stop(EventStatus::accumulation);
    if (static_cast<int>(run.stays.size()) > options.max_events)
      return stop(EventStatus::max_events);
  }
  run.end = end;
  return run;
}

}  // namespace saltus
