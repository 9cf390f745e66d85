#pragma once

#include "saltus/problems/friction_contact.hpp"

#include <array>
#include <cmath>
#include <optional>

namespace saltus {

// How good a reaction r is, for the reduced and the global block form. Everything is computed from
// r alone: u = W r + q, or v = M⁻¹(H r + f), u = Hᵀ v + w with the factor that the caller passes
// (made inside if he passes none). û = u + g(u) e_N.

/// Errors relative to ‖q‖₂, q = Hᵀ M⁻¹ f + w for the global form; absolute if q = 0, where r = 0 is
/// the solution.
struct FrictionErrors {
  /// ‖r − P_K(r − û)‖/‖q‖, the natural map with ρ = 1 (FS:FS-110). Alone it can mislead: if
  /// |r| ≫ |û|, the difference r − û loses û.
  double e1 = inf;
  /// ‖û − P_K*(û − r)‖/‖q‖: the same in exact arithmetic, but it keeps û (sets that are no cones:
  /// e1).
  double e2 = inf;
  /// ‖r‖/(ρ₀‖q‖), ρ₀ = Σ M_ii/Σ (H D)_ij² or rows/Σ (D W D)_ii, D = 1 on normal and the coefficient
  /// of friction on tangential rows: the size of self-stress.
  double self_stress = inf;
  /// Above it r is not to be trusted: 1e4, or more where the load itself asks for it (below).
  double self_stress_limit = 1e4;

  /// The larger one; no number if one of them is none.
  [[nodiscard]] double worst() const { return std::isnan(e1) || e1 > e2 ? e1 : e2; }
  /// r bears the load and no stress out of all proportion to it.
  [[nodiscard]] bool trusted() const { return self_stress <= self_stress_limit; }
};
/// With `limit`, self_stress_limit is known already; it is asked for where r exceeds 1e4
/// and nearly solves the problem (1e-2).
[[nodiscard]] FrictionErrors friction_errors(const BlockForm& problem, ConstVectorRef r,
                                             std::optional<double> limit = {});
[[nodiscard]] FrictionErrors friction_errors(const GlobalBlockForm& problem, ConstVectorRef r,
                                             const LinearSolve& solve = {},
                                             std::optional<double> limit = {});

/// The self-stress to be trusted: 1e4, or four times that of the least r that holds the bodies
/// against f, r = −Hᵀ (H Hᵀ + ε M)⁻¹ f, ε = 1e-10 tr W/m, which grows with the height of a
/// structure (a tower of n bodies: n^1.5). `held(ε)` solves with that matrix, or returns nothing;
/// what it comes to is checked, and if it is wrong the matrix is factorised here.
using HeldSolve = std::function<LinearSolve(double epsilon)>;
[[nodiscard]] double self_stress_limit(const GlobalBlockForm& problem,
                                       const LinearSolve& solve = {}, const HeldSolve& held = {});
/// The self-stress of the same r for obstacles at rest, given W: r = −W (W + ε I)⁻² q, which
/// held(ε) maps q to but for the sign. What lies outside the range of W does not count; 0 if W is
/// not symmetric.
[[nodiscard]] double held_self_stress(const BlockForm& problem, const HeldSolve& held = {});
/// The limit that goes with it: 1e4, or four times as much.
[[nodiscard]] double self_stress_limit(double held);

/// ‖r − r_old‖/‖r_old‖, the cheap error of iterations (FS:FS-111); ‖r‖ if r_old = 0.
[[nodiscard]] double cheap_error(ConstVectorRef r, ConstVectorRef r_old);

/// The nearest problem that is solved exactly: with ρ_i = 1/‖W_ii‖ per block,
///
///     z = r − ρ û,   r* = P_K(z),   û* = (r* − z)/ρ,   u* = û* − g(û*) e_N,   dq = u* − (W r* + q)
///
/// (r*, u*) obeys the law of every block, and r* solves the problem whose q is perturbed by dq. No
/// assumption on rank, symmetry or μ.
struct FrictionCertificate {
  Vector r, u, dq;
  double perturbation = inf;  ///< max ‖dq‖ over the blocks [m/s in mechanics]
  double relative = inf;      ///< the same over ‖q‖∞; absolute if q = 0
};
[[nodiscard]] FrictionCertificate friction_certificate(const BlockForm& problem, ConstVectorRef r);
[[nodiscard]] FrictionCertificate friction_certificate(const GlobalBlockForm& problem,
                                                       ConstVectorRef r,
                                                       const LinearSolve& solve = {});

/// The mode of a contact (FS:FS-08): take-off r = 0; stick û = 0, r ∈ K; otherwise it slides (or
/// rolls) with r on the boundary of K. Read off (r*, û*) of the certificate, so it needs no
/// tolerance.
enum class ContactStatus { open, stick, slide };
/// "open", "stick", "slide"
[[nodiscard]] std::string_view name(ContactStatus status);
/// Of every block with a normal component, in their order (FS:FS-30).
[[nodiscard]] std::vector<ContactStatus> contact_status(std::span<const BlockSet> K,
                                                        std::span<const Index> sizes,
                                                        const FrictionCertificate& certificate);
/// Open, stick, slide.
[[nodiscard]] std::array<Index, 3> count(std::span<const ContactStatus> status);
/// Rows of the blocks.
[[nodiscard]] std::vector<Index> block_sizes(const BlockForm& problem);

/// Properties that tell how hard a problem is (FS:FS-115).
struct FrictionDiagnostics {
  Index contacts = 0;    ///< blocks with a normal component
  Index rows = 0;        ///< m, of W
  Index velocities = 0;  ///< n, of M; 0 for a reduced problem
  double density = 0;    ///< m/n: above 1 W is rank deficient; 0 for a reduced problem
  Index rank = 0;  ///< of W: singular values above m · 2⁻⁵² · σ_max; 0 if not computed
  double rank_ratio = 0;     ///< m/rank
  double condition_svd = 0;  ///< largest over smallest singular value of those
  double condition = 0;      ///< estimate by bidiagonalisation from q, as LSMR sees it
  double asymmetry = 0;      ///< ‖W − Wᵀ‖_F/‖W‖_F
};
/// The singular values are computed for at most `dense_rows` rows; nominal 1500, a few seconds.
[[nodiscard]] FrictionDiagnostics diagnose(const BlockForm& problem, Index dense_rows = 1500);
[[nodiscard]] FrictionDiagnostics diagnose(const GlobalBlockForm& problem, Index dense_rows = 1500);

}  // namespace saltus
