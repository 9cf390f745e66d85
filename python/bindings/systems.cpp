#include "callbacks.hpp"
#include "elastic.hpp"
#include "module.hpp"
#include "options.hpp"
#include "problem_types.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/newton_euler.hpp"
#include "saltus/systems/sparse.hpp"

namespace saltus::python {

namespace {

// The systems of the library with their lists of fields; functions are Python objects.

struct PointMassFields : PointMass {
  static constexpr std::string_view name = "PointMass";
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m", "mass [kg]", positive}, s.m);
    visit(Field{"gravity", "acceleration [m/s²]; its size is the number of dof"}, s.gravity);
  }
  [[nodiscard]] System system() const { return static_cast<const PointMass&>(*this); }
  void check() const {
    require(positive.contains(m), "PointMass: m is {}, expected {}", m, positive.text());
    require(gravity.size() > 0, "PointMass: gravity is empty, expected one entry per dof");
  }
};

struct PointMassesFields : PointMasses {
  static constexpr std::string_view name = "PointMasses";
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m", "masses [kg], one per body"}, s.m);
    visit(Field{"gravity", "acceleration [m/s²]; its size is the number of dof of a body"},
          s.gravity);
  }
  [[nodiscard]] System system() const { return static_cast<const PointMasses&>(*this); }
  void check() const {
    require(m.size() > 0 && gravity.size() > 0, "PointMasses: m or gravity is empty");
    for (Index i = 0; i < m.size(); ++i)
      require(positive.contains(m[i]), "PointMasses: m[{}] is {}, expected {}", i, m[i],
              positive.text());
  }
};

struct RigidBodiesFields {
  static constexpr std::string_view name = "RigidBodies";
  Values m = {1.0};
  Rows inertia = {{1.0, 1.0, 1.0}};
  Values gravity = {0.0, 0.0, 0.0};
  bool midpoint = true;
  bool accelerated = false;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m", "masses [kg], one per body"}, s.m);
    visit(Field{"inertia", "per body: principal moments, or Ixx Iyy Izz Ixy Ixz Iyz [kg m²]"},
          s.inertia);
    visit(Field{"gravity", "acceleration [m/s²]"}, s.gravity);
    visit(Field{"midpoint", "gyroscopic torque by the midpoint rule, else at the start of a step"},
          s.midpoint);
    visit(Field{"accelerated", "gyroscopic torque as a force at every instant: GeneralizedAlpha"},
          s.accelerated);
  }
  [[nodiscard]] System system() const {
    RigidBodies bodies{.m = m,
                       .inertia = inertia,
                       .gravity = gravity,
                       .gyroscopic = midpoint ? Gyroscopic::midpoint : Gyroscopic::at_start};
    if (accelerated) return AcceleratedBodies{std::move(bodies)};
    return bodies;
  }
  void check() const { static_cast<void>(system()); }
};

struct PlanarBodiesFields : PlanarBodies {
  static constexpr std::string_view name = "PlanarBodies";
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m", "masses [kg], one per body"}, s.m);
    visit(Field{"inertia", "moments of inertia [kg m²], one per body"}, s.inertia);
    visit(Field{"gravity", "acceleration [m/s²]"}, s.gravity);
  }
  [[nodiscard]] System system() const { return static_cast<const PlanarBodies&>(*this); }
  void check() const { prepare(); }
};

struct LinearLagrangianFields {
  static constexpr std::string_view name = "LinearLagrangian";
  Rows M = {}, C = {}, K = {};
  Values F = {};
  py::object load = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"M", "mass matrix, symmetric positive definite"}, s.M);
    visit(Field{"C", "damping matrix; empty: zero"}, s.C);
    visit(Field{"K", "stiffness matrix; empty: zero"}, s.K);
    visit(Field{"F", "constant force; empty: zero"}, s.F);
    visit(Field{"load", "function load(t, z) -> F, instead of F"}, s.load);
  }
  [[nodiscard]] System system() const {
    LinearLagrangian system{.M = M, .C = C, .K = K, .F = F};
    if (load && !load.is_none()) system.load = Callback(load, "LinearLagrangian.load");
    return system;
  }
  void check() const {
    if (M.size() > 0) static_cast<void>(system());
  }
};

