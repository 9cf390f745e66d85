#include "saltus/solvers/algorithm.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <type_traits>

namespace saltus {

namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

template <std::size_t I = 0>
Algorithm find(std::string_view name, std::string& known) {
  if constexpr (I == std::variant_size_v<Algorithm>) {
    fail("algorithm_by_name: '{}' is unknown, expected one of {}", name, known);
  } else {
    using Candidate = std::variant_alternative_t<I, Algorithm>;
    if (same_letters(name, Candidate::name)) return Candidate{};
    if (!known.empty()) known += ", ";
    known += Candidate::name;
    return find<I + 1>(name, known);
  }
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Algorithm& algorithm,
                  Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, r, options, work); },
                    algorithm);
}

SolveReport solve(LcpView problem, VectorRef z, const ComplementarityAlgorithm& algorithm,
                  Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, z, options, work); },
                    algorithm);
}

SolveReport solve(const Mlcp& problem, VectorRef z, const ComplementarityAlgorithm& algorithm,
                  Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, z, options, work); },
                    algorithm);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const FrictionAlgorithm& algorithm,
                  Workspace& work) {
  return std::visit([&](const auto& options) { return solve(problem, r, options, work); },
                    algorithm);
}

void check(const Algorithm& algorithm, std::span<const BlockSet> K) {
  validate(algorithm);
  for (std::size_t i = 0; i < K.size(); ++i) validate(K[i], static_cast<Index>(i));
  std::visit(
      [&]<class Options>(const Options&) {
        if constexpr (!std::is_same_v<Options, Automatic> && !std::is_same_v<Options, Nsgs>)
          refuse_friction(Options::name, K);
      },
      algorithm);
}

Algorithm algorithm_by_name(std::string_view name) {
  std::string known;
  return find(name, known);
}

}  // namespace saltus
