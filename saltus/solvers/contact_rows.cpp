#include "saltus/solvers/contact_rows.hpp"

#include "saltus/base/overloaded.hpp"

#include <algorithm>

namespace saltus {

namespace {

double inverse(double x) { return x > 0 && std::isfinite(x) ? 1 / x : 1.0; }

}  // namespace

ContactRows::ContactRows(const std::vector<BlockSet>& K, const std::vector<Index>& sizes,
                         const NonsmoothNewton& options)
    : K_(K),
      sizes_(sizes),
      options_(options),
      equation_(options.equation),
      normal_(std::holds_alternative<NormalMap>(options.equation)) {}

void ContactRows::scale(const Sparse& M, const Sparse& H) {
  const Vector diagonal = M.diagonal();
  const Sparse W = Sparse(H.transpose()) * diagonal.unaryExpr(&inverse).asDiagonal() * H;
  const auto norm = [&] {
    Vector sums = Vector::Zero(W.cols());
    for (int j = 0; j < W.outerSize(); ++j)
      for (Sparse::InnerIterator e(W, j); e; ++e) sums[j] += std::abs(e.value());
    return sums.size() > 0 ? sums.maxCoeff() : 1;
  };
  row_rho_ = W.diagonal().unaryExpr(&inverse);
  bool conservative = false;
  std::visit(Overloaded{[&](const FixedRho& rule) { common_ = rule.rho; },
                        [&](const NormRho&) { common_ = inverse(norm()); },
                        [&](const SpectralRho&) { common_ = inverse(norm()); },
                        [&](const PerContactRho& rule) { conservative = rule.conservative; },
                        [&](const DefaultRho&) {
                          if (std::holds_alternative<NaturalMap>(options_.equation))
                            common_ = inverse(norm());
                        },
                        [](const AdaptiveRho&) {}},
             options_.rho);
  rho_.clear();
  Index first = 0;
  for (std::size_t b = 0; b < K_.size(); first += sizes_[b], ++b) {
    const Matrix block = Matrix(W.block(first, first, sizes_[b], sizes_[b]));
    rho_.push_back(common_ > 0         ? ContactScaling{common_, common_}
                   : row_by_row(K_[b]) ? ContactScaling{}
                                       : contact_scaling(sizes_[b], block.data(), conservative));
  }
}

void ContactRows::scale_smoothing(ConstVectorRef q) {
  double* epsilon = driven_smoothing(equation_);
  if (epsilon == nullptr) return;
  double impulse = 0;
  Index first = 0;
  for (std::size_t b = 0; b < K_.size(); first += sizes_[b], ++b)
    for (Index i = first; i < first + sizes_[b]; ++i)
      impulse = std::max(impulse, rho_[b].normal * std::abs(q[i]));
  *epsilon *= impulse;
}

bool ContactRows::smoothed() { return driven_smoothing(equation_) != nullptr; }

void ContactRows::reduce_smoothing(ConstVectorRef G) {
  drive_smoothing(equation_, G.lpNorm<Eigen::Infinity>());
}

Vector ContactRows::reactions(const Vector& x) const {
  Vector r = x;
  Index first = 0;
  for (std::size_t b = 0; normal_ && b < K_.size(); first += sizes_[b], ++b) {
    auto part = r.segment(first, sizes_[b]);
    project(K_[b], part, part);
  }
  return r;
}

void ContactRows::evaluate(ConstVectorRef u, ConstVectorRef r, bool slopes, VectorRef G) {
  by_u_.clear();
  by_r_.clear();
  Index first = 0;
  for (std::size_t b = 0; b < K_.size(); first += sizes_[b], ++b) {
    if (row_by_row(K_[b]))
      rows(b, first, u, r, G.data() + first);
    else
      contact(b, first, u, r, G.data() + first, slopes);
  }
}

void ContactRows::rows(std::size_t b, Index first, ConstVectorRef u, ConstVectorRef r,
                       double* out) {
  for (Index i = 0; i < sizes_[b]; ++i) {
    const Index at = first + i;
    const double rho = common_ > 0 ? common_ : row_rho_[at];
    const RowFunction row = row_function(equation_, K_[b], u[at], r[at], rho);
    out[i] = row.G;
    by_u_.emplace_back(static_cast<int>(at), static_cast<int>(at), row.by_u);
    by_r_.emplace_back(static_cast<int>(at), static_cast<int>(at), row.by_r);
  }
}

void ContactRows::contact(std::size_t b, Index first, ConstVectorRef u, ConstVectorRef r,
                          double* out, bool slopes) {
  const Index size = sizes_[b];
  Matrix A(size, size), B(size, size);
  contact_function(equation_, K_[b], size, u.data() + first, r.data() + first, rho_[b], out,
                   slopes ? A.data() : nullptr, slopes ? B.data() : nullptr);
  if (!slopes) return;
  for (Index j = 0; j < size; ++j)
    for (Index i = 0; i < size; ++i) {
      const auto row = static_cast<int>(first + i), column = static_cast<int>(first + j);
      if (A(i, j) != 0) by_u_.emplace_back(row, column, A(i, j));
      if (B(i, j) != 0) by_r_.emplace_back(row, column, B(i, j));
    }
}

bool ContactRows::direction(const Sparse& J, const Sparse& H, const Sparse& U, const Vector& RG,
                            Vector& step) {
  const Index n = H.rows(), m = H.cols();
  Sparse A(m, m), B(m, m);
  A.setFromTriplets(by_u_.begin(), by_u_.end());
  B.setFromTriplets(by_r_.begin(), by_r_.end());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](const Sparse& part, Index row, Index column, double factor) {
    for (int j = 0; j < part.outerSize(); ++j)
      for (Sparse::InnerIterator e(part, j); e; ++e)
        entries.emplace_back(static_cast<int>(row + e.row()), static_cast<int>(column + j),
                             factor * e.value());
  };
  add(J, 0, 0, 1);
  add(H, 0, n, -1);
  if (normal_) add(Sparse(H * B), 0, n, 1);  // −H V with V = I − ∂G/∂x
  add(Sparse(A * U), n, 0, 1);
  add(B, n, n, 1);
  Sparse matrix(n + m, n + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  if (!linear_.factorise(BlockSparse::sparse(matrix), options_.linear)) return false;
  step = -RG;
  return linear_.solve(step);
}

}  // namespace saltus
