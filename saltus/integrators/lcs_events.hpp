#pragma once

#include "saltus/integrators/lcs_mode.hpp"
#include "saltus/solvers/algorithm.hpp"

namespace saltus {

/// Event-driven integration of linear complementarity systems (TI:TI-055, TI:B.13). Between events
/// the system stays in a mode J, in which it is linear: the solution is x(t) = exp(At) x₀ + …,
/// exact at every t. A mode ends where w_i of an open pair or λ_i of a held one turns negative;
/// then
///     1. the state jumps, x⁺ = x⁻ + B λ₀ (rule (i) of state_jump.hpp; with D = 0 and relative
///        degree r ≥ 2 by the chain of projections TI:TI-143, Emts with h = 0: impacts without
///        restitution), or stays, if it is consistent;
///     2. the next J is read from the limit of the complementarity problem
///            0 ≤ λ ⟂ [D + εC(I − εA)⁻¹B] λ + C(I − εA)⁻¹(x + εa) + b ≥ 0,   ε → 0,
///        and accepted if every w and λ in it begins with a positive derivative, else from a search
///        through all modes (m ≤ 12).
/// Roots are bracketed on a grid that follows the eigenvalues of the mode, and in it by the signs
/// of value and slope at both ends (TI:TI-015). Few and well separated events: where they
/// accumulate (F:F211, F:B30) it stops, and time stepping goes on. D must be zero, positive
/// semidefinite, or a P-matrix.
struct LcsEvents {
  static constexpr std::string_view name = "LcsEvents";
  double tolerance = 1e-10;  ///< w, λ and their derivatives count as zero below this, relative
  double min_dwell = 1e-9;   ///< shortest stay in a mode that counts as one, relative to `end`
  int max_short = 8;         ///< stays below min_dwell in a row: events accumulate
  int max_events = 10000;    ///< in all
  ComplementarityAlgorithm solver = Automatic{};  ///< for the next mode
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "what counts as zero, relative", positive}, s.tolerance);
    visit(Field{"min_dwell", "shortest stay in a mode, relative to the whole time", positive},
          s.min_dwell);
    visit(Field{"max_short", "stays below min_dwell in a row", Range{1, 1e9}}, s.max_short);
    visit(Field{"max_events", "in all", Range{1, 1e9}}, s.max_events);
    visit(Field{"solver", "algorithm that finds the next mode"}, s.solver);
  }
};

enum class EventStatus {
  done,           ///< the end was reached
  no_mode,        ///< no mode admits a solution from the state, or none that is regular
  accumulation,   ///< events accumulate: go on by time stepping from there
  max_events,     ///< more events than allowed
  solver_failed,  ///< the jump was not solved
  not_finite      ///< the state grew beyond all bounds
};
[[nodiscard]] std::string_view name(EventStatus status);

/// A stay in one mode: from t with the state x⁺.
struct LcsStay {
  double t = 0;
  Vector x = {};  ///< at its beginning, after the jump
  LcsMode mode = {};
  Vector jump = {};  ///< x⁺ − x⁻ at its beginning; zero if the state did not jump
};

/// A solution: a list of stays, each exact.
struct LcsEventRun {
  EventStatus status = EventStatus::done;
  double end = 0;                   ///< where it stopped
  double shortest = inf;            ///< stay between two events
  std::vector<LcsStay> stays = {};  ///< the first begins at 0

  [[nodiscard]] bool done() const { return status == EventStatus::done; }
  /// The stay that t belongs to; at an event the later one.
  [[nodiscard]] const LcsStay& stay(double t) const;
  /// x, λ and w at 0 ≤ t ≤ end; right limits at events. Throws Error outside.
  [[nodiscard]] Vector x(double t) const;
  [[nodiscard]] Vector lambda(double t) const;
  [[nodiscard]] Vector w(double t) const;
};

/// From x(0⁻) = x0 until `end`. Throws Error on sizes that do not fit, on end ≤ 0, and on a matrix
/// D that the method is not for.
[[nodiscard]] LcsEventRun simulate_events(const Lcs& system, ConstVectorRef x0, double end,
                                          const LcsEvents& options = {});

}  // namespace saltus
