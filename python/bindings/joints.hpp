#pragma once

#include "module.hpp"
#include "saltus/mechanics/rigid_scene.hpp"

namespace saltus::python {

/// The methods of RigidScene that make joints.
void bind_joints(py::class_<mechanics::RigidScene>& cls);

/// Three numbers; zero if None.
[[nodiscard]] mechanics::Vector3 to_vector3(const py::object& object, const std::string& where);

}  // namespace saltus::python
