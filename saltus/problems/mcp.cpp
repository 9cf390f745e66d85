#include "saltus/problems/mcp.hpp"

#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

Vector natural_map(const Mcp& problem, ConstVectorRef z, ConstVectorRef F) {
  return F.cwiseMin(z - problem.lower).cwiseMax(z - problem.upper);
}

double residual(const Mcp& problem, ConstVectorRef z) {
  validate(problem);
  require(z.size() == problem.n, "residual(Mcp): z has size {}, the problem {}", z.size(),
          problem.n);
  const Vector F = evaluate(problem.F, z);
  if (!z.allFinite() || !F.allFinite()) return inf;
  return natural_map(problem, z, F).lpNorm<Eigen::Infinity>();
}

void validate(const Mcp& problem) {
  require(problem.n >= 0, "Mcp: n is {}, expected >= 0", problem.n);
  require(static_cast<bool>(problem.F), "Mcp: F is empty, expected a function");
  require(problem.lower.size() == problem.n && problem.upper.size() == problem.n,
          "Mcp: lower has size {}, upper {}, the problem {}", problem.lower.size(),
          problem.upper.size(), problem.n);
  for (Index i = 0; i < problem.n; ++i)
    require(
        problem.lower[i] <= problem.upper[i] && problem.lower[i] < inf && problem.upper[i] > -inf,
        "Mcp: row {} has the bounds [{}, {}], expected lower <= upper and a finite point", i,
        problem.lower[i], problem.upper[i]);
}

BoxMultipliers multipliers(const Mcp& problem, ConstVectorRef z) {
  validate(problem);
  require(z.size() == problem.n, "multipliers: z has size {}, the problem {}", z.size(), problem.n);
  const Vector F = evaluate(problem.F, z);
  return {F.cwiseMax(0), (-F).cwiseMax(0)};
}

Mcp make_mcp(Index n, Index m, const VectorFunction& G, const VectorFunction& H) {
  require(n >= 0 && m >= 0, "make_mcp: sizes {} and {}, expected >= 0", n, m);
  require(G && H, "make_mcp: G or H is empty, expected functions");
  Mcp problem{n + m,
              [n, m, G, H](ConstVectorRef z, VectorRef F) {
                G(z, F.head(n));
                H(z, F.tail(m));
              },
              {},
              Vector::Zero(n + m),
              Vector::Constant(n + m, inf)};
  problem.lower.head(n).setConstant(-inf);
  return problem;
}

Mcp to_mcp(const Ncp& problem) {
  validate(problem);
  return {problem.n, problem.F, problem.jacobian, Vector::Zero(problem.n),
          Vector::Constant(problem.n, inf)};
}

Mcp to_mcp(const Mlcp& problem) {
  validate(problem);
  Mcp mcp = to_mcp(to_ncp(LcpView(problem.M, problem.q)));
  for (Index i : problem.equalities) mcp.lower[i] = -inf;
  return mcp;
}

namespace {

/// Row by row: z_i = base_i + sign_i x_i, and the rows with two bounds.
struct Substitution {
  Vector base, sign;
  std::vector<Index> twice;
};

Substitution substitution(const Mcp& problem) {
  Substitution s{problem.lower, Vector::Ones(problem.n), {}};
  for (Index i = 0; i < problem.n; ++i) {
    require(problem.lower[i] > -inf || problem.upper[i] < inf,
            "to_ncp(Mcp): row {} has no bound, expected at least one", i);
    if (problem.lower[i] == -inf) {
      s.base[i] = problem.upper[i];
      s.sign[i] = -1;
    } else if (problem.upper[i] < inf) {
      s.twice.push_back(i);
    }
  }
  return s;
}

}  // namespace

Ncp to_ncp(const Mcp& problem) {
  validate(problem);
  const Substitution s = substitution(problem);
  const Index n = problem.n, extra = static_cast<Index>(s.twice.size());
  return {n + extra,
          [problem, s, n](ConstVectorRef x, VectorRef F) {
            const Vector z = s.base + s.sign.cwiseProduct(x.head(n));
            problem.F(z, F.head(n));
            F.head(n).array() *= s.sign.array();
            Index k = n;
            for (Index i : s.twice) {
              F[i] += x[k];
              F[k++] = problem.upper[i] - z[i];
            }
          },
          [problem, s, n](ConstVectorRef x, MatrixRef J) {
            const Vector z = s.base + s.sign.cwiseProduct(x.head(n));
            J.setZero();
            evaluate_jacobian(problem.F, problem.jacobian, z, J.topLeftCorner(n, n));
            J.topLeftCorner(n, n) =
                s.sign.asDiagonal() * J.topLeftCorner(n, n).eval() * s.sign.asDiagonal();
            Index k = n;
            for (Index i : s.twice) {
              J(i, k) = 1;
              J(k++, i) = -1;
            }
          }};
}

Vector from_ncp(const Mcp& problem, ConstVectorRef x) {
  const Substitution s = substitution(problem);
  const Index expected = problem.n + static_cast<Index>(s.twice.size());
  require(x.size() == expected, "from_ncp: x has size {}, expected {}", x.size(), expected);
  return s.base + s.sign.cwiseProduct(x.head(problem.n));
}

BlockForm linearise(const Mcp& problem, ConstVectorRef point) {
  validate(problem);
  require(point.size() == problem.n, "linearise(Mcp): the point has size {}, the problem {}",
          point.size(), problem.n);
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, point, J);
  BlockForm form{BlockSparse::dense(J, 1), evaluate(problem.F, point) - J * point, {}};
  for (Index i = 0; i < problem.n; ++i)
    form.K.emplace_back(Interval{problem.lower[i], problem.upper[i]});
  return form;
}

Mcp linearly_constrained(Index n, const VectorFunction& F, const JacobianFunction& jacobian,
                         ConstMatrixRef A, ConstVectorRef b) {
  require(A.cols() == n && A.rows() == b.size(),
          "linearly_constrained: A is {}x{}, b has size {}, the problem {}", A.rows(), A.cols(),
          b.size(), n);
  const Matrix rows = A;
  const Vector bounds = b;
  const Index m = b.size();
  Mcp problem{n + m,
              [n, m, F, rows, bounds](ConstVectorRef x, VectorRef value) {
                F(x.head(n), value.head(n));
                value.head(n) -= rows.transpose() * x.tail(m);
                value.tail(m) = rows * x.head(n) - bounds;
              },
              [n, m, F, jacobian, rows](ConstVectorRef x, MatrixRef J) {
                J.setZero();
                evaluate_jacobian(F, jacobian, x.head(n), J.topLeftCorner(n, n));
                J.topRightCorner(n, m) = -rows.transpose();
                J.bottomLeftCorner(m, n) = rows;
              },
              Vector::Zero(n + m), Vector::Constant(n + m, inf)};
  problem.lower.head(n).setConstant(-inf);
  return problem;
}

}  // namespace saltus
