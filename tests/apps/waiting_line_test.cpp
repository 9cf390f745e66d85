#include "apps/waiting_line.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using namespace std::chrono_literals;

TEST(WaitingLine, IsShownWhenPatienceEndsAndRemoved) {
  testing::internal::CaptureStderr();
  {
    const WaitingLine line("solving a.dat", 1ms);
    std::this_thread::sleep_for(300ms);
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.rfind("\r\033[Ksolving a.dat: 0 s", 0), 0u) << text;
  EXPECT_TRUE(text.ends_with("s\r\033[K")) << text;
}

TEST(WaitingLine, OfShortWorkIsNotShownAndDoesNotDelayIt) {
  testing::internal::CaptureStderr();
  { const WaitingLine line("solving a.dat", 1h); }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace saltus
