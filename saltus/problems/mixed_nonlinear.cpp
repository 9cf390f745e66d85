#include "saltus/problems/mixed_nonlinear.hpp"

#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

void require_size(const char* what, const Sparse& A, Index rows, Index columns) {
  require(A.rows() == rows && A.cols() == columns, "MixedNonlinear: {} is {}x{}, expected {}x{}",
          what, A.rows(), A.cols(), rows, columns);
}

}  // namespace

double residual(const MixedNonlinear& problem, ConstVectorRef v, ConstVectorRef r) {
  Vector R(problem.n);
  Sparse H;
  problem.residual(v, R);
  problem.directions(v, H);
  require_size("H", H, v.size(), r.size());
  const Vector gap = R - H * r, u = H.transpose() * v + problem.w;
  double sum = gap.squaredNorm();
  Index first = 0;
  for (std::size_t b = 0; b < problem.K.size(); first += problem.sizes[b], ++b)
    sum += squared_natural_map(problem.K[b], problem.sizes[b], r.data() + first, u.data() + first);
  return std::isfinite(sum) && v.allFinite() && r.allFinite() ? std::sqrt(sum) : inf;
}

GlobalBlockForm linearise(const MixedNonlinear& problem, ConstVectorRef v) {
  GlobalBlockForm form;
  Vector R(problem.n);
  problem.residual(v, R);
  problem.jacobian(v, form.M);
  problem.directions(v, form.H);
  form.f = form.M * v - R;
  form.w = problem.w;
  form.K = problem.K;
  form.sizes = problem.sizes;
  return form;
}

void validate(const MixedNonlinear& problem, ConstVectorRef v) {
  require(problem.residual && problem.jacobian && problem.directions,
          "MixedNonlinear: residual, jacobian and directions must be given");
  require(v.size() == problem.n && v.allFinite(),
          "MixedNonlinear: v has size {}, expected {} finite velocities", v.size(), problem.n);
  require(problem.K.size() == problem.sizes.size(), "MixedNonlinear: {} sets and {} sizes",
          problem.K.size(), problem.sizes.size());
  const Index n = problem.n, m = problem.w.size();
  Sparse J, H, U;
  problem.jacobian(v, J);
  problem.directions(v, H);
  require_size("the Jacobian of R", J, n, n);
  require_size("H", H, n, m);
  if (problem.velocity_slope) {
    problem.velocity_slope(v, U);
    require_size("the derivative of u", U, m, n);
  }
  validate(linearise(problem, v));
}

}  // namespace saltus
