#include "saltus/analysis/piecewise_linear.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/matrix_classes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

std::vector<LinearCell> piecewise_linear(const Lcs& system) {
  const Lcs s = completed(system);
  const Index n = s.states(), m = s.pairs();
  require(m <= 12, "piecewise_linear: {} pairs, expected at most 12", m);
  require(!classify(BlockSparse::dense(s.D)).p.no(), "piecewise_linear: D is not a P-matrix");
  std::vector<LinearCell> cells;
  for (Index set = 0; set < (Index{1} << m); ++set) {
    std::vector<Index> active, passive;
    for (Index i = 0; i < m; ++i) ((set >> i) & 1 ? active : passive).push_back(i);
    const Index k = static_cast<Index>(active.size());
    const Eigen::PartialPivLU<Matrix> lu(s.D(active, active));
    const Matrix slope = k > 0 ? Matrix(-lu.solve(Matrix(s.C(active, Eigen::all)))) : Matrix(0, n);
    const Vector offset = k > 0 ? Vector(-lu.solve(Vector(s.b(active)))) : Vector(0);
    LinearCell cell{active, s.A + s.B(Eigen::all, active) * slope, Matrix(m, n),
                    s.a + s.B(Eigen::all, active) * offset, Vector(m)};
    cell.C << slope, s.C(passive, Eigen::all) + s.D(passive, active) * slope;
    cell.c << offset, s.b(passive) + s.D(passive, active) * offset;
    cells.push_back(std::move(cell));
  }
  return cells;
}

Vector rate(const std::vector<LinearCell>& cells, ConstVectorRef x) {
  require(!cells.empty(), "rate: there are no cells");
  const LinearCell* best = &cells.front();
  double margin = -inf;
  for (const LinearCell& cell : cells) {
    const double here = cell.c.size() > 0 ? (cell.C * x + cell.c).minCoeff() : inf;
    if (here > margin) margin = here, best = &cell;
  }
  return best->A * x + best->a;
}

LexicographicField::LexicographicField(const Lcs& system) : system_(completed(system)) {
  const Lcs& s = system_;
  require(s.pairs() == 1, "LexicographicField: the system has {} pairs, expected 1", s.pairs());
  require(s.D(0, 0) == 0, "LexicographicField: D is {}, expected 0", s.D(0, 0));
  const double CB = (s.C * s.B)(0, 0);
  require(CB > 0, "LexicographicField: CB is {}, expected > 0", CB);
  projector_ = Matrix::Identity(s.states(), s.states()) - s.B * s.C / CB;
}

Vector LexicographicField::rate(ConstVectorRef x, double tolerance) const {
  const Vector free = system_.A * x + system_.a;
  const double w = (system_.C * x + system_.b)[0], speed = (system_.C * free)[0];
  if (w > tolerance || (std::abs(w) <= tolerance && speed >= 0)) return free;
  return projector_ * free;
}

SweepingForm sweeping_form(const Lcs& system, ConstMatrixRef P) {
  const Lcs s = completed(system);
  require(s.D.isZero(0), "sweeping_form: D is not zero");
  require(P.rows() == s.states() && P.cols() == s.states(),
          "sweeping_form: P is {}×{}, the system has {} states", P.rows(), P.cols(), s.states());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(P);
  require(eigen.eigenvalues()[0] > 0, "sweeping_form: P has the eigenvalue {}, expected all > 0",
          eigen.eigenvalues()[0]);
  const double defect = (P * s.B - s.C.transpose()).norm();
  require(defect <= 1e-8 * (1 + s.C.norm()), "sweeping_form: PB differs from C' by {}, expected 0",
          defect);
  const Matrix R = eigen.operatorSqrt(), inverse = eigen.operatorInverseSqrt();
  return {R, R * s.A * inverse, s.C * inverse, R * s.a, s.b};
}

}  // namespace saltus
