#include "saltus/solvers/mprgp.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/convex_projected_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

/// A part of r that has a set of its own: a bounded number, a disk or a cone.
struct Piece {
  Index first, size;
  enum class Kind { bounds, ball, cone } kind;
  double a, b;  // bounds; radius; coefficient
};

/// Calls visit(piece) for the parts of every block, in order.
template <class Visit>
void visit_pieces(const BlockForm& problem, const Visit& visit) {
  using Kind = Piece::Kind;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), n = problem.W.row_size(b);
    const auto rows = [&](double lower, double upper) {
      for (Index i = 0; i < n; ++i) visit(Piece{first + i, 1, Kind::bounds, lower, upper});
    };
    std::visit(Overloaded{[&](const Reals&) { rows(-inf, inf); },
                          [&](const NonNegative&) { rows(0, inf); },
                          [&](const Interval& I) { rows(I.lower, I.upper); },
                          [&](const FrictionCylinder& C) {
                            visit(Piece{first, 1, Kind::bounds, 0, inf});
                            visit(Piece{first + 1, n - 1, Kind::ball, C.radius, 0});
                          },
                          [&](const FrictionCone& C) {
                            visit(Piece{first, n, Kind::cone, C.mu, 0});
                          },
                          [&](const SecondOrderCone& C) {
                            visit(Piece{first, n, Kind::cone, C.mu, 0});
                          },
                          [](const auto&) {}},
               problem.K[b]);
  }
}

constexpr double inner = 1 - 1e-12;  // nearer to the boundary than rounding counts as on it

bool inside(const Piece& piece, const Vector& z) {
  const double normal = z[piece.first];
  const Index n = piece.size;
  switch (piece.kind) {
    case Piece::Kind::bounds:
      return normal > piece.a && normal < piece.b;
    case Piece::Kind::ball:
      return z.segment(piece.first, n).norm() < inner * piece.a;
    case Piece::Kind::cone:
      return z.segment(piece.first + 1, n - 1).norm() < inner * piece.a * normal;
  }
  return false;
}

void project(const Piece& piece, Vector& z) {
  auto part = z.segment(piece.first, piece.size);
  switch (piece.kind) {
    case Piece::Kind::bounds:
      part[0] = std::min(std::max(part[0], piece.a), piece.b);
      return;
    case Piece::Kind::ball:
      if (const double length = part.norm(); length > piece.a) part *= piece.a / length;
      return;
    case Piece::Kind::cone:
      project(SecondOrderCone{piece.a}, part, part);
  }
}

/// Largest t with z − t p in the set, z being inside: where a t² − 2 b t + c, c ≤ 0, becomes
/// positive.
double exit_length(double a, double b, double c) {
  const double root = std::sqrt(std::max(0.0, b * b - a * c));
  if (b < 0) return c / (b - root);
  return a > 0 ? (b + root) / a : inf;
}

double largest_step(const Piece& piece, const Vector& z, const Vector& p) {
  const Index n = piece.size;
  const double normal = z[piece.first], along = p[piece.first];
  if (piece.kind == Piece::Kind::bounds) {
    if (along == 0) return inf;
    const double bound = along > 0 ? piece.a : piece.b;
    return std::isfinite(bound) ? std::max(0.0, (normal - bound) / along) : inf;
  }
  const bool cone = piece.kind == Piece::Kind::cone;
  const auto x = z.segment(piece.first + (cone ? 1 : 0), cone ? n - 1 : n);
  const auto d = p.segment(piece.first + (cone ? 1 : 0), cone ? n - 1 : n);
  double a = d.squaredNorm(), b = x.dot(d), c = x.squaredNorm();
  const double square = piece.a * piece.a;
  a -= cone ? square * along * along : 0;
  b -= cone ? square * normal * along : 0;
  c -= cone ? square * normal * normal : square;
  return exit_length(a, b, std::min(c, 0.0));
}

/// The iteration; z and u = W z + q are those of w.point.
class Method {
 public:
  Method(const BlockForm& problem, const Mprgp& options, FrictionWorkspace& w)
      : problem_(problem),
        options_(options),
        w_(w),
        z_(w.point.z),
        u_(w.point.u),
        phi_(w.point.F),
        beta_(w.trial.F),
        p_(w.trial.z),
        Wp_(w.trial.u) {
    largest_ = spectral_radius(problem.W, w.step, w.scratch);
    alpha_ = largest_ > 0 ? options.step / largest_ : 1;
    refresh();
  }

