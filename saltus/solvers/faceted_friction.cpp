#include "saltus/solvers/faceted_friction.hpp"

#include <Eigen/LU>

#include <cmath>
#include <numbers>

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

Eigen::SparseMatrix<double> assemble(Index rows, Index cols, const Triplets& entries) {
  Eigen::SparseMatrix<double> A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Unit vectors as columns: ±1 in the plane, a polygon in space.
Matrix directions(Index tangents, int facets, double angle) {
  if (tangents == 1) return Rows{{1, -1}};
  Matrix D(2, facets);
  for (int j = 0; j < facets; ++j) {
    const double a = angle + 2 * std::numbers::pi * j / facets;
    D.col(j) << std::cos(a), std::sin(a);
  }
  return D;
}

/// Builds a faceted problem block by block: w = left (W expand z + q) + extra z.
struct Builder {
  Triplets expand, left, extra;
  std::vector<BlockSet> K;
  Index rows = 0;

  void scalar_block(const BlockSet& set, Index first, Index n) {
    for (Index i = 0; i < n; ++i, ++rows) {
      expand.emplace_back(first + i, rows, 1);
      left.emplace_back(rows, first + i, 1);
      K.push_back(set);
    }
  }
  void normal_row(Index first) {
    expand.emplace_back(first, rows, 1);
    left.emplace_back(rows, first, 1);
  }
  void complementary(Index count) {
    for (Index i = 0; i < count; ++i) K.emplace_back(NonNegative{});
    rows += count;
  }
  /// (r_N, β, λ)
  void inner_block(double mu, Index first, const Matrix& D) {
    const Index n = rows, beta = n + 1, lambda = beta + D.cols();
    normal_row(first);
    for (Index j = 0; j < D.cols(); ++j) {
      for (Index t = 0; t < D.rows(); ++t) {
        expand.emplace_back(first + 1 + t, beta + j, D(t, j));
        left.emplace_back(beta + j, first + 1 + t, D(t, j));
      }
      extra.emplace_back(beta + j, lambda, 1);
      extra.emplace_back(lambda, beta + j, -1);
    }
    extra.emplace_back(lambda, n, mu);
    complementary(D.cols() + 2);
  }
  /// (r_N, σ of the first facets, κ of the others)
  void outer_block(double mu, Index first, const Matrix& c) {
    const Index t = c.rows(), others = c.cols() - t, n = rows, sigma = n + 1, kappa = sigma + t;
    const Matrix inverse = c.leftCols(t).inverse(), rest = c.rightCols(others);
    const Vector along = inverse.transpose() * Vector::Constant(t, mu);  // r_T for σ = 0, r_N = 1
    const Matrix coupled = inverse * rest, slope = rest.transpose() * inverse.transpose();
    normal_row(first);
    for (Index i = 0; i < t; ++i) {
      expand.emplace_back(first + 1 + i, n, along[i]);
      for (Index j = 0; j < t; ++j) {
        expand.emplace_back(first + 1 + i, sigma + j, -inverse(j, i));
        left.emplace_back(sigma + i, first + 1 + j, -inverse(i, j));
      }
      for (Index j = 0; j < others; ++j) extra.emplace_back(sigma + i, kappa + j, -coupled(i, j));
    }
    const Vector facing = rest.transpose() * along;
    for (Index i = 0; i < others; ++i) {
      extra.emplace_back(kappa + i, n, mu - facing[i]);
      for (Index j = 0; j < t; ++j) extra.emplace_back(kappa + i, sigma + j, slope(i, j));
    }
    complementary(1 + c.cols());
  }

  [[nodiscard]] FacetedProblem build(const BlockForm& problem) const {
    const Index n = problem.q.size();
    FacetedProblem faceted;
    faceted.expand = assemble(n, rows, expand);
    const Eigen::SparseMatrix<double> L = assemble(rows, n, left), W = problem.W.to_sparse();
    const Eigen::SparseMatrix<double> product = L * W * faceted.expand;
    const Eigen::SparseMatrix<double> M = product + assemble(rows, rows, extra);
    faceted.form = {BlockSparse::sparse(M), L * problem.q, K};
    return faceted;
  }
};

template <class Cone>
FacetedProblem build_facets(const BlockForm& problem, int facets, double angle, Cone&& cone) {
  Builder builder;
  const BlockSparse& W = problem.W;
  for (Index b = 0; b < W.block_rows(); ++b) {
    const Index first = W.row_offset(b), n = W.row_size(b);
    if (const auto* set = std::get_if<FrictionCone>(&problem.K[b]))
      cone(builder, set->mu, first, directions(n - 1, facets, angle));
    else
      builder.scalar_block(problem.K[b], first, n);
  }
  return builder.build(problem);
}

}  // namespace

void require_coulomb(const BlockForm& problem, std::string_view algorithm) {
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const bool cone = std::holds_alternative<FrictionCone>(problem.K[b]);
    const Index n = problem.W.row_size(b);
    require(row_by_row(problem.K[b]) || (cone && (n == 2 || n == 3)),
            "{}: block {} is a {} of {} rows, expected friction cones of 2 or 3 rows", algorithm, b,
            name(problem.K[b]), n);
  }
}

FacetedProblem inner_facets(const BlockForm& problem, int facets) {
  return build_facets(problem, facets, 0, [](Builder& b, double mu, Index first, const Matrix& D) {
    b.inner_block(mu, first, D);
  });
}

FacetedProblem outer_facets(const BlockForm& problem, int facets, double angle) {
  return build_facets(
      problem, facets, angle,
      [](Builder& b, double mu, Index first, const Matrix& c) { b.outer_block(mu, first, c); });
}

FacetedProblem outer_facets(const BlockForm& problem, int facets) {
  return outer_facets(problem, facets, 0);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const FacetedFriction& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, FacetedFriction::name);
  require_coulomb(problem, FacetedFriction::name);
  const double limit = threshold(options.tolerance, problem.q);
  const double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge({SolveStatus::max_iterations, 0}, error, limit, clock);
  const FacetedProblem faceted =
      options.outer ? outer_facets(problem, options.facets) : inner_facets(problem, options.facets);
  Vector z = Vector::Zero(faceted.form.q.size());
  const SolveReport inner = std::visit(
      [&](auto solver) {
        solver.tolerance = options.tolerance / 10;
        return solve(faceted.form, z, solver, work);
      },
      options.inner);
  work.certificate.resize(0);  // of the other law
  if (z.allFinite()) r = faceted.expand * z;
  const SolveStatus status =
      inner.status == SolveStatus::infeasible ? SolveStatus::stalled : inner.status;
  return judge({status, inner.iterations}, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const FacetedFriction& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
