#include "saltus/solvers/dense_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus::kernels {

namespace {

constexpr Index leaf = 8;  // columns treated one by one
// a tile of C in registers, and the parts of A and B packed for the caches
constexpr Index tile_rows = 8, tile_columns = 6;
constexpr Index depth = 256, band = 96, width = 480;

/// Four numbers in one register, or two pairs; eight, or two fours.
using Lane = double __attribute__((vector_size(32), aligned(8), may_alias));
using WideLane = double __attribute__((vector_size(64), aligned(8), may_alias));

/// The tile A B, A by columns of 8, B by rows of 6, added up in registers.
[[gnu::always_inline]] inline void multiply_tile(Index k, const double* A, const double* B,
                                                 double* tile) {
  Lane sum[tile_columns][2] = {};
  for (Index p = 0; p < k; ++p, A += tile_rows, B += tile_columns) {
    const Lane top = *reinterpret_cast<const Lane*>(A);
    const Lane bottom = *reinterpret_cast<const Lane*>(A + 4);
#pragma GCC unroll 6
    for (Index j = 0; j < tile_columns; ++j) {
      sum[j][0] += top * B[j];
      sum[j][1] += bottom * B[j];
    }
  }
#pragma GCC unroll 6
  for (Index j = 0; j < tile_columns; ++j) {
    *reinterpret_cast<Lane*>(tile + tile_rows * j) = sum[j][0];
    *reinterpret_cast<Lane*>(tile + tile_rows * j + 4) = sum[j][1];
  }
}

[[gnu::always_inline]] inline void subtract_tile(Index rows, Index columns, const double* tile,
                                                 double* C, Index stride) {
  if (rows == tile_rows) {
    for (Index j = 0; j < columns; ++j)
#pragma GCC unroll 2
      for (Index i = 0; i < tile_rows; i += 4)
        *reinterpret_cast<Lane*>(C + j * stride + i) -=
            *reinterpret_cast<const Lane*>(tile + tile_rows * j + i);
    return;
  }
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) C[j * stride + i] -= tile[tile_rows * j + i];
}

/// C ← C − A B for packed A (rows × k) and B (k × columns).
[[gnu::always_inline]] inline void subtract_packed(Index rows, Index columns, Index k,
                                                   const double* A, const double* B, double* C,
                                                   Index stride) {
  double tile[tile_rows * tile_columns];
  for (Index j = 0; j < columns; j += tile_columns)
    for (Index i = 0; i < rows; i += tile_rows) {
      multiply_tile(k, A + i * k, B + j * k, tile);
      subtract_tile(std::min(tile_rows, rows - i), std::min(tile_columns, columns - j), tile,
                    C + j * stride + i, stride);
    }
}

/// A tile of 8 rows and the columns of `groups` groups of B, C ← C − A B: the same sums, one
/// register for all rows.
template <Index groups>
[[gnu::always_inline]] inline void subtract_wide_tile(Index rows, Index columns, Index k,
                                                      const double* A, const double* B, double* C,
                                                      Index stride) {
  WideLane sum[groups * tile_columns] = {};
  for (Index p = 0; p < k; ++p, A += tile_rows, B += tile_columns) {
    const WideLane a = *reinterpret_cast<const WideLane*>(A);
#pragma GCC unroll 12
    for (Index j = 0; j < groups * tile_columns; ++j)
      sum[j] += a * B[j / tile_columns * tile_columns * k + j % tile_columns];
  }
  if (rows == tile_rows && columns == groups * tile_columns) {
#pragma GCC unroll 12
    for (Index j = 0; j < groups * tile_columns; ++j)
      *reinterpret_cast<WideLane*>(C + j * stride) -= sum[j];
    return;
  }
  double tile[tile_rows * groups * tile_columns];
#pragma GCC unroll 12
  for (Index j = 0; j < groups * tile_columns; ++j)
    *reinterpret_cast<WideLane*>(tile + tile_rows * j) = sum[j];
  subtract_tile(rows, columns, tile, C, stride);
}

