#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace saltus {

// Step lengths of the projection z̄ = P_X(z − ρ F(z)).

/// The same ρ in every iteration. Needs ρ below the inverse Lipschitz constant of F (of the order
/// of 1/λ_max(W)), and diverges or cycles above (FS:V9).
struct FixedStep {
  static constexpr std::string_view name = "FixedStep";
  double rho = 1;  ///< step ρ > 0
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"rho", "step", positive}, s.rho);
  }
};

/// Self-adaptive step (FS:B.2): ρ is reduced while κ > L, and enlarged for the next iteration if
/// κ < L_min, with
///
///     κ = ρ‖F(z) − F(z̄)‖ / ‖z − z̄‖                 Khobotov, UPK (FS:FS-41, FS:FS-43)
///     κ = ρ(z − z̄)·(F(z) − F(z̄)) / ‖z − z̄‖²        Solodov–Tseng, UPTS (FS:FS-42, FS:FS-44)
///
/// A reduction is ρ ← ν ρ, or with `han_lo` ρ ← ν ρ min(1, 1/κ) (FS:FS-46), an enlargement
/// ρ ← ρ/ν. With `restart` each iteration starts again from the first ρ and nothing is enlarged:
/// Khobotov's own rule (FS:FS-45). [Khobotov 1987] [Solodov & Tseng 1996] [Han & Lo 2002]
struct AdaptiveStep {
  static constexpr std::string_view name = "AdaptiveStep";
  double rho = 1;              ///< first step
  double L = 0.9;              ///< largest κ, in (0, 1); nominal 0.9
  double L_min = 0.3;          ///< below it the step grows, < L; nominal 0.3
  double nu = 2.0 / 3;         ///< factor of the reductions, in (0, 1); nominal 2/3
  bool solodov_tseng = false;  ///< the second ratio instead of the first
  bool han_lo = false;         ///< reduction by Han and Lo
  bool restart = false;        ///< Khobotov's own rule
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"rho", "first step", positive}, s.rho);
    visit(Field{"L", "largest ratio", Range{0, 1, true}}, s.L);
    visit(Field{"L_min", "ratio below which the step grows", Range{0, 1, false}}, s.L_min);
    visit(Field{"nu", "factor of a reduction", Range{0, 0.99, true}}, s.nu);
    visit(Field{"solodov_tseng", "ratio of Solodov and Tseng", unit_interval}, s.solodov_tseng);
    visit(Field{"han_lo", "reduction of Han and Lo", unit_interval}, s.han_lo);
    visit(Field{"restart", "start each iteration from the first step", unit_interval}, s.restart);
  }
};

using StepRule = std::variant<AdaptiveStep, FixedStep>;

/// trial = P(z − ρ F) with ρ reduced by the rule, trial_F = F(trial). `map(z, F)` evaluates F,
/// `project(x)` works in place. Returns the ratio κ that was accepted, or a negative number if no
/// step was small enough.
template <class Map, class Project>
double find_step(const AdaptiveStep& rule, const Map& map, const Project& project, ConstVectorRef z,
                 ConstVectorRef F, double& rho, VectorRef trial, VectorRef trial_F) {
  if (rule.restart) rho = rule.rho;
  for (int k = 0; k < 200; ++k) {
    trial = z - rho * F;
    project(trial);
    map(trial, trial_F);
    const double gap = (z - trial).squaredNorm();
    if (gap == 0) return rule.L;
    const double ratio = rule.solodov_tseng ? rho * (z - trial).dot(F - trial_F) / gap
                                            : rho * std::sqrt((F - trial_F).squaredNorm() / gap);
    if (ratio <= rule.L) return std::max(ratio, 0.0);
    const double shrink = rule.han_lo && ratio > 1 ? 1 / ratio : 1.0;
    rho *= rule.nu * (std::isfinite(shrink) ? std::max(shrink, 1e-3) : 1.0);
  }
  return -1;
}

/// ρ of the next iteration, κ being the ratio of this one.
inline void grow_step(const AdaptiveStep& rule, double ratio, double& rho) {
  if (!rule.restart && ratio < rule.L_min && rho < 1e12) rho /= rule.nu;
}

}  // namespace saltus
