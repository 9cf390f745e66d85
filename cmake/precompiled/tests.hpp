#include "library.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>