bool is_given(const py::object& object) { return object && !object.is_none(); }

struct SparseLagrangianFields {
  static constexpr std::string_view name = "SparseLagrangian";
  py::object M = {}, C = {}, K = {};
  Values F = {};
  py::object load = {};
  Index nodes = 1;
  py::object held = {}, motion = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"M", "mass matrix, symmetric positive definite, sparse"}, s.M);
    visit(Field{"C", "damping matrix; None: zero"}, s.C);
    visit(Field{"K", "stiffness matrix; None: zero"}, s.K);
    visit(Field{"F", "constant force; empty: zero"}, s.F);
    visit(Field{"load", "function load(t, z) -> F, instead of F"}, s.load);
    visit(Field{"nodes", "number of equal parts that interactions may name"}, s.nodes);
    visit(Field{"held", "degrees of freedom that stand still, or move"}, s.held);
    visit(Field{"motion", "function motion(t, z) -> velocities of those"}, s.motion);
  }
  [[nodiscard]] System system() const {
    SparseLagrangian system{
        .F = F, .nodes = nodes, .held = to_indices(held, "SparseLagrangian: held")};
    if (is_given(M)) system.M = to_sparse(M, "SparseLagrangian: M");
    if (is_given(C)) system.C = to_sparse(C, "SparseLagrangian: C");
    if (is_given(K)) system.K = to_sparse(K, "SparseLagrangian: K");
    if (is_given(load)) system.load = Callback(load, "SparseLagrangian.load");
    if (is_given(motion)) system.motion = Callback(motion, "SparseLagrangian.motion");
    return system;
  }
  void check() const {
    if (is_given(M)) static_cast<void>(system());
  }
};

struct SparseFirstOrderFields {
  static constexpr std::string_view name = "SparseFirstOrder";
  py::object A = {};
  Values b = {};
  py::object E = {}, source = {};
  Index nodes = 0;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"A", "matrix of the system, sparse"}, s.A);
    visit(Field{"b", "constant source; empty: zero"}, s.b);
    visit(Field{"E", "matrix before the derivative, may be singular; None: identity"}, s.E);
    visit(Field{"source", "function source(t, z) -> b, instead of b"}, s.source);
    visit(Field{"nodes", "equal parts that interactions may name; 0: every variable"}, s.nodes);
  }
  [[nodiscard]] System system() const {
    SparseFirstOrder system{.b = b, .nodes = nodes};
    if (is_given(A)) system.A = to_sparse(A, "SparseFirstOrder: A");
    if (is_given(E)) system.E = to_sparse(E, "SparseFirstOrder: E");
    if (is_given(source)) system.source = Callback(source, "SparseFirstOrder.source");
    return system;
  }
  void check() const {
    if (is_given(A)) static_cast<void>(system());
  }
};

struct LagrangianFields {
  static constexpr std::string_view name = "Lagrangian";
  Index n = 0;
  py::object M = {}, F = {}, K = {}, C = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"n", "degrees of freedom"}, s.n);
    visit(Field{"M", "function M(state) -> mass matrix, or a constant matrix"}, s.M);
    visit(Field{"F", "function F(state) -> force"}, s.F);
    visit(Field{"K", "function K(state) -> −∂F/∂q, or a matrix; None: finite differences"}, s.K);
    visit(Field{"C", "function C(state) -> −∂F/∂v, or a matrix; None: finite differences"}, s.C);
  }
  [[nodiscard]] System system() const {
    Lagrangian system{.n = n};
    if (const Operator mass(M, "Lagrangian.M"); mass) system.M = mass;
    if (F && !F.is_none()) system.F = Callback(F, "Lagrangian.F");
    if (const Operator stiffness(K, "Lagrangian.K"); stiffness) system.K = stiffness;
    if (const Operator damping(C, "Lagrangian.C"); damping) system.C = damping;
    return system;
  }
  void check() const {
    if (n != 0) static_cast<void>(system());
  }
};

