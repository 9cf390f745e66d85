#include "saltus/solvers/newton_linear.hpp"

#include "saltus/base/overloaded.hpp"

#include <Eigen/IterativeLinearSolvers>

#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Ilu = Eigen::IncompleteLUT<double>;

/// The last column of the Hessenberg matrix is turned by the rotations so far and by a new one that
/// removes its lowest entry; g follows.
void rotate_column(Matrix& R, Vector& cosine, Vector& sine, Vector& g, Index k) {
  for (Index i = 0; i < k; ++i) {
    const double upper = R(i, k), lower = R(i + 1, k);
    R(i, k) = cosine[i] * upper + sine[i] * lower;
    R(i + 1, k) = cosine[i] * lower - sine[i] * upper;
  }
  const double length = std::hypot(R(k, k), R(k + 1, k));
  cosine[k] = length > 0 ? R(k, k) / length : 1;
  sine[k] = length > 0 ? R(k + 1, k) / length : 0;
  R(k, k) = length;
  g[k + 1] = -sine[k] * g[k];
  g[k] *= cosine[k];
}

/// One cycle of at most `size` steps from x; the number of products taken.
int gmres_cycle(const Sparse& A, const Ilu& P, const Vector& b, double limit, Index size,
                Vector& x) {
  Matrix V(b.size(), size + 1), R = Matrix::Zero(size + 1, size);
  Vector cosine(size), sine(size), g = Vector::Zero(size + 1);
  Vector w = b - A * x;
  g[0] = w.norm();
  if (!(g[0] > 0) || !std::isfinite(g[0])) return 1;
  V.col(0) = w / g[0];
  Index k = 0;
  for (bool done = false; k < size && !done; ++k) {
    w = A * P.solve(V.col(k));
    const double before = w.norm();
    for (int pass = 0; pass < 2; ++pass)  // twice is enough
      for (Index i = 0; i <= k; ++i) {
        const double part = V.col(i).dot(w);
        R(i, k) += part;
        w -= part * V.col(i);
      }
    const double rest = w.norm();
    R(k + 1, k) = rest;
    rotate_column(R, cosine, sine, g, k);
    if (!std::isfinite(g[k + 1])) return static_cast<int>(k) + 2;
    done = std::abs(g[k + 1]) <= limit || !(rest > 1e-14 * before);
    if (!done) V.col(k + 1) = w / rest;
  }
  while (k > 0 && !(std::abs(R(k - 1, k - 1)) > 0)) --k;  // a direction that A P⁻¹ sends to nothing
  const Vector y = R.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(g.head(k));
  x += P.solve(V.leftCols(k) * y);
  return static_cast<int>(k) + 1;
}

void gmres(const Sparse& A, const Ilu& P, const Vector& b, const GmresIlu& options, Vector& x) {
  const double limit = options.tolerance * b.norm();
  double last = inf;
  for (int products = 0; products < options.max_iterations;) {
    const Index size = std::min({static_cast<Index>(options.restart), b.size(),
                                 static_cast<Index>(options.max_iterations - products)});
    products += gmres_cycle(A, P, b, 0.5 * limit, size, x);
    const double error = (b - A * x).norm();
    if (error <= limit || !(error < 0.999 * last)) return;
    last = error;
  }
}

}  // namespace

struct NewtonLinear::Krylov {
  Sparse A;
  Vector scale;
  Eigen::BiCGSTAB<Sparse, Ilu> bicgstab;
  Ilu ilu;

  /// Rows divided by their largest entry; false if a row is zero or not finite.
  [[nodiscard]] bool fill(const BlockSparse& matrix) {
    A = matrix.to_sparse();
    scale.setZero(A.rows());
    for (int i = 0; i < A.outerSize(); ++i) {
      for (Sparse::InnerIterator e(A, i); e; ++e)
        scale[i] = std::max(scale[i], std::abs(e.value()));
      if (!(scale[i] > 0) || !std::isfinite(scale[i])) return false;
      scale[i] = 1 / scale[i];
    }
    A = scale.asDiagonal() * A;
    return true;
  }
};

NewtonLinear::NewtonLinear() = default;
NewtonLinear::~NewtonLinear() = default;
NewtonLinear::NewtonLinear(NewtonLinear&&) noexcept = default;
NewtonLinear& NewtonLinear::operator=(NewtonLinear&&) noexcept = default;

bool NewtonLinear::factorise(const BlockSparse& A, const NewtonLinearSolver& method) {
  method_ = method;
  if (std::holds_alternative<DirectLu>(method)) return direct_.factorise(A);
  if (A.rows() == 0) return true;
  if (!krylov_) krylov_ = std::make_unique<Krylov>();
  if (!A.all_finite() || !krylov_->fill(A)) return false;
  return std::visit(Overloaded{[](const DirectLu&) { return true; },
                               [&](const GmresIlu& o) {
                                 krylov_->ilu.setDroptol(o.drop);
                                 krylov_->ilu.setFillfactor(o.fill);
                                 krylov_->ilu.compute(krylov_->A);
                                 return krylov_->ilu.info() == Eigen::Success;
                               },
                               [&](const BicgstabIlu& o) {
                                 auto& solver = krylov_->bicgstab;
                                 solver.preconditioner().setDroptol(o.drop);
                                 solver.preconditioner().setFillfactor(o.fill);
                                 solver.setMaxIterations(std::max(1, o.max_iterations / 2));
                                 solver.setTolerance(0.5 * o.tolerance);
                                 solver.compute(krylov_->A);
                                 return solver.preconditioner().info() == Eigen::Success;
                               }},
                    method_);
}

bool NewtonLinear::solve(VectorRef x) {
  if (std::holds_alternative<DirectLu>(method_)) return direct_.solve(x);
  if (x.size() == 0) return true;
  const Vector b = krylov_->scale.cwiseProduct(x);
  if (b.norm() == 0) return true;
  Vector d = Vector::Zero(b.size());
  double tolerance = 0;
  if (const auto* options = std::get_if<GmresIlu>(&method_)) {
    tolerance = options->tolerance;
    gmres(krylov_->A, krylov_->ilu, b, *options, d);
  } else {
    tolerance = std::get<BicgstabIlu>(method_).tolerance;
    d = krylov_->bicgstab.solve(b);
  }
  x = d;
  return d.allFinite() && (b - krylov_->A * d).norm() <= tolerance * b.norm();
}

}  // namespace saltus
