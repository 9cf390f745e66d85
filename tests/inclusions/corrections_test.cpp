// Misprints of the books that the cards correct, on first-order inclusions: what is tested differs
// from what is printed.

#include "inclusions/run.hpp"
#include "saltus/analysis/set_valued_map.hpp"
#include "saltus/inclusions/filippov.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/inclusions/variational.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/metric_projection.hpp"
#include "support/random_matrix.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace saltus {
namespace {

TEST(Corrections, GrowthByItsOwnSizeDoesNotLeaveZero) {  // F:C0-12
  // ẋ ∈ [−|x|, |x|] from 0. Printed as another solution: 0, then t². But F is Lipschitz with 1, and
  // |x(t)| ≤ e^t |x(0)| (Gronwall)
  const auto F = [](double x) { return ValueInterval{-std::abs(x), std::abs(x)}; };
  const std::array kink{0.0};
  EXPECT_NEAR(lipschitz_constants(F, -1, 1, kink).lipschitz, 1, 1e-12);
  const Vector t = Vector::LinSpaced(9, 0, 2), defect = Vector::Zero(9);
  EXPECT_EQ(neighbourhood_bound(t, defect, 1).maxCoeff(), 0);
  // the fastest growth that a selection can have: ẋ = x λ, λ = 1, one of Relay at y = −1
  for (const double start : {0.0, 1e-6}) {
    Model model;
    const auto x = model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {start}});
    FunctionRelation growth{.n = 1, .m = 1};
    growth.h = [](double, ConstVectorRef, VectorRef y) { y[0] = -1; };
    growth.B = [](double, ConstVectorRef state, MatrixRef B) { B(0, 0) = state[0]; };
    model.link(x, growth, Relay{});
    const Trajectory r = run(model, 0.01, 2, ExplicitInclusion{});
    for (Index k = 0; k < r.size(); ++k) {
      EXPECT_EQ(r.x(k, 0) == 0, start == 0);
      EXPECT_LE(r.x(k, 0), start * std::exp(r.t[k]));
    }
  }
}

/// Smallest and largest first entry of the fields at 0.
std::array<double, 2> range_at_zero(const PiecewiseAffineSystem& system) {
  std::array range{inf, -inf};
  for (const Vector& f : system.filippov_fields(Vector::Zero(system.cells[0].A.rows()))) {
    range[0] = std::min(range[0], f[0]);
    range[1] = std::max(range[1], f[0]);
  }
  return range;
}

/// f(y) has another value, the first entry of a, in each quadrant of the plane; f∘g for g(x) = J x.
PiecewiseAffineSystem quadrants(const Matrix& J) {
  const double signs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}, values[] = {0, 5, 1, -5};
  PiecewiseAffineSystem system;
  const Index n = J.cols();
  for (int i = 0; i < 4; ++i) {
    AffineCell cell{.A = Matrix::Zero(n, n), .a = Vector::Zero(n)};
    cell.a[0] = values[i];
    cell.G = Eigen::Vector2d(signs[i][0], signs[i][1]).asDiagonal() * J;
    system.cells.push_back(cell);
  }
  return system;
}

TEST(Corrections, FilippovsChainRuleNeedsAMapOnto) {                  // F:C0-15, F:F051
  const auto set = range_at_zero(quadrants(Matrix::Identity(2, 2)));  // F[f](g(0))
  EXPECT_EQ(set, (std::array{-5.0, 5.0}));
  // onto, rank 2 = m < n = 3 (printed: rank n): F[f∘g](0) = F[f](g(0))
  EXPECT_EQ(range_at_zero(quadrants(Rows{{1, 2, 0}, {0, -1, 3}})), set);
  // rank 1 = n < m = 2, as printed: x ↦ (x, x) never comes to two of the quadrants
  EXPECT_EQ(range_at_zero(quadrants(Rows{{1}, {1}})), (std::array{0.0, 1.0}));
  // F[g f] = g F[f], g a matrix (printed: F[f∘g f])
  PiecewiseAffineSystem turned = quadrants(Matrix::Identity(2, 2));
  for (AffineCell& cell : turned.cells) cell.a = Rows{{-2, 0}, {1, 1}} * cell.a;
  EXPECT_EQ(range_at_zero(turned), (std::array{-10.0, 10.0}));
}

