#include "saltus/io/trajectory_hdf5.hpp"

#include "io/trajectory_fixture.hpp"
#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/io/hdf5_handle.hpp"

#include <limits>

namespace saltus {

class TrajectoryHdf5 : public InFolder {
 protected:
  std::string reading_error(const std::string& bytes) {
    put(folder / "bad.h5", bytes);
    return error_of([&] { static_cast<void>(read_hdf5(folder / "bad.h5")); });
  }
};

void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.values, b.values);
}

void expect_same(const RunReport& a, const RunReport& b) {
  EXPECT_EQ(a.message(), b.message());
  EXPECT_EQ(a.end, b.end);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.end_time, b.end_time);
  EXPECT_EQ(a.active_steps, b.active_steps);
  EXPECT_EQ(a.solver_iterations, b.solver_iterations);
  EXPECT_EQ(a.newton_iterations, b.newton_iterations);
  EXPECT_EQ(a.unsolved_steps, b.unsolved_steps);
  EXPECT_EQ(a.rejected_steps, b.rejected_steps);
  EXPECT_EQ(a.shortest_step, b.shortest_step);
  EXPECT_EQ(a.longest_step, b.longest_step);
  EXPECT_EQ(a.energy.known, b.energy.known);
  EXPECT_EQ(a.energy.kinetic, b.energy.kinetic);
  EXPECT_EQ(a.energy.potential, b.energy.potential);
  EXPECT_EQ(a.energy.start, b.energy.start);
  EXPECT_EQ(a.energy.forces, b.energy.forces);
  EXPECT_EQ(a.energy.drives, b.energy.drives);
  EXPECT_EQ(a.energy.impact, b.energy.impact);
  EXPECT_EQ(a.energy.friction, b.energy.friction);
  EXPECT_EQ(a.energy.laws, b.energy.laws);
  EXPECT_EQ(a.energy.scheme, b.energy.scheme);
  EXPECT_EQ(a.momentum.known, b.momentum.known);
  for (const auto part : {&MomentumBalance::start, &MomentumBalance::end, &MomentumBalance::forces,
                          &MomentumBalance::interactions, &MomentumBalance::scheme}) {
    EXPECT_EQ((a.momentum.*part).linear, (b.momentum.*part).linear);
    EXPECT_EQ((a.momentum.*part).angular, (b.momentum.*part).angular);
  }
  EXPECT_EQ(a.worst_residual, b.worst_residual);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.times.free, b.times.free);
  EXPECT_EQ(a.times.activate, b.times.activate);
  EXPECT_EQ(a.times.assemble, b.times.assemble);
  EXPECT_EQ(a.times.solve, b.times.solve);
  EXPECT_EQ(a.times.update, b.times.update);
  EXPECT_EQ(a.recording_seconds, b.recording_seconds);
  EXPECT_EQ(a.last.status, b.last.status);
  EXPECT_EQ(a.last.active_rows, b.last.active_rows);
  EXPECT_EQ(a.last.newton_iterations, b.last.newton_iterations);
  EXPECT_EQ(a.last.newton_residual, b.last.newton_residual);
  EXPECT_EQ(a.last.solver_iterations, b.last.solver_iterations);
  EXPECT_EQ(a.last.solve.status, b.last.solve.status);
  EXPECT_EQ(a.last.solve.iterations, b.last.solve.iterations);
  EXPECT_EQ(a.last.solve.residual, b.last.solve.residual);
  EXPECT_EQ(a.last.solve.seconds, b.last.solve.seconds);
}

void expect_same(const Trajectory& a, const Trajectory& b) {
  EXPECT_EQ(a.t, b.t);
  expect_same(a.q, b.q);
  expect_same(a.v, b.v);
  expect_same(a.x, b.x);
  expect_same(a.y, b.y);
  expect_same(a.u, b.u);
  expect_same(a.r, b.r);
  expect_same(a.report, b.report);
}

TEST_F(TrajectoryHdf5, AMechanicalRunReadsBackBitForBit) {
  const Trajectory run = ball_run();
  ASSERT_GT(run.size(), 100);
  write_hdf5(folder / "ball.h5", run);
  expect_same(read_hdf5(folder / "ball.h5"), run);
}

