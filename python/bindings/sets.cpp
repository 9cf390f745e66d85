#include "sets.hpp"

#include "module.hpp"
#include "options.hpp"

namespace saltus::python {

/// Bounds may be infinite.
struct Bounds : Vector {
  using Vector::Vector;
  using Vector::operator=;
};

template <>
struct Converter<Bounds> {
  static constexpr const char* type = "vector";
  static constexpr bool shared = false;
  static Bounds from(py::handle object, const std::string& where) {
    return Bounds(to_vector(object, where, true));
  }
  static py::object to(const Bounds& value) { return copy(ConstVectorRef(value)); }
};

namespace {

// The sets with their lists of fields. set() is the C++ value.

template <class S>
struct Plain {
  static constexpr std::string_view name = S::name;
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
  [[nodiscard]] Set set() const { return S{}; }
  void check() const {}
};

struct IntervalFields : Interval {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"lower", "of every component"}, s.lower);
    visit(Field{"upper", "of every component"}, s.upper);
  }
  [[nodiscard]] Set set() const { return static_cast<const Interval&>(*this); }
  void check() const { validate(static_cast<const Interval&>(*this)); }
};

struct BoxFields {
  static constexpr std::string_view name = Box::name;
  Bounds lower, upper;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"lower", "one per component, may be infinite"}, s.lower);
    visit(Field{"upper", "one per component, may be infinite"}, s.upper);
  }
  [[nodiscard]] Set set() const { return Box{lower, upper}; }
  void check() const { validate(set()); }
};

struct DiskFields : Disk {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"radius", "of the disk", non_negative}, s.radius);
  }
  [[nodiscard]] Set set() const { return static_cast<const Disk&>(*this); }
  void check() const { validate(static_cast<const Disk&>(*this)); }
};

struct BallFields : Ball {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"center", "its size is the dimension"}, s.center);
    visit(Field{"radius", "of the ball", non_negative}, s.radius);
  }
  [[nodiscard]] Set set() const { return static_cast<const Ball&>(*this); }
  void check() const { validate(static_cast<const Ball&>(*this)); }
};

struct FrictionConeFields : FrictionCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of friction, may be infinite", non_negative}, s.mu);
  }
  [[nodiscard]] Set set() const { return static_cast<const FrictionCone&>(*this); }
  void check() const { validate(static_cast<const FrictionCone&>(*this)); }
};

struct SecondOrderConeFields : SecondOrderCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "slope, may be infinite; 1 is the self-dual cone", non_negative}, s.mu);
  }
  [[nodiscard]] Set set() const { return static_cast<const SecondOrderCone&>(*this); }
  void check() const { validate(static_cast<const SecondOrderCone&>(*this)); }
};

struct EllipticConeFields : EllipticCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu_1", "coefficient of friction along the first tangent, may be infinite",
                non_negative},
          s.mu_1);
    visit(Field{"mu_2", "along the second", non_negative}, s.mu_2);
  }
  [[nodiscard]] Set set() const { return static_cast<const EllipticCone&>(*this); }
  void check() const { validate(static_cast<const EllipticCone&>(*this)); }
};

struct RollingConeFields : RollingCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of sliding friction", non_negative}, s.mu);
    visit(Field{"mu_rolling", "coefficient of rolling friction [m]", non_negative}, s.mu_rolling);
  }
  [[nodiscard]] Set set() const { return static_cast<const RollingCone&>(*this); }
  void check() const { validate(static_cast<const RollingCone&>(*this)); }
};

struct RollingDualConeFields : RollingDualCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "coefficient of sliding friction of the cone", non_negative}, s.mu);
    visit(Field{"mu_rolling", "coefficient of rolling friction [m] of the cone", non_negative},
          s.mu_rolling);
  }
  [[nodiscard]] Set set() const { return static_cast<const RollingDualCone&>(*this); }
  void check() const { validate(static_cast<const RollingDualCone&>(*this)); }
};

struct FrictionCylinderFields : FrictionCylinder {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"radius", "threshold of the friction force", non_negative}, s.radius);
  }
  [[nodiscard]] Set set() const { return static_cast<const FrictionCylinder&>(*this); }
  void check() const { validate(static_cast<const FrictionCylinder&>(*this)); }
};

struct PolyhedralConeFields : PolyhedralCone {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"generators", "G of {G c : c ≥ 0}, one per column"}, s.generators);
    visit(Field{"inequalities", "A of {x : A x ≥ 0}, one per row"}, s.inequalities);
  }
  [[nodiscard]] Set set() const { return static_cast<const PolyhedralCone&>(*this); }
  void check() const {
    if (generators || inequalities) validate(static_cast<const PolyhedralCone&>(*this));
  }
};

}  // namespace