TEST(Corrections, FrictionOscillatorIsAnEvolutionInequalityInScaledVariables) {  // F:C0-17
  // m q̈ + c q̇ + k q ∈ −μ Sgn(q̇) is ẋ + A x ∈ −∂Φ(x), Φ = μ/√m |x₂|, for x = (√k q, √m q̇), not for
  // (q, q̇)
  const double m = 4, c = 0.5, k = 9, mu = 2, w = std::sqrt(k / m), bound = mu / std::sqrt(m);
  const Rows A{{0, -w}, {w, c / m}};
  Model scaled;
  const auto x =
      scaled.add(FirstOrderLinear{.A = -A}, {.x = {std::sqrt(k) * 1.5, -std::sqrt(m) * 0.3}});
  scaled.link(x, FirstOrderLinearRelation{.C = {{0, 1}}, .B = {{0.0}, {bound}}}, Relay{});
  Model mechanical;
  const auto mass = mechanical.add(LinearLagrangian{.M = {{m}}, .C = {{c}}, .K = {{k}}},
                                   {.q = {1.5}, .v = {-0.3}});
  mechanical.link(mass, LinearRelation{.H = {{1}}}, Relay{.lower = -mu, .upper = mu});
  const double h = 0.01;
  const Trajectory r = run(scaled, h, 8), s = run(mechanical, h, 8);
  for (Index i = 1; i < r.size(); ++i) {
    const Eigen::Vector2d now(r.x(i, 0), r.x(i, 1)), before(r.x(i - 1, 0), r.x(i - 1, 1));
    EXPECT_NEAR(now[0], std::sqrt(k) * s.q(i, 0), 1e-11);  // 800 steps of rounding
    EXPECT_NEAR(now[1], std::sqrt(m) * s.v(i, 0), 1e-11);
    const Eigen::Vector2d d = (now - before) / h + A * now;
    for (const double v2 : {-3.0, -0.1, 0.0, 0.1, 3.0}) {
      const Eigen::Vector2d v(-now[0], v2);
      EXPECT_GE(d.dot(v - now) + bound * (std::abs(v2) - std::abs(now[1])), -1e-11);
    }
  }
  EXPECT_EQ(r.x(r.size() - 1, 1), 0);  // it has come to rest off zero
  EXPECT_GT(std::abs(s.q(s.size() - 1, 0)), 0.01);
}

