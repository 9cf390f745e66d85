#include "saltus/solvers/body_interfaces.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace saltus {

namespace {

constexpr double kept_pivot = 1e-15;  // of the largest diagonal entry: rows below span nothing
constexpr double no_rank = 1e-9;      // of the largest value: those below count as zero
constexpr double good_enough = 1e-14;
constexpr double told_apart = 1e-9;  // roundings of a body with many others on it
constexpr std::size_t sample = 12;   // contacts that tell what many are

}  // namespace

namespace {

/// Where the next block begins, from row i on.
std::size_t run_end(const std::vector<ContactRow>& rows, std::size_t i) {
  std::size_t end = i + 1;
  while (end < rows.size() && rows[end].block == rows[i].block) ++end;
  return end;
}

}  // namespace

void copy_entries(const BlockSparse& W, const std::vector<ContactRow>& rows,
                  const std::vector<ContactRow>& columns, Eigen::Ref<Matrix> out) {
  for (std::size_t i = 0, rows_end; i < rows.size(); i = rows_end) {
    rows_end = run_end(rows, i);
    const Index height = W.row_size(rows[i].block);
    for (std::size_t j = 0, columns_end; j < columns.size(); j = columns_end) {
      columns_end = run_end(columns, j);
      const Index block = W.find(rows[i].block, columns[j].block);
      for (std::size_t b = j; b < columns_end; ++b)
        for (std::size_t a = i; a < rows_end; ++a)
          out(static_cast<Index>(a), static_cast<Index>(b)) =
              block < 0 ? 0 : W.value(block)[rows[a].component + columns[b].component * height];
    }
  }
}

Matrix entries(const BlockSparse& W, const std::vector<ContactRow>& rows,
               const std::vector<ContactRow>& columns) {
  Matrix A(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  copy_entries(W, rows, columns, A);
  return A;
}

bool keep_rows(const BlockSparse& W, Index limit, BodyInterface& g) {
  const auto n = static_cast<Index>(g.rows.size());
  Vector left(n);
  for (Index i = 0; i < n; ++i) {
    const auto [block, a] = g.rows[i];
    if (W.diagonal(block) < 0) return false;
    left[i] = W.block(block, W.diagonal(block))(a, a);
  }
  g.scale = left.maxCoeff();
  const Index most = std::min(n, limit);
  Matrix L(n, most);
  std::vector<Index> pivots;
  for (;;) {
    Index p = 0;
    const double largest = left.maxCoeff(&p);
    if (!(largest > kept_pivot * g.scale)) break;
    const auto k = static_cast<Index>(pivots.size());
    if (k == most) return false;
    g.lever = largest / g.scale;
    copy_entries(W, g.rows, {g.rows[p]}, L.col(k));
    L.col(k).noalias() -= L.leftCols(k) * L.row(p).head(k).transpose();
    L.col(k) /= std::sqrt(largest);
    left -= L.col(k).cwiseAbs2();
    pivots.push_back(p);
    for (const Index used : pivots) left[used] = 0;
  }
  const auto rank = static_cast<Index>(pivots.size());
  Matrix spread = L.leftCols(rank);
  for (Index j = rank - 1; j >= 0; --j) {  // L = spread · (pivot rows of L)
    spread.col(j) /= L(pivots[j], j);
    for (Index i = 0; i < j; ++i) spread.col(i) -= spread.col(j) * L(pivots[j], i);
  }
  std::vector<Index> order(pivots.size());  // rows of a block together
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return pivots[a] < pivots[b]; });
  g.spread = spread(Eigen::all, order);
  for (const Index k : order) g.kept.push_back(g.rows[pivots[k]]);
  return true;
}

namespace {

/// U of a body by the parts X, Y, Z of its interfaces; empty if it has more than six rows.
Matrix body_of(const Matrix& panel, const std::vector<Index>& X, const std::vector<Index>& Y,
               const std::vector<Index>& Z) {
  const Matrix YX = panel(Y, X), ZX = panel(Z, X), ZY = panel(Z, Y);
  Eigen::CompleteOrthogonalDecomposition<Matrix> inverse;
  inverse.setThreshold(no_rank);
  inverse.compute(ZX);
  const Matrix square = YX * inverse.solve(ZY);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (square + square.transpose()));
  const Vector& values = eigen.eigenvalues();  // ascending
  const double largest = values[values.size() - 1];
  const Index rank = (values.array() > no_rank * largest).count();
  if (!(largest > 0) || rank > body_rows) return {};
  const Matrix V = eigen.eigenvectors().rightCols(rank);
  const Vector roots = values.tail(rank).cwiseSqrt();
  Matrix U = roots.cwiseInverse().asDiagonal() * (V.transpose() * panel(Y, Eigen::all));
  U(Eigen::all, Y) = roots.asDiagonal() * V.transpose();
  return U;
}

