// The closed-form projections use no heap.
#include "cases.hpp"
#include "support/allocation_guard.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(Projection, OfClosedFormSetsDoesNotAllocate) {
  for (const cases::Case& c : cases::all_sets()) {
    if (std::holds_alternative<PolyhedralCone>(c.set)) continue;
    cases::Random random(1);
    const Vector x = cases::gaussian(c.dimension, random, 3);
    Vector p(c.dimension);
    Matrix J(c.dimension, c.dimension);
    const testing::AllocationGuard guard;
    project(c.set, x, p);
    projection_jacobian(c.set, x, J);
    const double sum = distance(c.set, x) + support(c.set, x);
    const bool inside = contains(c.set, x, 0.1);
    if (is_cone(c.set)) project_polar(c.set, x, p);
    EXPECT_EQ(guard.count(), 0) << c.name << sum << inside;
  }
}

TEST(AllocationGuard, CountsWhereItCan) {
  const testing::AllocationGuard guard;
  const Vector counted(100);
  EXPECT_EQ(guard.count() > 0, testing::AllocationGuard::active());
}

}  // namespace
}  // namespace saltus
