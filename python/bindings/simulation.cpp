#include "saltus/simulation/simulation.hpp"
#include "saltus/integrators/law_sets.hpp"

#include "callbacks.hpp"
#include "model.hpp"
#include "module.hpp"
#include "options.hpp"
#include "problem_types.hpp"
#include "saltus/base/stopwatch.hpp"
#include "saltus/io/problem_dump.hpp"

#include <pybind11/stl.h>

#include <exception>

namespace saltus::python {

namespace {

/// What an observer gets.
struct PythonObservation {
  py::object state;
  StepReport report;
  long step;
  double end_time;
};

/// The Python class Simulation. run() and advance() release the GIL; callbacks take it back. An
/// exception in an observer or stop condition, and Ctrl-C, end the run after the present step; one
/// in a system or relation ends it at once, the state being that after the last whole step. What
/// was recorded is kept in last_run; then the exception goes on.
class PythonSimulation {
 public:
  PythonSimulation(const PythonModel& model, Scheme scheme, SimulationOptions options)
      : simulation_(model.model, std::move(scheme), std::move(options)) {
    simulation_.stop_when([this](const State&) { return interrupted(); });
  }
  PythonSimulation(const PythonSimulation&) = delete;
  PythonSimulation& operator=(const PythonSimulation&) = delete;

  py::object run(double end_time) {
    const Busy busy(*this, "run");
    last_run_ = py::none();
    auto trajectory = std::make_shared<Trajectory>();
    try {
      const py::gil_scoped_release release;
      since_signals_ = Stopwatch();
      simulation_.run(end_time, *trajectory);
    } catch (...) {
      last_run_ = py::cast(std::move(trajectory));
      throw;
    }
    last_run_ = py::cast(std::move(trajectory));
    if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
    return last_run_;
  }

  StepReport advance(std::optional<double> h) {
    const Busy busy(*this, "advance");
    const py::gil_scoped_release release;
    return h ? simulation_.advance(*h) : simulation_.advance();
  }

  void observe(const py::object& function) {
    const Busy busy(*this, "observe");
    require(PyCallable_Check(function.ptr()) != 0, "Simulation.observe: {} is not callable",
            given(function));
    const Callback callback = callbacks_.emplace_back(function, "observer");
    simulation_.observe([this, callback](const Observation& o) {
      if (pending_) return;
      const py::gil_scoped_acquire gil;
      keep_exception([&] {
        const py::object state = callback.show(o.state);
        callback.function()(PythonObservation{state, o.report, o.step, o.end_time});
      });
    });
  }

  void stop_when(const py::object& function) {
    const Busy busy(*this, "stop_when");
    require(PyCallable_Check(function.ptr()) != 0, "Simulation.stop_when: {} is not callable",
            given(function));
    const Callback callback = callbacks_.emplace_back(function, "stop condition");
    simulation_.stop_when([this, callback](const State& state) {
      const py::gil_scoped_acquire gil;
      bool stop = false;
      keep_exception([&] { stop = py::bool_(callback.call(state)); });
      return stop || pending_;
    });
  }

  void set_parameters(SystemId system, const py::object& z) {
    const Busy busy(*this, "set_parameters");
    simulation_.set_parameters(system, to_vector(z, "Simulation.set_parameters: z"));
  }

  void set_state(const Snapshot& state) {
    const Busy busy(*this, "set_state");
    simulation_.set_state(state.value);
  }

  void dump_problems(const py::object& folder, const std::string& title, int every) {
    const Busy busy(*this, "dump_problems");
    static_cast<void>(saltus::dump_problems(
        simulation_, {.folder = to_path(folder), .title = title, .every = every}));
  }

  /// For the garbage collector: an observer usually refers to its simulation.
  int traverse(visitproc visit, void* arg) const {
    for (const Callback& callback : callbacks_) Py_VISIT(callback.function().ptr());
    Py_VISIT(last_run_.ptr());
    return 0;
  }
  void clear() {
    for (const Callback& callback : callbacks_) callback.forget();
  }

  [[nodiscard]] const Simulation& simulation() const { return simulation_; }
  [[nodiscard]] const py::object& last_run() const { return last_run_; }

 private:
  /// One call at a time: an observer must not restart the run that calls it.
  struct Busy {
    Busy(PythonSimulation& s, const char* what) : owner(s) {
      require(!owner.busy_, "Simulation.{}: the simulation is running", what);
      owner.busy_ = true;
    }
    ~Busy() { owner.busy_ = false; }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    PythonSimulation& owner;
  };

  template <class Call>
  void keep_exception(Call&& call) {
    try {
      call();
    } catch (const py::error_already_set&) {
      pending_ = std::current_exception();
    }
  }

