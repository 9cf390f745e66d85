// Contact problems in the plain text of SICONOS.
#include "saltus/io/siconos_friction.hpp"

#include "saltus/base/report.hpp"
#include "saltus/io/problem_file.hpp"
#include "saltus/io/problem_file_text.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

template <class Problem>
Problem parse(const std::string& text) {
  return std::get<Problem>(parse_siconos_friction(text, "file.dat"));
}

TEST(SiconosFriction, ReadsOneContactInSpaceAndInThePlane) {
  const auto space =
      parse<FrictionContact>("3\n1\n0\n3\n3\n3 3\n1 .2 -.1 .2 1.5 .3 -.1 .3 .8\n-1 .6 -.4\n.3\n");
  EXPECT_EQ(space.dimension, 3);
  EXPECT_EQ(space.W.to_dense(), Matrix(Rows{{1, .2, -.1}, {.2, 1.5, .3}, {-.1, .3, .8}}));
  EXPECT_EQ(space.q, Values({-1, .6, -.4}));
  EXPECT_EQ(space.mu, Values({.3}));
  const auto plane = parse<FrictionContact>("2 1 0 2 2 2 2 1 2 3 4 5 6 .5 a comment");
  EXPECT_EQ(plane.W.to_dense(), Matrix(Rows{{1, 3}, {2, 4}}));  // column by column
}

TEST(SiconosFriction, TellsRollingInThePlaneByTheSecondCoefficient) {
  const std::string begin = "3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 ";
  EXPECT_EQ(parse<FrictionContact>(begin + ".3").mu_rolling.size(), 0);
  EXPECT_EQ(parse<FrictionContact>(begin + ".3 .1").mu_rolling, Values({.1}));
  EXPECT_EQ(parse<Soclcp>(begin + "0 3 .7").mu, Values({.7}));
}

TEST(SiconosFriction, TakesFreeVelocitiesOfGlobalProblemsAsFAndW) {
  const auto global =
      parse<GlobalFrictionContact>("2 1 0 2 2 2 2 4 0 0 5 0 2 2 2 2 1 2 3 4  10 11  12 13  .5");
  EXPECT_EQ(Matrix(global.M), Matrix(Rows{{4, 0}, {0, 5}}));
  EXPECT_EQ(Matrix(global.H), Matrix(Rows{{1, 3}, {2, 4}}));
  EXPECT_EQ(global.f, Values({10, 11}));
  EXPECT_EQ(global.w, Values({12, 13}));
}

TEST(SiconosFriction, ReadsGenericMechanicalProblems) {
  // blocks: equality (1 row), friction in the plane, complementarity (1 row)
  const auto form = parse<BlockForm>(
      "1 4 4 3 3 3 1 3 4 1 3 4 4 3 0 1 2 3 0 1 2  0 7  1 1 0 0 1  2 3  -1 -2 -3 -4  2 3 .25 0");
  ASSERT_EQ(form.K.size(), 3);
  EXPECT_TRUE(std::holds_alternative<Reals>(form.K[0]));
  EXPECT_EQ(std::get<FrictionCone>(form.K[1]).mu, .25);
  EXPECT_TRUE(std::holds_alternative<NonNegative>(form.K[2]));
  EXPECT_EQ(form.q, Values({-1, -2, -3, -4}));
}

TEST(SiconosFriction, ReadsRelayBlocksWithTheirBounds) {
  // a contact in the plane, then a relay of two rows
  const std::string begin = "1 4 4 2 2 2 2 4 2 4 3 2 0 1 2 0 1  0 1 0 0 1  1 1 0 0 1  -1 -2 -3 -4 ";
  const auto alike = parse<BlockForm>(begin + "3 .25 9 -1 -1 2 2");
  ASSERT_EQ(alike.K.size(), 2);
  EXPECT_EQ(std::get<Interval>(alike.K[1]).lower, -1);
  EXPECT_EQ(std::get<Interval>(alike.K[1]).upper, 2);
  // different bounds: a block for each row
  const auto split = parse<BlockForm>(begin + "3 .25 9 -1 -inf 2 3");
  ASSERT_EQ(split.K.size(), 3);
  EXPECT_EQ(split.W.row_size(2), 1);
  EXPECT_EQ(std::get<Interval>(split.K[2]).lower, -inf);
  EXPECT_EQ(std::get<Interval>(split.K[2]).upper, 3);
  EXPECT_EQ(split.W.to_dense(), alike.W.to_dense());
  EXPECT_EQ(to_siconos_friction(parse<BlockForm>(to_siconos_friction(split))),
            to_siconos_friction(split));
  EXPECT_ERROR(parse<BlockForm>(begin + "3 .25 9 -1 -1 2 -2"),
               "row 1 of a relay block has the bounds [-1, -2], expected an interval");
  EXPECT_ERROR(parse<BlockForm>(begin + "3 .25 9"), "the lower bounds of a relay block");
}