TEST_F(TrajectoryHdf5, AnElectricalRunReadsBackBitForBit) {
  Simulation simulation(circuits::DiodeBridge{}.model(), MoreauJean{}, {.step = 1e-6});
  const Trajectory run = simulation.run(1e-4);
  write_hdf5(folder / "bridge.h5", run);
  expect_same(read_hdf5(folder / "bridge.h5"), run);
}

TEST_F(TrajectoryHdf5, EveryEntryOfAReportReadsBack) {
  Trajectory run;
  run.t = {0};
  run.report = {.end = RunEnd::step_failed,
                .steps = 7,
                .end_time = 0.1,
                .active_steps = 6,
                .solver_iterations = 5'000'000'000,
                .newton_iterations = 4,
                .unsolved_steps = 3,
                .rejected_steps = 2,
                .shortest_step = 1e-5,
                .longest_step = 1e-2,
                .worst_residual = std::numeric_limits<double>::denorm_min(),
                .seconds = 0.3,
                .times = {0.01, 0.02, 0.03, 0.04, 0.05},
                .recording_seconds = 0.06,
                .energy = {true, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9},
                .momentum = {.known = true,
                             .start = {{1, 2, 3}, {4, 5, 6}},
                             .end = {{7, 8, 9}, {10, 11, 12}},
                             .forces = {{13, 14, 15}, {16, 17, 18}},
                             .interactions = {{19, 20, 21}, {22, 23, 24}},
                             .scheme = {{25, 26, 27}, {28, 29, 30}}},
                .last = {.status = StepStatus::solver_failed,
                         .active_rows = 11,
                         .newton_iterations = 12,
                         .newton_residual = 0.13,
                         .solve = {SolveStatus::stalled, 14, inf, 0.15},
                         .solver_iterations = 16}};
  write_hdf5(folder / "report.h5", run);
  expect_same(read_hdf5(folder / "report.h5"), run);
}

TEST_F(TrajectoryHdf5, NotANumberAndInfinityReadBack) {
  Trajectory run;
  run.t = {0};
  run.x = {{"a", "b"}, {std::numeric_limits<double>::quiet_NaN(), -inf}};
  write_hdf5(folder / "odd.h5", run);
  const Trajectory read = read_hdf5(folder / "odd.h5");
  EXPECT_TRUE(std::isnan(read.x(0, 0)));
  EXPECT_EQ(read.x(0, 1), -inf);
}

TEST_F(TrajectoryHdf5, AnEmptyTrajectoryReadsBack) {
  write_hdf5(folder / "empty.h5", Trajectory{});
  expect_same(read_hdf5(folder / "empty.h5"), Trajectory{});
}

TEST_F(TrajectoryHdf5, TwentyThousandColumnsReadBackAndAreCompressed) {
  Trajectory run;
  for (int i = 0; i < 20000; ++i) run.q.names.push_back(fmt::format("bead.q[{}]", i));
  for (int k = 0; k < 20; ++k) {
    run.t.push_back(k);
    for (int i = 0; i < 20000; ++i) run.q.values.push_back(i + 0.5 * k);
  }
  write_hdf5(folder / "wide.h5", run);
  expect_same(read_hdf5(folder / "wide.h5"), run);
  const std::size_t plain = run.q.values.size() * sizeof(double);
  EXPECT_LT(std::filesystem::file_size(folder / "wide.h5"), plain / 2);
}

TEST_F(TrajectoryHdf5, NotesReadBack) {
  const Notes notes{
      {"model", "ball"}, {"long", std::string(100000, 'x')}, {"empty", ""}, {"unit", "Ω, µF"}};
  write_hdf5(folder / "notes.h5", ball_run(), notes);
  EXPECT_EQ(read_notes(folder / "notes.h5"), notes);
}

