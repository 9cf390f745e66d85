// Coupled systems: the same motion as the same system given dense, whatever the scheme.

#include "coupled_chain.hpp"

#include "saltus/model/mobility.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/sparse.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// Largest difference of q, v, x, r of two models that step side by side, relative to their size,
/// and how many steps had contact.
struct Comparison {
  double difference = 0;
  int with_contact = 0;
};

Comparison compare(const Model& a, const Model& b, const Scheme& scheme, double h, int steps) {
  StepWorkspace left, right;
  State s = a.initial_state(), t = b.initial_state();
  prepare(a, scheme, left);
  prepare(b, scheme, right);
  Comparison result;
  const auto measure = [&](const Vector& x, const Vector& y) {
    if (x.size() > 0)
      result.difference = std::max(
          result.difference, (x - y).lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>()));
  };
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(step(a, s, h, scheme, left).done());
    EXPECT_TRUE(step(b, t, h, scheme, right).done());
    measure(s.q, t.q);
    measure(s.v, t.v);
    measure(s.x, t.x);
    measure(left.r, right.r);
    if (left.r.lpNorm<Eigen::Infinity>() > 1e-6) ++result.with_contact;
  }
  return result;
}

// Both factorisations are backward stable and M̂ has a condition number below 1e3: differences of
// 1e-13 per step. The contacts are solved to 1e-14 or better by Automatic; 400 steps.
constexpr double same = 1e-10;

TEST(Coupled, ChainMovesAsTheDenseOne) {  // PL:DS-07, F:F137
  const Chain chain;
  for (double theta : {0.5, 1.0}) {
    const Comparison run =
        compare(chain.model(false), chain.model(true),
                MoreauJean{.theta = theta, .solver = Automatic{.tolerance = 1e-13}}, 2e-3, 400);
    EXPECT_LT(run.difference, same) << theta;
    EXPECT_GT(run.with_contact, 100);
  }
}

TEST(Coupled, EverySchemeTakesThem) {
  const Chain chain;
  const Model dense = chain.model(false, false), coupled = chain.model(true, false);
  for (const Scheme& scheme :
       {Scheme(MoreauJean{.stabilisation = CombinedProjection{}}), Scheme(PaoliSchatzman{}),
        Scheme(GeneralizedAlpha{}), Scheme(GeneralizedAlpha{.levels = LevelsPV{}})}) {
    const Comparison run = compare(dense, coupled, scheme, 1e-3, 300);
    EXPECT_LT(run.difference, 1e-8) << name(scheme);  // Newton's tolerance of 1e-10, 300 steps
    EXPECT_GT(run.with_contact, 20) << name(scheme);
  }
}

/// A ball of a pool falls on the last node of the chain.
Model ball_on_chain(bool as_coupled) {
  const Chain chain;
  Model model;
  const SystemId balls = model.add(PointMasses{.m = {1.0, 0.5}, .gravity = {0.0, -9.81}},
                                   {.q = {0.0, 0.02, 1.0, 1.0}});
  const SystemId id = model.add(as_coupled ? chain.coupled() : chain.dense(),
                                {.q = Vector::Zero(12), .v = Vector::Zero(12)});
  const Matrix H{{0.0, 1.0, 0.0, -1.0}, {1.0, 0.0, -1.0, 0.0}};
  const Law law = Coulomb{.mu = 0.3};
  if (as_coupled) {
    model.link({Endpoint(balls, 0), Endpoint(id, 5)}, LinearRelation{.H = H}, law);
  } else {
    Matrix wide(2, 14);
    wide << H.leftCols(2), chain.widen(H.rightCols(2), 5);
    model.link({Endpoint(balls, 0), Endpoint(id)}, LinearRelation{.H = wide}, law);
  }
  model.link(Endpoint(balls, 1), LinearRelation{.H = {{0.0, 1.0}}}, NewtonImpact{.e = 0});
  return model;
}

TEST(Coupled, PoolsStandBesideThemInOneModel) {
  const Comparison run = compare(ball_on_chain(false), ball_on_chain(true),
                                 MoreauJean{.solver = Automatic{.tolerance = 1e-13}}, 2e-3, 400);
  EXPECT_LT(run.difference, same);
  EXPECT_GT(run.with_contact, 100);
}

