/// The parts of `saltus bench friction`. Covers FS:FS-112, FS:FS-113, FS:FS-116, FS:V12.
#include "apps/bench_friction_campaign.hpp"
#include "apps/bench_friction_files.hpp"
#include "apps/isolated_run.hpp"
#include "apps/performance_profile.hpp"
#include "saltus/base/error.hpp"
#include "saltus/base/stopwatch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <new>

namespace saltus {
namespace {

namespace fs = std::filesystem;

TEST(PerformanceProfile, V12HasTheSharesOfTheCard) {
  const auto profiles = performance_profiles({{1, 4, inf}, {2, 2, 5}});
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_DOUBLE_EQ(profiles[0].share(1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(profiles[1].share(1), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profiles[0].share(2), 2.0 / 3);
  EXPECT_DOUBLE_EQ(profiles[1].share(2), 1);
  EXPECT_DOUBLE_EQ(profiles[0].share(inf), 2.0 / 3);
}

TEST(PerformanceProfile, ProblemsThatNobodySolvesCountForNobody) {
  const auto profiles = performance_profiles({{inf, 0}, {inf, 0}});
  for (const PerformanceProfile& profile : profiles) {
    EXPECT_DOUBLE_EQ(profile.share(1), 0.5);
    EXPECT_DOUBLE_EQ(profile.share(inf), 0.5);
  }
  EXPECT_EQ(virtual_best({{3, inf, 2}, {1, inf, 4}}), (std::vector<double>{1, inf, 2}));
}

TEST(PerformanceProfile, RefusesTimesThatMeanNothing) {
  EXPECT_THROW(static_cast<void>(performance_profiles({{1, 2}, {1}})), Error);
  EXPECT_THROW(static_cast<void>(performance_profiles({{-1}})), Error);
  EXPECT_THROW(static_cast<void>(performance_profiles({{std::nan("")}})), Error);
}

TEST(Median, MayBeInfinite) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({1, inf, inf}), inf);
  EXPECT_TRUE(std::isnan(median({})));
}

TEST(IsolatedRun, ReturnsWhatTheFunctionReturns) {
  const std::string large(300'000, 'x');  // more than a pipe holds
  const IsolatedResult result = run_isolated([&] { return large + '\0' + "end"; }, 10);
  EXPECT_TRUE(result.finished);
  EXPECT_EQ(result.bytes, large + '\0' + "end");
}

TEST(IsolatedRun, ACrashIsAResult) {
  const IsolatedResult killed = run_isolated(
      []() -> std::string {
        std::raise(SIGKILL);
        return "";
      },
      10);
  EXPECT_FALSE(killed.finished);
  EXPECT_EQ(killed.reason, "crash: Killed");
  const IsolatedResult left = run_isolated([]() -> std::string { std::_Exit(3); }, 10);
  EXPECT_FALSE(left.finished);
  EXPECT_EQ(left.reason, "crash: ended by itself");
}

TEST(IsolatedRun, AnEndlessLoopEndsAtTheLimit) {
  Stopwatch clock;
  std::atomic<int> count = 0;
  const IsolatedResult result = run_isolated(
      [&]() -> std::string {
        for (;;) ++count;
      },
      0.2);
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.reason, "time limit");
  EXPECT_GE(clock.seconds(), 0.2);
  EXPECT_EQ(count, 0);  // it was another process
}

TEST(IsolatedRun, WhatSleepsForEverEndsTenTimesLater) {
  const IsolatedResult result = run_isolated(
      []() -> std::string {
        for (;;) pause();
      },
      0.01);
  EXPECT_EQ(result.reason, "time limit");
}

TEST(IsolatedRun, ExceptionsAreReasons) {
  EXPECT_EQ(run_isolated([]() -> std::string { throw std::bad_alloc(); }, 10).reason,
            "out of memory");
  EXPECT_EQ(run_isolated([]() -> std::string { fail("no {}", 7); }, 10).reason, "no 7");
}

class ProblemFiles : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) / "saltus-bench-files";
    fs::remove_all(root_);
    for (const char* name : {"Wall/a.hdf5", "Wall/b.h5", "Wall/c.hdf5", "Wall/d.dat", "Arch/x.dat",
                             "Pile-s1-2.dat", "notes.txt", "Arch/deep/y.dat"}) {
      fs::create_directories((root_ / name).parent_path());
      std::ofstream(root_ / name) << "1";
    }
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path root_;
};

