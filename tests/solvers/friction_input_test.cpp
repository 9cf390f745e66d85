// Contact problems at the edge of what is legal: what is solved, what is a status, what an error.
#include "friction_cases.hpp"

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/contact_equations.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/friction_existence.hpp"
#include "saltus/solvers/lorentz.hpp"
#include "saltus/solvers/positive_definite.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct Solved {
  Vector v, r;
  SolveReport report;
};
Solved solved(const GlobalFrictionContact& problem) {
  Workspace work;
  Solved s{Vector::Zero(problem.f.size()), Vector::Zero(problem.w.size()), {}};
  s.report = solve(problem, s.v, s.r, CoulombCascade{.tolerance = 1e-10, .budget = 300}, work);
  return s;
}

/// The contacts of `problem`, each of them `times` times.
GlobalFrictionContact repeated(const GlobalFrictionContact& problem, Index times) {
  GlobalFrictionContact more = problem;
  const Index m = problem.w.size(), contacts = problem.mu.size();
  Matrix H(problem.H.rows(), times * m);
  more.w = Vector(times * m);
  more.mu = Vector(times * contacts);
  for (Index k = 0; k < times; ++k) {
    H.middleCols(k * m, m) = Matrix(problem.H);
    more.w.segment(k * m, m) = problem.w;
    more.mu.segment(k * contacts, contacts) = problem.mu;
  }
  more.H = H.sparseView();
  return more;
}

TEST(DuplicateContacts, AreHyperstaticAndSolved) {
  // equal columns of H: the velocity is that of the contacts once, the reactions add up to theirs
  for (const double mu : {0.3, 0.8}) {
    const GlobalFrictionContact once = friction_cases::incline(mu);
    const Solved one = solved(once);
    ASSERT_TRUE(one.report.converged());
    for (const Index times : {2, 3}) {
      const GlobalFrictionContact problem = repeated(once, times);
      EXPECT_NO_THROW(validate(problem));
      const Solved more = solved(problem);
      EXPECT_TRUE(more.report.converged()) << mu << " " << times;
      EXPECT_LE((more.v - one.v).norm(), 1e-8) << mu << " " << times;
      double normal = 0;
      for (Index i = 0; i < more.r.size(); i += 3) normal += more.r[i];
      EXPECT_NEAR(normal, 0.0877433074, 1e-7);  // FS:V10
      EXPECT_LE(friction_errors(to_global_block_form(problem), more.r).self_stress, 1e4);
    }
  }
}

TEST(ZeroColumns, OfAContactThatTouchesNothingOpenOrProveThatNothingHelps) {
  GlobalFrictionContact problem = friction_cases::incline(0.3);
  Matrix H = Matrix::Zero(6, 15);
  H.leftCols(12) = Matrix(problem.H);
  problem.H = H.sparseView();
  problem.mu = Vector::Constant(5, 0.3);
  problem.w = Vector::Zero(15);
  problem.w[12] = 0.1;  // leaves anyway
  const Solved open = solved(problem);
  EXPECT_TRUE(open.report.converged());
  EXPECT_EQ(open.r.tail(3).norm(), 0);
  problem.w[12] = -0.1;  // approaches, and no reaction acts on anything
  EXPECT_FALSE(solved(problem).report.converged());
  const auto proof = friction_infeasibility(to_global_block_form(problem), Vector::Zero(15));
  ASSERT_TRUE(proof.has_value());
  EXPECT_LE((*proof - Vector(Vector::Unit(15, 12))).norm(), 1e-15);
}

TEST(EmptyProblem, HasNoReactionsAndTheFreeVelocity) {
  GlobalFrictionContact problem;
  problem.M = Sparse(Matrix(2 * Matrix::Identity(2, 2)).sparseView());
  problem.H = Sparse(2, 0);
  problem.f = Values{1, -4};
  EXPECT_NO_THROW(validate(problem));
  const Solved s = solved(problem);
  EXPECT_TRUE(s.report.converged()) << name(s.report.status);
  EXPECT_LE((s.v - Values({0.5, -2})).norm(), 1e-15);
  Workspace work;
  Vector none(0);
  EXPECT_TRUE(
      solve(FrictionContact{3, BlockSparse::sparse(Sparse(0, 0), 3)}, none, CoulombCascade{}, work)
          .converged());
  EXPECT_EQ(friction_existence(to_global_block_form(problem)).verdict, Existence::guaranteed);
}