/// C ← C − A B like subtract_packed, for processors with registers of eight numbers.
[[gnu::always_inline]] inline void subtract_packed_wide(Index rows, Index columns, Index k,
                                                        const double* A, const double* B, double* C,
                                                        Index stride) {
  for (Index j = 0; j < columns; j += 2 * tile_columns)
    for (Index i = 0; i < rows; i += tile_rows) {
      const Index r = std::min(tile_rows, rows - i), c = std::min(2 * tile_columns, columns - j);
      if (c > tile_columns)
        subtract_wide_tile<2>(r, c, k, A + i * k, B + j * k, C + j * stride + i, stride);
      else
        subtract_wide_tile<1>(r, c, k, A + i * k, B + j * k, C + j * stride + i, stride);
    }
}

[[gnu::always_inline]] inline void subtract_multiple_of(Index n, double factor, const double* x,
                                                        double* y) {
  Index i = 0;
  for (; i + 4 <= n; i += 4)
    *reinterpret_cast<Lane*>(y + i) -= factor * *reinterpret_cast<const Lane*>(x + i);
  for (; i < n; ++i) y[i] -= factor * x[i];
}

/// y ← y − A x, four columns at a time.
[[gnu::always_inline]] inline void subtract_columns(Index rows, Index columns, const double* A,
                                                    Index stride, const double* x, double* y) {
  Index j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double *a = A + j * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const double p = x[j], q = x[j + 1], r = x[j + 2], s = x[j + 3];
    Index i = 0;
    for (; i + 4 <= rows; i += 4) {
      Lane sum = *reinterpret_cast<const Lane*>(y + i);
      sum -= p * *reinterpret_cast<const Lane*>(a + i);
      sum -= q * *reinterpret_cast<const Lane*>(b + i);
      sum -= r * *reinterpret_cast<const Lane*>(c + i);
      sum -= s * *reinterpret_cast<const Lane*>(d + i);
      *reinterpret_cast<Lane*>(y + i) = sum;
    }
    for (; i < rows; ++i) y[i] = (((y[i] - p * a[i]) - q * b[i]) - r * c[i]) - s * d[i];
  }
  if (columns - j == 3) {
    const double *a = A + j * stride, *b = a + stride, *c = b + stride;
    const double p = x[j], q = x[j + 1], r = x[j + 2];
    Index i = 0;
    for (; i + 4 <= rows; i += 4) {
      Lane sum = *reinterpret_cast<const Lane*>(y + i);
      sum -= p * *reinterpret_cast<const Lane*>(a + i);
      sum -= q * *reinterpret_cast<const Lane*>(b + i);
      sum -= r * *reinterpret_cast<const Lane*>(c + i);
      *reinterpret_cast<Lane*>(y + i) = sum;
    }
    for (; i < rows; ++i) y[i] = ((y[i] - p * a[i]) - q * b[i]) - r * c[i];
    return;
  }
  for (; j < columns; ++j) subtract_multiple_of(rows, x[j], A + j * stride, y);
}

using Leaf = void (*)(Index, const double*, Index, double*, Index);
using Leaves = std::array<Leaf, leaf>;  // of sizes 1…8
using PackedProduct = void (*)(Index, Index, Index, const double*, const double*, double*, Index);
using Multiple = void (*)(Index, double, const double*, double*);
using Columns = void (*)(Index, Index, const double*, Index, const double*, double*);

