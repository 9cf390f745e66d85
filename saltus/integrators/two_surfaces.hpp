#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/problems/mcp.hpp"
#include "saltus/solvers/vi_algorithm.hpp"

#include <array>

namespace saltus {

/// A field that jumps on two surfaces c₁(x) = 0 and c₂(x) = 0, in the sense of Filippov with the
/// product form (TI:TI-002, TI:E1, F:F095): for selections s_j ∈ Sgn(c_j(x)),
///     ẋ = Σ α_i(s₁, s₂) f_i(t, x),   α_i products of (1 ± s₁)/2 and (1 ± s₂)/2.              (1)
/// On the intersection all four fields meet, and Σ α_i f_i = 0 normal to both surfaces does not fix
/// the α_i of the convex hull (TI:E2); the product form does, α₁α₃ = α₂α₄: (s₁, s₂) are two
/// unknowns for two conditions.
struct TwoSurfaceSystem {
  using Field = std::function<void(double t, ConstVectorRef x, VectorRef f)>;
  Values x0 = {};
  std::array<Field, 4> fields = {};  ///< of the regions (+,−), (−,−), (−,+), (+,+)
  std::function<void(ConstVectorRef x, VectorRef c)> surfaces = {};  ///< (c₁, c₂)

  /// Throws Error if a function is missing or x0 empty.
  void check() const;
  /// ẋ of (1).
  [[nodiscard]] Vector rate(double t, ConstVectorRef x, double s1, double s2) const;
  /// (s₁, s₂) of the field that stays on both surfaces at (t, x), from the mixed complementarity
  /// problem −1 ≤ s ≤ 1 ⟂ −∇c·ẋ(s): inside the square the two normal rates are zero; on a side the
  /// solution leaves by that surface.
  [[nodiscard]] SolveReport sliding(double t, ConstVectorRef x, VectorRef s,
                                    const NcpAlgorithm& solver) const;
};

/// Backward Euler for (1) as a complementarity system (TI:TI-080): the mixed complementarity
/// problem
///     x⁺ − x − h Σ α_i(s) f_i(t⁺, x⁺) = 0,   −1 ≤ s_j ≤ 1 ⟂ −c_j(x⁺),
/// with s₁s₂ in it, so that it is nonlinear even if the fields are constant. Surfaces and their
/// intersection are reached in a step and kept exactly. Order 1.
struct TwoSurfaceEuler {
  static constexpr std::string_view name = "TwoSurfaceEuler";
  NcpAlgorithm solver = NcpAutomatic{.tolerance = 1e-11};  ///< of the problem of a step
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"solver", "algorithm for the mixed complementarity problem of a step"}, s.solver);
  }
};

/// The problem of a step from x to t_next in z = (x⁺, s₁, s₂); refers to `system` and copies x.
[[nodiscard]] Mcp step_problem(const TwoSurfaceSystem& system, double t_next, ConstVectorRef x,
                               double h);

/// A run at constant step; column k belongs to t_k.
struct TwoSurfaceRun {
  SolveReport last = {};  ///< of the last step; the run ends at the first one that fails
  Vector t = {};
  Matrix x = {};
  Matrix s = {};  ///< 2 rows; the selections of the step that ended at t_k, 0 at first
  [[nodiscard]] bool done() const { return last.converged(); }
};

/// Steps from x0 until `end`, which is rounded to whole steps. Throws Error on h ≤ 0 and where
/// check() does.
[[nodiscard]] TwoSurfaceRun simulate(const TwoSurfaceSystem& system, double h, double end,
                                     const TwoSurfaceEuler& scheme = {});

}  // namespace saltus