/// What U leaves of the blocks between interfaces, and what of their own it takes too much, at the
/// most.
double defect(const Matrix& panel, const std::vector<Index>& begin, const Matrix& U) {
  const Matrix rest = panel - U.transpose() * U;
  double worst = 0;
  for (std::size_t a = 0; a + 1 < begin.size(); ++a)
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
      const auto block =
          rest.block(begin[a], begin[b], begin[a + 1] - begin[a], begin[b + 1] - begin[b]);
      worst = std::max(worst, a == b ? -block.diagonal().minCoeff() : block.cwiseAbs().maxCoeff());
    }
  return worst;
}

/// The rows of interfaces in three parts: enough rows in each, then about the same lever, so that
/// weak interfaces go together.
std::array<std::vector<Index>, 3> three_parts(const std::vector<Index>& begin,
                                              const std::vector<double>& lever) {
  std::vector<std::size_t> order(lever.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return lever[a] > lever[b]; });
  std::array<std::vector<Index>, 3> parts;
  std::array<double, 3> sum = {0, 0, 0};
  const auto weight = [&](std::size_t k) {
    return std::pair{std::min(std::ssize(parts[k]), body_rows), sum[k]};
  };
  for (const std::size_t a : order) {
    std::size_t least = 0;
    for (const std::size_t k : {1, 2})
      if (weight(k) < weight(least)) least = k;
    sum[least] += lever[a];
    for (Index i = begin[a]; i < begin[a + 1]; ++i) parts[least].push_back(i);
  }
  return parts;
}

}  // namespace

Matrix common_body(const Matrix& panel, const std::vector<Index>& begin,
                   const std::vector<double>& lever, double rounding) {
  const std::array<std::vector<Index>, 3> part = three_parts(begin, lever);
  const double scale = panel.diagonal().maxCoeff();
  Matrix best;
  double least = rounding * scale;
  for (std::size_t k = 0; k < 3 && least > good_enough * scale; ++k) {
    Matrix U = body_of(panel, part[k], part[(k + 1) % 3], part[(k + 2) % 3]);
    if (U.rows() == 0) continue;
    const double missed = defect(panel, begin, U);
    if (!(missed <= least)) continue;
    least = missed;
    best = std::move(U);
  }
  return best;
}

namespace {

std::vector<AlikeRows> alike(const BlockSparse& W) {
  std::map<std::vector<int>, std::size_t> known;
  std::vector<AlikeRows> groups;
  std::vector<int> list;
  for (Index i = 0; i < W.block_rows(); ++i) {
    list.clear();
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k)
      if (!W.block(i, k).isZero(0)) list.push_back(static_cast<int>(W.column(k)));
    const auto [place, fresh] = known.emplace(list, groups.size());
    if (fresh) groups.push_back({{}, list});
    groups[place->second].blocks.push_back(i);
  }
  return groups;
}

enum class Kind { interface, separate_bodies, elastic };

/// Block rows with the same blocks, by the first of them if there are many: an interface, of which
/// some rows span the rest; bodies with one contact each, on one; or neither.
Kind kind_of(const BlockSparse& W, const std::vector<Index>& blocks) {
  if (blocks.size() <= sample) return Kind::interface;
  BodyInterface first;
  std::vector<Index> begin = {0};
  for (std::size_t k = 0; k < sample; ++k) {
    begin.push_back(begin.back() + W.row_size(blocks[k]));
    for (Index a = 0; a < W.row_size(blocks[k]); ++a) first.rows.push_back({blocks[k], a});
  }
  if (keep_rows(W, begin.back(), first) && first.kept.size() < first.rows.size())
    return Kind::interface;
  const Matrix all = entries(W, first.rows, first.rows);
  return common_body(all, begin, std::vector<double>(sample, 1.0), told_apart).size() > 0
             ? Kind::separate_bodies
             : Kind::elastic;
}

}  // namespace

std::vector<AlikeRows> interfaces_of(const BlockSparse& W) {
  std::vector<AlikeRows> groups = alike(W);
  for (std::size_t g = 0, count = groups.size(); g < count; ++g) {
    const Kind kind = kind_of(W, groups[g].blocks);
    if (kind == Kind::elastic) return {};
    if (kind == Kind::interface) continue;
    for (std::size_t k = 1; k < groups[g].blocks.size(); ++k)
      groups.push_back({{groups[g].blocks[k]}, groups[g].neighbours});
    groups[g].blocks.resize(1);
  }
  return groups;
}

}  // namespace saltus