void packed_plain(Index rows, Index columns, Index k, const double* A, const double* B, double* C,
                  Index stride) {
  subtract_packed(rows, columns, k, A, B, C, stride);
}
void multiple_plain(Index n, double factor, const double* x, double* y) {
  subtract_multiple_of(n, factor, x, y);
}
void columns_plain(Index rows, Index columns, const double* A, Index stride, const double* x,
                   double* y) {
  subtract_columns(rows, columns, A, stride, x, y);
}
/// B ← L⁻¹ B for unit lower triangular L of size n.
template <Index n>
[[gnu::always_inline]] inline void divide_leaf(Index columns, const double* L, Index stride,
                                               double* B, Index b_stride) {
  for (Index j = 0; j < columns; ++j) {
    double* b = B + j * b_stride;
    for (Index k = 0; k < n; ++k)
      for (Index i = k + 1; i < n; ++i) b[i] -= L[k * stride + i] * b[k];
  }
}
template <Index n>
void leaf_plain(Index columns, const double* L, Index stride, double* B, Index b_stride) {
  divide_leaf<n>(columns, L, stride, B, b_stride);
}
constexpr Leaves plain_leaves{leaf_plain<1>, leaf_plain<2>, leaf_plain<3>, leaf_plain<4>,
                              leaf_plain<5>, leaf_plain<6>, leaf_plain<7>, leaf_plain<8>};

#if defined(__x86_64__)
[[gnu::target("avx512f")]] void packed_widest(Index rows, Index columns, Index k, const double* A,
                                              const double* B, double* C, Index stride) {
  subtract_packed_wide(rows, columns, k, A, B, C, stride);
}
[[gnu::target("avx2,fma")]] void packed_wide(Index rows, Index columns, Index k, const double* A,
                                             const double* B, double* C, Index stride) {
  subtract_packed(rows, columns, k, A, B, C, stride);
}
[[gnu::target("avx2,fma")]] void multiple_wide(Index n, double factor, const double* x, double* y) {
  subtract_multiple_of(n, factor, x, y);
}
[[gnu::target("avx2,fma")]] void columns_wide(Index rows, Index columns, const double* A,
                                              Index stride, const double* x, double* y) {
  subtract_columns(rows, columns, A, stride, x, y);
}
/// B ← L⁻¹ B as divide_leaf, four columns at a time.
template <Index n>
[[gnu::target("avx2")]] void leaf_wide(Index columns, const double* L, Index stride, double* B,
                                       Index b_stride) {
  for (; columns >= 4; columns -= 4, B += 4 * b_stride) {
    double *p = B, *q = p + b_stride, *r = q + b_stride, *s = r + b_stride;
    Lane x[n];
#pragma GCC unroll 8
    for (Index i = 0; i < n; ++i) x[i] = Lane{p[i], q[i], r[i], s[i]};
#pragma GCC unroll 8
    for (Index k = 0; k < n; ++k)
#pragma GCC unroll 8
      for (Index i = k + 1; i < n; ++i) x[i] -= L[k * stride + i] * x[k];
#pragma GCC unroll 8
    for (Index i = 1; i < n; ++i) {
      p[i] = x[i][0];
      q[i] = x[i][1];
      r[i] = x[i][2];
      s[i] = x[i][3];
    }
  }
  divide_leaf<n>(columns, L, stride, B, b_stride);
}
constexpr Leaves wide_leaves{leaf_wide<1>, leaf_wide<2>, leaf_wide<3>, leaf_wide<4>,
                             leaf_wide<5>, leaf_wide<6>, leaf_wide<7>, leaf_wide<8>};
bool widest() { return __builtin_cpu_supports("avx512f"); }
bool wide() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
const PackedProduct packed_product = widest() ? packed_widest : wide() ? packed_wide : packed_plain;
const Leaves& leaves = wide() ? wide_leaves : plain_leaves;
const Multiple multiple = wide() ? multiple_wide : multiple_plain;
const Columns column_product = wide() ? columns_wide : columns_plain;
#else
const PackedProduct packed_product = packed_plain;
const Leaves& leaves = plain_leaves;
const Multiple multiple = multiple_plain;
const Columns column_product = columns_plain;
#endif