struct FirstOrderLinearFields {
  static constexpr std::string_view name = "FirstOrderLinear";
  Rows A = {};
  Values b = {};
  Rows E = {};
  py::object source = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"A", "matrix of the system"}, s.A);
    visit(Field{"b", "constant source; empty: zero"}, s.b);
    visit(Field{"E", "matrix before the derivative; empty: identity"}, s.E);
    visit(Field{"source", "function source(t, z) -> b, instead of b"}, s.source);
  }
  [[nodiscard]] System system() const {
    FirstOrderLinear system{.A = A, .b = b, .E = E};
    if (source && !source.is_none()) system.source = Callback(source, "FirstOrderLinear.source");
    return system;
  }
  void check() const {
    if (A.size() > 0) static_cast<void>(system());
  }
};

struct FirstOrderFields {
  static constexpr std::string_view name = "FirstOrder";
  Index n = 0;
  py::object f = {}, A = {};
  Rows E = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"n", "dimension of x"}, s.n);
    visit(Field{"f", "function f(state) -> rate"}, s.f);
    visit(Field{"A", "function A(state) -> ∂f/∂x, or a matrix; None: finite differences"}, s.A);
    visit(Field{"E", "matrix before the derivative; empty: identity"}, s.E);
  }
  [[nodiscard]] System system() const {
    FirstOrder system{.n = n, .E = E};
    if (f && !f.is_none()) system.f = Callback(f, "FirstOrder.f");
    if (const Operator jacobian(A, "FirstOrder.A"); jacobian) system.A = jacobian;
    return system;
  }
  void check() const {
    if (n != 0) static_cast<void>(system());
  }
};

/// The system in `object` if it is one of the types listed.
template <class... Fields>
System find_system(const py::object& object) {
  std::optional<System> found;
  ((py::isinstance<Bound<Fields>>(object)
        ? void(found = unwrap(object.cast<const Bound<Fields>&>()).system())
        : void()),
   ...);
  return found ? *found : system_of_object(object);
}

void bind_state(py::module_& m) {
  py::class_<Snapshot> state(
      m, "State",
      "State of a model, or the piece of it that a system or relation sees.\n\n"
      "    t  time [s]\n    q  positions of the second-order systems\n    v  their velocities\n"
      "    x  states of the first-order systems\n    z  discrete parameters\n\n"
      "The arrays are views of the State, not copies. A State handed to a callback is read-only "
      "and\n"
      "may be kept. Simulation.state() returns one that may be changed and given to set_state().");
  state.def(py::init([](double t, const py::object& q, const py::object& v, const py::object& x,
                        const py::object& z) {
              return Snapshot{{t, to_vector(q, "State: q"), to_vector(v, "State: v"),
                               to_vector(x, "State: x"), to_vector(z, "State: z")}};
            }),
            py::kw_only(), py::arg("t") = 0.0, py::arg("q") = py::none(), py::arg("v") = py::none(),
            py::arg("x") = py::none(), py::arg("z") = py::none(),
            "__init__(self, *, t=0.0, q=None, v=None, x=None, z=None)\n--\n\n");
  state.def_property(
      "t", [](const Snapshot& s) { return s.value.t; },
      [](Snapshot& s, double t) {
        require(s.writable, "State: this one is read-only");
        s.value.t = t;
      },
      "time [s]");
  const auto array = [&state](const char* name, Vector State::*member, const char* doc) {
    state.def_property_readonly(
        name,
        [member](const py::object& self) {
          const Snapshot& s = self.cast<const Snapshot&>();
          return view((s.value.*member).data(), (s.value.*member).size(), self, s.writable);
        },
        doc);
  };
  array("q", &State::q, "positions");
  array("v", &State::v, "velocities");
  array("x", &State::x, "first-order states");
  array("z", &State::z, "discrete parameters");
  state.def("__repr__", [](const py::object& self) {
    std::string text = fmt::format("State(t={}", self.cast<const Snapshot&>().value.t);
    for (const char* name : {"q", "v", "x", "z"})
      if (const py::array values = self.attr(name); values.size() > 0)
        text +=
            fmt::format(", {}={}", name,
                        values.size() > 20 ? "<" + std::to_string(values.size()) + " values>"
                                           : py::repr(values.attr("tolist")()).cast<std::string>());
    return text + ")";
  });
}

}  // namespace

System to_system(const py::object& object) {
  if (const auto elastic = elastic_system(object)) return *elastic;
  return find_system<PointMassFields, PointMassesFields, RigidBodiesFields, PlanarBodiesFields,
                     LinearLagrangianFields, SparseLagrangianFields, LagrangianFields,
                     FirstOrderLinearFields, SparseFirstOrderFields, FirstOrderFields>(object);
}

