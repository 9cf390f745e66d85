#include "saltus/solvers/latin.hpp"

#include "saltus/solvers/box_iteration.hpp"

namespace saltus {

namespace {

/// Root mean square of the norms of the rows: the size of W z for a typical unit vector z.
double mean_row_norm(const BlockSparse& W) {
  double sum = 0;
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) sum += W.block(i, k).squaredNorm();
  return sum > 0 ? std::sqrt(sum / static_cast<double>(W.rows())) : 1;
}

class Stages {
 public:
  Stages(const BoxView& box, const Latin& options, double, Workspace& work)
      : box_(box),
        work_(work),
        theta_(options.relaxation),
        k_(options.k > 0 ? options.k : mean_row_norm(box.W)),
        s_(work.center.get(box.size())),
        x_(work.iterate.get(box.size())) {
    work.in_set.assign(static_cast<std::size_t>(box.size()), 1);
    work.factor.analyse(box.W);
    regular_ = work.factor.factorise(box.W, work.in_set, k_);
  }

  Progress step(double* z) {
    if (!regular_) return {SolveStatus::numerical_error};
    const Index n = box_.size();
    if (!started_) {  // û = u at the guess, which is ẑ
      evaluate(box_, z, s_);
      for (Index i = 0; i < n; ++i) s_[i] = z[i] + s_[i] / k_;
      started_ = true;
    }
    for (Index i = 0; i < n; ++i) x_[i] = k_ * s_[i] - box_.q[i];
    work_.factor.solve(x_);
    for (Index i = 0; i < n; ++i) {
      z[i] = clamp(box_, i, 2 * x_[i] - s_[i]);
      s_[i] += 2 * theta_ * (z[i] - x_[i]);
    }
    return {};
  }

 private:
  const BoxView& box_;
  Workspace& work_;
  double theta_, k_;
  double *s_, *x_;
  bool regular_ = false, started_ = false;
};

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Latin& options, Workspace& work) {
  return solve_by_iteration<Stages>(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Latin& options, Workspace& work) {
  return solve_by_iteration<Stages>(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Latin& options, Workspace& work) {
  return solve_by_iteration<Stages>(problem, r, options, work);
}

}  // namespace saltus
