#include "saltus/problems/nlp.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/SVD>

#include <cmath>

namespace saltus {

namespace {

Vector objective_gradient(const Nlp& problem, ConstVectorRef z) {
  Vector gradient(problem.n);
  if (problem.gradient) {
    problem.gradient(z, gradient);
    return gradient;
  }
  Matrix row(1, problem.n);
  central_differences([&](ConstVectorRef x, VectorRef value) { value[0] = problem.f(x); }, z, row);
  return row.transpose();
}

Vector lagrangian_gradient(const Nlp& problem, ConstVectorRef z, ConstVectorRef lambda,
                           ConstVectorRef mu) {
  Vector sum = objective_gradient(problem, z);
  Matrix J(problem.m, problem.n), C(problem.p, problem.n);
  if (problem.m > 0) {
    evaluate_jacobian(problem.g, problem.g_jacobian, z, J);
    sum -= J.transpose() * lambda;
  }
  if (problem.p > 0) {
    evaluate_jacobian(problem.h, problem.h_jacobian, z, C);
    sum -= C.transpose() * mu;
  }
  return sum;
}

double largest(const Vector& v) { return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>(); }

}  // namespace

void validate(const Nlp& problem) {
  require(problem.n >= 1 && problem.m >= 0 && problem.p >= 0,
          "Nlp: sizes n = {}, m = {}, p = {}, expected n >= 1, m >= 0, p >= 0", problem.n,
          problem.m, problem.p);
  require(static_cast<bool>(problem.f), "Nlp: f is empty, expected a function");
  require(problem.m == 0 || problem.g, "Nlp: g is empty, expected {} inequalities", problem.m);
  require(problem.p == 0 || problem.h, "Nlp: h is empty, expected {} equalities", problem.p);
}

void validate(const Nlp& problem, const NlpPoint& point) {
  validate(problem);
  const auto fits = [](Index size, Index expected) { return size == 0 || size == expected; };
  require(point.z.size() == problem.n, "NlpPoint: z has size {}, the problem {}", point.z.size(),
          problem.n);
  require(fits(point.lambda.size(), problem.m), "NlpPoint: lambda has size {}, expected {}",
          point.lambda.size(), problem.m);
  require(fits(point.mu.size(), problem.p), "NlpPoint: mu has size {}, expected {}",
          point.mu.size(), problem.p);
}

NlpValues evaluate(const Nlp& problem, ConstVectorRef z) {
  NlpValues v{problem.f(z),      objective_gradient(problem, z), Vector(problem.m),
              Vector(problem.p), Matrix(problem.m, problem.n),   Matrix(problem.p, problem.n)};
  if (problem.m > 0) {
    problem.g(z, v.g);
    evaluate_jacobian(problem.g, problem.g_jacobian, z, v.G);
  }
  if (problem.p > 0) {
    problem.h(z, v.h);
    evaluate_jacobian(problem.h, problem.h_jacobian, z, v.H);
  }
  return v;
}

double residual(const Nlp& problem, const NlpPoint& point) {
  validate(problem, point);
  const NlpValues v = evaluate(problem, point.z);
  const Vector lambda = point.lambda.size() == 0 ? Vector::Zero(problem.m) : point.lambda;
  const Vector mu = point.mu.size() == 0 ? Vector::Zero(problem.p) : point.mu;
  const Vector stationarity = v.gradient - v.G.transpose() * lambda - v.H.transpose() * mu;
  if (!stationarity.allFinite() || !v.g.allFinite() || !v.h.allFinite() || !lambda.allFinite())
    return inf;
  return std::max({largest(stationarity), largest(lambda.cwiseMin(v.g)), largest(v.h)});
}

Matrix lagrangian_hessian(const Nlp& problem, ConstVectorRef z, ConstVectorRef lambda,
                          ConstVectorRef mu) {
  Matrix W(problem.n, problem.n);
  if (problem.hessian) {
    problem.hessian(z, lambda, mu, W);
    return W;
  }
  central_differences([&](ConstVectorRef x,
                          VectorRef value) { value = lagrangian_gradient(problem, x, lambda, mu); },
                      z, W);
  return (W + W.transpose()) / 2;
}

double licq(const Nlp& problem, ConstVectorRef z, double active) {
  validate(problem);
  const NlpValues v = evaluate(problem, z);
  std::vector<Index> rows;
  for (Index i = 0; i < problem.m; ++i)
    if (v.g[i] <= active) rows.push_back(i);
  Matrix A(problem.p + static_cast<Index>(rows.size()), problem.n);
  if (A.rows() == 0) return inf;
  if (A.rows() > A.cols()) return 0;
  A << v.H, v.G(rows, Eigen::all);
  return Eigen::JacobiSVD<Matrix>(A).singularValues().minCoeff();
}

Mcp to_mcp(const Nlp& problem) {
  validate(problem);
  const Index n = problem.n, m = problem.m, p = problem.p;
  Mcp mcp{n + p + m,
          [problem, n, m, p](ConstVectorRef x, VectorRef F) {
            F.head(n) = lagrangian_gradient(problem, x.head(n), x.tail(m), x.segment(n, p));
            if (p > 0) problem.h(x.head(n), F.segment(n, p));
            if (m > 0) problem.g(x.head(n), F.tail(m));
          },
          [problem, n, m, p](ConstVectorRef x, MatrixRef J) {
            const NlpValues v = evaluate(problem, x.head(n));
            J.setZero();
            J.topLeftCorner(n, n) =
                lagrangian_hessian(problem, x.head(n), x.tail(m), x.segment(n, p));
            J.block(0, n, n, p) = -v.H.transpose();
            J.block(0, n + p, n, m) = -v.G.transpose();
            J.block(n, 0, p, n) = v.H;
            J.block(n + p, 0, m, n) = v.G;
          },
          Vector::Constant(n + p + m, -inf), Vector::Constant(n + p + m, inf)};
  mcp.lower.tail(m).setZero();
  return mcp;
}

Nlp to_nlp(const Ncp& problem) {
  validate(problem);
  const Index n = problem.n;
  Nlp nlp;
  nlp.n = n;
  nlp.m = 2 * n;
  nlp.f = [problem](ConstVectorRef z) { return z.dot(evaluate(problem.F, z)); };
  nlp.gradient = [problem, n](ConstVectorRef z, VectorRef gradient) {
    Matrix J(n, n);
    evaluate_jacobian(problem.F, problem.jacobian, z, J);
    gradient = evaluate(problem.F, z) + J.transpose() * z;
  };
  nlp.g = [problem, n](ConstVectorRef z, VectorRef g) {
    problem.F(z, g.head(n));
    g.tail(n) = z;
  };
  nlp.g_jacobian = [problem, n](ConstVectorRef z, MatrixRef J) {
    evaluate_jacobian(problem.F, problem.jacobian, z, J.topRows(n));
    J.bottomRows(n).setIdentity();
  };
  return nlp;
}

namespace {

/// ∇f as a function of z, by differences if it is not given.
VectorFunction gradient_function(const SetNlp& problem) {
  if (problem.gradient) return problem.gradient;
  const VectorFunction f = [value = problem.f](ConstVectorRef z, VectorRef out) {
    out[0] = value(z);
  };
  return [f](ConstVectorRef z, VectorRef out) {
    Matrix row(1, z.size());
    central_differences(f, z, row);
    out = row.transpose();
  };
}

}  // namespace

Vector gradient(const SetNlp& problem, ConstVectorRef z) {
  return evaluate(gradient_function(problem), z);
}

Vi to_vi(const SetNlp& problem) {
  validate(problem);
  return {problem.n, problem.X, gradient_function(problem), problem.hessian};
}

double residual(const SetNlp& problem, ConstVectorRef z) {
  require(z.size() == problem.n, "residual(SetNlp): z has size {}, the problem {}", z.size(),
          problem.n);
  return natural_residual(problem.X, z, gradient(problem, z));
}

void validate(const SetNlp& problem) {
  require(static_cast<bool>(problem.f), "SetNlp: f is empty, expected a function");
  validate(Vi{problem.n, problem.X, gradient_function(problem), {}});
}

}  // namespace saltus
