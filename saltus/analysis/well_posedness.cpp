#include "saltus/analysis/well_posedness.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// A theorem under construction: hypotheses are added one by one, the first that fails decides.
class Lookup {
 public:
  Lookup(std::string name, std::string conclusion, bool existence, bool uniqueness) {
    theorem_ = {std::move(name), Answer::yes, "", std::move(conclusion), existence, uniqueness};
  }
  Lookup& need(Answer holds, const std::string& text) {
    if (theorem_.applies == Answer::no) return *this;
    if (holds == Answer::yes) {
      if (theorem_.applies == Answer::yes)
        theorem_.reason += (theorem_.reason.empty() ? "" : ", ") + text;
      return *this;
    }
    const char* verdict = holds == Answer::no ? "fails" : "is not known";
    if (theorem_.applies == Answer::yes || holds == Answer::no)
      theorem_.reason = fmt::format("\"{}\" {}", text, verdict);
    theorem_.applies = holds;
    return *this;
  }
  Lookup& need(bool holds, const std::string& text) {
    return need(holds ? Answer::yes : Answer::no, text);
  }
  operator Theorem() const { return theorem_; }

 private:
  Theorem theorem_;
};

bool proves(const WellPosedness& all, bool Theorem::*what) {
  return std::any_of(all.theorems.begin(), all.theorems.end(),
                     [&](const Theorem& t) { return t.applies == Answer::yes && t.*what; });
}

Theorem lipschitz_ode(const Lcs& s) {
  return Lookup("Lipschitz ODE", "one continuously differentiable solution from every start", true,
                true)
      .need(classify(BlockSparse::dense(s.D)).p.answer, "D is a P-matrix");
}

Theorem passive_system(const Lcs& s) {
  const Passivity p = passivity(s);
  return Lookup("passive system",
                "one solution from every start; x jumps only at the start and where inputs jump",
                true, true)
      .need(p.passive, fmt::format("passive, violation {:.1e}", p.violation))
      .need(p.controllable, "(A, B) is controllable")
      .need(p.observable, "(C, A) is observable")
      .need(p.full_rank, "[B; D + D'] has full column rank");
}

Theorem evolution_vi(const Lcs& s) {
  return Lookup("evolution VI",
                "one continuous, right-differentiable solution from every start in {Cx + b ≥ 0}",
                true, true)
      .need(s.D.isZero(0), "D = 0")
      .need((s.B - s.C.transpose()).norm() <= 1e-12 * s.B.norm(), "B = C'");
}

Theorem degree_one(const Lcs& s) {
  return Lookup("degree one", "one solution from every start, after a jump at the start", true,
                true)
      .need(s.D.isZero(0), "D = 0")
      .need(classify(BlockSparse::dense(s.C * s.B)).p.answer, "CB is a P-matrix");
}

Theorem higher_order(const Lcs& s) {
  const RelativeDegree degree = relative_degree(s);
  const Index r = degree.uniform();
  Lookup lookup("sweeping process of higher order",
                "one solution from every start among those analytic to the right, a distribution "
                "with |x| ≤ e^(Λt) |x(0)| in its function part",
                true, true);
  lookup.need(s.D.isZero(0), "D = 0")
      .need(r >= 1, fmt::format("uniform relative degree, r = {}", r));
  if (r < 1) return lookup;
  if (s.pairs() == 1)
    return lookup.need(degree.decoupling(0, 0) > 0,
                       fmt::format("CA^(r-1)B = {:.6g} > 0", degree.decoupling(0, 0)));
  const MatrixClass c = classify(BlockSparse::dense(degree.decoupling));
  return lookup.need(c.symmetric.answer, "CA^(r-1)B is symmetric")
      .need(c.m.answer, "CA^(r-1)B is an M-matrix");
}

}  // namespace

bool WellPosedness::existence() const { return proves(*this, &Theorem::existence); }
bool WellPosedness::uniqueness() const { return proves(*this, &Theorem::uniqueness); }

std::string WellPosedness::text() const {
  std::string yes, no;
  for (const Theorem& t : theorems) {
    if (t.applies == Answer::yes)
      yes += fmt::format("{}: {} ({})\n", t.name, t.conclusion, t.reason);
    else
      no += fmt::format("{}: {}\n", t.name, t.reason);
  }
  return yes.empty() ? "no theorem applies\n" + no : yes;
}

WellPosedness well_posedness(const Lcs& system) {
  const Lcs s = completed(system);
  require(s.pairs() > 0, "well_posedness: the system has no complementary pairs");
  return {{lipschitz_ode(s), passive_system(s), evolution_vi(s), degree_one(s), higher_order(s)}};
}

std::string_view name(Formalism formalism) {
  switch (formalism) {
    case Formalism::differential_inclusion:
      return "differential_inclusion";
    case Formalism::maximal_monotone:
      return "maximal_monotone";
    case Formalism::sweeping_process:
      return "sweeping_process";
    case Formalism::evolution_vi:
      return "evolution_vi";
    case Formalism::switching_surface:
      return "switching_surface";
    case Formalism::dissipative_nonlinear:
      return "dissipative_nonlinear";
    case Formalism::frictionless_lagrangian:
      return "frictionless_lagrangian";
    case Formalism::impulsive_ode:
      return "impulsive_ode";
  }
  return "differential_inclusion";
}

