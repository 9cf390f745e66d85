// The bodies behind a reduced contact problem.
#include "saltus/solvers/body_recovery.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/body_interfaces.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "support/tower.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include <random>

namespace saltus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Bricks of 2 × 1 × 1 in courses, each on one or two of the course below, with four contacts on
/// every face they share; the lowest course on the ground. Positions off by up to `disorder`.
struct Wall {
  Wall(int courses, int length, double disorder, unsigned seed) : random(seed), spread(disorder) {
    for (int c = 0; c < courses; ++c)
      for (int b = 0; b < length; ++b) {
        const double x = 2 * b + c % 2;
        if (c == 0) {
          face(brick(c, b, length), -1, x - 1, x + 1, 0);
          continue;
        }
        for (int lower = 0; lower < length; ++lower) {
          const double y = 2 * lower + (c - 1) % 2;
          const double left = std::max(x, y) - 1, right = std::min(x, y) + 1;
          if (right > left) face(brick(c, b, length), brick(c - 1, lower, length), left, right, c);
        }
      }
    for (int b = 0; b < courses * length; ++b)
      centres.emplace_back(2 * (b % length) + (b / length) % 2, 0, b / length + 0.5);
  }

  static int brick(int course, int b, int length) { return course * length + b; }

  void face(int upper, int lower, double left, double right, double height) {
    std::uniform_real_distribution<double> uniform(-spread, spread);
    for (const double x : {left, right})
      for (const double y : {-0.5, 0.5}) {
        const Eigen::Vector3d at(x + uniform(random), y + uniform(random), height);
        add(upper, 1, at);
        if (lower >= 0) add(lower, -1, at);
        ++contacts;
      }
  }

  /// Velocity of the point `at` of a body whose velocity is taken at the origin.
  void add(int body, double sign, const Eigen::Vector3d& at) {
    const Eigen::Vector3d directions[] = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                          Eigen::Vector3d::UnitY()};
    for (int a = 0; a < 3; ++a) {
      const Eigen::Vector3d moment = at.cross(directions[a]);
      for (int k = 0; k < 3; ++k) {
        entries.emplace_back(6 * body + k, 3 * contacts + a, sign * directions[a][k]);
        entries.emplace_back(6 * body + 3 + k, 3 * contacts + a, sign * moment[k]);
      }
    }
  }

  [[nodiscard]] int bodies() const { return static_cast<int>(centres.size()); }

  [[nodiscard]] GlobalFrictionContact problem(double mu) const {
    GlobalFrictionContact global;
    const Index n = 6 * bodies();
    global.H = Sparse(n, 3 * contacts);
    global.H.setFromTriplets(entries.begin(), entries.end());
    Matrix M = Matrix::Zero(n, n);
    global.f = Vector::Zero(n);
    for (int b = 0; b < bodies(); ++b) {
      const Eigen::Vector3d& centre = centres[static_cast<std::size_t>(b)];
      Matrix spin = Matrix::Zero(3, 3);  // v(0) = v(c) + c × ω: the inertia at the origin
      spin << 0, -centre[2], centre[1], centre[2], 0, -centre[0], -centre[1], centre[0], 0;
      Matrix own = Matrix::Identity(6, 6);
      own.topRightCorner(3, 3) = -spin;
      Matrix inertia = Matrix::Zero(6, 6);
      inertia.diagonal() << 1, 1, 1, 1.0 / 6, 5.0 / 12, 5.0 / 12;
      M.block(6 * b, 6 * b, 6, 6) = own.transpose() * inertia * own;
      global.f.segment(6 * b, 6) = own.transpose() * Vector::Unit(6, 2) * -1e-2;
      global.f[6 * b] += 1e-3;
    }
    global.M = M.sparseView();
    global.w = Vector::Zero(3 * contacts);
    global.mu = Vector::Constant(contacts, mu);
    return global;
  }

  [[nodiscard]] FrictionContact reduced(double mu) const {
    FrictionContact local = reduce(problem(mu));
    const Matrix W = local.W.to_dense();
    local.W = BlockSparse::sparse(Matrix(0.5 * (W + W.transpose())).sparseView(0, 1e-14), 3);
    return local;
  }

  std::mt19937 random;
  double spread;
  int contacts = 0;
  std::vector<Eigen::Vector3d> centres;
  std::vector<Eigen::Triplet<double>> entries;
};

