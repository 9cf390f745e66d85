#pragma once

#include "arrays.hpp"
#include "saltus/base/fields.hpp"
#include "saltus/integrators/system_integrators.hpp"
#include "sets.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

// Any struct that lists its fields (saltus/base/fields.hpp) becomes a Python class: keyword
// constructor with the defaults of C++, attributes, repr, comparison, pickle, and a docstring made
// of the list. A struct with a member check() is checked by it, any other by validate().

namespace saltus::python {

/// The Python object of a T. A field that is not a number is kept as a Python object too, once
/// somebody asks for it: scheme.solver.tolerance = 1e-10 and mass.gravity[0] = 0 then do what they
/// say.
template <class T>
struct Bound {
  T value = {};
  std::vector<py::object> parts = {};  ///< one per field; null where nobody has asked
};

/// For each kind of field: from(object, where), to(value), and whether Python keeps the object it
/// gave
/// (`shared`) or gets an array of its own.
template <class V>
struct Converter;

/// The Python names of the alternatives of a variant: "Lemke, Murty".
template <class... A>
std::string names_of(const std::variant<A...>*) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + std::string(A::name)), ...);
  return list;
}

/// Raises TypeError: "MoreauJean: theta: expected a number, given 'half' (str)".
[[noreturn]] void wrong_type(const std::string& where, std::string_view expected,
                             py::handle object);

template <class V>
requires std::is_arithmetic_v<V>
struct Converter<V> {
  static constexpr const char* type = std::is_same_v<V, bool> ? "bool"
                                      : std::is_integral_v<V> ? "int"
                                                              : "float";
  static constexpr bool shared = false;
  static V from(py::handle object, const std::string& where) {
    if constexpr (std::is_same_v<V, bool>) {
      const int truth = PyObject_IsTrue(object.ptr());
      if (truth < 0) throw py::error_already_set();
      return truth != 0;
    } else if constexpr (std::is_integral_v<V>) {
      const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
      if (!number) wrong_type(where, "an integer", object);
      return number.template cast<V>();
    } else {
      const double number = PyFloat_AsDouble(object.ptr());
      if (PyErr_Occurred()) wrong_type(where, "a number", object);
      return number;
    }
  }
  static py::object to(V value) { return py::cast(value); }
};

template <>
struct Converter<Values> {
  static constexpr const char* type = "vector";
  static constexpr bool shared = false;
  static Values from(py::handle object, const std::string& where) {
    return to_vector(object, where);
  }
  static py::object to(const Values& value) { return copy(ConstVectorRef(value)); }
};

template <>
struct Converter<Rows> {
  static constexpr const char* type = "matrix";
  static constexpr bool shared = false;
  static Rows from(py::handle object, const std::string& where) { return to_matrix(object, where); }
  static py::object to(const Rows& value) { return copy(ConstMatrixRef(value)); }
};

template <>
struct Converter<std::optional<Matrix>> {
  static constexpr const char* type = "matrix or None";
  static constexpr bool shared = false;
  static std::optional<Matrix> from(py::handle object, const std::string& where) {
    if (object.is_none()) return std::nullopt;
    return to_matrix(object, where);
  }
  static py::object to(const std::optional<Matrix>& value) {
    if (!value) return py::none();
    return copy(ConstMatrixRef(*value));
  }
};

/// A callable, an array or None, kept as it is.
template <>
struct Converter<py::object> {
  static constexpr const char* type = "callable";
  static constexpr bool shared = true;
  static py::object from(py::handle object, const std::string&) {
    return py::reinterpret_borrow<py::object>(object);
  }
  static py::object to(const py::object& value) { return value ? value : py::none(); }
};

template <class T>
T unwrap(const Bound<T>& bound);

template <Described T>
struct Converter<T> {
  static constexpr const char* type = T::name.data();
  static constexpr bool shared = true;
  static T from(py::handle object, const std::string& where) {
    if (!py::isinstance<Bound<T>>(object)) wrong_type(where, T::name, object);
    return unwrap(object.cast<const Bound<T>&>());
  }
  static py::object to(const T& value) { return py::cast(Bound<T>{value}); }
};

template <class... A>
struct Converter<std::variant<A...>> {
  using V = std::variant<A...>;
  static constexpr const char* type = "algorithm";
  static constexpr bool shared = true;
  static V from(py::handle object, const std::string& where) {
    V found;
    bool known = false;
    ((py::isinstance<Bound<A>>(object)
          ? void((found = unwrap(object.cast<const Bound<A>&>()), known = true))
          : void()),
     ...);
    if (!known) wrong_type(where, "one of " + names_of(static_cast<const V*>(nullptr)), object);
    return found;
  }
  static py::object to(const V& value) {
    return std::visit([]<class T>(const T& v) { return Converter<T>::to(v); }, value);
  }
};

/// {name: Theta or ExactFlow}
template <>
struct Converter<SystemIntegrators> {
  static constexpr const char* type = "dict";
  static constexpr bool shared = false;
  static SystemIntegrators from(py::handle object, const std::string& where) {
    if (!py::isinstance<py::dict>(object)) wrong_type(where, "a dict of names", object);
    SystemIntegrators systems;
    for (const auto& item : py::reinterpret_borrow<py::dict>(object)) {
      if (!py::isinstance<py::str>(item.first))
        wrong_type(where, "the name of a system", item.first);
      systems.push_back(
          {item.first.cast<std::string>(), Converter<SystemRule>::from(item.second, where)});
    }
    return systems;
  }
  static py::object to(const SystemIntegrators& value) {
    py::dict systems;
    for (const SystemIntegrator& given : value)
      systems[py::str(given.system)] = Converter<SystemRule>::to(given.rule);
    return systems;
  }
};

