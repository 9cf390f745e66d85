#include "saltus/solvers/algorithm.hpp"

#include "saltus/solvers/friction_presets.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <type_traits>

namespace saltus {

template void validate(const Algorithm&);
template void validate(const ComplementarityAlgorithm&);
template void validate(const FrictionAlgorithm&);

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

template <class T, class Variant>
constexpr bool is_alternative = false;
template <class T, class... A>
constexpr bool is_alternative<T, std::variant<A...>> = (std::is_same_v<T, A> || ...);

/// Those that need a set without shift, and those that know friction cones and scalar sets only.
using ConvexLoops =
    std::variant<TrescaFixedPoint, Aclm, SoclcpRelaxation, ConvexProjectedGradient, Mprgp>;
using ConesOnly = std::variant<Panagiotopoulos, FacetedFriction, GlockerNcp, DirectMcp>;

void require_cones(std::string_view algorithm, std::span<const BlockSet> K) {
  for (std::size_t i = 0; i < K.size(); ++i)
    require(row_by_row(K[i]) || std::holds_alternative<FrictionCone>(K[i]),
            "{}: block {} is a {}, expected friction cones or scalar sets: use Nsgs or Automatic",
            algorithm, i, name(K[i]));
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
        if constexpr (!is_alternative<Options, FrictionAlgorithm>)
          refuse_friction(Options::name, K);
        else if constexpr (is_alternative<Options, ConvexLoops>)
          for (const BlockSet& set : K) static_cast<void>(without_shift(set, Options::name));
        else if constexpr (is_alternative<Options, ConesOnly>)
          require_cones(Options::name, K);
      },
      algorithm);
}

Algorithm algorithm_by_name(std::string_view name) {
  if (const auto preset = friction_preset(name))
    return std::visit([](const auto& options) { return Algorithm(options); }, *preset);
  std::string known;
  return find(name, known);
}

}  // namespace saltus
