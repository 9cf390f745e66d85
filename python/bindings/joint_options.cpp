#include "joint_options.hpp"

namespace saltus::python {

using mechanics::JointOptions;

std::function<double(double)> to_time_function(const py::object& object, const std::string& where) {
  if (object.is_none()) return {};
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr()))
    return [value = object.cast<double>()](double) { return value; };
  if (!PyCallable_Check(object.ptr())) wrong_type(where, "a number or a function of t", object);
  const std::shared_ptr<py::object> function(new py::object(object), [](py::object* held) {
    const py::gil_scoped_acquire gil;
    delete held;
  });
  return [function, where](double t) {
    const py::gil_scoped_acquire gil;
    const py::object value = (*function)(t);
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      wrong_type(where + "(t)", "a number", value);
    }
    return number;
  };
}

JointOptions to_options(const std::string& where, const std::string& name, const py::object& limits,
                        double e, const py::object& velocity, const py::object& position,
                        const py::object& max_force, const py::object& spring, double friction,
                        double tolerance, bool collide) {
  JointOptions options{
      .name = name, .friction = friction, .tolerance = tolerance, .collide = collide};
  if (!limits.is_none()) {
    const Vector range = to_vector(limits, where + ": limits");
    require(range.size() == 2, "{}: limits has {} entries, expected (lower, upper)", where,
            range.size());
    options.limits = {range[0], range[1], e};
  }
  options.motor = {to_time_function(position, where + ": position"),
                   to_time_function(velocity, where + ": velocity"),
                   max_force.is_none() ? inf : max_force.cast<double>()};
  if (!spring.is_none()) {
    const Vector given = to_vector(spring, where + ": spring");
    require(given.size() == 3, "{}: spring has {} entries, expected (stiffness, damping, rest)",
            where, given.size());
    options.spring = {given[0], given[1], given[2]};
  }
  return options;
}

}  // namespace saltus::python
