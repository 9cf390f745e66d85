// One-step problems of a simulation as FCLib files.

#include "saltus/io/problem_dump.hpp"

#include "saltus/io/fclib.hpp"
#include "saltus/mechanics/masonry.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <fstream>

namespace saltus {
namespace {

namespace fs = std::filesystem;

class Dump : public ::testing::Test {
 protected:
  Dump() : folder(fs::temp_directory_path() / "saltus_dump_test") { fs::remove_all(folder); }
  ~Dump() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(Dump, FilesHoldTheProblemItsGuessAndItsSolution) {  // FS:FS-114
  Simulation sim(mechanics::BoxStack{.count = 3}.model(), {}, {.step = 5e-3});
  const auto count = dump_problems(sim, {.folder = folder, .title = "stack", .every = 2});
  for (int k = 0; k < 6; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(count->files, 3);
  EXPECT_EQ(count->skipped, 0);
  const FclibFile file = read_fclib(folder / "stack-nc-12-4.hdf5");
  const auto& problem = std::get<GlobalFrictionContact>(file.problem);
  EXPECT_EQ(problem.M.rows(), 18);
  EXPECT_EQ(problem.mu.size(), 12);
  ASSERT_TRUE(file.solution.has_value());
  ASSERT_EQ(file.guesses.size(), 1u);
  const FrictionErrors errors = friction_errors(to_global_block_form(problem), file.solution->r);
  EXPECT_LE(errors.worst(), 1e-8);
  // at rest the reactions of the last step are those of this one
  EXPECT_LT((file.guesses[0].r - file.solution->r).norm(), 1e-5 * file.solution->r.norm());
}

TEST_F(Dump, ReducedProblemsAreWrittenAsLocalOnes) {  // FS:FS-114
  Model model;
  const auto block = model.add(PointMass{.gravity = {-9.81, 1.0, 0.0}}, {.q = Vector::Zero(3)});
  model.link(block, LinearRelation{.H = Matrix::Identity(3, 3)}, Coulomb{.mu = 0.5});
  Simulation sim(model, {}, {.step = 1e-2});
  const auto count = dump_problems(sim, {.folder = folder});
  ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(count->files, 1);
  const FclibFile file = read_fclib(folder / "model-nc-1-1.hdf5");
  EXPECT_EQ(std::get<FrictionContact>(file.problem).dimension, 3);
}

TEST_F(Dump, ProblemsWithoutFrictionAreNotWritten) {
  Model model;
  const auto ball = model.add(PointMass{.gravity = {-9.81}}, {.q = {0.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{});
  Simulation sim(model, {}, {.step = 1e-2});
  const auto count = dump_problems(sim, {.folder = folder});
  ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(count->files, 0);
}

TEST_F(Dump, RefusesAFolderThatIsAFile) {
  std::ofstream(folder) << "x";
  Simulation sim(mechanics::BoxStack{.count = 1}.model(), {}, {.step = 5e-3});
  EXPECT_ERROR(dump_problems(sim, {.folder = folder}), "cannot write into the output folder");
  EXPECT_ERROR(dump_problems(sim, {.folder = folder, .every = 0}), "every is 0");
}

}  // namespace
}  // namespace saltus
