#pragma once

#include "saltus/algebra/types.hpp"

namespace saltus::kernels {

/// Products of dense blocks stored by columns, and the factorisations made of them (S:GEN-02). They
/// use the widest vector instructions of the processor, fused where it has them: the last digits
/// may differ between processors; on one processor the result is always the same.

/// Where a block of a matrix lies: entry (i, j) at data[i + j stride].
struct Block {
  double* data;
  Index stride;
  [[nodiscard]] Block at(Index i, Index j) const { return {data + i + j * stride, stride}; }
  [[nodiscard]] double* column(Index j) const { return data + j * stride; }
};

/// Room for the packed parts of the factors of a product, `packing_room(n)` numbers for blocks of
/// at most n rows and columns.
struct Packing {
  double* left;
  double* right;
};
[[nodiscard]] Index packing_room(Index n);
[[nodiscard]] Packing packing(double* room, Index n);

/// C ← C − A B, or C ← C − A Bᵀ, C of rows × columns.
void subtract_product(Index rows, Index columns, Index k, Block A, Block B, bool transposed,
                      Block C, Packing packed);
/// y ← y − A x, A of rows × columns.
void subtract_product(Index rows, Index columns, const double* A, Index stride, const double* x,
                      double* y);
/// y ← y − factor x
void subtract_multiple(Index n, double factor, const double* x, double* y);

/// The lower triangle of A becomes L, A = L Lᵀ. False at a pivot ≤ least.
[[nodiscard]] bool cholesky(Index n, Block A, double least, Packing packed);
/// The first n of `rows` rows and columns: P A = L U with pivots from the first `candidates` rows.
/// pivots[k] is the row that was exchanged with row k. False if no |pivot| > least.
[[nodiscard]] bool lu(Index rows, Index candidates, Index n, Block A, double least, Index* pivots,
                      Packing packed);
/// The exchanges of rows begin…end−1, on the columns of A.
void exchange_rows(Index columns, Block A, Index begin, Index end, const Index* pivots);
/// B ← L⁻¹ B for unit lower triangular L of size n, B of n × columns.
void divide_unit_lower(Index n, Index columns, Block L, Block B, Packing packed);

}  // namespace saltus::kernels
