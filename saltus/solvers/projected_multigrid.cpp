#include "saltus/solvers/projected_multigrid.hpp"

#include "saltus/solvers/box_iteration.hpp"

#include <Eigen/SparseCore>

namespace saltus {

namespace {

using RowMajor = Eigen::SparseMatrix<double, Eigen::RowMajor>;

constexpr Index coarsest = 8;  // rows of a grid that is only swept
constexpr int coarsest_sweeps = 20;

/// A matrix, the pairs that make the next one, and the box problem of a correction on it.
struct Grid {
  RowMajor A;
  Vector diagonal;
  std::vector<Index> pair;  ///< row → row of the next grid
  Index pairs = 0;
  Vector q, lower, upper, e;
};

/// Each row with the free neighbour it is coupled to most strongly.
void make_pairs(Grid& grid) {
  const Index n = grid.A.rows();
  grid.pair.assign(static_cast<std::size_t>(n), -1);
  grid.pairs = 0;
  for (Index i = 0; i < n; ++i) {
    if (grid.pair[static_cast<std::size_t>(i)] >= 0) continue;
    Index partner = -1;
    double strongest = 0;
    for (RowMajor::InnerIterator entry(grid.A, i); entry; ++entry) {
      const Index j = entry.col();
      if (j == i || grid.pair[static_cast<std::size_t>(j)] >= 0) continue;
      if (-entry.value() <= strongest) continue;
      strongest = -entry.value();
      partner = j;
    }
    grid.pair[static_cast<std::size_t>(i)] = grid.pairs;
    if (partner >= 0) grid.pair[static_cast<std::size_t>(partner)] = grid.pairs;
    ++grid.pairs;
  }
}

/// PᵀAP
RowMajor coarse_matrix(const Grid& grid) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < grid.A.rows(); ++i)
    for (RowMajor::InnerIterator entry(grid.A, i); entry; ++entry)
      entries.emplace_back(static_cast<int>(grid.pair[static_cast<std::size_t>(i)]),
                           static_cast<int>(grid.pair[static_cast<std::size_t>(entry.col())]),
                           entry.value());
  RowMajor coarse(grid.pairs, grid.pairs);
  coarse.setFromTriplets(entries.begin(), entries.end());
  return coarse;
}

std::vector<Grid> make_grids(RowMajor A) {
  std::vector<Grid> grids(1);
  grids[0].A = std::move(A);
  for (;;) {
    Grid& grid = grids.back();
    grid.diagonal = grid.A.diagonal();
    make_pairs(grid);
    if (grid.A.rows() <= coarsest || grid.pairs == grid.A.rows()) return grids;
    RowMajor next = coarse_matrix(grid);
    grids.emplace_back().A = std::move(next);
  }
}

/// Rows of e in turn to their minimum between the bounds; a row without curvature stays.
void sweep(Grid& grid, bool forwards) {
  const Index n = grid.A.rows();
  const double least = 1e-14 * grid.diagonal.cwiseAbs().maxCoeff();
  for (Index step = 0; step < n; ++step) {
    const Index i = forwards ? step : n - 1 - step;
    if (!(grid.diagonal[i] > least)) continue;
    const double u = grid.A.row(i).dot(grid.e) + grid.q[i];
    grid.e[i] = std::min(std::max(grid.e[i] - u / grid.diagonal[i], grid.lower[i]), grid.upper[i]);
  }
}

/// The box problem of the correction of `fine`, with gradient u, on the next grid.
void restrict_to(const Grid& fine, const Vector& u, Grid& coarse) {
  coarse.q = Vector::Zero(fine.pairs);
  coarse.e = Vector::Zero(fine.pairs);
  coarse.lower = Vector::Constant(fine.pairs, -inf);
  coarse.upper = Vector::Constant(fine.pairs, inf);
  for (Index i = 0; i < u.size(); ++i) {
    const Index a = fine.pair[static_cast<std::size_t>(i)];
    coarse.q[a] += u[i];
    coarse.lower[a] = std::max(coarse.lower[a], fine.lower[i] - fine.e[i]);
    coarse.upper[a] = std::min(coarse.upper[a], fine.upper[i] - fine.e[i]);
  }
}

/// e ← e + αd, α the exact step cut at the bounds.
void correct(Grid& fine, const Vector& u, const Grid& coarse) {
  Vector d(u.size());
  for (Index i = 0; i < u.size(); ++i) d[i] = coarse.e[fine.pair[static_cast<std::size_t>(i)]];
  const double slope = u.dot(d), curvature = d.dot(fine.A * d);
  if (!(slope < 0)) return;
  double alpha = curvature > 0 ? -slope / curvature : 1;
  for (Index i = 0; i < d.size(); ++i) {
    if (d[i] > 0) alpha = std::min(alpha, (fine.upper[i] - fine.e[i]) / d[i]);
    if (d[i] < 0) alpha = std::min(alpha, (fine.lower[i] - fine.e[i]) / d[i]);
  }
  fine.e = (fine.e + alpha * d).cwiseMax(fine.lower).cwiseMin(fine.upper);
}

/// One cycle on grids[level] for its e.
void cycle(std::vector<Grid>& grids, std::size_t level, int sweeps) {
  Grid& grid = grids[level];
  if (level + 1 == grids.size()) {
    for (int k = 0; k < coarsest_sweeps; ++k) sweep(grid, k % 2 == 0);
    return;
  }
  for (int k = 0; k < sweeps; ++k) sweep(grid, true);
  const Vector u = grid.A * grid.e + grid.q;
  restrict_to(grid, u, grids[level + 1]);
  for (int k = 0; k < 2; ++k) cycle(grids, level + 1, sweeps);
  correct(grid, u, grids[level + 1]);
  for (int k = 0; k < sweeps; ++k) sweep(grid, false);
}

class Multigrid {
 public:
  Multigrid(const BoxView& box, const ProjectedMultigrid& options, double, Workspace& work)
      : box_(box), sweeps_(options.sweeps), u_(work.velocity.get(box.size())) {
    visit_diagonal(box.W, [&](Index, double d) {
      if (!(d > 0)) refusal_ = d < 0 ? SolveStatus::nonconvex : SolveStatus::numerical_error;
    });
    if (!box.W.symmetric()) refusal_ = SolveStatus::nonconvex;
    if (refusal_ != SolveStatus::not_run) return;
    grids_ = make_grids(box.W.to_sparse());
    grids_[0].q = box.q;
    grids_[0].lower = Eigen::Map<const Vector>(box.lower, box.size());
    grids_[0].upper = Eigen::Map<const Vector>(box.upper, box.size());
  }

  Progress step(double* z) {
    if (refusal_ != SolveStatus::not_run) return {refusal_};
    Eigen::Map<Vector> point(z, box_.size());
    grids_[0].e = point;
    cycle(grids_, 0, sweeps_);
    point = grids_[0].e;
    evaluate(box_, z, u_);
    return {SolveStatus::not_run, natural_map(box_, z, u_)};
  }

 private:
  const BoxView& box_;
  int sweeps_;
  double* u_;
  SolveStatus refusal_ = SolveStatus::not_run;
  std::vector<Grid> grids_;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const ProjectedMultigrid& options,
                  Workspace& work) {
  return solve_by_iteration<Multigrid>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const ProjectedMultigrid& options,
                  Workspace& work) {
  return solve_by_iteration<Multigrid>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const ProjectedMultigrid& options,
                  Workspace& work) {
  return solve_by_iteration<Multigrid>(problem, r, options, work);
}

}  // namespace saltus
