#include "saltus/io/trajectory_csv.hpp"

#include "io/trajectory_fixture.hpp"

#include <cstdlib>
#include <sstream>

namespace saltus {

class TrajectoryCsv : public InFolder {
 protected:
  static std::vector<std::string> lines_of(const std::filesystem::path& path) {
    std::istringstream text(text_of(path));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<double> numbers_of(const std::string& line) {
    std::istringstream text(line);
    std::vector<double> numbers;
    for (std::string word; std::getline(text, word, ',');)
      numbers.push_back(std::strtod(word.c_str(), nullptr));
    return numbers;
  }
};

TEST_F(TrajectoryCsv, FirstRowNamesTheColumns) {
  write_csv(folder / "ball.csv", ball_run());
  EXPECT_EQ(lines_of(folder / "ball.csv").front(),
            "t,ball.q[0],ball.v[0],ground.y[0],ground.u[0],ground.r[0]");
}

TEST_F(TrajectoryCsv, NumbersReadBackToTheSameDoubles) {
  const Trajectory run = ball_run();
  write_csv(folder / "ball.csv", run);
  const auto lines = lines_of(folder / "ball.csv");
  ASSERT_EQ(static_cast<Index>(lines.size()), run.size() + 1);
  for (Index k = 0; k < run.size(); ++k) {
    const std::vector<double> expected{run.t[k],    run.q(k, 0), run.v(k, 0),
                                       run.y(k, 0), run.u(k, 0), run.r(k, 0)};
    ASSERT_EQ(numbers_of(lines[k + 1]), expected) << "row " << k;
  }
}

TEST_F(TrajectoryCsv, LongFilesAreWrittenInPiecesWithoutLoss) {
  Trajectory run;
  run.x.names = {"a", "b"};
  for (int k = 0; k < 100000; ++k) {  // some 5 MB, several pieces
    run.t.push_back(k / 3.0);
    run.x.values.insert(run.x.values.end(), {k / 7.0, -k / 11.0});
  }
  write_csv(folder / "long.csv", run);
  const auto lines = lines_of(folder / "long.csv");
  ASSERT_EQ(lines.size(), run.t.size() + 1);
  for (Index k = 0; k < run.size(); ++k)
    ASSERT_EQ(numbers_of(lines[k + 1]), (std::vector<double>{run.t[k], run.x(k, 0), run.x(k, 1)}));
}

TEST_F(TrajectoryCsv, NamesWithCommasAndQuotesAreQuoted) {
  Trajectory run;
  run.t = {0};
  run.x = {{"a,b", "say \"x\""}, {1, 2}};
  write_csv(folder / "odd.csv", run);
  EXPECT_EQ(text_of(folder / "odd.csv"), "t,\"a,b\",\"say \"\"x\"\"\"\n0,1,2\n");
}

TEST_F(TrajectoryCsv, AFileThatCannotBeWrittenIsAnError) {
  const auto path = folder / "missing" / "ball.csv";
  EXPECT_NE(error_of([&] { write_csv(path, ball_run()); }).find(path.string()), std::string::npos);
}

}  // namespace saltus
