#include "saltus/problems/friction_measures.hpp"

#include "module.hpp"
#include "problem_types.hpp"
#include "saltus/solvers/friction_existence.hpp"

#include <pybind11/stl.h>

namespace saltus::python {

namespace {

/// A problem of contact in the form on which the measures are defined.
using Form = std::variant<BlockForm, GlobalBlockForm>;

Form to_form(const py::object& object, const char* where) {
  const auto problem = [&]<class P>(const P*) -> const P* {
    if (!py::isinstance<Stored<P>>(object)) return nullptr;
    const P& p = object.cast<const Stored<P>&>().problem;
    validate(p);  // its vectors are views, which the caller may have changed
    return &p;
  };
  if (const auto* p = problem(static_cast<const BlockForm*>(nullptr))) return *p;
  if (const auto* p = problem(static_cast<const GlobalBlockForm*>(nullptr))) return *p;
  if (const auto* p = problem(static_cast<const FrictionContact*>(nullptr)))
    return to_block_form(*p);
  if (const auto* p = problem(static_cast<const GlobalFrictionContact*>(nullptr)))
    return to_global_block_form(*p);
  wrong_type(fmt::format("{}: problem", where),
             "FrictionContact, GlobalFrictionContact, BlockForm or GlobalBlockForm", object);
}

Vector reaction(const Form& form, const py::object& r, const char* where) {
  const Index size = std::holds_alternative<BlockForm>(form)
                         ? std::get<BlockForm>(form).q.size()
                         : std::get<GlobalBlockForm>(form).w.size();
  Vector x = to_vector(r, fmt::format("{}: r", where));
  require(x.size() == size, "{}: r has size {}, expected {}", where, x.size(), size);
  return x;
}

FrictionErrors errors_of(const py::object& problem, const py::object& r) {
  const Form form = to_form(problem, "friction_errors");
  const Vector x = reaction(form, r, "friction_errors");
  return std::visit([&](const auto& f) { return friction_errors(f, x); }, form);
}

FrictionCertificate certify(const Form& form, const py::object& r, const char* where) {
  const Vector x = reaction(form, r, where);
  return std::visit([&](const auto& f) { return friction_certificate(f, x); }, form);
}

std::vector<ContactStatus> status_of(const py::object& problem, const py::object& r) {
  const Form form = to_form(problem, "contact_status");
  const FrictionCertificate certificate = certify(form, r, "contact_status");
  if (const auto* global = std::get_if<GlobalBlockForm>(&form))
    return contact_status(global->K, global->sizes, certificate);
  const auto& reduced = std::get<BlockForm>(form);
  return contact_status(reduced.K, block_sizes(reduced), certificate);
}

FrictionDiagnostics diagnose_problem(const py::object& problem, Index dense_rows) {
  const Form form = to_form(problem, "diagnose");
  return std::visit([&](const auto& f) { return diagnose(f, dense_rows); }, form);
}

void bind_errors(py::module_& m) {
  py::class_<FrictionErrors>(m, "FrictionErrors",
                             "Errors of a reaction relative to ‖q‖; û = u + g(u) e_N.")
      .def_readonly("e1", &FrictionErrors::e1, "‖r − P_K(r − û)‖/‖q‖")
      .def_readonly("e2", &FrictionErrors::e2,
                    "‖û − P_K*(û − r)‖/‖q‖: the same, but accurate where r is much larger than u")
      .def_readonly("self_stress", &FrictionErrors::self_stress, "size of r against that of q")
      .def_readonly("self_stress_limit", &FrictionErrors::self_stress_limit,
                    "above it r is not to be trusted: 1e4, more where the load asks for it")
      .def("trusted", &FrictionErrors::trusted,
           "trusted($self)\n--\n\nself_stress <= self_stress_limit")
      .def("worst", &FrictionErrors::worst, "worst($self)\n--\n\nThe larger of e1 and e2.")
      .def("__repr__", [](const FrictionErrors& e) {
        return fmt::format("<FrictionErrors: e1 {:.3g}, e2 {:.3g}, self-stress {:.3g}>", e.e1, e.e2,
                           e.self_stress);
      });
  m.def("friction_errors", &errors_of, py::arg("problem"), py::arg("r"),
        "friction_errors(problem, r)\n--\n\n"
        "How far r is from a solution of a contact problem, in FrictionErrors.");
}

void bind_certificate(py::module_& m) {
  const auto part = [](Vector FrictionCertificate::*member) {
    return [member](const FrictionCertificate& c) { return copy(ConstVectorRef(c.*member)); };
  };
  py::class_<FrictionCertificate>(
      m, "FrictionCertificate",
      "The nearest problem that is solved exactly: (r, u) obeys the law of every block, and r\n"
      "solves the problem whose q is changed by dq.")
      .def_property_readonly("r", part(&FrictionCertificate::r), "reaction")
      .def_property_readonly("u", part(&FrictionCertificate::u), "relative velocity")
      .def_property_readonly("dq", part(&FrictionCertificate::dq), "change of q")
      .def_readonly("perturbation", &FrictionCertificate::perturbation, "largest ‖dq‖ of a block")
      .def_readonly("relative", &FrictionCertificate::relative,
                    "the same over ‖q‖∞; absolute if q = 0")
      .def("__repr__", [](const FrictionCertificate& c) {
        return fmt::format("<FrictionCertificate: perturbation {:.3g}>", c.perturbation);
      });
  m.def(
      "friction_certificate",
      [](const py::object& problem, const py::object& r) {
        return certify(to_form(problem, "friction_certificate"), r, "friction_certificate");
      },
      py::arg("problem"), py::arg("r"),
      "friction_certificate(problem, r)\n--\n\nThe FrictionCertificate of a reaction r.");
}

void bind_contact_status(py::module_& m) {
  py::enum_<ContactStatus>(m, "ContactStatus", "The mode of a contact.")
      .value("open", ContactStatus::open, "no reaction")
      .value("stick", ContactStatus::stick, "no relative velocity")
      .value("slide", ContactStatus::slide, "the reaction is on the boundary of its cone");
  m.def("contact_status", &status_of, py::arg("problem"), py::arg("r"),
        "contact_status(problem, r)\n--\n\n"
        "The ContactStatus of every block with a normal component, read off the certificate of r.");
}

void bind_diagnostics(py::module_& m) {
  using D = FrictionDiagnostics;
  py::class_<D>(m, "FrictionDiagnostics", "How hard a contact problem is.")
      .def_readonly("contacts", &D::contacts, "blocks with a normal component")
      .def_readonly("rows", &D::rows, "of W")
      .def_readonly("velocities", &D::velocities, "of M; 0 for a reduced problem")
      .def_readonly("density", &D::density, "rows over velocities: above 1, W is rank deficient")
      .def_readonly("rank", &D::rank, "of W; 0 if not computed")
      .def_readonly("rank_ratio", &D::rank_ratio, "rows over rank")
      .def_readonly("condition_svd", &D::condition_svd, "by the singular values that count")
      .def_readonly("condition", &D::condition, "estimate by bidiagonalisation from q")
      .def_readonly("asymmetry", &D::asymmetry, "‖W − W'‖/‖W‖")
      .def("__repr__", [](const D& d) {
        return fmt::format("<FrictionDiagnostics: {} contacts, {} rows, rank {}>", d.contacts,
                           d.rows, d.rank);
      });
  m.def("diagnose", &diagnose_problem, py::arg("problem"), py::arg("dense_rows") = 1500,
        "diagnose(problem, dense_rows=1500)\n--\n\n"
        "FrictionDiagnostics of a contact problem; singular values up to `dense_rows` rows.");
}

FrictionExistence existence_of(const py::object& problem) {
  const Form form = to_form(problem, "friction_existence");
  return std::visit([](const auto& f) { return friction_existence(f); }, form);
}

py::object infeasibility_of(const py::object& problem, const py::object& r) {
  const Form form = to_form(problem, "friction_infeasibility");
  const Vector x = r.is_none() ? Vector() : reaction(form, r, "friction_infeasibility");
  const auto direction =
      std::visit([&](const auto& f) { return friction_infeasibility(f, x); }, form);
  return direction ? py::object(copy(ConstVectorRef(*direction))) : py::none();
}

void bind_existence(py::module_& m) {
  using E = FrictionExistence;
  py::enum_<Existence>(m, "Existence", "Whether a contact problem has a solution.")
      .value("guaranteed", Existence::guaranteed,
             "some velocity is inside the dual cones, or w = 0")
      .value("impossible", Existence::impossible,
             "a direction proves that no velocity is admissible")
      .value("undecided", Existence::undecided, "neither: it depends on the forces");
  py::class_<E>(m, "FrictionExistence", "The answer of friction_existence.")
      .def_readonly("verdict", &E::verdict, "an Existence")
      .def_readonly("margin", &E::margin,
                    "largest t ≤ 1 with H'v + w − t e_N in the dual cones for some v")
      .def_property_readonly(
          "v", [](const E& e) { return copy(ConstVectorRef(e.v)); }, "velocity of that margin")
      .def_property_readonly(
          "direction", [](const E& e) { return copy(ConstVectorRef(e.direction)); },
          "the proof of impossible, that problem.proves_infeasible accepts; empty otherwise")
      .def("__repr__", [](const E& e) {
        return fmt::format("<FrictionExistence: {}, margin {:.3g}>", name(e.verdict), e.margin);
      });
  m.def("friction_existence", &existence_of, py::arg("problem"),
        "friction_existence(problem)\n--\n\n"
        "Whether a contact problem has a solution, as far as velocities tell: FrictionExistence.");
  m.def("friction_infeasibility", &infeasibility_of, py::arg("problem"), py::arg("r") = py::none(),
        "friction_infeasibility(problem, r=None)\n--\n\n"
        "A direction d with H d = 0, w'd < 0, d_N ≥ 0, d_T = 0, which proves that there is no\n"
        "solution, or None. r: reactions of a solver that failed, tried first.");
}

}  // namespace

void bind_friction_measures(py::module_& m) {
  bind_errors(m);
  bind_certificate(m);
  bind_contact_status(m);
  bind_diagnostics(m);
  bind_existence(m);
}

}  // namespace saltus::python