TEST(PositiveDefinite, IsTestedWithTheRowThatFails) {
  EXPECT_FALSE(bad_pivot(friction_cases::incline(0.3).M).has_value());
  Matrix M = Matrix::Identity(4, 4);
  M(0, 1) = 0.9, M(1, 0) = -0.9;  // a skew part does not matter
  EXPECT_FALSE(bad_pivot(M.sparseView()).has_value());
  M(2, 2) = -3;
  EXPECT_ERROR(require_positive_definite("scene", M.sparseView()),
               "scene: M is not positive definite: the pivot of row 2 is -3, expected > 0");
  M(2, 2) = 0;
  EXPECT_ERROR(require_positive_definite("scene", M.sparseView()), "the pivot of row 2 is 0");
  M(2, 2) = 1;
  M(2, 3) = M(3, 2) = 1;  // singular by a combination of rows, whatever the units
  EXPECT_TRUE(bad_pivot(M.sparseView()).has_value());
  const Vector units = Values{1e-6, 1, 1e6, 1e-3};
  EXPECT_TRUE(bad_pivot(Matrix(units.asDiagonal() * M * units.asDiagonal()).sparseView()));
  M(2, 3) = M(3, 2) = 0.999;
  EXPECT_FALSE(bad_pivot(Matrix(units.asDiagonal() * M * units.asDiagonal()).sparseView()));
  EXPECT_ERROR(bad_pivot(Sparse(2, 3)), "M is 2x3, expected a square matrix");
}

/// Points of a cube, each tied to those around it, two numbers a point (54 entries a row inside, as
/// of a mesh): (shift I + L) ⊗ [2 1; 1 2], L the Laplacian of the graph, with least eigenvalue 0.
Sparse cube(Index side, double shift) {
  const Index n = side * side * side;
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index i, Index j, double value) {
    for (Index a = 0; a < 2; ++a)
      for (Index b = 0; b < 2; ++b)
        entries.emplace_back(2 * i + a, 2 * j + b, a == b ? 2 * value : value);
  };
  const auto near = [](Index i, Index j) { return std::abs(i - j) <= 1; };
  for (Index i = 0; i < n; ++i) {
    add(i, i, shift);
    for (Index j = 0; j < n; ++j)
      if (i != j && near(i % side, j % side) && near(i / side % side, j / side % side) &&
          near(i / side / side, j / side / side))
        add(i, j, -1), add(i, i, 1);
  }
  Sparse S(2 * n, 2 * n);
  S.setFromTriplets(entries.begin(), entries.end());
  return S;
}

TEST(PositiveDefinite, IsTestedOnAMesh) {
  for (const double shift : {1.0, 1e-6, -1e-6, -0.5}) {
    Sparse M = cube(7, shift);
    ASSERT_GT(M.nonZeros(), 24 * M.rows());  // by fronts
    M.coeffRef(0, 3) += 0.3, M.coeffRef(3, 0) -= 0.3;
    EXPECT_EQ(bad_pivot(M).has_value(), shift < 0) << shift;
  }
}

/// Where squares overflow, a projection is none: an answer there would be one by chance.
TEST(HugeVelocities, AreNeverSolvedByOverflow) {
  for (const double size : {1e160, 1e300}) {
    GlobalFrictionContact problem = friction_cases::incline(0.3);
    problem.f *= size;
    EXPECT_EQ(solved(problem).report.status, SolveStatus::numerical_error) << size;
    problem = friction_cases::incline(0.3);
    const FrictionContact reduced = reduce(problem);
    const FrictionContact huge{3, reduced.W, size * reduced.q, reduced.mu};
    Vector r = Vector::Zero(reduced.q.size());
    Workspace work;
    EXPECT_EQ(solve(huge, r, CoulombCascade{}, work).status, SolveStatus::numerical_error);
    EXPECT_EQ(friction_errors(to_block_form(huge), r).worst(), inf);
    EXPECT_EQ(residual(huge, r), inf);
  }
  FrictionErrors errors{.e1 = 0, .e2 = std::nan(""), .self_stress = 0};
  EXPECT_FALSE(errors.worst() <= 1);
  std::swap(errors.e1, errors.e2);
  EXPECT_FALSE(errors.worst() <= 1);
}

