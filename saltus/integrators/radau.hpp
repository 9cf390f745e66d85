#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/model/model.hpp"
#include "saltus/solvers/algorithm.hpp"

namespace saltus {

/// Radau IIA methods for first-order inclusions E ẋ = f(t, x) + B λ (TI:TI-076), with s = 1, 2 or 3
/// stages that are solved for together,
///     E (X_i − x) = h Σ_j a_ij [f(t + c_j h, X_j) + B λ_j],   the law at every X_i,   x⁺ = X_s:
/// in the form Σ_j (a⁻¹)_ij E (X_j − x) = h [f(t + c_i h, X_i) + B λ_i] it is one step of backward
/// Euler for the stages stacked, with a⁻¹⊗E in the place of E. L-stable; the last stage obeys the
/// law, so that sliding surfaces are kept as by backward Euler. Order 2s − 1 in smooth motion, also
/// on sliding surfaces, where multipliers have order s; 1 across switches. a is no diagonal matrix:
/// a unique solution of a step needs more than monotonicity, and f should not be stiff in the
/// multipliers of different stages (TI:B.6). Dense: s n unknowns. [Hairer & Wanner 1996]
struct RadauIIA {
  static constexpr std::string_view name = "RadauIIA";
  int stages = 2;                  ///< 1 (backward Euler), 2 or 3
  Algorithm solver = Automatic{};  ///< of the problem of a step
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"stages", "1, 2 or 3: order 1, 3 or 5", Range{1, 3}}, s.stages);
    visit(Field{"solver", "algorithm for the problem of a step"}, s.solver);
  }
};

/// A run at constant step; column k belongs to t_k.
struct RadauRun {
  StepReport last = {};  ///< of the last step; the run ends at the first one that fails
  Vector t = {};
  Matrix x = {};
  Matrix lambda = {};  ///< of the last stage of the step that ended at t_k; 0 at first
  [[nodiscard]] bool done() const { return last.done(); }
};

/// Steps from the initial state of `model` until `end`, which is rounded to whole steps. Throws
/// Error on h ≤ 0, and on models that have systems of second order, coupled ones, parameters z or
/// sources.
[[nodiscard]] RadauRun simulate(const Model& model, double h, double end, const RadauIIA& scheme);

}  // namespace saltus
