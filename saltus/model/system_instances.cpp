// The definitions that belong to the declarations of cmake/precompiled/system_instances.hpp.
#define SALTUS_STRUCT template struct

#include "cmake/precompiled/system_instances.hpp"
