// The definitions that belong to the declarations of cmake/precompiled/eigen_instances.hpp: the
// templates of Eigen that many sources need, compiled here once. Compiled without precompiled
// headers, which would declare all of it elsewhere.
#include <Eigen/Dense>
#include <Eigen/Sparse>

#include <vector>

#define SALTUS_CLASS template class
#define SALTUS_STRUCT template struct
#define SALTUS_FUNCTION template
#define SALTUS_MEMBER template
#define SALTUS_TEMPLATE template

#include "cmake/precompiled/eigen_instances.hpp"
