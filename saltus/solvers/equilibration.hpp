#pragma once

#include "saltus/solvers/box.hpp"

namespace saltus {

/// A box problem (box.hpp) with rows and columns scaled to entries of about the same size:
///
///     W' = R W C,   q' = R q,   z = C z',   bounds divided by C,    R, C > 0 diagonal.
///
/// Complementarity only asks for signs, so that R and C need not be related: z solves one problem
/// if and only if z' solves the other, and a certificate y' of it gives y = R y'. The scales are
/// the limits of r_i = 1/√max_j |w_ij|, c_j = 1/√max_i |w_ij| repeated, rounded to powers of two so
/// that no digit is lost. Circuits mix conductances of 1e-12 with 1e6. [Ruiz 2001]
struct Equilibrated {
  BlockForm form;  ///< one scalar block per row
  Vector row, column;
};
[[nodiscard]] Equilibrated equilibrate(const BoxView& box);

/// Multiplies the rows by powers of two between 1/4 and 4, another choice for every `number`. The
/// problem stays the same, but pivoting methods that favour a direction, as Lemke does its covering
/// vector, take another path: worth a few trials when a matrix in no class leads to a ray.
void vary_rows(Equilibrated& problem, unsigned number);

}  // namespace saltus
