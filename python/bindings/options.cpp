#include "options.hpp"

namespace saltus::python {

void wrong_type(const std::string& where, std::string_view expected, py::handle object) {
  PyErr_Clear();
  throw py::type_error(fmt::format("{}: expected {}, given {}", where, expected, given(object)));
}

std::string python_name(const Field& field) {
  const bool reserved = field.name == "lambda" || field.name == "from";
  return fmt::format("{}{}", field.name, reserved ? "_" : "");
}

void by_name_only(std::string_view type, const std::vector<std::string>& known) {
  throw py::type_error(
      fmt::format("{}: fields are given by name; known: {}", type, fmt::join(known, ", ")));
}

void unknown_keyword(std::string_view type, const std::string& keyword,
                     const std::vector<std::string>& known) {
  const std::string list =
      known.empty() ? "it has none" : fmt::format("known: {}", fmt::join(known, ", "));
  throw py::type_error(fmt::format("{}: unknown field '{}'; {}", type, keyword, list));
}

namespace {

std::string value_text(py::handle value) {
  if (!py::isinstance<py::array>(value)) return py::repr(value).cast<std::string>();
  const auto array = py::reinterpret_borrow<py::array>(value);
  if (array.size() > 100) return fmt::format("<array of shape {}>", shape_text(array));
  return py::repr(array.attr("tolist")()).cast<std::string>();
}

py::dict values_of(py::handle self) {
  py::dict values;
  for (const auto& item : self.attr("_fields").cast<py::dict>())
    values[item.first] = py::getattr(self, item.first);
  return values;
}

/// "MoreauJean(theta=0.5, …)"
std::string repr_options(const py::object& self) {
  std::string list;
  for (const auto& item : values_of(self))
    list += fmt::format("{}{}={}", list.empty() ? "" : ", ", item.first.cast<std::string>(),
                        value_text(item.second));
  return fmt::format("{}({})", py::type::of(self).attr("__name__").cast<std::string>(), list);
}

/// Field by field; arrays entry by entry.
bool equal_options(const py::object& self, const py::object& other) {
  if (!py::type::of(self).is(py::type::of(other))) return false;
  const auto array_equal = py::module_::import("numpy").attr("array_equal");
  for (const auto& item : values_of(self)) {
    const py::object value = py::getattr(other, item.first);
    const bool same = py::isinstance<py::array>(value)
                          ? array_equal(item.second, value).cast<bool>()
                          : item.second.equal(value);
    if (!same) return false;
  }
  return true;
}

/// A copy is made by calling the class with all fields.
py::tuple reduce_options(const py::object& self) {
  const auto rebuild = py::module_::import("saltus").attr("_rebuild");
  return py::make_tuple(rebuild, py::make_tuple(py::type::of(self), values_of(self)));
}

}  // namespace

void define_fields(const py::object& cls, const std::vector<FieldInfo>& fields,
                   FieldAccess access) {
  const auto property = py::module_::import("builtins").attr("property");
  py::dict initial;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const py::cpp_function get([i, access](const py::object& self) { return access.get(self, i); },
                               py::is_method(cls));
    const py::cpp_function set([i, access](const py::object& self,
                                           const py::object& value) { access.set(self, i, value); },
                               py::is_method(cls));
    py::setattr(cls, fields[i].name.c_str(), property(get, set, py::none(), fields[i].text));
    initial[fields[i].name.c_str()] = fields[i].initial;
  }
  cls.attr("_fields") = initial;
  cls.attr("__repr__") = py::cpp_function(&repr_options, py::name("__repr__"), py::is_method(cls));
  cls.attr("__eq__") = py::cpp_function(&equal_options, py::name("__eq__"), py::is_method(cls));
  cls.attr("__reduce__") =
      py::cpp_function(&reduce_options, py::name("__reduce__"), py::is_method(cls));
  cls.attr("__hash__") = py::none();
}

std::string field_doc(const Field& field, const char* type, const py::object& initial) {
  const bool bounded = field.range.lower != -inf || field.range.upper != inf;
  return fmt::format("{} : {}, default {}\n    {}{}\n", python_name(field), type,
                     value_text(initial), field.text, bounded ? "; " + field.range.text() : "");
}

std::string options_doc(const char* doc, const std::vector<FieldInfo>& fields) {
  if (fields.empty()) return doc;
  std::string text = fmt::format(
      "{}\n\nParameters (by name; also attributes)\n-------------------------------------\n", doc);
  for (const FieldInfo& field : fields) text += field.doc;
  return text;
}

}  // namespace saltus::python
