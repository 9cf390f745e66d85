#include "saltus/problems/friction_contact.hpp"

#include "support/expect_error.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>

namespace saltus {
namespace {

/// S:V-27: square block in the plane on two corners.
GlobalFrictionContact plane_block() {
  GlobalFrictionContact problem;
  problem.dimension = 2;
  const Matrix H = Rows{{0, 1, 0, 1}, {1, 0, 1, 0}, {-0.5, 0.5, 0.5, 0.5}};
  const Vector mass = Values{1, 1, 1.0 / 6};
  problem.M = Matrix(mass.asDiagonal()).sparseView();
  problem.H = H.sparseView();
  problem.f = mass.cwiseProduct(Values{1, -0.0981, 0});
  problem.w = Vector::Zero(4);
  problem.mu = Vector::Constant(2, 0.3);
  return problem;
}

TEST(GlobalFrictionContact, ReducesToTheDelassusOperator) {  // S:FC-02, S:FC-04, S:V-27
  const FrictionContact reduced = reduce(plane_block());
  const Matrix expected = Rows{
      {2.5, -1.5, -0.5, -1.5}, {-1.5, 2.5, 1.5, 2.5}, {-0.5, 1.5, 2.5, 1.5}, {-1.5, 2.5, 1.5, 2.5}};
  EXPECT_LE((reduced.W.to_dense() - expected).norm(), 1e-14);
  EXPECT_LE((reduced.q - Values{-0.0981, 1, -0.0981, 1}).norm(), 1e-15);
}

TEST(GlobalFrictionContact, HasTheSolutionsOfTheReducedProblem) {  // S:V-27
  const GlobalFrictionContact global = plane_block();
  const FrictionContact reduced = reduce(global);
  const Vector r = Values{0.034335, -0.0103005, 0.063765, -0.0191295};
  const Vector v = velocity(global, r);
  EXPECT_LE((v - Values{0.97057, 0, 0}).norm(), 1e-14);
  EXPECT_LE(residual(reduced, r), 1e-14);
  EXPECT_LE(residual(global, v, r), 1e-14);
  const Vector open = Vector::Zero(4);
  EXPECT_NEAR(residual(global, velocity(global, open), open), residual(reduced, open), 1e-14);
  EXPECT_GT(residual(reduced, open), 0.01);
}

TEST(GlobalFrictionContact, TakesNonsymmetricMatrices) {  // gyroscopic terms in M̂
  GlobalFrictionContact problem = plane_block();
  Matrix M = Matrix(problem.M);
  M(0, 1) = 0.5;
  M(1, 0) = -0.5;
  problem.M = M.sparseView();
  const Matrix H = Matrix(problem.H);
  const Matrix expected = H.transpose() * M.inverse() * H;
  EXPECT_LE((reduce(problem).W.to_dense() - expected).norm(), 1e-13);
}

TEST(FrictionContact, HasTheResidualOfItsBlockForm) {
  const FrictionContact reduced = reduce(plane_block());
  const Vector r = Values{0.1, 0.02, 0.3, -0.2};
  EXPECT_DOUBLE_EQ(residual(reduced, r), residual(to_block_form(reduced), r));
}

TEST(FrictionContactValidation, SaysWhatIsWrong) {
  FrictionContact problem = reduce(plane_block());
  problem.mu[1] = -0.1;
  EXPECT_ERROR(validate(problem), "mu[1] is -0.1");
  problem = reduce(plane_block());
  problem.mu = Vector::Zero(3);
  EXPECT_ERROR(validate(problem), "mu has size 3");
  problem = reduce(plane_block());
  problem.dimension = 4;
  EXPECT_ERROR(validate(problem), "dimension is 4");
  problem = reduce(plane_block());
  problem.W = BlockSparse::dense(problem.W.to_dense(), 1);
  EXPECT_ERROR(validate(problem), "block 0 of W is 1x1");
  GlobalFrictionContact global = plane_block();
  global.f[0] = std::nan("");
  EXPECT_ERROR(validate(global), "f[0] is nan");
  global = plane_block();
  global.H = Eigen::SparseMatrix<double>(2, 4);
  EXPECT_ERROR(validate(global), "H is 2x4, expected 3x4");
  global = plane_block();
  global.M = Eigen::SparseMatrix<double>(3, 3);
  EXPECT_ERROR(reduce(global), "singular");
}

}  // namespace
}  // namespace saltus
