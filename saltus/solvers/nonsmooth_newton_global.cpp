#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/newton_factor.hpp"
#include "saltus/solvers/nonsmooth_newton.hpp"

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct GlobalPoint {
  Vector v, r;
};

/// The equations (2) of the global form.
class GlobalSystem {
 public:
  GlobalSystem(const GlobalBlockForm& problem, const NonsmoothNewton& options)
      : p_(problem), options_(options), Ht_(problem.H.transpose()) {
    scale_blocks();
  }

  /// (M v − H r − f, G); with `slopes` the blocks of ∂G/∂u and ∂G/∂r too.
  Vector evaluate(const GlobalPoint& x, bool slopes) {
    const Index n = x.v.size(), m = x.r.size();
    Vector G(n + m);
    G.head(n) = p_.M * x.v - p_.H * x.r - p_.f;
    const Vector u = Ht_ * x.v + p_.w;
    by_u_.clear();
    by_r_.clear();
    Index first = 0;
    for (std::size_t b = 0; b < p_.K.size(); first += p_.sizes[b], ++b) {
      double* out = G.data() + n + first;
      if (row_by_row(p_.K[b]))
        rows(b, first, u, x.r, out);
      else
        contact(b, first, u, x.r, out, slopes);
    }
    return G;
  }

  /// −(Jacobian)⁻¹ G after evaluate(x, true); false if the matrix is singular.
  bool direction(const Vector& G, Vector& step) {
    const Index n = p_.M.rows(), m = p_.H.cols();
    Sparse A(m, m), B(m, m);
    A.setFromTriplets(by_u_.begin(), by_u_.end());
    B.setFromTriplets(by_r_.begin(), by_r_.end());
    std::vector<Eigen::Triplet<double>> entries;
    const auto add = [&](const Sparse& part, Index row, Index column, double factor) {
      for (int j = 0; j < part.outerSize(); ++j)
        for (Sparse::InnerIterator e(part, j); e; ++e)
          entries.emplace_back(static_cast<int>(row + e.row()), static_cast<int>(column + j),
                               factor * e.value());
    };
    add(p_.M, 0, 0, 1);
    add(p_.H, 0, n, -1);
    add(Sparse(A * Ht_), n, 0, 1);
    add(B, n, n, 1);
    Sparse J(n + m, n + m);
    J.setFromTriplets(entries.begin(), entries.end());
    if (!factor_.factorise(BlockSparse::sparse(J))) return false;
    step = -G;
    return factor_.solve(step);
  }

 private:
  void rows(std::size_t b, Index first, const Vector& u, const Vector& r, double* out) {
    for (Index i = 0; i < p_.sizes[b]; ++i) {
      const Index at = first + i;
      const double rho = common_ > 0 ? common_ : row_rho_[at];
      const RowFunction row = row_function(options_.equation, p_.K[b], u[at], r[at], rho);
      out[i] = row.G;
      by_u_.emplace_back(static_cast<int>(at), static_cast<int>(at), row.by_u);
      by_r_.emplace_back(static_cast<int>(at), static_cast<int>(at), row.by_r);
    }
  }