TEST(SingularMass, IsAnErrorOfTheReductionAndNeverASolution) {
  GlobalFrictionContact problem = friction_cases::incline(0.3);
  problem.M.coeffRef(5, 5) = 0;
  EXPECT_ERROR(reduce(problem), "singular");
  problem = friction_cases::incline(0.3);
  problem.M.coeffRef(2, 2) = -1;  // indefinite: pushing pulls
  EXPECT_ERROR(require_positive_definite("scene", problem.M), "the pivot of row 2 is -1");
}

TEST(WrongProblems, SayWhatIsWrong) {
  const GlobalFrictionContact good = friction_cases::incline(0.3);
  const auto refused = [&](auto&& change, const char* text) {
    GlobalFrictionContact problem = good;
    change(problem);
    EXPECT_ERROR(validate(problem), text);
  };
  refused([](auto& p) { p.mu[2] = -0.5; }, "mu[2] is -0.5");
  refused([](auto& p) { p.mu[1] = std::nan(""); }, "mu[1] is nan");
  refused([](auto& p) { p.mu = Vector::Constant(3, 0.3); }, "mu has size 3");
  refused([](auto& p) { p.w[4] = inf; }, "w[4] is inf");
  refused([](auto& p) { p.H = Sparse(5, 12); }, "H is 5x12, expected 6x12");
  refused([](auto& p) { p.f = Vector::Zero(5); }, "f has size 5");
  refused([](auto& p) { p.M.coeffRef(0, 0) = std::nan(""); }, "M");
  refused([](auto& p) { p.H.coeffRef(0, 0) = inf; }, "H");
  refused(
      [](auto& p) {
        p.mu_rolling = Vector::Constant(4, 0.1);
        p.dimension = 2;
      },
      "dimension");
}

TEST(LorentzCone, HasTheJordanAlgebraOfTheReference) {  // FS:V3, FS:FS-23, FS:FS-24
  const double x[3] = {2, 1, 0}, y[3] = {1, 0, 1}, z[3] = {1, 3, 4};
  const auto near = [](const double* a, const Vector& expected) {
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], expected[k], 1e-11) << k;
  };
  double out[3];
  lorentz::product(x, y, out);
  near(out, Values{2, 1, 2});
  lorentz::product(x, x, out);
  near(out, Values{5, 4, 0});
  const double root[3] = {1.366025403784, 0.366025403784, 0};  // x^½
  lorentz::product(root, root, out);
  near(out, Values{2, 1, 0});
  lorentz::divide(root, x, out);
  near(out, Values{root[0], root[1], 0});
  lorentz::project(z, out);
  near(out, Values{3, 1.8, 2.4});
  for (int k = 0; k < 3; ++k) out[k] = 2 * out[k] - z[k];  // |z| = 2 P(z) − z
  near(out, Values{5, 0.6, 0.8});
  // φ(x, y) with x = r, y = (u_N + ‖u_T‖, u_T), μ = 1
  const auto phi = [&](const Vector& a, const Vector& b, double* G) {
    const Vector u = Values{b[0] - std::hypot(b[1], b[2]), b[1], b[2]};
    contact_function(ConeFischerBurmeister{}, FrictionCone{1}, 3, u.data(), a.data(), {}, G,
                     nullptr, nullptr);
  };
  phi(Values{2, 1, 0}, Values{1, 0, 1}, out);
  near(out, Values{0.511510015377, 0.196299759148, 0.598149879574});
  phi(Values{1, 0.6, 0.8}, Values{2, -1.2, -1.6}, out);
  // both on the boundary: the root of a spectral value that is 0 up to 1e-16 has an error of 1e-8
  for (const double value : out) EXPECT_NEAR(value, 0, 1e-7);
}

}  // namespace
}  // namespace saltus