std::optional<Sparse> recovered(const BlockSparse& W, int threads = 2) {
  ThreadTeam team(threads);
  return recover_bodies(W, team);
}

double defect(const BlockSparse& W, const Sparse& G) {
  const Matrix product = Matrix(G.transpose()) * Matrix(G);
  return (W.to_dense() - product).cwiseAbs().maxCoeff() / W.max_abs_diagonal();
}

TEST(BodyRecovery, FindsTheBodiesOfWallsFromTheirDelassusMatrix) {  // FS:FS-01, FS:FS-117
  for (const double disorder : {0.0, 0.1})
    for (const int courses : {2, 5, 9}) {
      const Wall wall(courses, 4, disorder, 7);
      const BlockSparse W = wall.reduced(0.5).W;
      const std::optional<Sparse> G = recovered(W);
      ASSERT_TRUE(G) << courses << " courses";
      // a row for every velocity, as the bodies have; none is lost, since every brick stands fast
      EXPECT_EQ(G->rows(), 6 * wall.bodies()) << courses << " courses, disorder " << disorder;
      // the six velocities of two bodies at every contact; of one on the ground, of three where a
      // brick overhangs and comes out with the one below
      EXPECT_LE(G->nonZeros(), 13 * W.rows()) << courses << " courses, disorder " << disorder;
      // blocks below 1e-11 of the diagonal are dropped, some hundred of them add up
      EXPECT_LE(defect(W, *G), 1e-9) << courses << " courses, disorder " << disorder;
    }
}

TEST(BodyRecovery, RoundingsDoNotGrowWithTheHeightOfAWall) {
  // inner bricks have four interfaces, which tell them by themselves; from the ground up, every
  // course would magnify the roundings of the one below
  const Wall wall(24, 6, 0.1, 5);
  const BlockSparse W = wall.reduced(0.5).W;
  const std::optional<Sparse> G = recovered(W);
  ASSERT_TRUE(G);
  EXPECT_EQ(G->rows(), 6 * wall.bodies());
  EXPECT_LE(G->nonZeros(), 12.1 * static_cast<double>(W.rows()));
  EXPECT_LE(defect(W, *G), 1e-11);
  for (const int threads : {1, 3}) {
    const std::optional<Sparse> other = recovered(W, threads);
    ASSERT_TRUE(other);
    ASSERT_EQ(other->nonZeros(), G->nonZeros()) << threads << " threads";
    EXPECT_EQ(Matrix(*other), Matrix(*G)) << threads << " threads";  // every bit
  }
}

TEST(BodyRecovery, WeakInterfacesTellOfABodyTogether) {
  // a brick with four neighbours; on two of them it stands with its edges, x = −1 and x = 1. Each
  // edge alone says nothing of rotation about it, bent by a hair next to nothing; both do
  Wall cross(0, 0, 0.0, 1);
  const Eigen::Vector3d corners[] = {{0, -0.5, 0}, {0, 0.5, 1e-4}, {0, 0.1, 0}};
  const auto touch = [&](int other, const Eigen::Vector3d& at) {
    cross.add(4, 1, at);
    cross.add(other, -1, at);
    ++cross.contacts;
  };
  for (const int other : {0, 1})
    for (const Eigen::Vector3d& corner : corners)
      touch(other, corner + Eigen::Vector3d(2 * other - 1, 0, 0));
  for (const int other : {2, 3})
    for (const double x : {-1, 1})
      for (const double y : {-0.5, 0.5}) touch(other, {x, y, 1.0 * other - 1});
  for (int b = 0; b < 4; ++b) {
    cross.centres.emplace_back(b, 0.3 * b, 2 - b);
    cross.face(b, -1, b, b + 1, 5);
  }
  cross.centres.emplace_back(0, 0, 0.5);
  const BlockSparse W = cross.reduced(0.5).W;
  const std::optional<Sparse> G = recovered(W);
  ASSERT_TRUE(G);
  EXPECT_EQ(G->rows(), 6 * 5);
  EXPECT_LE(defect(W, *G), 1e-12);
}