template <>
struct Converter<std::vector<Factor>> {
  static constexpr const char* type = "list of pairs (set, dimension)";
  static constexpr bool shared = false;
  static std::vector<Factor> from(py::handle object, const std::string& where) {
    if (!py::isinstance<py::iterable>(object)) wrong_type(where, "pairs (set, dimension)", object);
    std::vector<Factor> factors;
    for (py::handle entry : object) {
      if (!py::isinstance<py::tuple>(entry) || py::len(entry) != 2)
        wrong_type(where, "pairs (set, dimension)", entry);
      const auto pair = py::reinterpret_borrow<py::tuple>(entry);
      factors.push_back({to_set(pair[0], where), Converter<Index>::from(pair[1], where)});
    }
    return factors;
  }
  static py::object to(const std::vector<Factor>& factors) {
    py::list list;
    for (const Factor& factor : factors)
      list.append(py::make_tuple(from_set(factor.set), factor.dimension));
    return list;
  }
};

namespace {

struct ProductFields : Product {
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"factors", "pairs (set, dimension): consecutive pieces of x"}, s.factors);
  }
  [[nodiscard]] Set set() const { return static_cast<const Product&>(*this); }
  void check() const { validate(static_cast<const Product&>(*this)); }
};

template <class F>
Set set_of(const Bound<F>& bound) {
  return unwrap(bound).set();
}

template <class... F>
struct SetTypes {
  static Set from(py::handle object, const std::string& where) {
    std::optional<Set> found;
    ((py::isinstance<Bound<F>>(object) ? void(found = set_of(object.cast<const Bound<F>&>()))
                                       : void()),
     ...);
    if (!found) wrong_type(where, "a set", object);
    return *found;
  }
  static py::object to(const Set& set) {
    py::object result;
    (
        [&] {
          if (name(set) == F::name) result = wrap<F>(set);
        }(),
        ...);
    if (!result) fail("{} has no Python class", name(set));
    return result;
  }
  template <class T>
  static py::object wrap(const Set& set) {
    T fields{};
    if constexpr (std::is_same_v<T, BoxFields>) {
      fields.lower = std::get<Box>(set).lower;
      fields.upper = std::get<Box>(set).upper;
    } else {
      std::visit(
          [&]<class S>(const S& s) {
            if constexpr (std::is_base_of_v<S, T>) static_cast<S&>(fields) = s;
          },
          set);
    }
    return py::cast(Bound<T>{fields});
  }
};

using AllSets = SetTypes<Plain<Reals>, Plain<Zero>, Plain<NonNegative>, IntervalFields, BoxFields,
                         DiskFields, BallFields, FrictionConeFields, SecondOrderConeFields,
                         EllipticConeFields, RollingConeFields, RollingDualConeFields,
                         FrictionCylinderFields, PolyhedralConeFields, ProductFields>;

}  // namespace

Set to_set(py::handle object, const std::string& where) { return AllSets::from(object, where); }
py::object from_set(const Set& set) { return AllSets::to(set); }

std::vector<Factor> to_factors(py::handle object, const std::string& where) {
  return Converter<std::vector<Factor>>::from(object, where);
}
py::object from_factors(const std::vector<Factor>& factors) {
  return Converter<std::vector<Factor>>::to(factors);
}