void bind_systems(py::module_& m) {
  bind_state(m);
  bind_options<PointMassFields>(
      m,
      "A point under a constant gravity field:  m v' = m g + p.\n\n"
      ">>> saltus.PointMass(m=2.0, gravity=[0.0, -9.81])      # moves in a plane");
  bind_options<PointMassesFields>(
      m,
      "A pool of independent points, one body each:  m_i v_i' = m_i g + p_i.\n\n"
      "One system however many bodies; an interaction names a body as a pair (id, body).\n\n"
      ">>> beads = model.add(saltus.PointMasses(m=[1.0] * 1000, gravity=[-9.81]), q=heights)\n"
      ">>> model.link((beads, 0), saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact())");
  bind_options<RigidBodiesFields>(
      m,
      "A pool of rigid bodies in space:  m v' = m g + p,  I ω' + ω × Iω = τ.\n\n"
      "Each body has 7 positions (centre of mass, unit quaternion w x y z) and 6 velocities (v in\n"
      "the world frame, ω in the frame of the body). RigidScene makes one with shapes.\n\n"
      ">>> model.add(saltus.RigidBodies(m=[1.0], inertia=[[1.0, 2.0, 3.0]]),\n"
      "...           q=[0, 0, 0, 1, 0, 0, 0], v=[0, 0, 0, 1, 2, 3])");
  bind_options<PlanarBodiesFields>(
      m,
      "A pool of rigid bodies in the plane:  m v' = m g + p,  J φ'' = τ.\n\n"
      ">>> model.add(saltus.PlanarBodies(m=[1.0], inertia=[0.4]), q=[0.0, 1.0, 0.0])");
  bind_options<LinearLagrangianFields>(
      m,
      "Linear time-invariant system of second order:  M q'' + C q' + K q = F(t, z) + p.\n\n"
      ">>> saltus.LinearLagrangian(M=[[1.0]], K=[[4.0]], load=lambda t, z: [math.sin(t)])");
  bind_options<SparseLagrangianFields>(
      m,
      "LinearLagrangian given by SciPy sparse matrices, as a finite-element program makes them.\n\n"
      "An interaction names one of `nodes` equal parts of q as a pair (id, node). Degrees of\n"
      "freedom in `held` stand still, or move with the velocities motion(t, z).\n\n"
      ">>> saltus.SparseLagrangian(M=M, K=K, nodes=M.shape[0] // 3, held=[0, 1, 2])");
  bind_options<SparseFirstOrderFields>(
      m,
      "FirstOrderLinear given by SciPy sparse matrices; E may be singular (a descriptor system), "
      "E - h theta A\nmust not.\n\n"
      ">>> saltus.SparseFirstOrder(A=A, E=scipy.sparse.diags([1.0, 0.0]))");
  bind_options<LagrangianFields>(
      m,
      "System of second order from functions:  M(q, z) v' = F(t, q, v, z) + p.\n\n"
      "The functions get a State with t, q, v, z and return numbers, lists or arrays. A class "
      "with\n"
      "the methods dof(), mass(state), force(state) and, if wanted, stiffness(state),\n"
      "damping(state), time_invariant, does the same.\n\n"
      ">>> pendulum = saltus.Lagrangian(n=1, M=[[m*l*l]], F=lambda s: -m*g*l*np.sin(s.q))");
  bind_options<FirstOrderLinearFields>(
      m,
      "Linear system of first order:  E x' = A x + b(t, z) + r.\n\n"
      ">>> saltus.FirstOrderLinear(A=[[0.0, -1e6], [1e2, 0.0]])");
  bind_options<FirstOrderFields>(
      m,
      "System of first order from functions:  E x' = f(t, x, z) + r.\n\n"
      "A class with the methods dimension(), rate(state) and, if wanted, jacobian(state),\n"
      "matrix(state), time_invariant, does the same.\n\n"
      ">>> saltus.FirstOrder(n=2, f=lambda s: [s.x[1], (1 - s.x[0]**2)*s.x[1] - s.x[0]])");
}

}  // namespace saltus::python