/// E ẋ = A x + b with a row without derivative, x₀ = x₁, and x₂ the multiplier of that constraint:
/// a descriptor system. The last diagonal entry of E − hθA is zero.
struct Descriptor {
  Matrix E = Matrix::Zero(3, 3), A = Matrix::Zero(3, 3);
  Vector b{{0.0, -1.0, 0.0}};
  Descriptor() {
    E.diagonal() << 1, 2, 0;
    A << -1, 0, 1, 0.5, -2, 1, -1, 1, 0;
  }
  [[nodiscard]] Model model(bool as_coupled) const {
    Model model;
    const Initial start{.x = {1.0, 1.0, 0.0}};
    const SystemId id =
        as_coupled ? model.add(SparseFirstOrder{.A = sparse(A), .b = b, .E = sparse(E)}, start)
                   : model.add(FirstOrderLinear{.A = A, .b = b, .E = E}, start);
    const FirstOrderLinearRelation relation{.C = {{1.0}}, .B = {{1.0}}, .D = {{0.1}}, .e = {-0.6}};
    if (as_coupled)
      model.link(Endpoint(id, 0), relation, Complementarity{});
    else
      model.link(id,
                 FirstOrderLinearRelation{
                     .C = {{1.0, 0.0, 0.0}}, .B = {{1.0}, {0.0}, {0.0}}, .D = {{0.1}}, .e = {-0.6}},
                 Complementarity{});
    return model;
  }
};

TEST(Coupled, DescriptorSystemsOfFirstOrderNeedRegularEMinusHThetaA) {  // PL:DS-04, PL:DS-05
  const Descriptor system;
  const Model dense = system.model(false), coupled = system.model(true);
  const Comparison run = compare(dense, coupled, MoreauJean{.theta = 1}, 1e-2, 300);
  EXPECT_LT(run.difference, same);
  EXPECT_GT(run.with_contact, 100);
  // the constraint x₀ = x₁ holds at the end of every implicit step
  Simulation sim(coupled, MoreauJean{.theta = 1}, {.step = 1e-2});
  for (int k = 0; k < 100; ++k) {
    ASSERT_TRUE(sim.advance().done());
    EXPECT_DOUBLE_EQ(sim.state().x[0], sim.state().x[1]);
  }
}

/// A chain of points on a line with springs f = k s + c s³ between neighbours and to the ground:
/// dense by a Lagrangian, sparse by itself.
struct HardeningChain {
  Index n = 5;
  double k = 50, c = 4000;
  SparseMatrix M_, K_;
  HardeningChain() {
    std::vector<Eigen::Triplet<double>> mass, spring;
    for (int i = 0; i < n; ++i) {
      mass.emplace_back(i, i, 1 + 0.2 * i);
      for (int j = std::max(0, i - 1); j <= std::min<int>(int(n) - 1, i + 1); ++j)
        spring.emplace_back(i, j, 0.0);
    }
    M_.resize(n, n);
    K_.resize(n, n);
    M_.setFromTriplets(mass.begin(), mass.end());
    K_.setFromTriplets(spring.begin(), spring.end());
  }
  [[nodiscard]] Index dof() const { return n; }
  [[nodiscard]] Index bodies() const { return n; }
  void force(const StateView& x, VectorRef F) const {
    F.setConstant(-9.81);
    for (Index i = 0; i < n; ++i) {
      const double s = x.q[i] - (i > 0 ? x.q[i - 1] : 0.0), f = k * s + c * s * s * s;
      F[i] -= f;
      if (i > 0) F[i - 1] += f;
    }
  }
  void coupled_mass(const StateView&, SparseMatrix& M) const {
    if (M.cols() == 0) M = M_;
  }
  void coupled_damping(const StateView&, SparseMatrix& C) const { C.resize(n, n); }
  void coupled_stiffness(const StateView& x, SparseMatrix& K) const {
    if (K.cols() == 0) K = K_;
    K.coeffs().setZero();
    for (Index i = 0; i < n; ++i) {
      const double s = x.q[i] - (i > 0 ? x.q[i - 1] : 0.0), d = k + 3 * c * s * s;
      K.coeffRef(i, i) += d;
      if (i == 0) continue;
      K.coeffRef(i - 1, i - 1) += d;
      K.coeffRef(i, i - 1) -= d;
      K.coeffRef(i - 1, i) -= d;
    }
  }
  [[nodiscard]] Model model(bool as_coupled) const {
    Model model;
    const HardeningChain self = *this;
    const Initial start{.q = Vector::Zero(n), .v = Vector::LinSpaced(n, 0, 1)};
    const System dense =
        Lagrangian{.n = n,
                   .M = [self](const StateView&, MatrixRef M) { M = self.M_; },
                   .F = [self](const StateView& x, VectorRef F) { self.force(x, F); },
                   .K =
                       [self](const StateView& x, MatrixRef K) {
                         SparseMatrix sparse_K;
                         self.coupled_stiffness(x, sparse_K);
                         K = sparse_K;
                       },
                   .C = [](const StateView&, MatrixRef C) { C.setZero(); }};
    const SystemId id = model.add(as_coupled ? System(self) : dense, start);
    Matrix H = Matrix::Zero(1, n);
    H(0, n - 1) = 1;
    if (as_coupled)
      model.link(Endpoint(id, n - 1), LinearRelation{.H = {{1.0}}, .b = {0.1}}, NewtonImpact{});
    else
      model.link(id, LinearRelation{.H = H, .b = {0.1}}, NewtonImpact{});
    return model;
  }
};

