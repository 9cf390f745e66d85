#pragma once

#include "saltus/algebra/hinge_sum.hpp"
#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

#include <Eigen/SparseCore>

#include <functional>
#include <string>
#include <vector>

namespace saltus {

/// A component of a descriptor system that is free while its switch is closed and 0 while it is
/// open: the current of an ideal switch. The control c = z[plus] − z[minus] (−1: nothing) closes it
/// above `closes` and opens it below `opens` ≤ `closes`; between them it stays as it is.
struct DescriptorSwitch {
  Index component = 0;
  Index plus = -1, minus = -1;
  double closes = 0, opens = 0;
  double clock = 0;     ///< period of the instants at which c is looked at [s]; 0: always
  bool closed = false;  ///< at the start
};

/// A linear combination of the components of z, Σ factor · z[index], with a name.
struct DescriptorProbe {
  struct Term {
    Index index;
    double factor;
  };
  std::string name;
  std::vector<Term> terms;
};

/// Mixed linear complementarity system in descriptor form, all unknowns alike (F:F044, F:F045):
///
///     w = E ż + G z + s(t),    −w_i ∈ N_[lower_i, upper_i](z_i),    i = 1 … n               (1)
///
/// Rows with infinite bounds are equations w_i = 0, differential if they have an entry in E and
/// algebraic otherwise; rows with [0, ∞) are complementarity conditions 0 ≤ z_i ⟂ w_i ≥ 0, rows
/// with a finite interval relays. In the letters of the linear complementarity systems, z = (x, λ):
/// E ẋ = A x + B λ + b(t) and y = C x + D λ + a(t). Rows of `hinges` are piecewise-linear functions
/// instead, z_i = f(z_i − w_i), each short for as many complementarity conditions as it has hinges;
/// they are algebraic, with G_ii = 1, and have no entry of another one. Neither E nor any part of G
/// need be regular: nothing is eliminated, all stays sparse.
struct Descriptor {
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

  Matrix E, G;
  Vector lower, upper;
  /// Rows of (1) that are multiplied by h in a step of length h: this keeps the matrix of the step
  /// monotone where (1) is passive (a capacitor is then a resistance h/C).
  std::vector<char> by_step;
  /// E z before the start, one number per row: charges and fluxes, possibly inconsistent.
  Vector initial;
  std::vector<DescriptorSwitch> switches;
  HingeRows hinges;
  /// The constant part of s.
  Vector constant;
  /// Adds the rest of s(t); at a jump, the limit from the left. Empty: nothing.
  std::function<void(double t, VectorRef s)> source;
  /// The first instant after t at which s or a derivative of it jumps; infinity: none. Empty: none.
  std::function<double(double t)> next_break;
  /// An instant this close before or after a break is at the break [s].
  double break_width = 0;
  /// Longest step that still resolves s between its breaks [s].
  double resolution = inf;
  /// Of the rows, for messages: "current of L1".
  std::vector<std::string> names;

  [[nodiscard]] Index size() const { return lower.size(); }
};

/// Throws Error on sizes that do not fit, lower > upper, NaN, switches out of range, or rows of
/// functions that are not as described.
void validate(const Descriptor& system);

}  // namespace saltus
