#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"

#include <string>
#include <variant>
#include <vector>

namespace saltus {

class Model;

// Several integrators in one simulation (PL:OI-04, PL:OI-02): each system may have its own, and the
// interactions of all of them are solved in one one-step problem, which only asks a system for
//     w⁺ = w_free + M̂⁻¹ Hᵀ r    and the displacement that goes with w⁺.

/// The θ-method of the scheme with a θ of its own:
///     M(v⁺ − v) = h[θ F⁺ + (1−θ) F] + Hᵀ r,    q⁺ = q ⊕ h(θ v⁺ + (1−θ) v)    (or the scheme's q⁺)
struct Theta {
  static constexpr std::string_view name = "Theta";
  double theta = 0.5;  ///< ½ midpoint, 1 backward Euler, 0 explicit
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness: 0.5 midpoint, 1 backward Euler", unit_interval}, s.theta);
  }
};

/// The exact flow of a linear system with constant matrices, loads held over the step (TI:TI-079):
/// with s = (q, v), or x, and ṡ = A s + b(t) + B λ,
///     s⁺ = s + Γ [A s + b(t + h/2) + B λ],   Γ = ∫₀ʰ e^(A τ) dτ,   λ = r/h for percussions
/// Without contact exact for constant b, of order 2 in b(t), whatever the stiffness; a percussion
/// is spread evenly over the step, so that a free mass moves as with θ = ½.
struct ExactFlow {
  static constexpr std::string_view name = "ExactFlow";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

using SystemRule = std::variant<Theta, ExactFlow>;

/// A system, by its name in the model, and its integrator.
struct SystemIntegrator {
  std::string system;
  SystemRule rule;
};

/// The systems that have an integrator of their own; the others have that of the scheme.
struct SystemIntegrators : std::vector<SystemIntegrator> {
  using std::vector<SystemIntegrator>::vector;
};

/// Throws Error on an empty name, a name given twice, a θ out of range.
void validate(const SystemIntegrators& systems);
/// "{ball: Theta(theta=1)}"
[[nodiscard]] std::string describe(const SystemIntegrators& systems);

/// What one system does in a step: θ of its forces, ϑ of its positions, or its exact flow.
struct ResolvedRule {
  double theta = 0.5, position = 0.5;
  bool exact = false;
};

/// The exact flow of the systems that have it; matrices of each body, for one step length.
struct ExactFlows {
  struct BodyFlow {
    Index body = 0;  ///< in the layout
    Matrix gamma;    ///< Γ: of s in the order q, v
    Matrix inverse;  ///< of the mass matrix
    Matrix lever;    ///< dq⁺/dv⁺ along a held load
  };
  std::vector<BodyFlow> bodies;
  double held = -1;       ///< h of the matrices
  Vector w_flow, q_flow;  ///< end of the step without loads: w⁺ and q⁺, of these systems only
  Vector force, rate, gain;  ///< F(t + h/2), ṡ of one body and what it does
};

/// Integrators of all systems of a model, as the step needs them; empty: one for all.
struct SystemRules {
  std::vector<ResolvedRule> rules;  ///< of each system
  ExactFlows exact;
  double step = -1;  ///< h for which M̂ was factorised
  [[nodiscard]] bool empty() const { return rules.empty(); }
};

/// Looks the names up. `theta` and `position` are those of the scheme; a θ of its own moves ϑ along
/// if `together`, as in Moreau–Jean's scheme. Throws Error, beginning with `who`, on names that the
/// model has not, on ExactFlow for a system that is not linear with constant matrices, body by
/// body, or for positions that a scheme moves by v⁺ alone (not `together`).
[[nodiscard]] SystemRules resolve(const Model& model, const SystemIntegrators& systems,
                                  ResolvedRule scheme, bool together, std::string_view who);

}  // namespace saltus
