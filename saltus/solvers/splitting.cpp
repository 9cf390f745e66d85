#include "saltus/solvers/splitting.hpp"

#include "saltus/solvers/box_iteration.hpp"

namespace saltus {

bool zero_pivot(const BlockSparse& W, double rho) {
  bool zero = false;
  visit_diagonal(W, [&](Index, double d) { zero = zero || d + rho == 0; });
  return zero;
}

double projected_sweep(const BoxView& box, double* z, double* u, double omega, double rho,
                       bool forwards) {
  const BlockSparse& W = box.W;
  const Eigen::Map<const Vector> all(z, box.size());
  const Index blocks = W.block_rows();
  double worst = 0;
  for (Index step = 0; step < blocks; ++step) {
    const Index b = forwards ? step : blocks - 1 - step;
    const Index first = W.row_offset(b), rows = W.row_size(b), k = W.diagonal(b);
    W.multiply_row(b, all, Eigen::Map<Vector>(u, rows));
    for (Index s = 0; s < rows; ++s) {
      const Index c = forwards ? s : rows - 1 - s, i = first + c;
      const double* column = k < 0 ? nullptr : W.value(k) + c * rows;
      const double ui = u[c] + box.q[i], old = z[i];
      worst = std::max(worst, std::abs(old - clamp(box, i, old - ui)));
      z[i] = clamp(box, i, old - omega * ui / ((column ? column[c] : 0.0) + rho));
      const double change = z[i] - old;
      if (column == nullptr || change == 0) continue;
      for (Index r = 0; r < rows; ++r) u[r] += column[r] * change;
    }
  }
  return worst;
}

namespace {

class Jacobi {
 public:
  Jacobi(const BoxView& box, const ProjectedJacobi& options, double, Workspace& work)
      : box_(box),
        omega_(options.omega),
        singular_(zero_pivot(box.W, 0)),
        u_(work.velocity.get(box.size())) {}

  Progress step(double* z) {
    if (singular_) return {SolveStatus::numerical_error};
    evaluate(box_, z, u_);
    const double met = natural_map(box_, z, u_);
    visit_diagonal(box_.W,
                   [&](Index i, double d) { z[i] = clamp(box_, i, z[i] - omega_ * u_[i] / d); });
    return {SolveStatus::not_run, met};
  }

 private:
  const BoxView& box_;
  double omega_;
  bool singular_;
  double* u_;
};

class Symmetric {
 public:
  Symmetric(const BoxView& box, const SymmetricPsor& options, double, Workspace& work)
      : box_(box),
        options_(options),
        singular_(zero_pivot(box.W, options.rho)),
        u_(work.velocity.get(box.size())) {}

  Progress step(double* z) {
    if (singular_) return {SolveStatus::numerical_error};
    projected_sweep(box_, z, u_, options_.omega, options_.rho, true);
    return {SolveStatus::not_run,
            projected_sweep(box_, z, u_, options_.omega, options_.rho, false)};
  }

 private:
  const BoxView& box_;
  const SymmetricPsor& options_;
  bool singular_;
  double* u_;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const ProjectedJacobi& options, Workspace& work) {
  return solve_by_iteration<Jacobi>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const ProjectedJacobi& options,
                  Workspace& work) {
  return solve_by_iteration<Jacobi>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const ProjectedJacobi& options,
                  Workspace& work) {
  return solve_by_iteration<Jacobi>(problem, r, options, work);
}
SolveReport solve(LcpView problem, VectorRef z, const SymmetricPsor& options, Workspace& work) {
  return solve_by_iteration<Symmetric>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const SymmetricPsor& options, Workspace& work) {
  return solve_by_iteration<Symmetric>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const SymmetricPsor& options,
                  Workspace& work) {
  return solve_by_iteration<Symmetric>(problem, r, options, work);
}

}  // namespace saltus