  /// One step; false if θ falls for ever along a direction.
  bool step() {
    split();
    if (beta_.squaredNorm() > options_.gamma * options_.gamma * reduced_product()) {
      gradient_projection(false);
      return true;
    }
    if (restart_) p_ = phi_;
    restart_ = false;
    problem_.W.multiply(p_, Wp_);
    const double curvature = p_.dot(Wp_), square = p_.squaredNorm();
    const bool flat = !(curvature > 1e-14 * largest_ * square);
    const double best = flat ? inf : phi_.dot(p_) / curvature, limit = feasible_length();
    if (best == inf && limit == inf) return false;
    if (best <= limit) {
      move(best);
      if (++count_ % 50 == 0) refresh();
      split();
      p_ = phi_ - (phi_.dot(Wp_) / curvature) * p_;
    } else {
      move(limit);
      split();
      gradient_projection(true);
    }
    return true;
  }

  /// u afresh from z, free of the rounding of its updates.
  void refresh() {
    problem_.W.multiply(z_, u_);
    u_ += problem_.q;
    restart_ = true;
  }

 private:
  void move(double length) {
    z_ -= length * p_;
    u_ -= length * Wp_;
  }

  /// φ and β at the present point.
  void split() {
    phi_.setZero();
    beta_ = z_ - alpha_ * u_;
    visit_pieces(problem_, [&](const Piece& piece) {
      auto part = beta_.segment(piece.first, piece.size);
      if (inside(piece, z_)) {
        phi_.segment(piece.first, piece.size) = u_.segment(piece.first, piece.size);
        part.setZero();
      } else {
        project(piece, beta_);
        part = (z_.segment(piece.first, piece.size) - part) / alpha_;
      }
    });
  }

  /// φ̃·φ
  double reduced_product() {
    w_.scratch = z_ - alpha_ * phi_;
    visit_pieces(problem_, [&](const Piece& piece) { project(piece, w_.scratch); });
    return (z_ - w_.scratch).dot(phi_) / alpha_;
  }

  double feasible_length() const {
    double length = inf;
    visit_pieces(problem_, [&](const Piece& piece) {
      if (inside(piece, z_)) length = std::min(length, largest_step(piece, z_, p_));
    });
    return length;
  }

  /// r ← P_K(r − ᾱ φ) or, on the pieces at the boundary, P_K(r − ᾱ u).
  void gradient_projection(bool free) {
    w_.scratch = z_;
    w_.G = u_;
    z_ -= alpha_ * (free ? phi_ : beta_);
    visit_pieces(problem_, [&](const Piece& piece) { project(piece, z_); });
    refresh();
    // a curvature above the estimate of λ_max(W) corrects it: θ falls for sure below 2/λ_max(W)
    w_.scratch = z_ - w_.scratch;
    w_.G = u_ - w_.G;
    const double square = w_.scratch.squaredNorm(), curvature = w_.scratch.dot(w_.G);
    if (!(square > 1e-24 * z_.squaredNorm()) || !(curvature > largest_ * square)) return;
    largest_ = curvature / square;
    alpha_ = options_.step / largest_;
  }

  const BlockForm& problem_;
  const Mprgp& options_;
  FrictionWorkspace& w_;
  Vector &z_, &u_, &phi_, &beta_, &p_, &Wp_;
  double largest_ = 0, alpha_ = 1;
  bool restart_ = true;
  int count_ = 0;
};

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Mprgp& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Mprgp::name);
  const double limit = threshold(options.tolerance, problem.q);
  const double error = residual(problem, r);
  for (const BlockSet& K : problem.K) static_cast<void>(without_shift(K, Mprgp::name));
  Outcome outcome{SolveStatus::max_iterations, 0};
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  if (!problem.W.symmetric()) return judge({SolveStatus::nonconvex, 0}, error, limit, clock);
  project_guess(problem, r);
  FrictionWorkspace& w = work.friction;
  w.point.resize(r.size());
  w.trial.resize(r.size());
  w.point.z = r;
  Method method(problem, options, w);
  const auto small = [&] {
    double sum = 0;
    for (Index b = 0; b < problem.W.block_rows(); ++b)
      sum += squared_natural_map(without_shift(problem.K[b], Mprgp::name), problem.W.row_size(b),
                                 w.point.z.data() + problem.W.row_offset(b),
                                 w.point.u.data() + problem.W.row_offset(b));
    return sum <= limit * limit / 4 || !w.point.u.allFinite();
  };
  const auto finished = [&] {
    if (!small()) return false;
    method.refresh();
    return small();
  };
  while (outcome.iterations < options.max_iterations && !finished()) {
    ++outcome.iterations;
    if (method.step() && !runaway(w.point.z, limit)) continue;
    outcome.status = SolveStatus::stalled;
    break;
  }
  if (w.point.z.allFinite()) r = w.point.z;
  // a limit of the iteration that another law judges
  if (outcome.status == SolveStatus::max_iterations && outcome.iterations < options.max_iterations)
    outcome.status = SolveStatus::stalled;
  return judge(outcome, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Mprgp& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
