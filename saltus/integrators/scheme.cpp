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

Scheme scheme_by_name(std::string_view name) { return find(name, Scheme{}); }

}  // namespace saltus
