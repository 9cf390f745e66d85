#include "apps/solver_catalogue.hpp"

#include <algorithm>
#include <cctype>

namespace saltus {

namespace {

template <class T>
std::string when_of() {
  if constexpr (requires { T::when; }) return std::string(T::when);
  return {};
}

template <class T>
std::string paper_of() {
  if constexpr (requires { T::paper; }) return std::string(T::paper);
  return {};
}

template <class Variant>
void append(std::vector<SolverEntry>& list, const std::string& problem) {
  for_each_algorithm<Variant>([&]<class T>(const T&) {
    list.push_back({problem, std::string(T::name), when_of<T>(), paper_of<T>()});
  });
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::vector<SolverEntry> solver_catalogue() {
  std::vector<SolverEntry> list;
  append<ComplementarityAlgorithm>(list, "lcp");
  append<ComplementarityAlgorithm>(list, "mlcp");
  append<Algorithm>(list, "relay");
  append<FrictionAlgorithm>(list, "friction");
  return list;
}

}  // namespace saltus
