#pragma once

#include "saltus/problems/mlcp.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace saltus {

/// What a problem file may hold:
///
///     Lcp        w = M z + q,  0 ≤ w ⟂ z ≥ 0                                     (S:LCP-01)
///     Mlcp       the same with some w_i = 0 and z_i free                         (S:LCP-05)
///     BlockForm  relay: w = M z + q,  −w_i ∈ N_[lower_i, upper_i](z_i), one scalar block per row
using ComplementarityProblem = std::variant<Lcp, Mlcp, BlockForm>;

enum class ProblemKind { lcp, mlcp, relay };
inline constexpr ProblemKind problem_kinds[] = {ProblemKind::lcp, ProblemKind::mlcp,
                                                ProblemKind::relay};

/// "lcp", "mlcp", "relay"
[[nodiscard]] std::string_view name(ProblemKind kind);
/// The kind of that name; none if it is unknown.
[[nodiscard]] std::optional<ProblemKind> kind_by_name(std::string_view name);

[[nodiscard]] ProblemKind kind_of(const ComplementarityProblem& problem);
[[nodiscard]] const BlockSparse& matrix_of(const ComplementarityProblem& problem);
[[nodiscard]] const Vector& vector_of(const ComplementarityProblem& problem);

/// A relay with one scalar block per row: Reals where both bounds are infinite, NonNegative for
/// [0, ∞), an Interval otherwise. Throws Error on sizes that do not fit and on empty intervals.
[[nodiscard]] BlockForm make_relay(const BlockSparse& M, ConstVectorRef q, ConstVectorRef lower,
                                   ConstVectorRef upper);
struct Bounds {
  Vector lower, upper;
};
/// The bounds of every row. Throws Error if a block is a friction cone.
[[nodiscard]] Bounds bounds_of(const BlockForm& relay);

}  // namespace saltus