namespace {

std::vector<Theorem> inclusion_theorems(const Traits& t) {
  return {Lookup("Lipschitz inclusion", "an absolutely continuous solution exists", true, false)
              .need(t.closed_convex, "closed convex values")
              .need(t.lipschitz, "Lipschitz"),
          Lookup("upper semicontinuous inclusion", "an absolutely continuous solution exists", true,
                 false)
              .need(t.closed_convex, "closed convex values")
              .need(t.upper_semicontinuous, "upper semicontinuous")
              .need(t.linear_growth, "linear growth"),
          Lookup("uniformly one-sided Lipschitz", "at most one solution", false, true)
              .need(t.uniform_one_sided, "uniformly one-sided Lipschitz"),
          Lookup("hypomonotone", "at most one solution", false, true)
              .need(t.hypomonotone, "-F is hypomonotone")};
}

std::vector<Theorem> sweeping_theorems(const Traits& t) {
  return {
      Lookup("Lipschitz sweeping process", "one solution, with the constant of K(t)", true, true)
          .need(t.closed_convex, "K(t) closed, convex, not empty")
          .need(t.lipschitz, "t ↦ K(t) is Lipschitz")
          .need(t.start_admissible, "x(0) ∈ K(0)"),
      Lookup("sweeping process of bounded variation",
             "one right-continuous solution of bounded variation", true, true)
          .need(t.closed_convex, "K(t) closed, convex, not empty")
          .need(t.bounded_variation, "t ↦ K(t) right-continuous, of bounded variation")
          .need(t.start_admissible, "x(0) ∈ K(0)")};
}

std::vector<Theorem> variational_theorems(const Traits& t) {
  return {Lookup("linear evolution VI", "one continuous, right-differentiable solution", true, true)
              .need(t.closed_convex, "K closed, convex, not empty")
              .need(t.lipschitz_plus_gradient, "f is linear + Lipschitz + gradient of a convex C¹")
              .need(t.start_admissible, "x(0) ∈ K"),
          Lookup("hypomonotone evolution VI", "a solution exists", true, false)
              .need(t.closed_convex, "K closed, convex, not empty")
              .need(t.continuous, "f is continuous")
              .need(t.hypomonotone, "f is hypomonotone")
              .need(t.start_admissible, "x(0) ∈ K")};
}

std::vector<Theorem> nonlinear_theorems(const Traits& t) {
  return {Lookup("dissipative, absolutely continuous input", "a local solution exists", true, false)
              .need(t.input_absolutely_continuous, "u is absolutely continuous"),
          Lookup("dissipative, bounded Hessian", "one local solution", true, true)
              .need(t.input_absolutely_continuous, "u is absolutely continuous")
              .need(t.bounded_hessian, "the Hessian of V is bounded"),
          Lookup("dissipative, input of bounded variation", "a solution exists", true, false)
              .need(t.bounded_variation, "u is of bounded variation")};
}

}  // namespace

WellPosedness well_posedness(const Traits& t) {
  switch (t.formalism) {
    case Formalism::differential_inclusion:
      return {inclusion_theorems(t)};
    case Formalism::maximal_monotone:
      return {{Lookup("maximal monotone operator", "one Lipschitz solution", true, true)
                   .need(t.maximal_monotone, "A is maximal monotone")
                   .need(t.input_absolutely_continuous, "g is absolutely continuous")
                   .need(t.start_admissible, "x(0) ∈ dom A")}};
    case Formalism::sweeping_process:
      return {sweeping_theorems(t)};
    case Formalism::evolution_vi:
      return {variational_theorems(t)};
    case Formalism::switching_surface:
      return {{Lookup("transversal switching",
                      "one absolutely continuous solution with finitely many switches", true, true)
                   .need(t.transversal, "both fields cross the surface the same way")}};
    case Formalism::dissipative_nonlinear:
      return {nonlinear_theorems(t)};
    case Formalism::frictionless_lagrangian:
      return {{Lookup("analytic Lagrangian system",
                      "one solution, positions absolutely continuous, velocities of bounded "
                      "variation; with data only C∞ there may be many",
                      true, true)
                   .need(t.analytic, "piecewise analytic data")
                   .need(t.independent_gradients, "independent gradients of the constraints")}};
    case Formalism::impulsive_ode:
      return {{Lookup("impulsive ODE", "one solution for all times, by the flow of g over jumps",
                      true, true)
                   .need(t.once_differentiable, "f and g are C¹")
                   .need(t.linear_growth, "|f| ≤ c(1 + |x|), |g_x| ≤ c")}};
  }
  return {};
}

SolutionClass solution_class(const Lcs& system) {
  const Index r = relative_degree(system).largest();
  SolutionClass result{.relative_degree = r, .order_of_discontinuity = 1 - std::max<Index>(r, 0)};
  result.backward_euler = r <= 1;
  if (r <= 0) {
    result.solutions = "x continuously differentiable, λ a continuous function";
    result.scheme = "any ODE method, order 1 across switches; the theta method (MoreauJean)";
  } else if (r == 1) {
    result.solutions = "x absolutely continuous after a jump at the start, λ a function";
    result.scheme = "backward Euler (MoreauJean with theta = 1), or Emts";
  } else if (r == 2) {
    result.solutions = "x of bounded variation, λ a measure";
    result.scheme = "MoreauJean for a mechanical system, or Emts";
  } else {
    result.solutions =
        fmt::format("x and λ distributions: λ has derivatives of δ up to order {}", r - 1);
    result.scheme = "Emts";
  }
  return result;
}

}  // namespace saltus
