#include "library.hpp"
#include "python/bindings/module.hpp"
#include "python/bindings/options.hpp"
#include "saltus/simulation/simulation.hpp"
