#pragma once

#include "saltus/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

/// The statement throws saltus::Error and its text contains `part`.
#define EXPECT_ERROR(statement, part)                                                     \
  do {                                                                                    \
    try {                                                                                 \
      static_cast<void>(statement);                                                       \
      ADD_FAILURE() << #statement " did not throw";                                       \
    } catch (const saltus::Error& error) {                                                \
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what(); \
    }                                                                                     \
  } while (false)
