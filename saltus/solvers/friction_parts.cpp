#include "saltus/solvers/friction_parts.hpp"

#include "saltus/solvers/block_iteration.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// The rows of block b that belong to the normal part: all of a scalar set, the first of a cone.
Index normal_rows(const BlockForm& problem, Index b) {
  return row_by_row(problem.K[b]) ? problem.W.row_size(b) : 1;
}

/// W_ii that holds row i of the tangent part, 1 if it is not positive.
double hold(const BlockSparse& W, Index b, Index i) {
  const Index n = W.row_size(b), k = W.diagonal(b);
  const double own = k < 0 ? 0 : W.value(k)[i * n + i];
  return own > 0 ? own : 1;
}

void velocity_at(const BlockForm& problem, const Vector& z, Vector& u) {
  u.resize(z.size());
  problem.W.multiply(z, u);
  u += problem.q;
}

}  // namespace

void build_normal_part(const BlockForm& problem, std::vector<Index>& rows, BlockForm& part) {
  const BlockSparse& W = problem.W;
  rows.clear();
  part.K.clear();
  std::vector<Index> begin{0};  // first row of each block in the part
  for (Index b = 0; b < W.block_rows(); ++b) {
    for (Index i = 0; i < normal_rows(problem, b); ++i) {
      rows.push_back(W.row_offset(b) + i);
      part.K.push_back(row_by_row(problem.K[b]) ? problem.K[b] : BlockSet(NonNegative{}));
    }
    begin.push_back(static_cast<Index>(rows.size()));
  }
  const std::vector<Index> ones(rows.size(), 1);
  part.W.start(ones, ones);
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index i = 0; i < normal_rows(problem, b); ++i) {
      for (Index k = W.row_begin(b); k < W.row_begin(b + 1); ++k)
        for (Index j = 0; j < normal_rows(problem, W.column(k)); ++j)
          *part.W.value(part.W.push_block(begin[W.column(k)] + j)) =
              W.value(k)[j * W.row_size(b) + i];
      part.W.end_row();
    }
  part.q.resize(static_cast<Index>(rows.size()));
}

void update_normal_part(const BlockForm& problem, const Vector& z, const std::vector<Index>& rows,
                        Vector& u, BlockForm& part) {
  velocity_at(problem, z, u);
  // q_N + W_NT r_T = u_N − W_NN r_N
  for (std::size_t i = 0; i < rows.size(); ++i) part.q[i] = u[rows[i]];
  for (Index i = 0; i < part.q.size(); ++i)
    for (Index k = part.W.row_begin(i); k < part.W.row_begin(i + 1); ++k)
      part.q[i] -= *part.W.value(k) * z[rows[part.W.column(k)]];
}

void build_tangent_part(const BlockForm& problem, BlockForm& part) {
  copy_with_diagonal(problem.W, part.W);
  part.K.assign(problem.K.size(), Reals{});
  part.q.resize(problem.q.size());
  BlockSparse& W = part.W;
  for (Index b = 0; b < W.block_rows(); ++b) {
    if (!row_by_row(problem.K[b])) part.K[b] = FrictionCylinder{};
    const Index held = normal_rows(problem, b);
    for (Index k = W.row_begin(b); k < W.row_begin(b + 1); ++k) {
      auto block = W.block(b, k);
      block.topRows(held).setZero();
      block.leftCols(normal_rows(problem, W.column(k))).setZero();
    }
    auto own = W.block(b, W.diagonal(b));
    for (Index i = 0; i < held; ++i) own(i, i) = hold(problem.W, b, i);
  }
}

void update_tangent_part(const BlockForm& problem, const Vector& z, Vector& u, BlockForm& part) {
  velocity_at(problem, z, u);
  part.W.multiply(z, part.q);
  part.q = u - part.q;  // on the tangents q_T + W_TN r_N = u_T − W_TT r_T
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b);
    for (Index i = 0; i < normal_rows(problem, b); ++i)
      part.q[first + i] = -hold(problem.W, b, i) * z[first + i];
    if (const auto* cone = std::get_if<FrictionCone>(&problem.K[b]))
      part.K[b] = FrictionCylinder{cone->mu * std::max(0.0, z[first])};
  }
}

}  // namespace saltus
