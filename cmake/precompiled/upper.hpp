// For the layers that see the schemes, and the programs: nearly all of their sources include them.
#include "library.hpp"
#include "saltus/integrators/scheme.hpp"
#include "system_instances.hpp"
