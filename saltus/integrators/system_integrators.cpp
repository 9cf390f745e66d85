#include "saltus/integrators/system_integrators.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/model/model.hpp"

#include <algorithm>

namespace saltus {

namespace {

std::string names_of(const Model& model) {
  std::string list;
  for (const SystemEntry& entry : model.systems()) list += (list.empty() ? "" : ", ") + entry.name;
  return list;
}

/// Number of the system called `name`.
std::size_t find(const Model& model, const std::string& name, std::string_view who) {
  const auto systems = model.systems();
  const auto same = [&](const SystemEntry& entry) { return entry.name == name; };
  const auto found = std::find_if(systems.begin(), systems.end(), same);
  require(found != systems.end(), "{}: systems: the model has no system '{}'; it has {}", who, name,
          names_of(model));
  require(std::count_if(systems.begin(), systems.end(), same) == 1,
          "{}: systems: the model has several systems '{}'; give them names of their own", who,
          name);
  return static_cast<std::size_t>(found - systems.begin());
}

void require_exact(const SystemEntry& entry, bool together, std::string_view who) {
  const bool second = entry.system.order() == Order::second;
  require(
      entry.system.time_invariant() && !entry.system.coupled() && (!second || entry.system.flat()),
      "{}: systems: {} is not linear with constant matrices, body by body; ExactFlow needs that",
      who, entry.name);
  require(together || !second,
          "{}: systems: the scheme moves positions by v⁺ alone, {} cannot have ExactFlow; use "
          "MoreauJean",
          who, entry.name);
}

}  // namespace

void validate(const SystemIntegrators& systems) {
  for (const SystemIntegrator& given : systems) {
    require(!given.system.empty(), "systems: the name of a system is empty");
    require(std::count_if(systems.begin(), systems.end(),
                          [&](const SystemIntegrator& s) { return s.system == given.system; }) == 1,
            "systems: '{}' is given twice", given.system);
    validate(given.rule);
  }
}

std::string describe(const SystemIntegrators& systems) {
  std::string list;
  for (const SystemIntegrator& given : systems)
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", given.system, describe(given.rule));
  return "{" + list + "}";
}

SystemRules resolve(const Model& model, const SystemIntegrators& systems, ResolvedRule scheme,
                    bool together, std::string_view who) {
  SystemRules resolved;
  if (systems.empty()) return resolved;
  resolved.rules.assign(model.systems().size(), scheme);
  for (const SystemIntegrator& given : systems) {
    const std::size_t number = find(model, given.system, who);
    ResolvedRule& rule = resolved.rules[number];
    std::visit(Overloaded{[&](const Theta& t) {
                            rule.theta = t.theta;
                            if (together) rule.position = t.theta;
                          },
                          [&](const ExactFlow&) {
                            require_exact(model.systems()[number], together, who);
                            rule = {.theta = 0.5, .position = 0.5, .exact = true};
                          }},
               given.rule);
  }
  return resolved;
}

}  // namespace saltus
