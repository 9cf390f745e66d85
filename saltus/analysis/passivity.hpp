#pragma once

#include "saltus/problems/matrix_classes.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// Options of the search for a storage matrix: minimise t over (P, t) with
///     [AᵀP + PA, PB − Cᵀ; BᵀP − C, −D − Dᵀ] ≤ t I,   P ≥ −t I,   P ≤ β I                       (1)
/// by a barrier method, P restricted to (PB − Cᵀ)V = 0, V a basis of ker(D + Dᵀ), without which the
/// inequality cannot hold at t = 0. Newton's method on n(n+1)/2 unknowns: n up to 20 or so.
struct StorageSearch {
  static constexpr std::string_view name = "StorageSearch";
  double tolerance = 1e-7;  ///< t at which the inequality counts as satisfied, relative to the data
  double bound = 1e6;       ///< β, relative to the data
  int max_iterations = 400;  ///< Newton steps in all
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "violation that counts as none, relative to the data", positive},
          s.tolerance);
    visit(Field{"bound", "largest eigenvalue of P, relative to the data", positive}, s.bound);
    visit(Field{"max_iterations", "Newton steps", Range{1, 1e9}}, s.max_iterations);
  }
};

/// How positive the transfer function H(s) = D + C(sI − A)⁻¹B is, Φ(ω) = H(jω) + H(jω)*.
enum class Positivity {
  none,           ///< not positive real: λ_min Φ(ω) < 0 for some ω, or a pole in Re s > 0
  positive_real,  ///< yes, and no more
  weakly_strict,  ///< weakly strictly: A is stable and Φ(ω) > 0 for all finite ω
  strict,         ///< strictly: H(s − ε) is positive real for some ε > 0
  strong          ///< strongly strictly: and D + Dᵀ > 0
};
[[nodiscard]] std::string_view name(Positivity positivity);

/// Whether an Lcs is passive (F:F085, F:F200, F:B14, TI:TI-087).
struct Passivity {
  Answer passive = Answer::unknown;  ///< (1) has a solution with t = 0
  Matrix P = {};                     ///< storage matrix; the best one found if `passive` is no
  double violation = inf;            ///< the smallest t found, relative to the data
  double lmi_largest = inf;          ///< largest eigenvalue of the matrix of (1) with this P
  bool positive_definite = false;    ///< P > 0
  bool controllable = false, observable = false;
  bool full_rank = false;  ///< [B; D + Dᵀ] has full column rank
  Positivity positivity = Positivity::none;
  [[nodiscard]] bool minimal() const { return controllable && observable; }
};

[[nodiscard]] Passivity passivity(const Lcs& system, const StorageSearch& options = {});

/// The matrix of the inequality (1).
[[nodiscard]] Matrix passivity_matrix(const Lcs& system, ConstMatrixRef P);

/// rank [B, AB, …, Aⁿ⁻¹B] = n, by the ranks of [sI − A, B] at the eigenvalues s of A (Hautus),
/// singular values below 1e-10 of the largest being zero.
[[nodiscard]] bool controllable(const Lcs& system);
/// The same for (Aᵀ, Cᵀ).
[[nodiscard]] bool observable(const Lcs& system);

/// The two extremal storage matrices of a system with D + Dᵀ > 0: P_min ≤ P ≤ P_max for every P of
/// (1) at t = 0. Solutions of the Riccati equation AᵀP + PA + (PB − Cᵀ)(D + Dᵀ)⁻¹(BᵀP − C) = 0 by
/// the matrix sign of its Hamiltonian.
struct StorageBounds {
  bool exist = false;  ///< the Hamiltonian has no eigenvalue on the imaginary axis
  Matrix least = {};   ///< available storage
  Matrix most = {};    ///< required supply
};
/// Throws Error unless D + Dᵀ > 0.
[[nodiscard]] StorageBounds storage_bounds(const Lcs& system);

/// Classifies H by Φ (F:F085): between two zeros of det Φ(ω) the signs of its eigenvalues do not
/// change, so one frequency in each interval decides. The zeros are the imaginary eigenvalues of
/// the Hamiltonian of H, or, where D + Dᵀ is singular, of its pencil
///     [A − sI, 0, B; 0, −Aᵀ − sI, −Cᵀ; C, Bᵀ, D + Dᵀ].
/// Poles on the imaginary axis make the answer at most `positive_real`; whether it is that, is then
/// read from the storage matrix.
[[nodiscard]] Positivity positivity(const Lcs& system);

/// λ_min of Φ(ω).
[[nodiscard]] double smallest_real_part(const Lcs& system, double omega);

}  // namespace saltus