TEST_F(ProblemFiles, FamiliesAreFoldersOrTheBeginningsOfNames) {
  const std::vector<BenchFile> files = find_problem_files(std::vector<fs::path>{root_});
  std::vector<std::string> found;
  for (const BenchFile& file : files)
    found.push_back(file.family + " " + file.path.filename().string());
  EXPECT_EQ(found,
            (std::vector<std::string>{"Arch x.dat", "Pile Pile-s1-2.dat", "Wall a.hdf5",
                                      "Wall b.h5", "Wall c.hdf5", "Wall d.dat", "deep y.dat"}));
}

TEST_F(ProblemFiles, AFileGivenTwiceCountsOnce) {
  EXPECT_EQ(find_problem_files(std::vector<fs::path>{root_, root_ / "Wall", root_ / "Wall/a.hdf5"})
                .size(),
            7u);
}

TEST_F(ProblemFiles, MissingPlacesAndEmptyFoldersAreMistakes) {
  fs::create_directories(root_ / "empty");
  EXPECT_THROW(static_cast<void>(find_problem_files(std::vector<fs::path>{root_ / "none"})), Error);
  EXPECT_THROW(static_cast<void>(find_problem_files(std::vector<fs::path>{root_ / "empty"})),
               Error);
}

TEST_F(ProblemFiles, ASampleTakesOfEveryFamilyAlike) {
  const std::vector<BenchFile> files = find_problem_files(std::vector<fs::path>{root_});
  const auto names = [&](Index count) {
    std::vector<std::string> list;
    for (const BenchFile& file : stratified_sample(files, count))
      list.push_back(file.path.filename().string());
    return list;
  };
  // Four families: one of each; the fifth and the sixth file come from the largest.
  EXPECT_EQ(names(4).size(), 4u);
  EXPECT_EQ(names(6), (std::vector<std::string>{"x.dat", "Pile-s1-2.dat", "a.hdf5", "c.hdf5",
                                                "d.dat", "y.dat"}));
  EXPECT_EQ(names(6), names(6));
  EXPECT_EQ(names(100).size(), files.size());
}

TEST(ProblemSample, TakesBothForms) {
  std::vector<BenchFile> files;
  for (const char* name : {"1-global", "1-local", "2-global", "2-local"})
    files.push_back({fs::path(name).concat(".hdf5"), "Wall"});
  const std::vector<BenchFile> sample = stratified_sample(files, 2);
  ASSERT_EQ(sample.size(), 2u);
  EXPECT_EQ(sample[0].path, "2-global.hdf5");
  EXPECT_EQ(sample[1].path, "2-local.hdf5");
}

BenchRow row(const char* file, const char* solver, double seconds, long iterations = 1) {
  BenchRow r;
  r.file = file;
  r.family = "family";
  r.contacts = 4;
  r.form = "friction";
  r.tolerance = 1e-8;
  r.solver = solver;
  r.status = seconds < inf ? "solved" : "unsolved";
  r.reason = seconds < inf ? "" : "no convergence, error 1,\t\"x\"";
  r.error = 1e-9;
  r.seconds = seconds;
  r.iterations = iterations;
  return r;
}

TEST(BenchRows, SurviveTheWayThroughAPipe) {
  const BenchedFile file{
      .skipped = "",
      .rows = {row("a b.dat", "default", 0.25, 7), row("c.dat", "siconos:NSGS", inf)}};
  const BenchedFile back = benched_file_from(to_text(file));
  ASSERT_EQ(back.rows.size(), 2u);
  EXPECT_EQ(csv_line(back.rows[0]), csv_line(file.rows[0]));
  EXPECT_EQ(back.rows[1].seconds, inf);
  EXPECT_EQ(back.rows[1].reason, "no convergence, error 1, \"x\"");
  EXPECT_EQ(benched_file_from(to_text({.skipped = "two\nlines"})).skipped, "two lines");
}

TEST(BenchRows, TheTableQuotesCommas) {
  EXPECT_EQ(csv_line(row("a,b.dat", "default", 0.5)),
            "\"a,b.dat\",family,4,friction,1e-08,default,solved,,1e-09,inf,0.5,1,0,0.125\n");
}

