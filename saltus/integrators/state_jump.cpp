#include "saltus/integrators/state_jump.hpp"

#include "saltus/problems/mlcp.hpp"
#include "saltus/sets/nonnegative_least_squares.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/workspace.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace saltus {

namespace {

constexpr double qp_tolerance = 1e-10;

/// Rule (i) in η: VᵀCBV η + Vᵀ(Cx + b) − Gᵀγ = 0, 0 ≤ γ ⟂ G η ≥ 0.
StateJump by_cone(const Lcs& s, ConstVectorRef x, const ComplementaryCone& cone) {
  const Index k = cone.V.cols(), rows = cone.G.rows();
  const Matrix CB = cone.V.transpose() * s.C * s.B * cone.V;
  StateJump jump{x, Vector::Zero(s.pairs()), {}};
  if (CB.colPivHouseholderQr().rank() < k) {
    jump.report.status = SolveStatus::numerical_error;
    return jump;
  }
  const Mlcp problem = make_mlcp(CB, Matrix::Zero(rows, rows), -cone.G.transpose(), cone.G,
                                 cone.V.transpose() * (s.C * x + s.b), Vector::Zero(rows));
  Vector z = Vector::Zero(k + rows);
  Workspace work;
  jump.report = solve(problem, z, Lemke{.tolerance = qp_tolerance}, work);
  if (jump.report.converged()) jump.lambda = cone.V * z.head(k);
  return jump;
}

/// Rule (ii) in (z, γ): VᵀC z − Gᵀγ = −Vᵀb, γ ≥ 0.
StateJump by_state(const Lcs& s, ConstVectorRef x, const Matrix& P, const ComplementaryCone& cone) {
  const Index n = s.states(), k = cone.V.cols(), rows = cone.G.rows();
  Matrix Q = Matrix::Zero(n + rows, n + rows), C(k, n + rows);
  Q.topLeftCorner(n, n) = P;
  C << cone.V.transpose() * s.C, -cone.G.transpose();
  Qp problem{.Q = Q.sparseView(),
             .p = Vector::Zero(n + rows),
             .A = {},
             .b = {},
             .C = C.sparseView(),
             .d = -cone.V.transpose() * s.b,
             .lower = Vector::Zero(n + rows),
             .upper = Vector::Constant(n + rows, inf)};
  problem.p.head(n) = -P * x;
  problem.lower.head(n).setConstant(-inf);
  QpPoint point;
  Workspace work;
  StateJump jump{x, Vector::Zero(s.pairs()), {}};
  jump.report = solve(problem, point, QpAutomatic{.tolerance = qp_tolerance}, work);
  if (jump.report.converged())
    jump.lambda = cone.V * (s.B * cone.V).colPivHouseholderQr().solve(point.z.head(n) - x);
  return jump;
}

/// Rule (iii) in η: G η ≥ 0.
StateJump by_multiplier(const Lcs& s, ConstVectorRef x, const Matrix& P,
                        const ComplementaryCone& cone) {
  const Matrix BV = s.B * cone.V, Q = BV.transpose() * P * BV;
  const Qp problem{.Q = Matrix(0.5 * (Q + Q.transpose())).sparseView(),
                   .p = BV.transpose() * P * x + cone.V.transpose() * s.b,
                   .A = cone.G.sparseView(),
                   .b = Vector::Zero(cone.G.rows()),
                   .C = {},
                   .d = {},
                   .lower = {},
                   .upper = {}};
  QpPoint point;
  Workspace work;
  StateJump jump{x, Vector::Zero(s.pairs()), {}};
  jump.report = solve(problem, point, QpAutomatic{.tolerance = qp_tolerance}, work);
  if (jump.report.converged()) jump.lambda = cone.V * point.z;
  return jump;
}

/// Cx + b ∈ Q_D* up to rounding, so that λ₀ = 0; D > 0 makes every state consistent.
bool is_consistent(const Lcs& s, ConstVectorRef x, const ComplementaryCone& cone) {
  if (cone.V.cols() == 0) return true;
  const Vector w = cone.V.transpose() * (s.C * x + s.b);
  const double size = s.C.norm() * x.norm() + s.b.norm();
  return nonnegative_least_squares(cone.G.transpose(), w).residual.norm() <= 1e-14 * size;
}

StateJump jump_by(const Lcs& system, ConstVectorRef x, JumpRule rule, const Matrix& P) {
  const Lcs s = completed(system);
  require(x.size() == s.states(), "consistent_jump: x has size {}, the system {} states", x.size(),
          s.states());
  require(x.allFinite(), "consistent_jump: x has an entry that is NaN or infinite");
  const ComplementaryCone cone = complementary_cone(s.D);
  if (is_consistent(s, x, cone)) {
    StateJump none{x, Vector::Zero(s.pairs()), {}};
    none.report = {.status = SolveStatus::converged, .residual = 0};
    return none;
  }
  StateJump jump = rule == JumpRule::cone    ? by_cone(s, x, cone)
                   : rule == JumpRule::state ? by_state(s, x, P, cone)
                                             : by_multiplier(s, x, P, cone);
  jump.x += s.B * jump.lambda;
  return jump;
}

}  // namespace

ComplementaryCone complementary_cone(ConstMatrixRef D) {
  require(D.rows() == D.cols(), "complementary_cone: D is {}×{}, expected a square matrix",
          D.rows(), D.cols());
  const Index m = D.rows();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(D + D.transpose());
  const Vector& values = eigen.eigenvalues();
  const double zero = 1e-12 * (m > 0 ? values.cwiseAbs().maxCoeff() : 0);
  require(m == 0 || values[0] >= -zero,
          "complementary_cone: D + D' has the eigenvalue {}, expected none below 0", values[0]);
  Index k = 0;
  while (k < m && values[k] <= zero) ++k;
  ComplementaryCone cone;
  cone.V = k == m ? Matrix::Identity(m, m) : Matrix(eigen.eigenvectors().leftCols(k));
  Matrix rows(2 * m, k);
  rows << cone.V, D * cone.V;
  std::vector<Index> used;
  for (Index i = 0; i < 2 * m; ++i)
    if (rows.row(i).norm() > 1e-12) used.push_back(i);
  cone.G = rows(used, Eigen::all);
  return cone;
}

std::string_view name(JumpRule rule) {
  switch (rule) {
    case JumpRule::cone:
      return "cone";
    case JumpRule::state:
      return "state";
    case JumpRule::multiplier:
      return "multiplier";
  }
  return "cone";
}

StateJump consistent_jump(const Lcs& system, ConstVectorRef x) {
  return jump_by(system, x, JumpRule::cone, {});
}

StateJump consistent_jump(const Lcs& system, ConstVectorRef x, JumpRule rule, ConstMatrixRef P) {
  if (rule != JumpRule::cone)
    require(P.rows() == system.states() && P.cols() == system.states(),
            "consistent_jump: P is {}×{}, the system has {} states", P.rows(), P.cols(),
            system.states());
  return jump_by(system, x, rule, P);
}

}  // namespace saltus