TEST(Coupled, NewtonIteratesWhereTheStiffnessVaries) {
  const HardeningChain chain;
  const Comparison run = compare(chain.model(false), chain.model(true), MoreauJean{}, 2e-3, 400);
  EXPECT_LT(run.difference, same);  // Newton stops at 1e-12
  EXPECT_GT(run.with_contact, 30);
}

/// Finds the nodes of a system of three-dimensional nodes below y = 0.
struct NodesOnGround {
  struct Cache {};
  SystemId system;
  Law law = Coulomb{.mu = 0.3};
  void detect(const Model& model, double, const Vector& q, double reach, Cache&,
              ContactList& list) const {
    const SystemEntry& entry = model[system];
    for (Index node = 0; node < entry.system.bodies(); ++node) {
      const double gap = q[entry.q_offset + 3 * node + 1] + 0.01;
      if (gap > reach) continue;
      DetectedContact contact;
      contact.key.feature = std::uint64_t(node);
      contact.bodies = {Endpoint(system, node), Endpoint()};
      contact.law = law;
      contact.gap = gap;
      contact.frame << 0, 1, 0, 1, 0, 0, 0, 0, -1;
      for (auto& H : contact.H) H.setZero();
      contact.H[0].topLeftCorner<3, 3>() = contact.frame.transpose();
      list.push_back(contact);
    }
  }
};

TEST(Coupled, FoundContactsWithFrictionKeepThemWholeInTheGlobalForm) {  // FS:FS-01
  Chain chain;
  chain.nodes = 5;
  chain.each = 3;
  const Index n = 15;
  chain.M = Matrix::Identity(n, n);
  chain.K = 80 * Matrix::Identity(n, n);
  for (Index k = 0; k + 3 < n; ++k) {
    chain.M(k, k + 3) = chain.M(k + 3, k) = 0.2;
    chain.K(k, k + 3) = chain.K(k + 3, k) = -30;
  }
  chain.C = 0.01 * chain.K;
  chain.F.setZero(n);
  for (Index k = 1; k < n; k += 3) chain.F[k] = -9.81;
  const auto make = [&] {
    Model model;
    model.add(PointMass{.m = 1, .gravity = {0.0}}, {.q = {0.0}});  // offsets are not zero
    const SystemId id = model.add(chain.coupled(), chain.start());
    model.add(NodesOnGround{id});
    return model;
  };
  const Model model = make();
  // the same solver on W = H M̂⁻¹ Hᵀ: Nsgs has no global form
  StepWorkspace global, reduced;
  const MoreauJean whole{.solver = Automatic{.tolerance = 1e-12}},
      eliminated{.solver = Nsgs{.tolerance = 1e-13, .max_iterations = 20000}};
  prepare(model, whole, global);
  prepare(model, eliminated, reduced);
  State a = model.initial_state(), b = a;
  int in_global_form = 0;
  global.observe_problem = [&](const OneStepProblem& p) { in_global_form += p.global != nullptr; };
  for (int k = 0; k < 200; ++k) {
    ASSERT_TRUE(step(model, a, 2e-3, whole, global).done()) << k;
    ASSERT_TRUE(step(model, b, 2e-3, eliminated, reduced).done()) << k;
    // two solvers at 1e-12: what they differ by adds up over the steps
    EXPECT_LT((a.v - b.v).lpNorm<Eigen::Infinity>(), 1e-8) << k;
  }
  EXPECT_GT(in_global_form, 100);
}

TEST(Coupled, WarmStepsDoNotAllocate) {
  const auto allocations = [](const Model& model, const MoreauJean& scheme) {
    Simulation sim(model, scheme, {.step = 2e-3});
    for (int k = 0; k < 400; ++k) EXPECT_TRUE(sim.advance().done());
    const testing::AllocationGuard guard;
    for (int k = 0; k < 200; ++k) EXPECT_TRUE(sim.advance().done());
    return guard.count();
  };
  EXPECT_EQ(allocations(Chain().model(true), {}), 0);
  EXPECT_EQ(allocations(ball_on_chain(true), {}), 0);
  EXPECT_EQ(allocations(HardeningChain().model(true), {.solver = Lemke{}}), 0);
  EXPECT_EQ(allocations(Descriptor().model(true), {.theta = 1, .solver = Lemke{}}), 0);
}