/// Sets have Python classes of their own (sets.cpp).
template <>
struct Converter<Set> {
  static constexpr const char* type = "set";
  static constexpr bool shared = true;
  static Set from(py::handle object, const std::string& where) { return to_set(object, where); }
  static py::object to(const Set& value) { return from_set(value); }
};

/// The name of the field in Python: `lambda` and `from` are words of the language and become
/// lambda_ and from_.
[[nodiscard]] std::string python_name(const Field& field);

template <class T>
std::string where(const Field& field) {
  return fmt::format("{}: {}", T::name, field.name);
}

template <class T>
void check(const T& value) {
  if constexpr (requires { value.check(); })
    value.check();
  else
    validate(value);
}

/// The C++ value, with the parts that Python may have changed.
template <class T>
T unwrap(const Bound<T>& bound) {
  T value = bound.value;
  if (bound.parts.empty()) return value;
  std::size_t i = 0;
  T::fields(value, [&]<class V>(const Field& field, V& v) {
    const py::object& part = bound.parts[i++];
    if (part) v = Converter<V>::from(part, where<T>(field));
  });
  check(value);
  return value;
}

/// Calls visit(field, value, part) for field number `index`.
template <class T, class Visit>
void visit_field(Bound<T>& bound, std::size_t index, Visit&& visit) {
  std::size_t i = 0, count = 0;
  T::fields(bound.value, [&](const Field&, auto&) { ++count; });
  bound.parts.resize(count);
  T::fields(bound.value, [&]<class V>(const Field& field, V& value) {
    if (i == index) visit(field, value, bound.parts[i]);
    ++i;
  });
}

template <class T>
py::object get_field(Bound<T>& bound, std::size_t index) {
  py::object result;
  visit_field(bound, index, [&]<class V>(const Field&, V& value, py::object& part) {
    if constexpr (std::is_arithmetic_v<V>) {
      result = Converter<V>::to(value);
    } else {
      if (!part) part = Converter<V>::to(value);
      result = part;
    }
  });
  return result;
}

template <class T>
void set_field(Bound<T>& bound, std::size_t index, py::handle object) {
  Bound<T> changed = bound;
  visit_field(changed, index, [&]<class V>(const Field& field, V& value, py::object& part) {
    value = Converter<V>::from(object, where<T>(field));
    part = Converter<V>::shared ? py::reinterpret_borrow<py::object>(object) : py::object();
  });
  check(changed.value);
  bound = std::move(changed);
}

template <class T>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  const T value{};
  T::fields(value, [&](const Field& field, const auto&) { names.push_back(python_name(field)); });
  return names;
}

[[noreturn]] void by_name_only(std::string_view type, const std::vector<std::string>& known);
[[noreturn]] void unknown_keyword(std::string_view type, const std::string& keyword,
                                  const std::vector<std::string>& known);

/// T(field=value, …)
template <class T>
Bound<T> make_bound(const py::kwargs& keywords) {
  Bound<T> bound;
  const auto names = field_names<T>();
  for (const auto& item : keywords) {
    const auto keyword = item.first.cast<std::string>();
    if (std::find(names.begin(), names.end(), keyword) == names.end())
      unknown_keyword(T::name, keyword, names);
  }
  std::size_t i = 0;
  T::fields(bound.value, [&]<class V>(const Field& field, V& value) {
    const std::string& keyword = names[i++];
    if (!keywords.contains(keyword)) return;
    const py::object object = keywords[keyword.c_str()];
    value = Converter<V>::from(object, where<T>(field));
    bound.parts.resize(names.size());
    if constexpr (Converter<V>::shared) bound.parts[i - 1] = object;
  });
  check(bound.value);
  return bound;
}

/// The value of each field at first, and what it means.
struct FieldInfo {
  std::string name, text;
  py::object initial;
  std::string doc;  ///< for the docstring of the class
};

/// Reading and writing a field by its number.
struct FieldAccess {
  py::object (*get)(py::handle self, std::size_t index);
  void (*set)(py::handle self, std::size_t index, py::handle value);
};

[[nodiscard]] std::string field_doc(const Field& field, const char* type,
                                    const py::object& initial);
/// `doc`, and what each field means.
[[nodiscard]] std::string options_doc(const char* doc, const std::vector<FieldInfo>& fields);
/// Attributes, repr, comparison and pickle of a class that has a keyword constructor.
void define_fields(const py::object& cls, const std::vector<FieldInfo>& fields, FieldAccess access);

template <class T>
std::vector<FieldInfo> field_infos() {
  std::vector<FieldInfo> infos;
  const T value{};
  T::fields(value, [&]<class V>(const Field& field, const V& v) {
    const py::object initial = Converter<V>::to(v);
    infos.push_back({python_name(field), std::string(field.text), initial,
                     field_doc(field, Converter<V>::type, initial)});
  });
  return infos;
}

/// Defines the Python class.
template <class T>
py::class_<Bound<T>> bind_options(py::module_& m, const char* doc) {
  const auto fields = field_infos<T>();
  py::class_<Bound<T>> cls(m, T::name.data(), options_doc(doc, fields).c_str());
  cls.def(py::init([](const py::args& positional, const py::kwargs& keywords) {
    if (!positional.empty()) by_name_only(T::name, field_names<T>());
    return make_bound<T>(keywords);
  }));
  define_fields(
      cls, fields,
      {[](py::handle self, std::size_t index) { return get_field(self.cast<Bound<T>&>(), index); },
       [](py::handle self, std::size_t index, py::handle value) {
         set_field(self.cast<Bound<T>&>(), index, value);
       }});
  return cls;
}

}  // namespace saltus::python