TEST(BenchSummary, RatiosAreTakenWhereSiconosSucceeds) {
  BenchOutcome outcome;
  outcome.rows = {
      row("a", "default", 1), row("a", "siconos:NSGS", 10, 2000), row("a", "siconos:PROX", 4),
      row("b", "default", 3), row("b", "siconos:NSGS", 2),        row("b", "siconos:PROX", inf),
      row("c", "default", 5), row("c", "siconos:NSGS", inf),      row("c", "siconos:PROX", inf)};
  const std::vector<SolverSummary> lines = summaries(bench_times(outcome, 1e-8));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].solver, "default");
  EXPECT_EQ(lines[0].solved, 3u);
  EXPECT_EQ(lines[0].median_seconds, 3);
  EXPECT_EQ(lines[0].median_ratio, (1.0 / 4 + 3.0 / 2) / 2);
  EXPECT_EQ(lines[1].solver, peer_best);
  EXPECT_EQ(lines[1].solved, 2u);
  EXPECT_EQ(lines[1].median_ratio, 1);
  EXPECT_EQ(lines[2].solver, "siconos:NSGS");
  EXPECT_EQ(ratios_where_sweeps_are_slow(outcome, 1e-8, "default"), (std::vector<double>{0.1}));
  EXPECT_TRUE(bench_times(outcome, 1e-4).files.empty());
}

// FS:FS-113: time per contact, factorisations, error at the limit.
TEST(BenchSummary, CountsWhatIsNotTime) {
  BenchOutcome outcome;
  outcome.rows = {row("a", "default", 1), row("b", "default", 3), row("c", "default", inf),
                  row("d", "default", inf), row("a", "siconos:NSGS", inf)};
  outcome.rows[0].factorisations = 10;
  outcome.rows[1].factorisations = 30;
  outcome.rows[1].contacts = 6;
  outcome.rows[2].status = outcome.rows[3].status = "time limit";
  outcome.rows[2].error = 1e-3;
  outcome.rows[3].error = 3e-3;
  const std::vector<SolverSummary> lines = summaries(bench_times(outcome, 1e-8));
  EXPECT_EQ(lines[0].median_per_contact, (1.0 / 4 + 3.0 / 6) / 2);
  EXPECT_EQ(lines[0].median_factorisations, 20);
  EXPECT_EQ(lines[0].at_limit, 2u);
  EXPECT_DOUBLE_EQ(lines[0].median_limit_error, 2e-3);
  EXPECT_EQ(limit_text(lines[0]), "2 at 0.002");
  EXPECT_EQ(lines.back().solver, "siconos:NSGS");  // which does not say how often it factorises
  EXPECT_TRUE(std::isnan(lines.back().median_factorisations));
  EXPECT_EQ(limit_text(lines.back()), "–");
  EXPECT_EQ(BenchRow{}.seconds_per_contact(), inf);
}

TEST(Statistics, AreThoseOfASample) {
  const Statistics three = statistics({1, 2, 6});
  EXPECT_DOUBLE_EQ(three.mean, 3);
  EXPECT_DOUBLE_EQ(three.deviation, std::sqrt((4.0 + 1 + 9) / 2));
  EXPECT_EQ(statistics({7}).mean, 7);
  EXPECT_TRUE(std::isnan(statistics({7}).deviation));
  EXPECT_TRUE(std::isnan(statistics({}).mean));
}

// FS:FS-116: of each family the fastest solver's times, absolute and per contact, and the unsolved.
TEST(Campaign, TakesTheFastestSolverOfEachProblem) {
  BenchOutcome outcome;
  outcome.rows = {row("a", "default", 2), row("a", "other", 1),     row("b", "default", 3),
                  row("b", "other", inf), row("c", "default", inf), row("c", "other", inf),
                  row("x", "default", 10)};
  outcome.rows[2].contacts = outcome.rows[3].contacts = 12;
  outcome.rows[6].family = "tower, tall";
  BenchRequest request;
  request.tolerances = {1e-8};
  request.time_limit = 5;
  const std::vector<CampaignLine> lines = campaign(request, outcome);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].family, "family");
  EXPECT_EQ(lines[0].files, 3u);
  EXPECT_EQ(lines[0].unsolved, 1u);
  EXPECT_EQ(lines[0].fewest_contacts, 4);
  EXPECT_EQ(lines[0].most_contacts, 12);
  EXPECT_DOUBLE_EQ(lines[0].seconds.mean, 2);
  EXPECT_DOUBLE_EQ(lines[0].seconds.deviation, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(lines[0].per_contact.mean, 0.25);
  EXPECT_DOUBLE_EQ(lines[0].per_contact.deviation, 0);
  EXPECT_EQ(lines[2].family, "all");
  EXPECT_EQ(lines[2].files, 4u);
  EXPECT_DOUBLE_EQ(lines[2].seconds.mean, 14.0 / 3);
  const std::string table = campaign_csv(request, outcome);
  EXPECT_NE(table.find("\"tower, tall\",1e-08,5,1,4,4,10,nan,2.5,nan,0\n"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace saltus