TEST_F(TrajectoryHdf5, OverwritesAnOlderFile) {
  write_hdf5(folder / "a.h5", Trajectory{});
  const Trajectory run = ball_run();
  write_hdf5(folder / "a.h5", run);
  expect_same(read_hdf5(folder / "a.h5"), run);
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(TrajectoryHdf5, AFailedWriteKeepsTheOlderFile) {
  write_hdf5(folder / "a.h5", ball_run());
  const std::string before = text_of(folder / "a.h5");
  Trajectory broken = ball_run();
  broken.q.values.pop_back();
  const std::string text = error_of([&] { write_hdf5(folder / "a.h5", broken); });
  EXPECT_NE(text.find("table q has 400 values, expected 401 instants x 1 columns"),
            std::string::npos)
      << text;
  EXPECT_EQ(text_of(folder / "a.h5"), before);
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(TrajectoryHdf5, AFolderThatCannotBeWrittenIsAnError) {
  const auto path = folder / "missing" / "a.h5";
  EXPECT_EQ(error_of([&] { write_hdf5(path, ball_run()); }),
            "cannot write '" + path.string() + "': No such file or directory");
}

TEST_F(TrajectoryHdf5, AMissingFileIsAnError) {
  const auto path = folder / "none.h5";
  EXPECT_EQ(error_of([&] { static_cast<void>(read_hdf5(path)); }),
            "cannot read '" + path.string() + "': there is no such file");
  EXPECT_NE(error_of([&] { static_cast<void>(read_hdf5(folder)); }).find("it is a folder"),
            std::string::npos);
}

TEST_F(TrajectoryHdf5, AFileOfAnotherKindIsAnError) {
  EXPECT_NE(reading_error("t,x\n0,1\n").find("not an HDF5 file"), std::string::npos);
  EXPECT_NE(reading_error("").find("not an HDF5 file"), std::string::npos);
}

TEST_F(TrajectoryHdf5, AnHdf5FileOfAnotherProgramIsAnError) {
  const auto path = folder / "foreign.h5";
  const hdf5::Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, "test");
  ASSERT_GE(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), 0);
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  EXPECT_NE(error_of([&] {
              static_cast<void>(read_hdf5(path));
            }).find("it is an HDF5 file, but not a saltus trajectory"),
            std::string::npos);
}

TEST_F(TrajectoryHdf5, ANewerVersionOfTheFormatIsAnError) {
  const auto path = folder / "newer.h5";
  write_hdf5(path, ball_run());
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    ASSERT_GE(H5Adelete(file, "version"), 0);
    hdf5::write_attribute(file, "version", 2L, "test");
  }
  EXPECT_NE(error_of([&] {
              static_cast<void>(read_hdf5(path));
            }).find("version 2 of the format, this program knows versions 1 to 1"),
            std::string::npos);
}

TEST_F(TrajectoryHdf5, ATableThatDoesNotFitTheInstantsIsAnError) {
  const auto path = folder / "short.h5";
  write_hdf5(path, ball_run());
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    ASSERT_GE(H5Ldelete(file, "t", H5P_DEFAULT), 0);
    const hsize_t size = 3;
    const hdf5::Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, "test");
    const hdf5::Handle set(
        H5Dcreate2(file, "t", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        &H5Dclose, "test");
    const double instants[] = {0, 1, 2};
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, instants), 0);
  }
  EXPECT_NE(error_of([&] { static_cast<void>(read_hdf5(path)); }).find("q is 401 x 1, expected 3"),
            std::string::npos);
}

TEST_F(TrajectoryHdf5, ATruncatedFileIsAnErrorWhereverItIsCut) {
  write_hdf5(folder / "whole.h5", ball_run());
  const std::string whole = text_of(folder / "whole.h5");
  for (std::size_t part = 1; part < 32; ++part) {
    const std::string text = reading_error(whole.substr(0, whole.size() * part / 32));
    EXPECT_EQ(text.find("cannot read '" + (folder / "bad.h5").string() + "': "), 0)
        << "cut at " << part << "/32: " << text;
  }
}

TEST_F(TrajectoryHdf5, Hdf5ItselfPrintsNothing) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(reading_error("no HDF5").empty());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace saltus
