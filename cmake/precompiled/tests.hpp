#include "library.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/algorithm.hpp"
#include "system_instances.hpp"

#include <gtest/gtest.h>
