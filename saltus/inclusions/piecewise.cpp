#include "saltus/inclusions/piecewise.hpp"

#include <Eigen/LU>

namespace saltus {

void AffineCell::check() const {
  const Index n = A.rows();
  require(A.cols() == n, "AffineCell: A is {}x{}, expected a square matrix", n, A.cols());
  require(a.size() == 0 || a.size() == n, "AffineCell: a has {} entries, expected {}", a.size(), n);
  require(G.rows() == 0 || G.cols() == n, "AffineCell: G has {} columns, expected {}", G.cols(), n);
  require(g.size() == 0 || g.size() == G.rows(), "AffineCell: g has {} entries, G has {} rows",
          g.size(), G.rows());
}

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

void PiecewiseAffineSystem::check(Index n) const {
  require(!cells.empty(), "PiecewiseAffineSystem: no cells");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].check();
    require(cells[i].A.rows() == n,
            "PiecewiseAffineSystem: A of cell {} is {}x{}, the state has {} entries", i,
            cells[i].A.rows(), cells[i].A.cols(), n);
  }
}

namespace {

/// The first cell that holds x, or the one violated least.
const AffineCell& cell_of(const std::vector<AffineCell>& cells, ConstVectorRef x) {
  double nearest = inf;
  std::size_t best = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const AffineCell& c = cells[i];
    double outside = 0;
    for (Index j = 0; j < c.G.rows(); ++j)
      outside = std::max(outside, (c.g.size() > 0 ? c.g[j] : 0) - c.G.row(j).dot(x));
    if (outside < nearest) nearest = outside, best = i;
  }
  return cells[best];
}

}  // namespace

Vector PiecewiseAffineSystem::rate(ConstVectorRef x) const {
  check(x.size());
  return cell_of(cells, x).rate(x);
}

Model PiecewiseAffineSystem::model(const Values& x0) const {
  check(x0.size());
  FirstOrder system{.n = x0.size()};
  system.f = [self = cells](const StateView& x, VectorRef f) { f = cell_of(self, x.x).rate(x.x); };
  system.A = [self = cells](const StateView& x, MatrixRef A) { A = cell_of(self, x.x).A; };
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
