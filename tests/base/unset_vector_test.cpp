#include "saltus/base/unset_vector.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace saltus {
namespace {

TEST(UnsetVector, KeepsWhatItHasAndSetsWhatItIsGiven) {
  UnsetVector<int> v(3, 7);
  v.resize(1000);
  EXPECT_EQ(v[0] + v[1] + v[2], 21);
  std::iota(v.begin(), v.end(), 0);
  v.resize(5000);
  v.resize(1000);
  v.push_back(1000);
  EXPECT_EQ(std::accumulate(v.begin(), v.end(), 0), 1000 * 1001 / 2);
  v.assign(4, 2);
  EXPECT_EQ(v, (UnsetVector<int>{2, 2, 2, 2}));
}

}  // namespace
}  // namespace saltus