TEST(Coupled, EnergyIsAccountedForToRounding) {  // F:F162
  Chain chain;
  chain.C.setZero();
  Simulation sim(chain.model(true), MoreauJean{}, {.step = 1e-3});
  const EnergyBalance energy = sim.run(1.0).report.energy;
  EXPECT_TRUE(energy.known);
  EXPECT_GT(energy.impact + energy.friction, 1e-3);
  // rounding of 1000 sums of terms of the size of the energy, about 30 J
  EXPECT_LT(std::abs(energy.error()), 1e-10);
  // θ = ½ on a linear conservative system: the scheme loses nothing (matrices are not damped)
  SparseLagrangian free{.M = sparse(chain.M), .K = sparse(chain.K), .F = chain.F, .nodes = 6};
  Model model;
  model.add(free, chain.start());
  Simulation swing(model, MoreauJean{}, {.step = 1e-2});
  const EnergyBalance kept = swing.run(10.0).report.energy;
  EXPECT_NEAR(kept.total(), kept.start, 1e-11 * std::abs(kept.kinetic) + 1e-10);
  EXPECT_LT(std::abs(kept.scheme), 1e-10);
}

TEST(Coupled, JointsOfNodesCountAsConstraints) {
  Chain chain;
  Model model;
  const SystemId id = model.add(chain.coupled(), {.q = Vector::Zero(12), .v = Vector::Zero(12)});
  const LinearRelation pin{.H = {{1.0, 0.0}, {0.0, 1.0}}};
  model.link(Endpoint(id, 0), pin, Equality{}, "pin");
  model.link(Endpoint(id, 0), LinearRelation{.H = {{0.0, 1.0}}}, Equality{}, "again");
  const Mobility found = mobility(model);
  EXPECT_EQ(found.rank, 2);
  ASSERT_EQ(found.redundant.size(), 1u);
}

TEST(Coupled, WrongOperatorsAreRefused) {
  const Chain chain;
  Model model;
  Matrix M = chain.M;
  M(0, 3) = 0.5;
  EXPECT_ERROR(model.add(SparseLagrangian{.M = sparse(M), .nodes = 6}, chain.start()),
               "system0: mass matrix is not symmetric");
  M = chain.M;
  M(2, 2) = -1;
  EXPECT_ERROR(model.add(SparseLagrangian{.M = sparse(M), .nodes = 6}, chain.start()),
               "mass matrix must be positive definite");
  M(2, 2) = 0;
  M(0, 0) = std::nan("");
  EXPECT_ERROR(model.add(SparseLagrangian{.M = sparse(M), .nodes = 6}, chain.start()),
               "M(0, 0) is nan");
  EXPECT_ERROR((System{SparseLagrangian{.M = sparse(chain.M), .nodes = 5}}),
               "12 unknowns for 5 nodes");
  EXPECT_ERROR(
      (System{SparseLagrangian{.M = sparse(chain.M), .K = sparse(Matrix::Identity(3, 3))}}),
      "K is 3x3, expected 12x12 like M");
  EXPECT_ERROR((System{SparseLagrangian{.M = sparse(chain.M), .F = {1.0}}}), "F has size 1");
  EXPECT_ERROR((System{SparseLagrangian{.M = sparse(chain.M), .held = {12}}}),
               "held degree of freedom 12");
  EXPECT_ERROR((System{SparseFirstOrder{}}), "A is 0x0");
  EXPECT_ERROR((System{SparseFirstOrder{.A = sparse(Matrix::Identity(2, 2)),
                                        .E = sparse(Matrix::Identity(3, 3))}}),
               "E is 3x3, expected 2x2 like A");
  Matrix block(2, 2);
  EXPECT_ERROR(chain.coupled().mass({}, 0, block), "a coupled system has no operators per body");
  SparseMatrix whole;
  EXPECT_ERROR(chain.dense().coupled_mass({}, whole), "the system is not coupled");
}

TEST(Coupled, SingularIterationMatrixIsAStatus) {
  Model model;
  Matrix E = Matrix::Zero(2, 2), A = Matrix::Zero(2, 2);
  E(0, 0) = 1;
  A(0, 0) = -1;
  model.add(SparseFirstOrder{.A = sparse(A), .E = sparse(E)}, {.x = {1.0, 0.0}});
  Simulation sim(model, MoreauJean{}, {.step = 0.1});
  EXPECT_EQ(sim.advance().status, StepStatus::singular_matrix);
}

/// The pattern of K depends on the state: a mistake.
struct Wandering : HardeningChain {
  void coupled_stiffness(const StateView& x, SparseMatrix& K) const {
    HardeningChain::coupled_stiffness(x, K);
    if (x.t > 0.01) K.prune([](Index i, Index, double) { return i > 0; });
  }
};

TEST(Coupled, PatternsThatChangeAreRefused) {
  Model model;
  const Wandering system;
  model.add(system, {.q = Vector::Zero(5), .v = Vector::Zero(5)});
  Simulation sim(model, MoreauJean{}, {.step = 5e-3});
  EXPECT_ERROR(sim.run(0.1), "its pattern must stay");
}

}  // namespace
}  // namespace saltus