TEST(SiconosFriction, BringsBackWhatItWrites) {
  Matrix A = Matrix::Identity(6, 6);
  A(0, 4) = 1.0 / 3;
  const Vector q = Vector::LinSpaced(6, -1, 0.1), mu = Values{0.1, 0.7};
  const FrictionContact contact{3, BlockSparse::sparse(A.sparseView(), 3), q, mu};
  const BlockForm generic{
      BlockSparse::sparse(A.sparseView(), 3), q, {FrictionCone{0.3}, NonNegative{}}};
  const GlobalFrictionContact global{3, A.sparseView(), A.sparseView(), q, -q, mu};
  const Soclcp soclcp{BlockSparse::sparse(A.sparseView()), q, {4, 2}, mu};
  Matrix B = Matrix::Identity(10, 10);
  const FrictionContact rolling{5, BlockSparse::sparse(B.sparseView(), 5),
                                Vector::LinSpaced(10, 0, 1), mu, Values{0.01, 0}};
  for (const ContactProblem& problem :
       {ContactProblem(contact), ContactProblem(generic), ContactProblem(global),
        ContactProblem(soclcp), ContactProblem(rolling)}) {
    const std::string text = to_siconos_friction(problem);
    const ContactProblem again = parse_siconos_friction(text, "again.dat");
    EXPECT_EQ(again.index(), problem.index());
    EXPECT_EQ(to_siconos_friction(again), text);
  }
  const BlockForm tresca{
      BlockSparse::dense(Matrix::Identity(2, 2)), Values{1, 1}, {FrictionCylinder{1}}};
  EXPECT_ERROR(to_siconos_friction(tresca), "block 0 is a friction cylinder");
}

TEST(SiconosFriction, NamesTheLineAndWhatWasExpected) {
  const auto refused = [](const std::string& text, const std::string& part) {
    EXPECT_ERROR(parse_siconos_friction(text, "file.dat"), part);
    EXPECT_ERROR(parse_siconos_friction(text, "file.dat"), "cannot read 'file.dat': line ");
  };
  refused("3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0 0\n-0.5\n",
          "line 9: the coefficients mu: entry 0 is -0.5, expected >= 0");
  refused("3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n-1 0", "the entries of q");
  refused("3\n1\n0\n3\n3\n3 3\n1 0 0 nan 1 0 0 0 1\n-1 0 0 .5", "line 7: found 'nan'");
  refused("3 1 0 3 3 3 3 1 0 0 0 1 0 0 0 1 -1 0 0 .5 .5 .5 .5 .5", "");
  refused("4 1 0", "");
  refused("3 1000000000 0", "");
  refused("1 1 1 1 1 1 1 1 2 1 0 1 0 0 5 -1 5", "a block has type 5, expected 0 (complementarity)");
}

TEST(ReadAnyProblem, TellsContactFromComplementarity) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "saltus-any-problem";
  std::filesystem::create_directories(folder);
  const auto path = folder / "problem.dat";
  write_text_file(path, "2 0 2 2 2 2 1 0 0 1 -1 -2");
  EXPECT_TRUE(std::holds_alternative<Lcp>(read_any_problem(path)));
  write_text_file(path, "2 1 0 2 2 2 2 1 0 0 1 -1 -2 .5");
  EXPECT_TRUE(std::holds_alternative<FrictionContact>(read_any_problem(path)));
  EXPECT_ERROR(read_problem(path), "it holds a contact problem, expected lcp, mlcp or relay");
  write_text_file(path, "2 1 0 2 2 2 2 1 0 0 1 -1 -2 -.5");
  EXPECT_ERROR(read_any_problem(path), "mu: entry 0 is -0.5, expected >= 0");
  std::filesystem::remove_all(folder);
}

// The second matrix, "2 3 3 1 CSparse …", could be q, mu and a comment behind a reduced problem.
TEST(SiconosFriction, AGlobalProblemOfOneContactIsNotTakenForAReducedOne) {
  GlobalFrictionContact problem{3};
  problem.M.resize(3, 3);
  problem.M.setIdentity();
  problem.H = problem.M;
  problem.f = -Vector::Ones(3);
  problem.w = Vector::Zero(3);
  problem.mu = Vector::Constant(1, 0.1);
  const std::string text = to_siconos_friction(problem);
  for (const char* comment : {"", "# a comment", "end\n"}) {
    const ContactProblem again = parse_siconos_friction(text + comment, "one.dat");
    ASSERT_TRUE(std::holds_alternative<GlobalFrictionContact>(again)) << comment;
    EXPECT_EQ(to_siconos_friction(again), text);
  }
}

}  // namespace
}  // namespace saltus
