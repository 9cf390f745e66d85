#include "saltus/inclusions/piecewise.hpp"

#include <Eigen/LU>

namespace saltus {

bool AffineCell::contains(ConstVectorRef x, double tolerance) const {
  for (Index i = 0; i < G.rows(); ++i)
    if (G.row(i).dot(x) - (g.size() > 0 ? g[i] : 0) < -tolerance) return false;
  return true;
}

Vector AffineCell::rate(ConstVectorRef x) const {
  Vector f = A * x;
  if (a.size() > 0) f += a;
  return f;
}

bool AffineCell::thin() const {
  const auto level = [&](Index i) { return g.size() > 0 ? g[i] : 0; };
  for (Index i = 0; i < G.rows(); ++i)
    for (Index j = 0; j < i; ++j)
      if (G.row(i) == -G.row(j) && level(i) == -level(j)) return true;
  return false;
}

std::vector<Index> PiecewiseAffineSystem::cells_at(ConstVectorRef x, double tolerance) const {
  std::vector<Index> found;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (cells[i].contains(x, tolerance)) found.push_back(static_cast<Index>(i));
  return found;
}

std::vector<Vector> PiecewiseAffineSystem::filippov_fields(ConstVectorRef x, bool with_thin_cells,
                                                           double tolerance) const {
  std::vector<Vector> fields;
  for (Index i : cells_at(x, tolerance))
    if (with_thin_cells || !cells[i].thin()) fields.push_back(cells[i].rate(x));
  return fields;
}

void PiecewiseAffineSystem::require_continuous(ConstMatrixRef points, double tolerance) const {
  for (Index k = 0; k < points.cols(); ++k) {
    const std::vector<Index> at = cells_at(points.col(k));
    for (std::size_t i = 1; i < at.size(); ++i) {
      const double jump =
          (cells[at[i]].rate(points.col(k)) - cells[at[0]].rate(points.col(k))).norm();
      require(jump <= tolerance,
              "PiecewiseAffineSystem: the fields of cells {} and {} differ by {} on their border; "
              "use a FilippovSystem",
              at[0], at[i], jump);
    }
  }
}

Model PiecewiseAffineSystem::model(const Values& x0) const {
  require(!cells.empty(), "PiecewiseAffineSystem: no cells");
  const Index n = x0.size();
  const PiecewiseAffineSystem self = *this;
  const auto cell = [self](ConstVectorRef x) -> const AffineCell& {
    double nearest = inf;
    std::size_t best = 0;
    for (std::size_t i = 0; i < self.cells.size(); ++i) {
      const AffineCell& c = self.cells[i];
      double outside = 0;
      for (Index j = 0; j < c.G.rows(); ++j)
        outside = std::max(outside, (c.g.size() > 0 ? c.g[j] : 0) - c.G.row(j).dot(x));
      if (outside < nearest) nearest = outside, best = i;
    }
    return self.cells[best];
  };
  FirstOrder system{.n = n};
  system.f = [cell](const StateView& x, VectorRef f) { f = cell(x.x).rate(x.x); };
  system.A = [cell](const StateView& x, MatrixRef A) { A = cell(x.x).A; };
  Model model;
  model.add(system, {.x = x0}, "x");
  return model;
}

namespace {

/// The cell in which exactly the pairs of `mask` have λ > 0.
AffineCell mode(const Lcs& s, unsigned mask) {
  const Index n = s.states(), m = s.pairs();
  std::vector<Index> active, open;
  for (Index i = 0; i < m; ++i) ((mask >> i & 1U) != 0 ? active : open).push_back(i);
  const Matrix D = s.D(active, active), C = s.C(active, Eigen::all);
  const Vector b = s.b(active);
  AffineCell cell;
  cell.A = s.A;
  cell.a = s.a;
  cell.G = Matrix(m, n);
  cell.g = Vector(m);
  const auto count = static_cast<Index>(active.size());
  Matrix slope = Matrix::Zero(0, n);  // λ_α = slope x + offset
  Vector offset = Vector::Zero(0);
  if (count > 0) {
    const Eigen::PartialPivLU<Matrix> factor(D);
    require(factor.determinant() > 0,
            "to_piecewise: a principal minor of D is {}, not positive: D is no P-matrix",
            factor.determinant());
    slope = -factor.solve(C);
    offset = -factor.solve(b);
    const Matrix B = s.B(Eigen::all, active);
    cell.A += B * slope;
    cell.a += B * offset;
  }
  cell.G.topRows(count) = slope;
  cell.g.head(count) = -offset;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Index i = open[k], row = count + static_cast<Index>(k);
    cell.G.row(row) = s.C.row(i);
    double level = s.b[i];
    if (count > 0) {
      const Matrix d = s.D(std::vector<Index>{i}, active);
      cell.G.row(row) += d * slope;
      level += (d * offset)(0);
    }
    cell.g[row] = -level;
  }
  return cell;
}

}  // namespace

PiecewiseAffineSystem to_piecewise(const Lcs& system) {
  const Lcs s = completed(system);
  require(s.pairs() <= 12, "to_piecewise: {} pairs have too many modes, expected at most 12",
          s.pairs());
  PiecewiseAffineSystem out;
  for (unsigned mask = 0; mask < 1U << s.pairs(); ++mask) out.cells.push_back(mode(s, mask));
  return out;
}

Vector lexicographic_rate(const Lcs& system, ConstVectorRef x, double tolerance) {
  const Lcs s = completed(system);
  require(s.pairs() == 1 && s.D.isZero(0), "lexicographic_rate: expected one pair and D = 0");
  const double gain = s.C.row(0).dot(s.B.col(0));
  require(gain > 0, "lexicographic_rate: CB is {}, expected > 0 (relative degree 1)", gain);
  const Vector free = s.A * x + s.a;
  const double w = s.C.row(0).dot(x) + s.b[0], slope = s.C.row(0).dot(free);
  if (w > tolerance || slope >= 0) return free;
  return free - s.B.col(0) * (slope / gain);
}

}  // namespace saltus
