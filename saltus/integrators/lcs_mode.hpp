#pragma once

#include "saltus/systems/lcs.hpp"

#include <vector>

namespace saltus {

/// A mode of a linear complementarity system (TI:TI-055, TI:B.13): the pairs in `held` have w = 0,
/// the others λ = 0. With w_i^(ρ_i) the first derivative of a held w_i in which λ of the held pairs
/// appears, w_i^(ρ_i) = 0 for all of them determines λ, and what is left is linear:
///     ẋ = A x + a,   λ = K x + k,   w = C x + c,
/// on the states with w_i = … = w_i^(ρ_i − 1) = 0, that is G x + g = 0, which it does not leave.
struct LcsMode {
  std::vector<Index> held = {};
  bool regular = false;  ///< the matrix of λ in these derivatives is; the rest is empty otherwise
  Matrix A = {}, K = {}, C = {}, G = {};
  Vector a = {}, k = {}, c = {}, g = {};

  /// The nearest state with G x + g = 0.
  [[nodiscard]] Vector consistent(ConstVectorRef x) const;
  /// w of the open and λ of the held pairs, which a solution in this mode keeps ≥ 0, as rows of
  /// S x + s.
  [[nodiscard]] Matrix sign_slopes() const;
  [[nodiscard]] Vector sign_levels() const;
  /// A solution from x can go on in this mode: for each of these functions the first derivative
  /// that is not zero is positive (F:F019). Values below tolerance · (‖row‖‖x‖ + |level|), and
  /// derivatives likewise with ‖A‖‖x‖ + ‖a‖ for ‖x‖, count as zero; n + 1 of them as all.
  [[nodiscard]] bool admits(ConstVectorRef x, double tolerance) const;
};

/// The mode with these pairs held; `held` is sorted. Derivatives as in relative_degree().
[[nodiscard]] LcsMode lcs_mode(const Lcs& system, const std::vector<Index>& held);

}  // namespace saltus