TEST(Corrections, ProjectedSystemMovesAgainstItsWholeField) {  // F:C0-18
  // ẋ = proj[T_K(x); −(f(x) + g(t))], K = R²₊; printed: −f + g
  const auto f = [](double x) { return x - 0.5; };
  const auto g = [](double t) { return 1 - t; };
  const UnilateralInclusion inclusion{.x0 = {1.0, 0.0}};
  ProjectedDynamicalSystem system = to_projected(inclusion);
  system.f = [&](double t, ConstVectorRef x, VectorRef out) {
    out << f(x[0]) + g(t), f(x[1]) - g(t);
  };
  const double h = 0.01;
  const Trajectory r = run(system.model(), h, 3, CatchingUp{});
  int held = 0;
  for (Index k = 1; k < r.size(); ++k) {
    const double t = r.t[k - 1], rate[] = {-f(r.x(k - 1, 0)) - g(t), -f(r.x(k - 1, 1)) + g(t)};
    for (Index i = 0; i < 2; ++i) {  // one step of catching up: the projection of x − h(f + g)
      EXPECT_NEAR(r.x(k, i), std::max(r.x(k - 1, i) + h * rate[i], 0.0), 1e-13);
      held += r.x(k - 1, i) == 0 && r.x(k, i) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(held, 20);
}

/// ẋ = g(t) + λ, λ ∈ −Sgn(x)
Model sign_model(double start, const std::function<double(double)>& g) {
  Model model;
  const auto x =
      model.add(FirstOrderLinear{.A = {{0.0}},
                                 .source = [g](double t, VectorView, VectorRef b) { b[0] = g(t); }},
                {.x = {start}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Relay{});
  return model;
}

TEST(Corrections, StepWithAnEventEndsAtItsEnd) {  // TI:E4, TI:TI-060
  // ẋ = 2t − Sgn(x) from −5/16 reaches zero at t = ¼, where it slides because of 2t < 1, leaves at
  // ½ and has x(1) = ¼. The fields of the end of the step would let it cross, x(1) = 3/16.
  // These are rules of Stewart's method, which the library has not; Mannshardt's follows them.
  Simulation sim(sign_model(-0.3125, [](double t) { return 2 * t; }), Mannshardt{}, {.step = 1});
  ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(sim.state().t, 1);                 // s = t_k + h, not t_{k+1} + h
  EXPECT_NEAR(sim.state().x[0], 0.25, 1e-13);  // the method is exact but for roundings
  ASSERT_TRUE(sim.advance().done());           // no event: x = t² − t + ¼
  EXPECT_EQ(sim.state().t, 2);
  EXPECT_NEAR(sim.state().x[0], 2.25, 1e-13);
}

TEST(Corrections, VelocitiesOfLoetstedtsSchemeAreNearestToTheFreeOnes) {  // TI:E6
  // M v̇ = Q(t) + ∇g λ, 0 ≤ ∇gᵀv ⟂ λ ≥ 0 by BDF-2: v_k has the least ‖Σ α_i v_{k−i} − h M⁻¹Q_k‖_M
  // under ∇gᵀv_k ≥ 0, and λ_k ≥ 0 the least ½ λᵀWλ + λᵀ∇gᵀ[b_k/h + M⁻¹Q_k]. This is the half of the
  // scheme that the library has; its positions, by Adams and Bashforth, are in none of it.
  RandomMatrix matrix(5);
  const Index n = 3, m = 2;
  const Matrix B = matrix(n, n), M = B * B.transpose() + Matrix::Identity(n, n);
  const Matrix G = matrix(n, m), loads = 5 * matrix(n, 2);
  const auto Q = [&](double t) -> Vector { return loads * Eigen::Vector2d(1, std::cos(9 * t)); };
  Model model;
  const auto v =
      model.add(FirstOrderLinear{.A = Matrix::Zero(n, n),
                                 .E = M,
                                 .source = [&](double t, VectorView, VectorRef b) { b = Q(t); }},
                {.x = Vector::Zero(n)});
  model.link(v, FirstOrderLinearRelation{.C = G.transpose(), .B = G}, Complementarity{});
  const double h = 0.05;
  const Trajectory r = run(model, h, 3, Bdf2{.solver = Lemke{}});
  const auto at = [&](Index k) -> Vector { return r.x.matrix().row(k).transpose(); };
  const Matrix inverse = M.inverse(), W = G.transpose() * inverse * G;
  int pressed = 0;
  for (Index k = 2; k < r.size(); ++k) {
    const Vector b = 2 * at(k - 1) - 0.5 * at(k - 2), load = inverse * Q(r.t[k]);
    const Vector nearest =
        testing::project_on_cone(M, G.transpose(), Vector::Zero(m), (b + h * load) / 1.5);
    EXPECT_LT((at(k) - nearest).norm(), 1e-10);
    const Vector lambda = r.r.matrix().row(k).transpose();
    const Vector slope = W * lambda + G.transpose() * (b / h + load);
    EXPECT_LT(lambda.cwiseMin(slope).norm(), 1e-9);
    pressed += lambda.maxCoeff() > 0.1 ? 1 : 0;
  }
  EXPECT_GT(pressed, 10);
}

TEST(Corrections, MultistepMethodsCountFromTheOldestValue) {  // TI:E9
  // Σ a_i x_{k−r+i} = h Σ b_i ζ_{k−r+i}: explicit Euler is a = (−1, 1), b = (1, 0); printed: (1,
  // −1)
  const auto g = [](double t) { return 3 * std::cos(2 * t); };
  const double h = 0.05;
  const Trajectory euler = run(sign_model(0.4, g), h, 2, ExplicitInclusion{});
  for (Index k = 1; k < euler.size(); ++k) {
    const double x = euler.x(k - 1, 0), zeta = g(euler.t[k - 1]) - (x > 0 ? 1 : -1);
    EXPECT_NEAR(-x + euler.x(k, 0), h * zeta, 1e-14);
  }
  const Trajectory bdf = run(sign_model(0.4, g), h, 2, Bdf2{});  // a = (½, −2, 3/2), b = (0, 0, 1)
  for (Index k = 2; k < bdf.size(); ++k) {
    const double zeta = g(bdf.t[k]) + bdf.r(k, 0);
    EXPECT_NEAR(0.5 * bdf.x(k - 2, 0) - 2 * bdf.x(k - 1, 0) + 1.5 * bdf.x(k, 0), h * zeta, 1e-13);
    EXPECT_LE(std::abs(bdf.r(k, 0)), 1 + 1e-12);
  }
}

TEST(Corrections, StagesAreMadeOfTheSlopesOfAllStages) {  // TI:E10, TI:TI-076, TI:TI-053e
  // X_j = x + h Σ_i a_ji ζ_i; printed: Σ_i a_ji ζ_j, by which every implicit method is backward
  // Euler
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{-1.0}}}, {.x = {1.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{0.0}}}, Relay{});  // does not act
  const double h = 0.5, z = -h, gamma = 1 - 1 / std::numbers::sqrt2;
  const auto first = [&](const Scheme& scheme) { return run(model, h, h, scheme).x(1, 0); };
  EXPECT_NEAR(simulate(model, h, h, RadauIIA{}).x(0, 1), (1 + z / 3) / (1 - 2 * z / 3 + z * z / 6),
              1e-14);
  EXPECT_NEAR(first(Sdirk{}), (1 + (1 - 2 * gamma) * z) / std::pow(1 - gamma * z, 2), 1e-14);
  EXPECT_NEAR(first(ExplicitInclusion{.order = 4}),
              1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24, 1e-15);
  // x_{k+1} − x_k ∈ −h N_K(½(x_k + x_{k+1})) (printed without the minus of the difference): from
  // outside K = R₊ the midpoint rule reflects the state
  const UnilateralInclusion outside{.x0 = {-1.0}};
  EXPECT_NEAR(run(outside.model(), h, h, ThetaMethod{.theta = 0.5}).x(1, 0), 1, 1e-14);
}

