#include "saltus/integrators/scheme.hpp"

namespace saltus {

namespace {

template <class... S>
Scheme find(std::string_view given, const std::variant<S...>&) {
  Scheme found;
  bool known = false;
  ((S::name == given ? void((found = S{}, known = true)) : void()), ...);
  std::string list;
  ((list += (list.empty() ? "" : ", ") + std::string(S::name)), ...);
  require(known, "unknown scheme '{}'; known: {}", given, list);
  return found;
}

}  // namespace

void prepare(const Model& model, const Scheme& scheme, StepWorkspace& work) {
  std::visit([&](const auto& chosen) { prepare(model, chosen, work); }, scheme);
}

StepReport step(const Model& model, State& state, double h, const Scheme& scheme,
                StepWorkspace& work) {
  return std::visit([&](const auto& chosen) { return step(model, state, h, chosen, work); },
                    scheme);
}

std::string_view name(const Scheme& scheme) {
  return std::visit([](const auto& chosen) { return std::string_view(chosen.name); }, scheme);
}

Scheme scheme_by_name(std::string_view name) { return find(name, Scheme{}); }

}  // namespace saltus
