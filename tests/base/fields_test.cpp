#include "saltus/base/fields.hpp"

#include "saltus/laws/law.hpp"
#include "support/expect_error.hpp"

namespace saltus {
namespace {

TEST(Fields, DescribeListsEveryField) {
  EXPECT_EQ(describe(Coulomb{.mu = 0.5, .e = 0.25}), "Coulomb(mu=0.5, e=0.25, e_t=0, cohesion=0)");
  EXPECT_EQ(describe(Law{NewtonImpact{.e = 0.9}}), "NewtonImpact(e=0.9)");
}

TEST(Fields, ValidateSaysWhatWasGivenAndExpected) {
  EXPECT_ERROR(validate(NewtonImpact{.e = 1.5}), "NewtonImpact: e is 1.5, expected in [0, 1]");
  EXPECT_ERROR(validate(NewtonImpact{.e = -0.1}), "e is -0.1");
  EXPECT_ERROR(validate(Coulomb{.mu = -1}), "Coulomb: mu is -1, expected >= 0");
  EXPECT_ERROR(validate(Relay{.lower = 2, .upper = 1}), "upper is 1, expected >= 2");
}

TEST(Fields, ValidateRefusesNan) {
  EXPECT_ERROR(validate(NewtonImpact{.e = std::nan("")}), "e is nan");
}

}  // namespace
}  // namespace saltus
