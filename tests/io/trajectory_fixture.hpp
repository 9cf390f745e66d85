#pragma once

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/simulation.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace saltus {

/// A folder that vanishes with the test.
class InFolder : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void put(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }
  [[nodiscard]] std::ptrdiff_t files_in_folder() const {
    return std::distance(std::filesystem::directory_iterator(folder), {});
  }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() /
      ("saltus-io-test-" + std::to_string(getpid()) + "-" +
       testing::UnitTest::GetInstance()->current_test_info()->name());
};

/// A run with numbers of every size, some of them not representable in few digits.
inline Trajectory ball_run() {
  Simulation simulation(mechanics::BouncingBall{}.model(), MoreauJean{},
                        {.step = 5e-3, .profile = true});
  return simulation.run(2.0);
}

/// The text of the Error that `call` throws; empty if it throws none.
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace saltus