TEST(BodyRecovery, RowsOfSmallPivotsWaitForBetterOnes) {
  // the ground course stands on edges, bent by a hair: six rows of a face are of full rank, but the
  // last is no lever to build on
  Wall wall(4, 3, 0.0, 1);
  for (auto& entry : wall.entries) {
    const bool ground = entry.col() < 12 * 3, moment_x = entry.row() % 6 == 3;
    if (ground && moment_x && entry.col() % 3 == 0)
      entry = {entry.row(), entry.col(), 1e-6 * entry.value()};
  }
  const BlockSparse W = wall.reduced(0.5).W;
  const std::optional<Sparse> G = recovered(W);
  ASSERT_TRUE(G);
  EXPECT_LE(defect(W, *G), 1e-9);
  Eigen::ColPivHouseholderQR<Matrix> rank(W.to_dense());
  rank.setThreshold(1e-11);
  EXPECT_EQ(rank.rank(), 6 * wall.bodies() - 1);  // what the last lever says is lost in W itself
  EXPECT_EQ(G->rows(), 6 * wall.bodies());        // but the bodies are found, and no roundings
}

TEST(BodyRecovery, ManyBodiesOnOneAndOnNothingElse) {
  // a table: ten bricks that stand on the ground carry a plate, on which 30 bricks stand. Those are
  // tied to all others on the plate, until the plate is held by the bricks below
  Wall table(0, 0, 0.0, 1);
  const int plate = 40;
  for (int b = 0; b < 10; ++b) {
    table.face(b, -1, 3 * b, 3 * b + 2, 0);
    table.face(plate, b, 3 * b, 3 * b + 2, 1);
    table.centres.emplace_back(3 * b + 1, 0, 0.5);
  }
  for (int b = 0; b < 30; ++b) {
    table.face(10 + b, plate, b, b + 0.8, 1.1);
    table.centres.emplace_back(b + 0.4, 0, 1.6);
  }
  table.centres.emplace_back(14.5, 0, 1.05);
  const BlockSparse W = table.reduced(0.5).W;
  const std::optional<Sparse> G = recovered(W);
  ASSERT_TRUE(G);
  EXPECT_EQ(G->rows(), 6 * 41);
  EXPECT_LE(G->nonZeros(), 13 * W.rows());  // two bodies at a contact, not all of the plate
  EXPECT_LE(defect(W, *G), 1e-9);
}

TEST(BodyRecovery, InterfacesOfAPlateNeedNotBeAlike) {
  // bricks between two plates touch each with one corner, but for one brick, which has two corners
  // on the lower plate: five rows, more than the others have, and not enough to tell of the plate
  constexpr int bricks = 40, lower = bricks, upper = bricks + 1;
  Wall sandwich(0, 0, 0.0, 1);
  const auto touch = [&](int brick, int plate, const Eigen::Vector3d& at) {
    sandwich.add(brick, 1, at);
    sandwich.add(plate, -1, at);
    ++sandwich.contacts;
  };
  for (int b = 0; b < bricks; ++b) {
    const Eigen::Vector3d corner(3 * (b % 8), 2 * (b / 8), 0);
    touch(b, lower, corner);
    if (b == 7) touch(b, lower, corner + Eigen::Vector3d(0, 0.5, 0));
    touch(b, upper, corner + Eigen::Vector3d(0.8, 0.3, 1));
    sandwich.centres.emplace_back(corner + Eigen::Vector3d(0.5, 0.2, 0.5));
  }
  sandwich.centres.emplace_back(10, 4, -0.5);
  sandwich.centres.emplace_back(10, 4, 1.5);
  const BlockSparse W = sandwich.reduced(0.5).W;
  const std::optional<Sparse> G = recovered(W);
  ASSERT_TRUE(G);
  EXPECT_LE(G->rows(), 6 * (bricks + 2));
  EXPECT_LE(G->nonZeros(), 13 * W.rows());
  EXPECT_LE(defect(W, *G), 1e-11);
}

