// A long straight chain with dry friction in each hinge, that falls from its first one.

#include "saltus/mechanics/joint_list.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace saltus::mechanics {
namespace {

Model hinge_chain(Index links, double moment) {
  const double length = 0.2;
  RigidBodies bodies{
      .m = Vector::Ones(links), .inertia = Matrix(links, 3), .gravity = {0, 0, -9.81}};
  Vector q(7 * links);
  JointList joints;
  for (Index i = 0; i < links; ++i) {
    const double x = static_cast<double>(i) * length;
    bodies.inertia.row(i) << 0.0008, 0.004, 0.004;
    q.segment<7>(7 * i) = positions_of({x + 0.5 * length, 0, 0});
    joints.hinge(i - 1, i, {x, 0, 0}, {0, 1, 0}, {.friction = moment});
  }
  Model model;
  const SystemId pool =
      model.add(std::move(bodies), {.q = q, .v = Vector::Zero(6 * links)}, "links");
  joints.enter(model, pool);
  return model;
}

TEST(HingeChain, TenThousandLinksTakeAsManyIterationsAsAThousand) {
  // Hinges hold two of three directions of bending: W has the condition number of a cantilever, the
  // fourth power of the number of links, 1e16. At most 15 exchanges and 60 of the interior point.
  for (const Index links : {1000, 10000}) {
    Simulation sim(hinge_chain(links, 0.05), MoreauJean{}, {.step = 1e-3});
    for (int k = 0; k < 2; ++k) {
      const StepReport report = sim.advance();
      ASSERT_TRUE(report.done()) << links << " links, residual " << report.solve.residual;
      EXPECT_LE(report.solver_iterations, 15 + 60);
    }
  }
}

}  // namespace
}  // namespace saltus::mechanics