/// Rows of A in groups of 8, each group by columns; the last group is filled with zeros.
void pack_left(Index rows, Index k, const double* A, Index stride, double* packed) {
  for (Index i = 0; i < rows; i += tile_rows) {
    const Index r = std::min(tile_rows, rows - i);
    for (Index p = 0; p < k; ++p, packed += tile_rows) {
      const double* column = A + p * stride + i;
      if (r == tile_rows) {
        std::copy(column, column + tile_rows, packed);
      } else {
        std::copy(column, column + r, packed);
        std::fill(packed + r, packed + tile_rows, 0.0);
      }
    }
  }
}

/// Columns of B in groups of 6, each group by rows; entry (p, j) of B is B[p row + j column].
void pack_right(Index k, Index columns, const double* B, Index row, Index column, double* packed) {
  for (Index j = 0; j < columns; j += tile_columns) {
    const Index c = std::min(tile_columns, columns - j);
    for (Index p = 0; p < k; ++p, packed += tile_columns) {
      for (Index e = 0; e < c; ++e) packed[e] = B[p * row + (j + e) * column];
      for (Index e = c; e < tile_columns; ++e) packed[e] = 0;
    }
  }
}

/// Half of n, a multiple of the leaf.
Index half(Index n) { return (n / 2 + leaf - 1) / leaf * leaf; }

}  // namespace

Index packing_room(Index n) {
  const Index d = std::min(depth, n);
  return d * (std::min(band, n + tile_rows) + std::min(width, n + tile_columns));
}

Packing packing(double* room, Index n) {
  return {room, room + std::min(depth, n) * std::min(band, n + tile_rows)};
}

void subtract_product(Index rows, Index columns, const double* A, Index stride, const double* x,
                      double* y) {
  column_product(rows, columns, A, stride, x, y);
}

void subtract_multiple(Index n, double factor, const double* x, double* y) {
  multiple(n, factor, x, y);
}

void subtract_product(Index rows, Index columns, Index k, Block A, Block B, bool transposed,
                      Block C, Packing packed) {
  const Index row = transposed ? B.stride : 1, column = transposed ? 1 : B.stride;
  for (Index j = 0; j < columns; j += width)
    for (Index p = 0; p < k; p += depth) {
      const Index c = std::min(width, columns - j), d = std::min(depth, k - p);
      pack_right(d, c, B.data + p * row + j * column, row, column, packed.right);
      for (Index i = 0; i < rows; i += band) {
        const Index r = std::min(band, rows - i);
        pack_left(r, d, A.at(i, p).data, A.stride, packed.left);
        packed_product(r, c, d, packed.left, packed.right, C.at(i, j).data, C.stride);
      }
    }
}

namespace {

/// B ← B L⁻ᵀ for lower triangular L of size n, B of rows × n.
void divide_by_transposed(Index rows, Index n, Block L, Block B, Packing packed) {
  if (n > leaf) {
    const Index m = half(n);
    divide_by_transposed(rows, m, L, B, packed);
    subtract_product(rows, n - m, m, B, L.at(m, 0), true, B.at(0, m), packed);
    divide_by_transposed(rows, n - m, L.at(m, m), B.at(0, m), packed);
    return;
  }
  for (Index j = 0; j < n; ++j) {
    double* b = B.column(j);
    for (Index k = 0; k < j; ++k) multiple(rows, L.at(j, k).data[0], B.column(k), b);
    const double inverse = 1 / L.at(j, j).data[0];
    for (Index i = 0; i < rows; ++i) b[i] *= inverse;
  }
}

/// The lower triangle of C ← C − A Aᵀ, A of n × k.
void subtract_square(Index n, Index k, Block A, Block C, Packing packed) {
  if (n <= 2 * tile_rows * tile_columns) {
    subtract_product(n, n, k, A, A, true, C, packed);
    return;
  }
  const Index m = half(n);
  subtract_square(m, k, A, C, packed);
  subtract_product(n - m, m, k, A.at(m, 0), A, true, C.at(m, 0), packed);
  subtract_square(n - m, k, A.at(m, 0), C.at(m, m), packed);
}

}  // namespace