  /// Looks for Ctrl-C twenty times a second.
  bool interrupted() {
    if (pending_) return true;
    if (since_signals_.seconds() < 0.05) return false;
    since_signals_ = Stopwatch();
    const py::gil_scoped_acquire gil;
    keep_exception([] {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
    return static_cast<bool>(pending_);
  }

  Simulation simulation_;
  std::vector<Callback> callbacks_;
  std::exception_ptr pending_;
  Stopwatch since_signals_;
  py::object last_run_ = py::none();
  bool busy_ = false;
};

std::unique_ptr<PythonSimulation> make_simulation(const PythonModel& model,
                                                  const py::object& scheme, double step,
                                                  const py::object& adaptive,
                                                  const py::object& record, bool accept_unsolved,
                                                  bool profile) {
  Scheme chosen;
  if (!scheme.is_none()) chosen = Converter<Scheme>::from(scheme, "Simulation: scheme");
  SimulationOptions options{.step = step, .accept_unsolved = accept_unsolved, .profile = profile};
  if (!adaptive.is_none())
    options.adaptive = Converter<AdaptiveSteps>::from(adaptive, "Simulation: adaptive");
  if (!record.is_none())
    options.record = Converter<RecordOptions>::from(record, "Simulation: record");
  return std::make_unique<PythonSimulation>(model, std::move(chosen), std::move(options));
}

/// The contacts of the last step, as arrays.
struct PythonContacts {
  Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor> bodies;
  Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor> points, normals, percussions;
  Vector gaps;
};

PythonContacts contacts_of(const PythonSimulation& s) {
  const ContactList& list = s.simulation().contacts();
  const auto n = static_cast<Index>(list.size());
  PythonContacts found;
  found.bodies.resize(n, 2);
  for (auto* table : {&found.points, &found.normals, &found.percussions}) table->setZero(n, 3);
  found.gaps.resize(n);
  Index row = s.simulation().model().rows();
  for (Index i = 0; i < n; ++i) {
    const DetectedContact& contact = list[i];
    const Index rows = contact_rows(contact.law);
    for (Index side = 0; side < 2; ++side) {
      const Endpoint& end = contact.bodies[side];
      found.bodies(i, side) = end.world() ? -1.0 : static_cast<double>(end.body);
    }
    Eigen::Vector3d r = Eigen::Vector3d::Zero();
    const Index force = std::min<Index>(rows, 3);
    r.head(force) = s.simulation().multipliers().segment(row, force);
    found.points.row(i) = contact.point;
    found.normals.row(i) = contact.frame.col(0);
    found.percussions.row(i) = contact.frame * r;
    found.gaps[i] = contact.gap;
    row += rows;
  }
  return found;
}

void bind_contacts(py::module_& m) {
  py::class_<PythonContacts> cls(m, "Contacts",
                                 "The contacts that were found in the last step: one row each, in "
                                 "the order of multipliers().");
  const auto table = [&cls](const char* name, auto member, const char* doc) {
    cls.def_property_readonly(
        name,
        [member](const PythonContacts& c) {
          const auto& values = c.*member;
          py::array_t<double> array({values.rows(), values.cols()});
          std::copy_n(values.data(), values.size(), array.mutable_data());
          return array;
        },
        doc);
  };
  table("bodies", &PythonContacts::bodies,
        "numbers of the two bodies in their pool, -1: the world");
  table("points", &PythonContacts::points, "points of contact [m]");
  table("normals", &PythonContacts::normals, "unit normals, from the second body to the first");
  table("percussions", &PythonContacts::percussions,
        "percussions on the first body over the step, in the world frame [N s]");
  cls.def_property_readonly(
      "gaps", [](const PythonContacts& c) { return copy(ConstVectorRef(c.gaps)); },
      "gaps at the forecast of the step [m]");
  cls.def("__len__", [](const PythonContacts& c) { return c.gaps.size(); });
  cls.def("__repr__",
          [](const PythonContacts& c) { return fmt::format("<Contacts: {}>", c.gaps.size()); });
}

void bind_observation(py::module_& m) {
  py::class_<PythonObservation>(m, "Observation", "What an observer sees after each step.")
      .def_readonly("state", &PythonObservation::state, "State after the step")
      .def_readonly("report", &PythonObservation::report, "StepReport of the step")
      .def_readonly("step", &PythonObservation::step, "number of the step in the run, from 1")
      .def_readonly("end_time", &PythonObservation::end_time,
                    "time at which the run is to end [s]");
}

using Class = py::class_<PythonSimulation>;

/// The simulation in `self`, null while it is being made.
PythonSimulation* held_by(PyObject* self) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self);
  const auto slot = instance->get_value_and_holder();
  return slot.holder_constructed() ? static_cast<PythonSimulation*>(slot.value_ptr()) : nullptr;
}

void collect_garbage(PyHeapTypeObject* type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    const PythonSimulation* simulation = held_by(self);
    return simulation ? simulation->traverse(visit, arg) : 0;
  };
  type->ht_type.tp_clear = [](PyObject* self) {
    if (PythonSimulation* simulation = held_by(self)) simulation->clear();
    return 0;
  };
}

void bind_running(Class& cls) {
  cls.def(
      "run", &PythonSimulation::run, py::arg("end_time"),
      "run($self, end_time)\n--\n\n"
      "Steps until end_time, a stop condition, or a step that fails; returns the Trajectory.\n\n"
      "May be called again to go on. A failed step is not an exception: see run.report.\n"
      "Ctrl-C, and an exception in an observer or stop condition, end the run after the present\n"
      "step, an exception in a system or relation at once. The simulation then stands after the\n"
      "last whole step and may be used further; what was recorded is in last_run().");
  cls.def("advance", &PythonSimulation::advance, py::arg("h") = py::none(),
          "advance($self, h=None)\n--\n\n"
          "One step of length h (default: the option `step`), not recorded; returns a StepReport.");
  cls.def("observe", &PythonSimulation::observe, py::arg("observer"),
          "observe($self, observer)\n--\n\n"
          "Has observer(observation) called after each step of run().\n\n"
          "The Observation has state, report, step and end_time.\n\n"
          ">>> sim.observe(lambda o: print(o.state.t, o.report.active_rows))");
  cls.def("stop_when", &PythonSimulation::stop_when, py::arg("condition"),
          "stop_when($self, condition)\n--\n\n"
          "Ends run() after the first step for which condition(state) is true.\n\n"
          ">>> sim.stop_when(lambda state: state.q[0] < 0.0)");
}

void bind_access(Class& cls) {
  cls.def("set_parameters", &PythonSimulation::set_parameters, py::arg("system"), py::arg("z"),
          "set_parameters($self, system, z)\n--\n\n"
          "Changes the discrete parameters z of a system between steps.");
  cls.def("set_state", &PythonSimulation::set_state, py::arg("state"),
          "set_state($self, state)\n--\n\nPuts the simulation into another State.");
  cls.def(
      "state", [](const PythonSimulation& s) { return Snapshot{s.simulation().state()}; },
      "state($self)\n--\n\nThe present State, copied.");
  cls.def(
      "model", [](const PythonSimulation& s) { return PythonModel{s.simulation().model()}; },
      "model($self)\n--\n\nThe Model, copied.");
  cls.def(
      "scheme",
      [](const PythonSimulation& s) { return Converter<Scheme>::to(s.simulation().scheme()); },
      "scheme($self)\n--\n\nThe scheme, copied.");
  cls.def(
      "multipliers",
      [](const PythonSimulation& s) { return copy(ConstVectorRef(s.simulation().multipliers())); },
      "multipliers($self)\n--\n\nMultipliers of the last step, all rows of all interactions.");
  cls.def("contacts", &contacts_of,
          "contacts($self)\n--\n\nThe Contacts between rigid bodies that the last step found.");
  cls.def("dump_problems", &PythonSimulation::dump_problems, py::arg("folder"), py::kw_only(),
          py::arg("title") = "model", py::arg("every") = 1,
          "dump_problems($self, folder, *, title='model', every=1)\n--\n\n"
          "From now on writes the one-step problems with friction of each every-th step into the\n"
          "folder, as FCLib files title-nc-<contacts>-<step>.hdf5 with guess and solution.");
  cls.def("last_run", &PythonSimulation::last_run,
          "last_run($self)\n--\n\n"
          "What the last run() recorded, also if it was interrupted; None if there is nothing.");
  cls.def("__repr__", [](const PythonSimulation& s) {
    return fmt::format("<Simulation: t = {:.9g}, step {:.9g}, {}>", s.simulation().state().t,
                       s.simulation().options().step, name(s.simulation().scheme()));
  });
}

}  // namespace

