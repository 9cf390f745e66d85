// The unreduced block form and the contacts with rolling friction. Covers FS:FS-01, FS:FS-02,
// S:FC-02, S:FC-04.
#include "saltus/problems/global_block_form.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/friction_contact.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// A sphere of mass 1, radius 1, inertia 0.4 on the ground, thrown along x with velocity v and
/// spin: velocities (x, y, z, rotations about x, y, z), contact rows n = z, t = (x, y), rolling =
/// (about x, about y).
GlobalFrictionContact sphere(double vx, double vz, double mu, double mu_rolling) {
  GlobalFrictionContact problem{5};
  const Vector mass = Values{1, 1, 1, .4, .4, .4};
  problem.M = Matrix(mass.asDiagonal()).sparseView();
  Matrix H = Matrix::Zero(6, 5);
  H(2, 0) = 1;
  H(0, 1) = 1;
  H(4, 1) = -1;  // the contact point moves with vx − ω_y
  H(1, 2) = 1;
  H(3, 2) = 1;
  H(3, 3) = 1;
  H(4, 4) = 1;
  problem.H = H.sparseView();
  problem.f = mass.cwiseProduct(Values{vx, 0, vz, 0, 0, 0});
  problem.w = Vector::Zero(5);
  problem.mu = Values{mu};
  problem.mu_rolling = Values{mu_rolling};
  return problem;
}

// vz = −1 gives r_N = 1. Slow: the contact point sticks, t = −vx/(1 + 1/.4) = −2/7 vx, and the spin
// then is −t/.4 = 5/7 vx ≥ 0; a small rolling resistance m = −μ_R slows it:
//     u_T = vx + t − ω = 0,  .4 ω = −t + m   →   t = −(vx + μ_R/.4)/3.5
TEST(RollingFriction, OfASphereHasItsExactSolution) {
  const double vx = .7, mu_rolling = .05;
  const GlobalFrictionContact problem = sphere(vx, -1, .5, mu_rolling);
  const double t = -(vx + mu_rolling / .4) / 3.5;
  ASSERT_LE(std::abs(t), .5);
  const Vector r = Values{1, t, 0, 0, -mu_rolling};
  const Vector v = velocity(problem, r);
  EXPECT_GT(v[4], 0);
  EXPECT_LE(residual(problem, v, r), 1e-15);
  EXPECT_LE(residual(reduce(problem), r), 1e-15);
  EXPECT_LE(residual(to_block_form(reduce(problem)), r), 1e-15);
  EXPECT_LE(residual(to_global_block_form(problem), v, r), 1e-15);
  EXPECT_GT(residual(reduce(problem), Values{1, t, 0, 0, 0}), 1e-2);  // rolls without resistance
}

TEST(RollingFriction, WithLargeResistanceStopsTheSphere) {
  const double vx = .7;
  const GlobalFrictionContact problem = sphere(vx, -1, 1, 1);
  const Vector r = Values{1, -vx, 0, 0, -vx};  // no velocity, no spin
  EXPECT_LE(velocity(problem, r).norm(), 1e-15);
  EXPECT_LE(residual(reduce(problem), r), 1e-15);
}

TEST(RollingFriction, IsCheckedLikeSliding) {
  GlobalFrictionContact problem = sphere(1, -1, .5, -.1);
  EXPECT_ERROR(validate(problem), "mu_rolling[0] is -0.1, expected a finite number >= 0");
  problem.mu_rolling = Values{.1, .2};
  EXPECT_ERROR(validate(problem), "mu_rolling has size 2, mu has size 1");
  problem.mu_rolling = Vector();
  EXPECT_ERROR(validate(problem), "dimension is 5, expected 2 or 3");
}

/// Two masses, joined by a bilateral row, one with friction in the plane, one against a stop.
GlobalBlockForm mixed() {
  GlobalBlockForm form;
  form.M = Matrix(Matrix(Values{1, 2, 4}.asDiagonal())).sparseView();
  form.H = Matrix(Rows{{1, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, -1, 1}}).sparseView();
  form.f = Values{-1, 2, 4};
  form.w = Values{0, 0, 0, -2};
  form.K = {FrictionCone{.5}, Reals{}, NonNegative{}};
  form.sizes = {2, 1, 1};
  return form;
}

TEST(GlobalBlockForm, ReducesToABlockFormWithTheSameSolutions) {
  const GlobalBlockForm form = mixed();
  const BlockForm reduced = reduce(form);
  const Matrix H = Matrix(form.H), inverse = Values{1, .5, .25}.asDiagonal();
  EXPECT_LE((reduced.W.to_dense() - H.transpose() * inverse * H).norm(), 1e-15);
  const Vector r = Values{.3, .2, -.4, 1.5};
  EXPECT_NEAR(residual(form, velocity(form, r), r), residual(reduced, r), 1e-14);
  const Vector v = velocity(form, r) + Values{0, .1, 0};
  EXPECT_GE(residual(form, v, r), .19);  // ‖M δv‖ = 0.2
  EXPECT_EQ(residual(form, Values{0, std::nan(""), 0}, r), inf);
}

TEST(GlobalBlockForm, NamesWhatDoesNotFit) {
  GlobalBlockForm form = mixed();
  form.sizes = {2, 1};
  EXPECT_ERROR(validate(form), "3 sets but 2 sizes");
  form.sizes = {2, 1, 2};
  EXPECT_ERROR(validate(form), "block 2 has 2 rows, 1 of 4 rows are left");
  form.sizes = {2, 1, 1};
  form.K[0] = RollingCone{.5, .1};
  EXPECT_ERROR(validate(form), "the rolling friction cone of block 0 has 2 rows, expected 3 or 5");
  form = mixed();
  form.M = Matrix(Matrix::Zero(3, 3)).sparseView();
  EXPECT_ERROR(reduce(form), "GlobalBlockForm: the 3x3 matrix M is singular");
}

}  // namespace
}  // namespace saltus
