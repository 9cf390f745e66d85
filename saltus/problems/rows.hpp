#pragma once

#include "saltus/algebra/block_sparse.hpp"

#include <algorithm>
#include <array>

namespace saltus {

/// Largest piece handed over by visit_rows; also the largest friction cone of a block form.
inline constexpr Index max_piece = 32;

/// Evaluates y = A x + q piece by piece, without heap: visit(block, first, size, y) gets rows
/// first … first+size−1, all in block row `block`. A block row of at most `max_piece` rows comes in
/// one piece. The pieces follow the columns of the stored blocks, so a dense matrix is read in
/// order.
template <class Visit>
void visit_rows(const BlockSparse& A, ConstVectorRef x, ConstVectorRef q, Visit&& visit) {
  if (A.scalar()) {
    const double* a = A.blocks() > 0 ? A.value(0) : nullptr;
    for (Index i = 0; i < A.block_rows(); ++i) {
      double y = q[i];
      for (Index k = A.row_begin(i); k < A.row_begin(i + 1); ++k) y += a[k] * x[A.column(k)];
      visit(i, i, Index{1}, &y);
    }
    return;
  }
  std::array<double, max_piece> y;
  for (Index i = 0; i < A.block_rows(); ++i) {
    const Index rows = A.row_size(i);
    for (Index from = 0; from < rows; from += max_piece) {
      const Index size = std::min(max_piece, rows - from);
      const Index first = A.row_offset(i) + from;
      for (Index r = 0; r < size; ++r) y[r] = q[first + r];
      for (Index k = A.row_begin(i); k < A.row_begin(i + 1); ++k) {
        const double* a = A.value(k) + from;
        const Index begin = A.column_offset(A.column(k)), end = A.column_offset(A.column(k) + 1);
        for (Index c = begin; c < end; ++c, a += rows)
          for (Index r = 0; r < size; ++r) y[r] += a[r] * x[c];
      }
      visit(i, first, size, y.data());
    }
  }
}

/// Throws Error unless A is square, finite, and q is finite and fits; `what` names the problem.
void validate_affine(const char* what, const BlockSparse& A, ConstVectorRef q);

}  // namespace saltus
