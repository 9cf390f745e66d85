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

/// The set of the block form that says the same as the law, if there is one; an interval stands for
/// the others, which segments or cones describe.
BlockSet plain_set(const NormalCone& law) {
  const bool output = law.of_output;
  return std::visit(Overloaded{
                        [&](const Reals&) -> BlockSet {
                          return output ? BlockSet{Interval{0, 0}} : Reals{};
                        },
                        [&](const Zero&) -> BlockSet {
                          return output ? BlockSet{Reals{}} : Interval{0, 0};
                        },
                        [](const NonNegative&) -> BlockSet { return NonNegative{}; },
                        [&](const Interval& set) -> BlockSet { return output ? Interval{} : set; },
                        [](const auto&) -> BlockSet { return Interval{}; },
                    },
                    law.set);
}

/// Appends the piece from vertex i to vertex i + 1; `level` is λ at its upper end, taken off the
/// pieces that follow.
void append_piece(const Rows& p, Index i, double level, std::vector<Segment>& segments) {
  const double drop = p(i, 1) - p(i + 1, 1);
  if (drop == 0) return;
  const double compliance = (p(i + 1, 0) - p(i, 0)) / drop;
  segments.push_back({level - drop, level, compliance, p(i, 0) + compliance * level});
}

void append_graph(const PiecewiseLinear& law, std::vector<Segment>& segments) {
  const Rows& p = law.points;
  const Index last = p.rows() - 1;
  const auto first = static_cast<Index>(segments.size());
  for (Index i = 0; i < last; ++i) {
    const bool leads = static_cast<Index>(segments.size()) == first;
    append_piece(p, i, leads ? p(0, 1) : 0, segments);
  }
  if (static_cast<Index>(segments.size()) == first && p(0, 1) != 0)
    segments.push_back({p(0, 1), p(0, 1), 0, 0});
  if (law.before < 0) segments.push_back({0, inf, -1 / law.before, p(0, 0)});
  if (law.after < 0) segments.push_back({-inf, 0, -1 / law.after, p(last, 0)});
  if (static_cast<Index>(segments.size()) == first) segments.push_back({0, 0, 0, 0});
}

/// lower ≤ y ≤ upper, kept by λ.
void append_bounds(double lower, double upper, std::vector<Segment>& segments) {
  if (lower == upper) {
    segments.push_back({-inf, inf, 0, lower});
    return;
  }
  if (lower > -inf) segments.push_back({0, inf, 0, lower});
  if (upper < inf) segments.push_back({-inf, 0, 0, upper});
  if (lower == -inf && upper == inf) segments.push_back({0, 0, 0, 0});
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
          [&](const SpinningCoulomb& l) -> BlockSet {
            if (rows <= 2) return contact_set(l.mu_spinning, rows);
            if (rows <= 4) return FrictionCone{l.mu};
            return RollingCone{l.mu, l.mu_rolling};
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
          [](const PiecewiseLinear&) -> BlockSet { return Interval{}; },
          [](const NormalCone& l) { return plain_set(l); },
      },
      law);
}

bool splits(const Law& law, Index rows) {
  return rows > 2 && std::holds_alternative<SpinningCoulomb>(law);
}

FrictionCone second_set(const Law& law) {
  return FrictionCone{std::get<SpinningCoulomb>(law).mu_spinning};
}

bool has_segments(const Law& law) {
  if (const auto* cone = std::get_if<NormalCone>(&law))
    return std::holds_alternative<Box>(cone->set) ||
           (cone->of_output && std::holds_alternative<Interval>(cone->set));
  return std::holds_alternative<PiecewiseLinear>(law);
}

void append_segments(const Law& law, Index row, double scale, std::vector<Segment>& segments) {
  const auto first = segments.size();
  if (const auto* graph = std::get_if<PiecewiseLinear>(&law)) {
    append_graph(*graph, segments);
  } else {
    const auto& cone = std::get<NormalCone>(law);
    const auto* box = std::get_if<Box>(&cone.set);
    const auto* interval = std::get_if<Interval>(&cone.set);
    const double lower = box != nullptr ? box->lower[row] : interval->lower;
    const double upper = box != nullptr ? box->upper[row] : interval->upper;
    if (cone.of_output)
      append_bounds(lower, upper, segments);
    else
      segments.push_back({lower, upper, 0, 0});
  }
  for (auto i = first; i < segments.size(); ++i) {
    segments[i].lower *= scale;
    segments[i].upper *= scale;
    segments[i].compliance /= scale;
  }
}

const NormalCone* general_cone(const Law& law) {
  const auto* cone = std::get_if<NormalCone>(&law);
  if (cone == nullptr || has_segments(law)) return nullptr;
  const bool plain =
      std::holds_alternative<Reals>(cone->set) || std::holds_alternative<Zero>(cone->set) ||
      std::holds_alternative<NonNegative>(cone->set) || std::holds_alternative<Interval>(cone->set);
  return plain ? nullptr : cone;
}

Interval multipliers_at(const Law& law, double y, double band) {
  if (const auto* relay = std::get_if<Relay>(&law))
    return {y < -band ? relay->upper : relay->lower, y > band ? relay->lower : relay->upper};
  const auto* graph = std::get_if<PiecewiseLinear>(&law);
  require(graph != nullptr && graph->before > -inf && graph->after > -inf,
          "explicit schemes need laws with bounded multipliers (Relay, PiecewiseLinear)");
  const Rows& p = graph->points;
  const Index last = p.rows() - 1;
  const auto bound = [&](double at, bool upper) {
    if (at < p(0, 0)) return p(0, 1) + graph->before * (at - p(0, 0));
    if (at > p(last, 0)) return p(last, 1) + graph->after * (at - p(last, 0));
    Index i = 0;
    if (upper) {
      while (i < last && p(i + 1, 0) < at) ++i;
      if (p(i, 0) >= at) return p(i, 1);
    } else {
      i = last;
      while (i > 0 && p(i - 1, 0) > at) --i;
      if (p(i, 0) <= at) return p(i, 1);
      --i;
    }
    const double share = (at - p(i, 0)) / (p(i + 1, 0) - p(i, 0));
    return p(i, 1) + share * (p(i + 1, 1) - p(i, 1));
  };
  return {bound(y + band, false), bound(y - band, true)};
}

double restitution(const Law& law) {
  return std::visit(Overloaded{
                        [](const NewtonImpact& l) { return l.e; },
                        [](const Coulomb& l) { return l.e; },
                        [](const EllipticCoulomb& l) { return l.e; },
                        [](const RollingCoulomb& l) { return l.e; },
                        [](const SpinningCoulomb& l) { return l.e; },
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
  return is_any<NewtonImpact, Coulomb, EllipticCoulomb, RollingCoulomb, SpinningCoulomb, Tresca,
                PoissonCoulomb>(law);
}

bool bilateral(const Law& law) { return std::holds_alternative<Equality>(law); }

bool rows_apart(const Law& law) { return std::holds_alternative<NewtonImpact>(law); }

Index contact_rows(const Law& law) {
  if (std::holds_alternative<SpinningCoulomb>(law)) return 6;
  if (std::holds_alternative<RollingCoulomb>(law)) return 5;
  return has_friction(law) ? 3 : 1;
}

bool has_friction(const Law& law) {
  return is_any<Coulomb, EllipticCoulomb, RollingCoulomb, SpinningCoulomb, Tresca, PoissonCoulomb,
                CompliantContact>(law);
}

}  // namespace saltus