bool cholesky(Index n, Block A, double least, Packing packed) {
  if (n > leaf) {
    const Index m = half(n);
    if (!cholesky(m, A, least, packed)) return false;
    divide_by_transposed(n - m, m, A, A.at(m, 0), packed);
    subtract_square(n - m, m, A.at(m, 0), A.at(m, m), packed);
    return cholesky(n - m, A.at(m, m), least, packed);
  }
  for (Index j = 0; j < n; ++j) {
    double* a = A.column(j);
    for (Index k = 0; k < j; ++k) {
      const double* l = A.column(k);
      for (Index i = j; i < n; ++i) a[i] -= l[j] * l[i];
    }
    if (!(a[j] > least)) return false;
    a[j] = std::sqrt(a[j]);
    for (Index i = j + 1; i < n; ++i) a[i] /= a[j];
  }
  return true;
}

void divide_unit_lower(Index n, Index columns, Block L, Block B, Packing packed) {
  if (n > leaf) {
    const Index m = half(n);
    divide_unit_lower(m, columns, L, B, packed);
    subtract_product(n - m, columns, m, L.at(m, 0), B, false, B.at(m, 0), packed);
    divide_unit_lower(n - m, columns, L.at(m, m), B.at(m, 0), packed);
    return;
  }
  if (n > 1) leaves[n - 1](columns, L.data, L.stride, B.data, B.stride);
}

void exchange_rows(Index columns, Block A, Index begin, Index end, const Index* pivots) {
  for (Index j = 0; j < columns; ++j) {
    double* a = A.column(j);
    for (Index k = begin; k < end; ++k) std::swap(a[k], a[pivots[k]]);
  }
}

namespace {

/// Columns of a panel of `rows` rows one by one. pivots count from the first row of the panel.
bool lu_panel(Index rows, Index candidates, Index n, Block A, double least, Index* pivots) {
  for (Index k = 0; k < n; ++k) {
    double* a = A.column(k);
    for (Index j = 0; j < k; ++j) std::swap(a[j], a[pivots[j]]);
    for (Index j = 0; j < k; ++j) {
      const double* l = A.column(j);
      if (rows > 2 * leaf)
        multiple(rows - j - 1, a[j], l + j + 1, a + j + 1);
      else
        for (Index i = j + 1; i < rows; ++i) a[i] -= a[j] * l[i];
    }
    Index p = k;
    for (Index i = k + 1; i < candidates; ++i)
      if (std::abs(a[i]) > std::abs(a[p])) p = i;
    if (!(std::abs(a[p]) > least)) return false;
    pivots[k] = p;
    for (Index j = 0; j <= k; ++j) std::swap(A.column(j)[k], A.column(j)[p]);
    const double inverse = 1 / a[k];
    for (Index i = k + 1; i < rows; ++i) a[i] *= inverse;
  }
  return true;
}

}  // namespace

bool lu(Index rows, Index candidates, Index n, Block A, double least, Index* pivots,
        Packing packed) {
  if (n <= leaf) return lu_panel(rows, candidates, n, A, least, pivots);
  const Index m = half(n);
  if (!lu(rows, candidates, m, A, least, pivots, packed)) return false;
  exchange_rows(n - m, A.at(0, m), 0, m, pivots);
  divide_unit_lower(m, n - m, A, A.at(0, m), packed);
  subtract_product(rows - m, n - m, m, A.at(m, 0), A.at(0, m), false, A.at(m, m), packed);
  if (!lu(rows - m, candidates - m, n - m, A.at(m, m), least, pivots + m, packed)) return false;
  exchange_rows(m, A.at(m, 0), 0, n - m, pivots + m);
  for (Index k = m; k < n; ++k) pivots[k] += m;
  return true;
}

}  // namespace saltus::kernels
