// Bounded forces as contacts under a constant load: intervals, half lines and Tresca cylinders
// beside cones of friction, reduced and global.

#include "saltus/solvers/bounded_cells.hpp"

#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/nsgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace saltus {
namespace {

/// Every bounded set beside cones and equalities, on ten bodies with three unknowns.
GlobalBlockForm mixed_problem(unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  GlobalBlockForm form;
  form.K = {FrictionCone{0.4},   Interval{-0.3, 0.3}, FrictionCylinder{0.2}, Reals{},
            Interval{-0.1, 0.5}, Interval{0, inf},    Interval{-inf, 0.2},   FrictionCone{0.8},
            Interval{-1e6, 1e6}, Interval{0.3, 0.3},  Interval{-inf, inf},   NonNegative{}};
  form.sizes = {3, 1, 3, 2, 2, 1, 1, 2, 1, 1, 1, 1};
  const Index n = 30, m = 19;
  Matrix M = Matrix::Zero(n, n), H(n, m);
  for (Index b = 0; b < n; b += 3) {
    const Matrix A = Matrix::NullaryExpr(3, 3, [&] { return number(engine); });
    M.block(b, b, 3, 3) = A * A.transpose() + Matrix::Identity(3, 3);
  }
  H = Matrix::NullaryExpr(n, m, [&] { return number(engine); });
  form.M = M.sparseView();
  form.H = H.sparseView();
  form.f = Vector::NullaryExpr(n, [&] { return 3 * number(engine); });
  form.w = Vector::NullaryExpr(m, [&] { return number(engine); });
  return form;
}

TEST(BoundedCells, CascadeSolvesIntervalsAndCylindersBesideCones) {  // FS:FS-28, FS:FS-110
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const GlobalBlockForm global = mixed_problem(seed);
    const BlockForm reduced = reduce(global);
    Workspace work;
    Vector v(30), r = Vector::Zero(19), s = Vector::Zero(19);
    const CoulombCascade solver{.tolerance = 1e-10};
    EXPECT_TRUE(solve(global, v, r, solver, work).converged()) << seed;
    EXPECT_TRUE(solve(reduced, s, solver, work).converged()) << seed;
    EXPECT_LT(residual(reduced, r), 1e-8) << seed;
    EXPECT_LT(residual(reduced, s), 1e-8) << seed;
    EXPECT_LT(residual(global, v, r), 1e-8) << seed;
    EXPECT_EQ(r[16], 0.3);  // the constant force
  }
}

TEST(BoundedCells, ConversionAndWayBackAreInverse) {
  const GlobalBlockForm global = mixed_problem(3);
  BoundedCells cells;
  const BlockForm converted = cells.convert(reduce(global));
  Vector r = Vector::LinSpaced(19, -1, 1), back(19);
  r[16] = 0.3;
  cells.to_problem(cells.to_cells(r), back);
  EXPECT_LT((r - back).norm(), 1e-15);
  for (const BlockSet& set : converted.K)
    EXPECT_FALSE(std::holds_alternative<Interval>(set) ||
                 std::holds_alternative<FrictionCylinder>(set));
}

TEST(BoundedCells, DryFrictionBesideAContactStopsWhereTheIntervalSays) {
  // Two rows without coupling: u = r + q. |r| ≤ 0.3, so q = −1 leaves u = −0.7 and q = 0.2 stops.
  for (const double q : {-1.0, 0.2}) {
    BlockForm form{BlockSparse::dense(Matrix::Identity(4, 4)),
                   Vector(4),
                   {FrictionCone{0.5}, Interval{-0.3, 0.3}}};
    const std::vector<Index> sizes = {3, 1};
    form.W = BlockSparse::sparse(Matrix::Identity(4, 4).sparseView(), sizes, sizes);
    form.q << -1, 0.2, 0, q;
    Vector r = Vector::Zero(4);
    Workspace work;
    ASSERT_TRUE(solve(form, r, CoulombCascade{.tolerance = 1e-12}, work).converged());
    EXPECT_NEAR(r[3], q < 0 ? 0.3 : -0.2, 1e-11);
  }
}

}  // namespace
}  // namespace saltus
