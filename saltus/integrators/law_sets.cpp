#include "saltus/integrators/law_sets.hpp"

#include "saltus/base/overloaded.hpp"

#include <algorithm>

namespace saltus {

namespace {

template <class... Laws>
bool is_any(const Law& law) {
  return (std::holds_alternative<Laws>(law) || ...);
}

BlockSet contact_set(double mu, Index rows) {
  return rows == 1 ? BlockSet{NonNegative{}} : BlockSet{FrictionCone{mu}};
}

/// u⁺ (hθ²k + θc) + r/h + k y + (1−θ)(hθk + c) u⁻ = 0
void add_spring(const Spring& spring, const LawInput& in, LawTerms& out) {
  const double theta = std::max(in.theta, 0.5);
  const double slope = in.h * theta * theta * spring.k + theta * spring.c;
  const double before = (1 - theta) * (in.h * theta * spring.k + spring.c);
  out.compliance.setConstant(1 / (in.h * slope));
  out.constant += (spring.k * in.gap + (before - spring.k * in.ahead) * in.u) / slope;
}

/// u⁺ + k y/(hk + c) + r/(h(hk + c)) ≥ 0
void add_compliance(const CompliantContact& law, const LawInput& in, LawTerms& out) {
  const double slope = in.h * law.k + law.c;
  out.compliance[0] = 1 / (in.h * slope);
  out.constant[0] += law.k * (in.gap[0] - in.ahead * in.u[0]) / slope;
}

}  // namespace

BlockSet set_of(const Law& law, bool lagrangian, double h, Index rows) {
  const double scale = lagrangian ? h : 1.0;
  return std::visit(
      Overloaded{
          [](const Equality&) -> BlockSet { return Reals{}; },
          [](const Complementarity&) -> BlockSet { return NonNegative{}; },
          [](const NewtonImpact&) -> BlockSet { return NonNegative{}; },
          [&](const Relay& l) -> BlockSet {
            return Interval{scale * l.lower, scale * l.upper};
          },
          [&](const Coulomb& l) { return contact_set(l.mu, rows); },
          [&](const EllipticCoulomb& l) -> BlockSet {
            return rows == 1 ? BlockSet{NonNegative{}} : BlockSet{EllipticCone{l.mu_1, l.mu_2}};
          },
          [&](const RollingCoulomb& l) -> BlockSet {
            return rows == 1 ? BlockSet{NonNegative{}} : BlockSet{RollingCone{l.mu, l.mu_rolling}};
          },
          [&](const Tresca& l) -> BlockSet {
            return rows == 1 ? BlockSet{NonNegative{}} : BlockSet{FrictionCylinder{h * l.bound}};
          },
          [&](const PoissonCoulomb& l) { return contact_set(l.mu, rows); },
          [](const Spring&) -> BlockSet { return Reals{}; },
          [&](const CompliantContact& l) { return contact_set(l.mu, rows); },
          [&](const ElasticPlastic& l) -> BlockSet {
            return Interval{-h * l.bound, h * l.bound};
          },
      },
      law);
}

double restitution(const Law& law) {
  return std::visit(Overloaded{
                        [](const NewtonImpact& l) { return l.e; },
                        [](const Coulomb& l) { return l.e; },
                        [](const EllipticCoulomb& l) { return l.e; },
                        [](const RollingCoulomb& l) { return l.e; },
                        [](const Tresca& l) { return l.e; },
                        [](const auto&) { return 0.0; },
                    },
                    law);
}

double poisson_restitution(const Law& law) {
  const auto* poisson = std::get_if<PoissonCoulomb>(&law);
  return poisson != nullptr ? poisson->e : -1;
}

bool has_terms(const Law& law) {
  if (const auto* contact = std::get_if<Coulomb>(&law))
    return contact->e_t != 0 || contact->cohesion != 0;
  return is_any<Spring, CompliantContact, ElasticPlastic>(law);
}

void add_terms(const Law& law, const LawInput& in, LawTerms out) {
  out.compliance.setZero();
  out.pull.setZero();
  const Index n = out.constant.size();
  if (const auto* contact = std::get_if<Coulomb>(&law)) {
    out.constant.tail(n - 1) += contact->e_t * in.u.tail(n - 1);
    out.pull[0] = in.h * contact->cohesion;
  } else if (const auto* spring = std::get_if<Spring>(&law)) {
    add_spring(*spring, in, out);
  } else if (const auto* compliant = std::get_if<CompliantContact>(&law)) {
    add_compliance(*compliant, in, out);
  } else if (const auto* element = std::get_if<ElasticPlastic>(&law)) {
    out.compliance.setConstant(1 / (in.h * in.h * element->k));
    out.constant -= in.per_second / (in.h * element->k) * in.r;
  }
}

bool switched_by_gap(const Law& law) {
  return is_any<NewtonImpact, Coulomb, EllipticCoulomb, RollingCoulomb, Tresca, PoissonCoulomb>(
      law);
}

bool bilateral(const Law& law) { return std::holds_alternative<Equality>(law); }

bool rows_apart(const Law& law) { return std::holds_alternative<NewtonImpact>(law); }

Index contact_rows(const Law& law) {
  if (std::holds_alternative<RollingCoulomb>(law)) return 5;
  return has_friction(law) ? 3 : 1;
}

bool has_friction(const Law& law) {
  return is_any<Coulomb, EllipticCoulomb, RollingCoulomb, Tresca, PoissonCoulomb, CompliantContact>(
      law);
}

}  // namespace saltus
