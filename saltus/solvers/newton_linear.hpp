#pragma once

#include "saltus/base/fields.hpp"
#include "saltus/solvers/newton_factor.hpp"

#include <memory>
#include <variant>

namespace saltus {

// How the linear systems A d = b of a Newton method are solved.

/// Sparse LU (NewtonFactor). A numerically singular A is found and refused.
struct DirectLu {
  static constexpr std::string_view name = "DirectLu";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Restarted GMRES with an incomplete LU on the right (S:FC-19c, FS:FS-106e): d = P⁻¹y with y in
/// the Krylov space of A P⁻¹ that minimises ‖b − A d‖, from d = 0, ended at ‖b − A d‖ ≤
/// `tolerance` ‖b‖. P drops entries below `drop` times the mean of their row and keeps at most
/// `fill` times the mean number of entries of a row of A, so that its memory is bounded where an LU
/// would fill up. A system that is not solved to the tolerance counts as singular. Takes singular
/// but consistent systems. [Saad & Schultz 1986] [Saad 1994] [Alart & Lebon 1995]
struct GmresIlu {
  static constexpr std::string_view name = "GmresIlu";
  double tolerance = 1e-10;  ///< relative residual; the rate of the Newton steps. Nominal 1e-2 to
                             ///< 1e-12
  int max_iterations = 500;  ///< products with A
  int restart = 50;          ///< dimension of the Krylov space; nominal 20 to 100
  double drop = 1e-4;        ///< of P; nominal 1e-2 to 1e-6
  int fill = 10;             ///< of P; nominal 5 to 20
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative residual", Range{0, 0.5, true}}, s.tolerance);
    visit(Field{"max_iterations", "products with the matrix", positive}, s.max_iterations);
    visit(Field{"restart", "dimension of the Krylov space", positive}, s.restart);
    visit(Field{"drop", "relative size of dropped entries", unit_interval}, s.drop);
    visit(Field{"fill", "entries kept, relative to the matrix", positive}, s.fill);
  }
};

/// The stabilised method of biconjugate gradients with the same P: two products per iteration and
/// eight vectors of memory, a residual that need not fall. [van der Vorst 1992]
struct BicgstabIlu {
  static constexpr std::string_view name = "BicgstabIlu";
  double tolerance = 1e-10;  ///< relative residual, as above
  int max_iterations = 500;  ///< products with A
  double drop = 1e-4;        ///< of P
  int fill = 10;             ///< of P
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative residual", Range{0, 0.5, true}}, s.tolerance);
    visit(Field{"max_iterations", "products with the matrix", positive}, s.max_iterations);
    visit(Field{"drop", "relative size of dropped entries", unit_interval}, s.drop);
    visit(Field{"fill", "entries kept, relative to the matrix", positive}, s.fill);
  }
};

using NewtonLinearSolver = std::variant<DirectLu, GmresIlu, BicgstabIlu>;

/// One linear system after the other by the chosen method; rows are scaled to a largest entry of 1
/// first. The incomplete factorisation allocates.
class NewtonLinear {
 public:
  NewtonLinear();
  ~NewtonLinear();
  NewtonLinear(NewtonLinear&&) noexcept;
  NewtonLinear& operator=(NewtonLinear&&) noexcept;

  /// False if A is singular as far as the method can tell before it has a right-hand side.
  [[nodiscard]] bool factorise(const BlockSparse& A, const NewtonLinearSolver& method);
  /// x ← A⁻¹ x; false if that failed, x is then worthless.
  [[nodiscard]] bool solve(VectorRef x);

 private:
  struct Krylov;

  NewtonFactor direct_;
  NewtonLinearSolver method_;
  std::unique_ptr<Krylov> krylov_;
};

}  // namespace saltus
