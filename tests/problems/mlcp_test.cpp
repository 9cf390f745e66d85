#include "saltus/problems/mlcp.hpp"

#include "saltus/base/report.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

// S:V-18: M̂ = I₂, G = (1, −1)ᵀ, H_N = (1, 0)ᵀ, v_free = (−1, −3); z = (P_μ, P_N).
Mlcp bilateral(double restitution_term) {
  return make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2},
                   Values{-1 + restitution_term});
}

TEST(MlcpResidual, VanishesAtTheBilateralContactSolutions) {  // S:V-18
  EXPECT_DOUBLE_EQ(residual(bilateral(0), Values{-3, 4}), 0);
  EXPECT_DOUBLE_EQ(residual(bilateral(-1), Values{-4, 6}), 0);
  EXPECT_DOUBLE_EQ(residual(bilateral(0), Values{0, 0}), 2);
}

TEST(MlcpConversion, FromPartitionedFormPlacesTheBlocks) {  // S:LCP-04
  const Mlcp problem = make_mlcp(Rows{{1, 2}, {3, 4}}, Rows{{5.0}}, Rows{{6.0}, {7.0}},
                                 Rows{{8, 9}}, Values{10, 11}, Values{12});
  const Matrix expected = Rows{{1, 2, 6}, {3, 4, 7}, {8, 9, 5}};
  EXPECT_EQ(problem.M.to_dense(), expected);
  EXPECT_EQ(problem.q, (Vector(3) << 10, 11, 12).finished());
  EXPECT_EQ(problem.equalities, (std::vector<Index>{0, 1}));
  EXPECT_ERROR(make_mlcp(Rows{{1.0}}, Rows{{1.0}}, Rows{{1, 1}}, Rows{{1.0}}, Values{1}, Values{1}),
               "C is 1x2, expected 1x1");
}

TEST(MlcpConversion, SchurEliminationUsesBMinusDAInverseC) {  // S:LCP-11, corrected
  const Mlcp problem =
      make_mlcp(Rows{{2.0}}, Rows{{5.0}}, Rows{{3.0}}, Rows{{4.0}}, Values{1}, Values{7});
  const ReducedMlcp reduced = to_lcp(problem);
  EXPECT_DOUBLE_EQ(reduced.lcp.M.to_dense()(0, 0), 5 - 4 * 3 / 2.0);
  EXPECT_DOUBLE_EQ(reduced.lcp.q[0], 7 - 4 * 1 / 2.0);
  const Vector z = reduced.expand(Values{2});
  EXPECT_DOUBLE_EQ(z[0], -(1 + 3 * 2) / 2.0);
  EXPECT_DOUBLE_EQ(z[1], 2);
}

TEST(MlcpConversion, KeepsTheSolution) {  // S:V-18
  const ReducedMlcp reduced = to_lcp(bilateral(0));
  EXPECT_DOUBLE_EQ(residual(reduced.lcp, Values{4}), 0);
  EXPECT_DOUBLE_EQ(reduced.expand(Values{4})[0], -3);
  const BlockForm form = to_block_form(bilateral(0));
  EXPECT_TRUE(std::holds_alternative<Reals>(form.K[0]));
  EXPECT_TRUE(std::holds_alternative<NonNegative>(form.K[1]));
  EXPECT_DOUBLE_EQ(residual(form, Values{-3, 4}), 0);
  EXPECT_DOUBLE_EQ(residual(form, Values{0, 0}), std::sqrt(2.0 * 2 + 1));
}

TEST(MlcpConversion, EqualitiesMayStandAnywhere) {  // S:LCP-05
  // rows 0 and 2 are complementarities, row 1 an equality: the bilateral case with a spectator
  const Mlcp problem{
      BlockSparse::dense(Rows{{1, 1, 0}, {1, 2, 0}, {0, 0, 1}}), Values{-1, 2, 5}, {1}};
  EXPECT_DOUBLE_EQ(residual(problem, Values{4, -3, 0}), 0);
  const ReducedMlcp reduced = to_lcp(problem);
  EXPECT_DOUBLE_EQ(residual(reduced.lcp, Values{4, 0}), 0);
  EXPECT_EQ(reduced.expand(Values{4, 0}), (Vector(3) << 4, -3, 0).finished());
}

TEST(MlcpValidation, SaysWhatIsWrong) {
  Mlcp problem = bilateral(0);
  problem.equalities = {2};
  EXPECT_ERROR(validate(problem), "equality 2 is out of range");
  problem.equalities = {1, 0};
  EXPECT_ERROR(validate(problem), "expected increasing");
  EXPECT_ERROR(
      to_lcp(make_mlcp(Rows{{0.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{1}, Values{1})),
      "singular");
}

}  // namespace
}  // namespace saltus