TEST(BodyRecovery, BodiesWithOneContactEachOnOneThatNothingHolds) {
  // no row of W belongs to the plate alone; what it adds to all others is found between them
  for (const int bodies : {15, 40}) {
    Wall flying(0, 0, 0.0, 1);
    std::uniform_real_distribution<double> uniform(0, 10);
    for (int b = 0; b < bodies; ++b) {
      const Eigen::Vector3d at(uniform(flying.random), uniform(flying.random), 1);
      flying.add(b, 1, at);
      flying.add(bodies, -1, at);
      ++flying.contacts;
      flying.centres.emplace_back(at + Eigen::Vector3d(0.1, 0.2, 0.5));
    }
    flying.centres.emplace_back(5, 5, 0.5);
    const BlockSparse W = flying.reduced(0.5).W;
    Matrix dense = W.to_dense();
    std::vector<Index> begin;
    for (Index i = 0; i <= bodies; ++i) begin.push_back(3 * i);
    const std::vector<double> alike(static_cast<std::size_t>(bodies), 1.0);
    const Matrix U = common_body(dense, begin, alike, 1e-9);
    ASSERT_EQ(U.rows(), 6) << bodies;
    dense -= U.transpose() * U;
    for (Index i = 0; i < bodies; ++i) dense.block(3 * i, 3 * i, 3, 3).setZero();
    EXPECT_LE(dense.cwiseAbs().maxCoeff(), 1e-9 * W.max_abs_diagonal()) << bodies;
    // six rows more than W has rank, but three and six at a contact instead of all
    const std::vector<AlikeRows> interfaces = interfaces_of(W);
    EXPECT_EQ(interfaces.size(), static_cast<std::size_t>(bodies));
  }
}

// On c legs ‖r‖ = √(n³/3c), ‖q‖ = √c. ρ₀ is 1/2 by the rows of W, 1/2c by those of G: R is 570, and
// 17 000 if the bodies are asked.
TEST(BodyRecovery, TheSelfStressOfALoadIsNoneHoweverItIsMeasured) {
  constexpr Index n = 600, legs = 30;
  const BlockForm problem = reduce(testing::tower(n, legs));
  const std::optional<Sparse> G = recovered(problem.W);
  ASSERT_TRUE(G);
  ASSERT_EQ(G->rows(), n);
  Vector r = Vector::Zero(n * legs);
  Workspace work;
  const SolveReport report = solve(problem, r, CoulombCascade{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_LT(report.factorisations, 100);
  const double stress = friction_errors(problem, r).self_stress;
  EXPECT_NEAR(stress, 2 * std::sqrt(std::pow(n, 3) / 3) / legs, 0.01 * stress);
}

TEST(BodyRecovery, RefusesWhatHasNoBodies) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const Matrix A = Matrix::NullaryExpr(90, 90, [&] { return normal(random); });
  EXPECT_FALSE(recovered(BlockSparse::dense(A * A.transpose(), 3)));  // full rank
  const Wall wall(4, 4, 0.0, 1);
  Matrix W = wall.reduced(0.5).W.to_dense();
  W(0, 1) += 1e-3;
  EXPECT_FALSE(recovered(BlockSparse::sparse(W.sparseView(), 3)));  // not symmetric
  EXPECT_FALSE(recovered(BlockSparse::dense(Matrix::Zero(90, 90), 3)));
  EXPECT_FALSE(recovered(BlockSparse::dense(Matrix(-W * W.transpose()), 3)));  // negative
  EXPECT_FALSE(recovered(BlockSparse::sparse(Sparse(90, 90), 3)));             // nothing
}

TEST(BodyRecovery, TheReducedFormOfAWallIsSolvedLikeItsGlobalForm) {  // FS:FS-01, FS:FS-02
  for (const double tolerance : {1e-4, 1e-8, 1e-12})
    for (const double mu : {0.0, 0.05, 0.6}) {
      const Wall wall(6, 5, 0.05, 11);
      const FrictionContact local = wall.reduced(mu);
      ASSERT_TRUE(recovered(local.W));
      const GlobalFrictionContact global = wall.problem(mu);
      Workspace work;
      const CoulombCascade options{.tolerance = tolerance};
      Vector r = Vector::Zero(local.q.size()), other = r, v(global.f.size());
      const SolveReport report = solve(local, r, options, work);
      EXPECT_EQ(report.status, SolveStatus::converged) << "mu " << mu << ", " << tolerance;
      EXPECT_LE(friction_errors(to_block_form(local), r).worst(), tolerance);
      EXPECT_EQ(solve(global, v, other, options, work).status, SolveStatus::converged);
      if (mu > 0.05 || tolerance > 1e-8) continue;
      // little friction: the velocities are unique, whatever the reactions
      const Vector u = local.W.to_dense() * r + local.q;
      const Vector expected = global.H.transpose() * v + global.w;
      EXPECT_LE((u - expected).norm(), 1e3 * tolerance * local.q.norm()) << "mu " << mu;
    }
}

}  // namespace
}  // namespace saltus