namespace {

/// x, checked against the set.
Vector point(const Set& set, py::handle object) {
  Vector x = to_vector(object, fmt::format("{}: x", name(set)), true);
  check_dimension(set, x.size());
  return x;
}

// The methods, the same for every class.

py::array project_point(const py::object& self, const py::object& object) {
  const Set set = to_set(self, "project");
  Vector x = point(set, object);
  project(set, x, x);
  return copy(ConstVectorRef(x));
}

py::array project_point_polar(const py::object& self, const py::object& object) {
  const Set set = to_set(self, "project_polar");
  Vector x = point(set, object);
  project_polar(set, x, x);
  return copy(ConstVectorRef(x));
}

double distance_to(const py::object& self, const py::object& object) {
  const Set set = to_set(self, "distance");
  return distance(set, point(set, object));
}

bool contains_point(const py::object& self, const py::object& object, double tolerance) {
  const Set set = to_set(self, "contains");
  const Vector x = point(set, object);
  return std::visit([&](const auto& s) { return contains(s, x, tolerance); }, set);
}

double support_of(const py::object& self, const py::object& object) {
  const Set set = to_set(self, "support");
  return support(set, point(set, object));
}

py::array jacobian_at(const py::object& self, const py::object& object) {
  const Set set = to_set(self, "projection_jacobian");
  const Vector x = point(set, object);
  Matrix J(x.size(), x.size());
  projection_jacobian(set, x, J);
  return copy(ConstMatrixRef(J));
}

void define_methods(const py::object& cls) {
  const auto define = [&cls](const char* name, auto function, const auto&... extra) {
    py::setattr(cls, name,
                py::cpp_function(function, py::name(name), py::is_method(cls), extra...));
  };
  define("project", &project_point, py::arg("x"),
         "project($self, x)\n--\n\nThe nearest point of the set.");
  define("project_polar", &project_point_polar, py::arg("x"),
         "project_polar($self, x)\n--\n\n"
         "The nearest point of the polar cone: x − project(x). Error unless the set is a cone.");
  define("distance", &distance_to, py::arg("x"),
         "distance($self, x)\n--\n\nDistance from x to the set.");
  define("contains", &contains_point, py::arg("x"), py::arg("tolerance") = 0.0,
         "contains($self, x, tolerance=0.0)\n--\n\nDistance from x to the set ≤ tolerance.");
  define("support", &support_of, py::arg("d"),
         "support($self, d)\n--\n\nsup {y·d : y in the set}; may be infinite.");
  define("projection_jacobian", &jacobian_at, py::arg("x"),
         "projection_jacobian($self, x)\n--\n\n"
         "An element of Clarke's generalised Jacobian of project at x.");
  define(
      "is_cone", [](const py::object& self) { return is_cone(to_set(self, "is_cone")); },
      "is_cone($self)\n--\n\nThe set is a cone.");
  define(
      "dual", [](const py::object& self) { return from_set(dual(to_set(self, "dual"))); },
      "dual($self)\n--\n\n{s : s·y ≥ 0 for all y in the cone}. Error unless it is a cone.");
}

template <class F>
void bind_set(py::module_& m, const char* doc) {
  define_methods(bind_options<F>(m, doc));
}

}  // namespace

void bind_sets(py::module_& m) {
  bind_set<Plain<Reals>>(m, "The whole space: no constraint.");
  bind_set<Plain<Zero>>(m, "The origin: an equality.");
  bind_set<Plain<NonNegative>>(m, "{x : x ≥ 0}, component by component.");
  bind_set<IntervalFields>(m, "{x : lower ≤ x_i ≤ upper}, the same bounds on every component.");
  bind_set<BoxFields>(m, "{x : lower_i ≤ x_i ≤ upper_i}.");
  bind_set<DiskFields>(m, "{x in the plane : ‖x‖ ≤ radius}.");
  bind_set<BallFields>(m, "{x : ‖x − center‖ ≤ radius}.");
  bind_set<FrictionConeFields>(m,
                               "Coulomb's cone, normal component first:  {(n, t) : ‖t‖ ≤ mu n}.\n\n"
                               ">>> saltus.FrictionCone(mu=0.5).project([1.0, 2.0])");
  bind_set<SecondOrderConeFields>(
      m,
      "The set of the FrictionCone, {(n, t) : ‖t‖ ≤ mu n}, as a cone without Coulomb's shift: "
      "associated\nfriction in a BlockForm.");
  bind_set<EllipticConeFields>(
      m, "Orthotropic friction:  {(n, t₁, t₂) : ((t₁/mu_1)² + (t₂/mu_2)²)^½ ≤ n}.");
  bind_set<RollingConeFields>(
      m,
      "Sliding and rolling friction, force t and moment m of the same size:\n\n"
      "    {(n, t, m) : ‖t‖ ≤ mu n, ‖m‖ ≤ mu_rolling n}");
  bind_set<RollingDualConeFields>(
      m, "Dual of the RollingCone:  {(n, t, m) : mu ‖t‖ + mu_rolling ‖m‖ ≤ n}.");
  bind_set<FrictionCylinderFields>(
      m, "Half cylinder of Tresca's friction, normal first:  {(n, t) : n ≥ 0, ‖t‖ ≤ radius}.");
  bind_set<PolyhedralConeFields>(
      m, "Polyhedral cone, by its generators {G c : c ≥ 0} or its inequalities {x : A x ≥ 0}.");
  bind_set<ProductFields>(
      m,
      "Product of sets: consecutive pieces of x, each in its own set.\n\n"
      ">>> saltus.Product(factors=[(saltus.NonNegative(), 2), (saltus.FrictionCone(mu=0.3), 3)])");
}

}  // namespace saltus::python
