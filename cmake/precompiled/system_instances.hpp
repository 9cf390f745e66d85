// The handles over the systems and relations of the library, compiled once, in
// saltus/model/system_instances.cpp, and only declared in what is compiled with precompiled
// headers: a System made of a PointMass needs every function of its interface. SALTUS_STRUCT as in
// eigen_instances.hpp.
#include "saltus/relations/linear.hpp"
#include "saltus/relations/relation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/newton_euler.hpp"
#include "saltus/systems/system.hpp"

#ifndef SALTUS_STRUCT
#define SALTUS_STRUCT extern template struct
#endif

namespace saltus {

SALTUS_STRUCT System::Holder<PointMass>;
SALTUS_STRUCT System::Holder<PointMasses>;
SALTUS_STRUCT System::Holder<LinearLagrangian>;
SALTUS_STRUCT System::Holder<Lagrangian>;
SALTUS_STRUCT System::Holder<RigidBodies>;
SALTUS_STRUCT System::Holder<PlanarBodies>;
SALTUS_STRUCT System::Holder<FirstOrderLinear>;
SALTUS_STRUCT System::Holder<FirstOrder>;
SALTUS_STRUCT Relation::Holder<LinearRelation>;
SALTUS_STRUCT Relation::Holder<FirstOrderLinearRelation>;

}  // namespace saltus

#undef SALTUS_STRUCT