void bind_simulation(py::module_& m) {
  bind_observation(m);
  bind_contacts(m);
  Class cls(m, "Simulation", py::custom_type_setup(collect_garbage),
            "Time loop: model + state + scheme + clock.\n\n"
            ">>> sim = saltus.Simulation(model, saltus.MoreauJean(theta=0.5), step=5e-3)\n"
            ">>> run = sim.run(10.0)\n\n"
            "Parameters\n----------\n"
            "model : Model\n    copied: later changes of it are not seen\n"
            "scheme : a time-stepping scheme, default MoreauJean()\n    with its solver\n"
            "step : float\n    time step h [s]; > 0\n"
            "adaptive : AdaptiveSteps, default AdaptiveSteps()\n    steps chosen by their error\n"
            "record : RecordOptions, default RecordOptions()\n    what is recorded, and how often\n"
            "accept_unsolved : bool, default False\n"
            "    go on with the best point found when a solver fails\n"
            "profile : bool, default False\n    measure where the time goes\n");
  cls.def(py::init(&make_simulation), py::arg("model"), py::arg("scheme") = py::none(),
          py::kw_only(), py::arg("step"), py::arg("adaptive") = py::none(),
          py::arg("record") = py::none(), py::arg("accept_unsolved") = false,
          py::arg("profile") = false,
          "__init__(self, model, scheme=None, *, step, adaptive=None, record=None, "
          "accept_unsolved=False, "
          "profile=False)\n--\n\n");
  bind_running(cls);
  bind_access(cls);
}

}  // namespace saltus::python
