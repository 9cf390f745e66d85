#pragma once

#include "saltus/integrators/scheme.hpp"
#include "saltus/simulation/accounts.hpp"

namespace saltus {

/// Time steps chosen by the error of the positions, by step doubling. A step h is made once at once
/// and once in two halves; the halves are kept, and the difference
///     err = max_i |q_i − q̂_i| / (1 + |q̂_i|),   also over the states x of first order,
/// is their error, for a scheme of order 1 (local error c h², of the halves c h²/2). The
/// penetration [m] that a step adds to a declared contact counts as an error, too: an impact that
/// all three overlooked. A step with err > tolerance is repeated, shorter; the next one is
///     h⁺ = h · clamp(safety · (tolerance/err)^½, 1/5, 2).
/// Across an impact err = O(h): the steps shrink until h |Δv| is below the tolerance or h at its
/// least, so that impacts are resolved and flights are crossed with long steps. An accepted step is
/// recorded once, with the percussions of both halves; the cost is three steps of the scheme.
struct AdaptiveSteps {
  static constexpr std::string_view name = "AdaptiveSteps";
  double tolerance = 0;  ///< of err; 0: constant steps. Nominal 1e-3 (coarse) to 1e-6
  double least = 1e-3;  ///< shortest step, in units of the option `step`: accepted whatever its err
  double most = 1;      ///< longest step, in the same units
  double safety = 0.9;  ///< factor of the formula
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "of the error of a step; 0: constant steps", non_negative},
          s.tolerance);
    visit(Field{"least", "shortest step, in units of the step", Range{0, 1, true}}, s.least);
    visit(Field{"most", "longest step, in units of the step", Range{1, 1e9}}, s.most);
    visit(Field{"safety", "factor below 1 of the next step", Range{0, 1, true}}, s.safety);
  }
  [[nodiscard]] bool on() const { return tolerance > 0; }
};

/// The step in the making of a run with adaptive steps.
struct AdaptiveStepper {
  AdaptiveSteps options;
  double shortest = 0, longest = 0;  ///< [s]
  double h = 0;                      ///< the next step [s]
  long rejected = 0;                 ///< attempts that were repeated
  State coarse, fine;                ///< after the whole step, after the halves
  Vector r, gap;                     ///< percussions of the first half, gaps at the beginning
  Accounts trial;                    ///< with the halves

  AdaptiveStepper() = default;
  AdaptiveStepper(const AdaptiveSteps& chosen, double step)
      : options(chosen), shortest(chosen.least * step), longest(chosen.most * step), h(step) {}

  /// One accepted step of at most `limit` from `state`; its length in `taken`, both halves in the
  /// accounts. Steps at the least length that fail end the run.
  [[nodiscard]] StepReport advance(const Model& model, State& state, double limit,
                                   const Scheme& scheme, StepWorkspace& work, Accounts& accounts,
                                   double& taken);

 private:
  double error(const Model& model, const State& state, StepWorkspace& work);
};

/// Throws Error for schemes with a memory, which need constant steps.
void check(const AdaptiveSteps& options, const Scheme& scheme);

}  // namespace saltus