TEST(Corrections, ExplicitStepOfADviLooksAtTheStateToCome) {  // TI:E14
  // λ ∈ SOL(K, G(t_{k+1}, x_k + h[f + Bλ]) + Dλ); printed without x_k. Here G = x − c(t), f = −1.
  const auto c = [](double t) { return 0.5 + 0.2 * t; };
  const double h = 0.1, D = 0.1;
  const DifferentialVariationalInequality dvi{
      .x0 = {2.0},
      .f = [](double, ConstVectorRef, VectorRef f) { f[0] = -1; },
      .B = {{1.0}},
      .G = [&](double t, ConstVectorRef x, VectorRef y) { y[0] = x[0] - c(t); },
      .D = {{D}}};
  const Trajectory r = run(dvi.model(), h, 3, CatchingUp{});
  for (Index k = 1; k < r.size(); ++k) {
    const double free = r.x(k - 1, 0) - h;
    const double lambda = std::max(c(r.t[k]) - free, 0.0) / (h + D);
    EXPECT_NEAR(r.r(k, 0), lambda, 1e-10) << k;  // ∂G/∂x by differences
    EXPECT_NEAR(r.x(k, 0), free + h * lambda, 1e-11) << k;
  }
  EXPECT_EQ(r.r(5, 0), 0);
  EXPECT_GT(r.r(r.size() - 1, 0), 0.5);
}

}  // namespace
}  // namespace saltus
