#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/solvers/algorithm.hpp"
#include "saltus/systems/zero_dynamics.hpp"

namespace saltus {

/// Extended Moreau time stepping (TI:TI-147, TI:B.12, F:B28, F:F089) for the higher-order sweeping
/// process (TI:TI-142, F:F088): a linear complementarity system with D = 0 and any relative degree
/// r ≥ 1, in its canonical form z = (w, ẇ, …, w^(r−1), ξ),
///     z⁺ = z + h (Ã z⁺ + c) + Ḡ μ,   Ḡ = diag(1, …, 1, Δ; 0),   Δ = C A^(r−1) B               (1)
///     −μ_i ∈ N_{T_i}(z_i⁺),   T_i = ℝ₊ if z_1 ≤ 0, …, z_{i−1} ≤ 0, otherwise ℝ               (2)
/// The unknowns μ_i are the measures of a step, bounded as h → 0: where the i-th derivative of w
/// must jump to stay in the iterated tangent cone T_i (F:F006, frozen at the beginning of the
/// step), μ_i is that jump, whatever h. Eliminating z⁺ leaves one LCP with the matrix of the rows
/// of (I − hÃ)⁻¹ Ḡ, which tends to diag(1, …, Δ): unique solution for small h if Δ > 0 (m > 1:
/// symmetric positive definite). Backward Euler looks for point values of λ instead, and diverges
/// for r ≥ 2 (TI:V-20, TI:V-21). Several outputs have a cone each; with unequal r_j the same scheme
/// is applied, but the theory is for equal ones. Order 1 in smooth motion. h = 0 is the jump map
/// (TI:TI-143).
///
/// The multiplier is a distribution (TI:TI-144, F:F213),
///     λ = Δ⁻¹ [ν_1^(r−1) + … + ν_{r−1}^(1)] + ν_r,   ν_r = atoms + χ dt,
/// and no number: MultiplierParts has the coefficients of δ, δ', δ'', … and the density χ.
/// [Acary & Brogliato 2006] [Acary, Brogliato & Goeleven 2008]
struct Emts {
  static constexpr std::string_view name = "Emts";
  double zero_tolerance = 1e-12;  ///< z_i counts as ≤ 0 below this times max(1, ‖z‖∞)
  ComplementarityAlgorithm solver = Automatic{};  ///< of the LCP of a step
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(
        Field{"zero_tolerance", "z_i is not positive below this times max(1, ‖z‖∞)", non_negative},
        s.zero_tolerance);
    visit(Field{"solver", "algorithm for the LCP of a step"}, s.solver);
  }
};

/// What the multiplier was over a step.
struct MultiplierParts {
  Vector measures;  ///< μ, one per entry of the chains, in their order
  Matrix impulses;  ///< column k: coefficient of δ^(k) in λ at the end of the step, m × max r
  Vector density;   ///< χ, the function part at the end of the step: that of an arc w = 0
                    ///< (TI:TI-145), 0 ≤ χ ⟂ (Ã z + c)_r + Δ χ ≥ 0
};

/// Buffers of the steps of one system, and what the last step gave.
struct EmtsWorkspace {
  double step = -1;           ///< h for which `solution` is
  Matrix solution;            ///< (I − hÃ)⁻¹
  Matrix input, response;     ///< Ḡ; the upper rows of (I − hÃ)⁻¹ Ḡ
  Matrix decoupling_inverse;  ///< Δ⁻¹
  std::vector<Index> top;     ///< row of the last derivative of each output
  std::vector<Index> chain;   ///< rows of the chains, output after output
  Lcp problem, boundary;      ///< of the step, and of the density
  Vector source, next, rate, level;
  std::vector<bool> constrained;
  MultiplierParts parts;
  Workspace solver;
};

/// Sizes every buffer. Throws Error if an option is out of range or if Δ is proved to be no
/// P-matrix (m = 1: Δ ≤ 0), when the process has no meaning.
void prepare(const ZeroDynamicsForm& form, const Emts& scheme, EmtsWorkspace& work);

/// Advances z by one step h ≥ 0, and work.parts with it; h = 0 applies the jump map. If the report
/// says it failed, z is as before. Allocates nothing as long as h stays the same.
[[nodiscard]] StepReport step(const ZeroDynamicsForm& form, VectorRef z, double h,
                              const Emts& scheme, EmtsWorkspace& work);

/// A run at constant step; column k belongs to t_k, what is said of a step to its end.
struct EmtsRun {
  StepReport last = {};   ///< of the last step; the run ends at the first one that fails
  Vector t = {};          ///< t_k = k h
  Matrix x = {}, z = {};  ///< states as given, and in canonical form
  Matrix measures = {};   ///< μ of the step that ended at t_k
  Matrix density = {};    ///< χ at t_k
  std::vector<Matrix> impulses = {};  ///< [i]: coefficient of δ^(i) in λ
  Vector variation = {};              ///< total variation of each z_i (TI:TI-148)
  double dissipation_defect = 0;      ///< largest of the steps, see below
  [[nodiscard]] bool done() const { return last.done(); }
};

/// Steps from x(0⁻) = x0 until `end`, which is rounded to whole steps. Throws Error on sizes that
/// do not fit, on h ≤ 0, and where zero_dynamics_form does.
[[nodiscard]] EmtsRun simulate(const Lcs& system, ConstVectorRef x0, double h, double end,
                               const Emts& scheme = {});

/// What the dissipation inequality of the scheme (TI:TI-148) is violated by, with J =
/// diag(1, …, 1, Δ⁻¹, 1) and Δ symmetric:
///     ½ z⁺ᵀJz⁺ − ½ zᵀJz + ½ (z⁺−z)ᵀJ(z⁺−z) − h z⁺ᵀJ(Ã z⁺ + c) ≤ 0.
/// The left side is Σ μ_i z_i⁺, which complementarity makes zero: a measure of the solver's error.
[[nodiscard]] double dissipation_defect(const ZeroDynamicsForm& form, ConstVectorRef z,
                                        ConstVectorRef next, double h);

}  // namespace saltus
