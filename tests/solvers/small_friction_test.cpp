// Few contacts with friction through the default solver, as a stranger would pose them: planar and
// spatial, redundant and nearly redundant, at rest, sliding and in impact.

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/automatic.hpp"
#include "saltus/solvers/contact_modes.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <random>

namespace saltus {
namespace {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double between(double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine_);
  }
  double power_of_ten(double a, double b) { return std::pow(10.0, between(a, b)); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  int pick(int a, int b) { return std::uniform_int_distribution<int>(a, b)(engine_); }

 private:
  std::mt19937_64 engine_;
};

/// One or two bodies on one to four contacts, in the plane (d = 2) or in space (d = 3).
struct Bodies {
  Index d = 2, dof = 3;
  Matrix H = {};
  Vector inverse_mass = {};
  std::vector<BlockSet> K = {};

  [[nodiscard]] Index contacts() const { return static_cast<Index>(K.size()); }
  [[nodiscard]] double mu(Index c) const { return std::get<FrictionCone>(K[c]).mu; }
  [[nodiscard]] BlockForm problem(const Vector& q) const {
    return {BlockSparse::dense(H * inverse_mass.asDiagonal() * H.transpose(), d), q, K};
  }
};

/// Normal and tangents of a contact as rows; upright, or within about 35° of it.
Matrix frame(Index d, bool upright, Dice& dice) {
  Vector n = Vector::Unit(d, d - 1);
  if (!upright)
    for (Index k = 0; k < d; ++k) n[k] += dice.between(-0.5, 0.5);
  n.normalize();
  Matrix rows(d, d);
  if (d == 2) {
    rows << n[0], n[1], n[1], -n[0];
    return rows;
  }
  const Eigen::Vector3d normal = n, tangent = normal.unitOrthogonal();
  rows << normal.transpose(), tangent.transpose(), normal.cross(tangent).transpose();
  return rows;
}

/// Velocities of a body to those of a contact at x.
Matrix contact_rows(const Matrix& frame, const Vector& x) {
  const Index d = x.size();
  Matrix rows(d, d == 2 ? 3 : 6);
  rows.leftCols(d) = frame;
  if (d == 2)
    rows.col(2) = frame.col(1) * x[0] - frame.col(0) * x[1];
  else
    for (Index a = 0; a < 3; ++a)
      rows.row(a).tail<3>() =
          Eigen::Vector3d(x).cross(Eigen::Vector3d(frame.row(a).transpose())).transpose();
  return rows;
}

/// A third of the contacts on level ground lie on one line or plane up to 1e-10 … 1e-5 of their
/// distances, every fifth contact repeats the one before, exactly or up to that.
Bodies throw_bodies(Index d, bool upright, Dice& dice) {
  Bodies all{.d = d, .dof = d == 2 ? 3 : 6};
  const Index bodies = dice.pick(1, 2), contacts = dice.pick(1, 4);
  const double near = dice.pick(0, 2) == 0 ? 0 : dice.power_of_ten(-10, -5);
  all.inverse_mass.resize(bodies * all.dof);
  for (Index b = 0; b < bodies; ++b) {
    const double mass = dice.power_of_ten(-1, 1), radius = dice.power_of_ten(-1, 0.3);
    for (Index k = 0; k < all.dof; ++k)
      all.inverse_mass[b * all.dof + k] =
          k < d ? 1 / mass : 1 / (mass * radius * radius * dice.between(0.2, 0.5));
  }
  all.H = Matrix::Zero(contacts * d, bodies * all.dof);
  Matrix rows;
  for (Index c = 0; c < contacts; ++c) {
    if (c > 0 && dice.pick(0, 4) == 0) {
      for (Index k = 0; k < rows.size(); ++k) rows.data()[k] *= 1 + near * dice.between(-1, 1);
    } else {
      Vector x(d);
      for (Index k = 0; k < d; ++k) x[k] = dice.between(-1, 1);
      if (upright) x[d - 1] = -1 + near * dice.between(-1, 1);
      rows = contact_rows(frame(d, upright, dice), x);
    }
    const Index b = dice.pick(0, static_cast<int>(bodies) - 1);
    all.H.block(c * d, b * all.dof, d, all.dof) = rows;
    if (b == 1 && dice.pick(0, 1) == 0) all.H.block(c * d, 0, d, all.dof) = -rows;
    constexpr double coefficients[] = {0, 0.1, 0.3, 0.6, 1, 2};
    all.K.emplace_back(FrictionCone{coefficients[dice.pick(0, 5)]});
  }
  return all;
}

/// A step of bodies on level ground: at rest under gravity, sliding, or in an impact with
/// restitution. Lifting all of them opens every contact, so a solution exists.
BlockForm time_step(Index d, Dice& dice) {
  const Bodies all = throw_bodies(d, true, dice);
  const double step = dice.power_of_ten(-4, -2), speed = dice.pick(0, 1) == 0 ? 1 : 1e-3;
  const double e = dice.pick(0, 1) == 0 ? 0 : dice.between(0, 1);
  const bool resting = dice.pick(0, 2) == 0;
  Vector before = Vector::Zero(all.H.cols()), load = before;
  for (Index k = 0; k < before.size(); ++k) {
    if (!resting) before[k] = speed * dice.normal();
    if (k % all.dof == d - 1) load[k] = -9.81 * step;
    if (k % all.dof == d - 1 && !resting) before[k] -= speed;
    if (k % all.dof == 0) load[k] = 9.81 * step * dice.between(-1, 1);
  }
  Vector q = all.H * (before + load);
  const Vector u = all.H * before;
  for (Index c = 0; c < all.contacts(); ++c) q[c * d] += e * u[c * d];
  return all.problem(q);
}

/// A problem made from a solution (r, u) whose contacts are open, stick, slide at 1e-12 to 1, lie
/// on the edge of their cone without slip, or do nothing.
BlockForm from_a_solution(Index d, Dice& dice) {
  const Bodies all = throw_bodies(d, dice.pick(0, 1) == 0, dice);
  Vector r = Vector::Zero(all.H.rows()), u = r;
  for (Index c = 0; c < all.contacts(); ++c) {
    const int mode = dice.pick(0, 4);
    Vector t(d - 1);
    for (Index k = 0; k + 1 < d; ++k) t[k] = dice.normal();
    t.normalize();
    const double force = dice.power_of_ten(-3, 0), speed = dice.power_of_ten(-12, 0);
    auto tangent = r.segment(c * d + 1, d - 1);
    if (mode > 0 && mode < 4) r[c * d] = force;
    if (mode == 0) u[c * d] = speed;
    if (mode == 0) u.segment(c * d + 1, d - 1) = dice.normal() * t;
    if (mode == 1) tangent = all.mu(c) * force * dice.between(0, 1) * t;
    if (mode == 2 || mode == 3) tangent = -all.mu(c) * force * t;
    if (mode == 2) u.segment(c * d + 1, d - 1) = speed * t;
  }
  return all.problem(u - all.problem(u).W.to_dense() * r);
}

struct Family {
  const char* name;
  Index dimension;
  BlockForm (*make)(Index, Dice&);
};
void PrintTo(const Family& family, std::ostream* out) { *out << family.name; }

class SmallFriction : public testing::TestWithParam<std::tuple<Family, double>> {};

TEST_P(SmallFriction, IsSolvedByTheDefaultToTheToleranceAskedFor) {
  const auto [family, tolerance] = GetParam();
  Dice dice(1);
  Workspace work;
  for (int k = 0; k < 500; ++k) {
    const BlockForm problem = family.make(family.dimension, dice);
    Vector r = Vector::Zero(problem.q.size());
    const SolveReport report = solve(problem, r, Automatic{.tolerance = tolerance}, work);
    ASSERT_TRUE(report.converged()) << family.name << " " << k << ": " << name(report.status)
                                    << ", residual " << report.residual;
    ASSERT_LE(friction_errors(problem, r).worst(), tolerance) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Random, SmallFriction,
    testing::Combine(testing::Values(Family{"steps in the plane", 2, time_step},
                                     Family{"steps in space", 3, time_step},
                                     Family{"solutions in the plane", 2, from_a_solution},
                                     Family{"solutions in space", 3, from_a_solution}),
                     testing::Values(1e-8, 1e-10, 1e-12)));

/// A dimer on a plate, rows of a step of examples/14: the two tangents differ by 1e-7, the left
/// bead slides at 4e-10 and the right one sticks. Any split of the friction between them has a
/// residual of 3e-10, twice the tolerance, but the right one.
BlockForm dimer() {
  const double a = 0.25929118464532663, b = 0.25929135640912249;
  Matrix W(4, 4);
  W << 1.9723422644770883, a, 0.027657735522911731, b,   //
      a, 1.0691442930035888, -a, 1.0691443388072526,     //
      0.027657735522911731, -a, 1.9723422644770883, -b,  //
      b, 1.0691443388072526, -b, 1.0691443846109467;
  Vector q(4);
  q << -0.001479844493736756, 0.0013472429090564631, -0.013609323251032477, 0.0013472435786397816;
  return {BlockSparse::dense(W, 2), q, {FrictionCone{0.1}, FrictionCone{0.1}}};
}

TEST(SmallFriction, FindsTheSplitOfFrictionBetweenNearlyParallelRows) {
  const BlockForm problem = dimer();
  Workspace work;
  Vector r = Vector::Zero(4);
  ASSERT_TRUE(solve(problem, r, Automatic{.tolerance = 1e-12}, work).converged());
  EXPECT_NEAR(r[1], -0.1 * r[0], 1e-12);  // the left bead slides
  EXPECT_LT(std::abs(r[3]), 0.1 * r[2]);  // the right one sticks
}

TEST(ContactModes, FindTheCaseFromAPointOfAnother) {
  const BlockForm problem = dimer();
  Vector r(4);
  r << 6.2e-4, -4.2e-5, 6.9e-3, 3.1e-4;  // both stick
  EXPECT_EQ(solve(problem, r, ContactModes{.tolerance = 1e-13}).status, SolveStatus::converged);
  EXPECT_LE(friction_errors(problem, r).worst(), 1e-13);
}

TEST(ContactModes, KnowEqualitiesAndBoundedForcesBesideContacts) {
  // u = r + q row by row: an equality, a bounded force, a contact without friction, one with it.
  Vector q(5), expected(5);
  q << 3, -7, -2, -1, 4;
  expected << -3, 2, 2, 1, -0.5;
  const std::vector<Index> sizes{1, 1, 1, 2};
  const BlockForm problem{
      BlockSparse::sparse(Matrix(Matrix::Identity(5, 5)).sparseView(), sizes, sizes),
      q,
      {Reals{}, Interval{-2, 2}, NonNegative{}, FrictionCone{0.5}}};
  ASSERT_TRUE(suits_contact_modes(problem));
  Vector r = Vector::Zero(5);
  EXPECT_EQ(solve(problem, r, ContactModes{.tolerance = 1e-14}).status, SolveStatus::converged);
  EXPECT_LT((r - expected).norm(), 1e-14);
}

TEST(ContactModes, SayHonestlyThatTheyFoundNothing) {
  // 0 r − 1 ≥ 0 has no solution.
  const BlockForm problem{
      BlockSparse::dense(Matrix::Zero(2, 2), 2), Vector::Constant(2, -1), {FrictionCone{0.5}}};
  Vector r = Vector::Zero(2);
  EXPECT_EQ(solve(problem, r, ContactModes{}).status, SolveStatus::stalled);
}

TEST(ContactModes, DoNotTakeManyRowsOrOtherCones) {
  const Index many = 31;
  const BlockForm large{BlockSparse::dense(Matrix::Identity(many, many), 1), Vector::Ones(many),
                        std::vector<BlockSet>(static_cast<std::size_t>(many), NonNegative{})};
  EXPECT_FALSE(suits_contact_modes(large));
  const BlockForm other{
      BlockSparse::dense(Matrix::Identity(3, 3), 3), Vector::Ones(3), {SecondOrderCone{}}};
  EXPECT_FALSE(suits_contact_modes(other));
}

}  // namespace
}  // namespace saltus