  void contact(std::size_t b, Index first, const Vector& u, const Vector& r, double* out,
               bool slopes) {
    const Index size = p_.sizes[b];
    Matrix A(size, size), B(size, size);
    contact_function(options_.equation, p_.K[b], size, u.data() + first, r.data() + first, rho_[b],
                     out, slopes ? A.data() : nullptr, slopes ? B.data() : nullptr);
    if (!slopes) return;
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i) {
        const auto row = static_cast<int>(first + i), column = static_cast<int>(first + j);
        if (A(i, j) != 0) by_u_.emplace_back(row, column, A(i, j));
        if (B(i, j) != 0) by_r_.emplace_back(row, column, B(i, j));
      }
  }

  /// W ≈ Hᵀ diag(M)⁻¹ H for the rules of ρ.
  void scale_blocks() {
    Vector inverse = p_.M.diagonal();
    for (double& value : inverse) value = value > 0 ? 1 / value : 1;
    const Sparse W = Ht_ * inverse.asDiagonal() * p_.H;
    const auto positive_inverse = [](double x) { return x > 0 && std::isfinite(x) ? 1 / x : 1.0; };
    const auto norm = [&] {
      Vector sums = Vector::Zero(W.cols());
      for (int j = 0; j < W.outerSize(); ++j)
        for (Sparse::InnerIterator e(W, j); e; ++e) sums[j] += std::abs(e.value());
      return sums.size() > 0 ? sums.maxCoeff() : 1;
    };
    row_rho_ = W.diagonal().unaryExpr(positive_inverse);
    bool conservative = false;
    std::visit(Overloaded{[&](const FixedRho& rule) { common_ = rule.rho; },
                          [&](const NormRho&) { common_ = positive_inverse(norm()); },
                          [&](const SpectralRho&) { common_ = positive_inverse(norm()); },
                          [&](const PerContactRho& rule) { conservative = rule.conservative; },
                          [&](const DefaultRho&) {
                            if (std::holds_alternative<NaturalMap>(options_.equation))
                              common_ = positive_inverse(norm());
                          },
                          [](const AdaptiveRho&) {}},
               options_.rho);
    Index first = 0;
    for (std::size_t b = 0; b < p_.K.size(); first += p_.sizes[b], ++b) {
      const Matrix block = Matrix(W.block(first, first, p_.sizes[b], p_.sizes[b]));
      rho_.push_back(common_ > 0 ? ContactScaling{common_, common_}
                     : row_by_row(p_.K[b])
                         ? ContactScaling{}
                         : contact_scaling(p_.sizes[b], block.data(), conservative));
    }
  }

  const GlobalBlockForm& p_;
  const NonsmoothNewton& options_;
  Sparse Ht_;
  std::vector<ContactScaling> rho_;
  Vector row_rho_;
  double common_ = 0;  // one ρ for all rows, if positive
  std::vector<Eigen::Triplet<double>> by_u_, by_r_;
  NewtonFactor factor_;
};

GlobalPoint moved(const GlobalPoint& x, const Vector& step, double t) {
  return {x.v + t * step.head(x.v.size()), x.r + t * step.tail(x.r.size())};
}

/// Newton steps from x until the residual is below `limit`.
Outcome iterate(const GlobalBlockForm& problem, const NonsmoothNewton& options, double limit,
                GlobalPoint& x) {
  GlobalSystem system(problem, options);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector step;
  while (outcome.iterations < options.max_iterations && residual(problem, x.v, x.r) > limit) {
    const Vector G = system.evaluate(x, true);
    if (G.norm() <= 1e-6 * limit) {
      outcome.status = SolveStatus::stalled;  // a zero of another law
      return outcome;
    }
    ++outcome.iterations;
    if (!system.direction(G, step)) {
      outcome.status = SolveStatus::numerical_error;
      return outcome;
    }
    const double t = find_length(options.line_search, G.squaredNorm() / 2, [&](double length) {
      return system.evaluate(moved(x, step, length), false).squaredNorm() / 2;
    });
    GlobalPoint next = moved(x, step, t);
    if (!next.v.allFinite() || !next.r.allFinite()) {
      outcome.status = SolveStatus::numerical_error;
      return outcome;
    }
    x = std::move(next);
  }
  return outcome;
}

}  // namespace

SolveReport solve(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
                  const NonsmoothNewton& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require(r.size() == problem.w.size() && v.size() == problem.f.size(),
          "NonsmoothNewton: v and r have sizes {} and {}, the problem {} and {}", v.size(),
          r.size(), problem.f.size(), problem.w.size());
  for (double& value : r)
    if (!std::isfinite(value)) value = 0;
  const LinearSolve solve_with_mass = factorise("NonsmoothNewton", problem.M);
  const Vector q = problem.H.transpose() * solve_with_mass(problem.f) + problem.w;
  const double limit = threshold(options.tolerance, q);
  if (options.start_projections > 0) {
    const FixedPointProjection projections{.tolerance = options.tolerance,
                                           .max_iterations = options.start_projections,
                                           .extragradient = true};
    static_cast<void>(solve(reduce(problem), r, projections, work));
  }
  GlobalPoint x{solve_with_mass(problem.H * r + problem.f), r};
  const Outcome outcome = iterate(problem, options, limit, x);
  v = x.v;
  r = x.r;
  SolveReport report = judge(outcome, residual(problem, v, r), limit, clock);
  report.factorisations = outcome.iterations + 1;
  return report;
}

SolveReport solve(const GlobalFrictionContact& problem, VectorRef v, VectorRef r,
                  const NonsmoothNewton& options, Workspace& work) {
  return solve(to_global_block_form(problem), v, r, options, work);
}

}  // namespace saltus
