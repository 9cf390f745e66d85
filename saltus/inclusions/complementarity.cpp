#include "saltus/inclusions/complementarity.hpp"

#include "saltus/relations/linear.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace saltus {

namespace {

FirstOrderLinear dynamics(const Lcs& s) { return {.A = s.A, .b = s.a}; }

FirstOrderLinearRelation relation(const Lcs& s) { return {.C = s.C, .B = s.B, .D = s.D, .e = s.b}; }

}  // namespace

Model to_model(const Lcs& system, const Values& x0) {
  require_point_multipliers(system, "to_model");
  const Lcs full = completed(system);
  Model model;
  const SystemId x = model.add(dynamics(full), {.x = x0}, "x");
  model.link(x, relation(full), Complementarity{}, "pairs");
  return model;
}

Model MixedLcs::model(const Values& x0) const {
  if (E.size() == 0 && equalities.empty()) require_point_multipliers(system, "MixedLcs");
  Lcs full = completed(system);
  const Index m = full.pairs();
  if (M.size() > 0) {
    require(M.rows() == m && M.cols() == m, "MixedLcs: M is {}x{}, expected {}x{}", M.rows(),
            M.cols(), m, m);
    const Eigen::FullPivLU<Matrix> factor(M);
    require(factor.isInvertible(), "MixedLcs: M is singular");
    full.C = factor.solve(full.C).eval();
    full.D = factor.solve(full.D).eval();
    full.b = factor.solve(full.b).eval();
  }
  for (Index i : equalities) require(i >= 0 && i < m, "MixedLcs: equality {} of {} rows", i, m);
  Model model;
  FirstOrderLinear system_form = dynamics(full);
  system_form.E = E;
  const SystemId x = model.add(system_form, {.x = x0}, "x");
  if (equalities.empty()) {
    model.link(x, relation(full), Complementarity{}, "pairs");
    return model;
  }
  // One block, so that D couples all rows: equalities have no bounds on λ
  Values lower = Vector::Zero(m), upper = Vector::Constant(m, inf);
  for (Index i : equalities) lower[i] = -inf;
  model.link(x, relation(full), NormalCone{.set = Box{lower, upper}}, "pairs");
  return model;
}

Model NonlinearLcs::model() const {
  Model model;
  const Index n = x0.size();
  const SystemId x = model.add(field_system(n, f), {.x = x0}, "x");
  FunctionRelation tie{.n = n, .m = pairs, .h = h};
  tie.B = g;
  tie.D = D;
  model.link(x, tie, Complementarity{}, "pairs");
  return model;
}

Model GradientSystem::model() const {
  require(g && slope, "GradientSystem: g or its slope is missing");
  const auto field = f;
  const auto gradient = slope;
  const Index m = constraints;
  NonlinearLcs system{.x0 = x0, .pairs = m, .h = g};
  if (field)
    system.f = [field](double t, ConstVectorRef x, VectorRef out) {
      field(t, x, out);
      out = -out;
    };
  system.g = [gradient, m](double, ConstVectorRef x, MatrixRef B) {
    Matrix rows(m, x.size());
    gradient(x, rows);
    B = rows.transpose();
  };
  return system.model();
}

Model RelaySystem::model(const Values& x0) const {
  const Lcs full = completed(system);
  Model model;
  const SystemId x = model.add(dynamics(full), {.x = x0}, "x");
  model.link(x, relation(full), Relay{.lower = lower, .upper = upper}, "relays");
  return model;
}

Lcs to_lcs(const RelaySystem& relays) {
  const Lcs s = completed(relays.system);
  const Index n = s.states(), m = s.pairs();
  require(relays.lower < relays.upper, "to_lcs: lower is {}, upper is {}", relays.lower,
          relays.upper);
  const Vector floor = Vector::Constant(m, relays.lower);
  Lcs out{.A = s.A};
  out.B = Matrix::Zero(n, 2 * m);
  out.B.leftCols(m) = s.B;
  out.C = Matrix::Zero(2 * m, n);
  out.C.topRows(m) = s.C;
  out.D = Matrix::Zero(2 * m, 2 * m);
  out.D.topLeftCorner(m, m) = s.D;
  out.D.topRightCorner(m, m).setIdentity();
  out.D.bottomLeftCorner(m, m) = -Matrix::Identity(m, m);
  out.a = Vector(s.a + s.B * floor);
  out.b = Vector(2 * m);
  out.b.head(m) = s.b + s.D * floor;
  out.b.tail(m).setConstant(relays.upper - relays.lower);
  return out;
}

SweepingForm to_sweeping(const Lcs& system, ConstMatrixRef P, const Values& x0) {
  const Lcs s = completed(system);
  const Index n = s.states();
  require(P.rows() == n && P.cols() == n, "to_sweeping: P is {}x{}, expected {}x{}", P.rows(),
          P.cols(), n, n);
  const double size = 1e-10 * s.C.norm();
  require(s.D.norm() <= size, "to_sweeping: D is not zero: the system has relative degree 0");
  require((P * s.B - s.C.transpose()).norm() <= size,
          "to_sweeping: P B and C' differ by {}, they must be equal",
          (P * s.B - s.C.transpose()).norm());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(P);
  require(eigen.eigenvalues().minCoeff() > 0, "to_sweeping: P is not positive definite");
  const Matrix root = eigen.operatorSqrt(), inverse = eigen.operatorInverseSqrt();
  const Matrix A = root * s.A * inverse;
  const Vector a = root * s.a, b = s.b;
  SweepingForm form;
  form.root = root;
  form.process.x0 = Vector(root * x0);
  form.process.A = Matrix(s.C * inverse);
  form.process.b = [b](double, VectorRef out) { out = b; };
  form.process.f = [A, a](double, ConstVectorRef z, VectorRef out) { out = A * z + a; };
  return form;
}

}  // namespace saltus
