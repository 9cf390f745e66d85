#include "saltus/systems/lagrangian.hpp"

#include "saltus/systems/point_motions.hpp"
#include "saltus/systems/source.hpp"

namespace saltus {

bool PointMass::rigid_motions(const StateView& x, Index, MatrixRef G) const {
  return motions_of_point(x.q.data(), dof(), G);
}

bool PointMasses::rigid_motions(const StateView& x, Index body, MatrixRef G) const {
  const Index d = gravity.size();
  return motions_of_point(x.q.data() + body * d, d, G);
}

void LinearLagrangian::damping(const StateView&, MatrixRef out) const {
  if (C.size() > 0)
    out = C;
  else
    out.setZero();
}

void LinearLagrangian::stiffness(const StateView&, MatrixRef out) const {
  if (K.size() > 0)
    out = K;
  else
    out.setZero();
}

void LinearLagrangian::force(const StateView& x, VectorRef out) const {
  apply_source(load, F, x, out);
  if (C.size() > 0) out.noalias() -= C * x.v;
  if (K.size() > 0) out.noalias() -= K * x.q;
}

double LinearLagrangian::potential(const StateView& x) const {
  double V = 0;
  if (K.size() > 0)
    for (Index j = 0; j < K.cols(); ++j) V += 0.5 * x.q[j] * K.col(j).dot(x.q);
  if (F.size() > 0 && !load) V -= F.dot(x.q);
  return V;
}

void LinearLagrangian::prepare() const {
  const Index n = M.rows();
  const auto square = [&](const Matrix& A, const char* name) {
    require(A.size() == 0 || (A.rows() == n && A.cols() == n),
            "LinearLagrangian: {} is {}x{}, expected {}x{} like M", name, A.rows(), A.cols(), n, n);
  };
  require(n > 0 && M.cols() == n, "LinearLagrangian: M is {}x{}, expected square and not empty", n,
          M.cols());
  square(C, "C");
  square(K, "K");
  require(F.size() == 0 || F.size() == n, "LinearLagrangian: F has size {}, M is {}x{}", F.size(),
          n, n);
}

void Lagrangian::prepare() const {
  require(n > 0, "Lagrangian: n is {}, expected at least 1 degree of freedom", n);
  require(static_cast<bool>(M), "Lagrangian: the mass function M is not set");
  require(static_cast<bool>(F), "Lagrangian: the force function F is not set");
}

}  // namespace saltus
