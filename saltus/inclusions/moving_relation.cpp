#include "saltus/inclusions/moving_relation.hpp"

namespace saltus {

namespace {

void write_feedthrough(const Rows& D, MatrixRef out) {
  if (D.size() == 0)
    out.setZero();
  else
    out = D;
}

}  // namespace

void MovingRelation::output(const StateView& x, VectorRef y) const {
  e(x.t, y);
  y.noalias() += C * x.x;
}

void MovingRelation::feedthrough(const StateView&, MatrixRef out) const {
  write_feedthrough(D, out);
}

void MovingRelation::prepare() const {
  const Index m = C.rows(), n = C.cols();
  require(B.rows() == n && B.cols() == m, "MovingRelation: C is {}x{}, B is {}x{}, expected {}x{}",
          m, n, B.rows(), B.cols(), n, m);
  require(D.size() == 0 || (D.rows() == m && D.cols() == m),
          "MovingRelation: D is {}x{}, expected {}x{}", D.rows(), D.cols(), m, m);
  require(static_cast<bool>(e), "MovingRelation: e is missing");
}

void FunctionRelation::feedthrough(const StateView&, MatrixRef out) const {
  write_feedthrough(D, out);
}

void FunctionRelation::prepare() const {
  require(n > 0 && m > 0, "FunctionRelation: {} states and {} outputs, expected at least one", n,
          m);
  require(h && B, "FunctionRelation: h or B is missing");
  require(D.size() == 0 || (D.rows() == m && D.cols() == m),
          "FunctionRelation: D is {}x{}, expected {}x{}", D.rows(), D.cols(), m, m);
}

FirstOrder field_system(Index n, const TimeField& f) {
  FirstOrder system{.n = n};
  if (f) {
    system.f = [f](const StateView& x, VectorRef out) { f(x.t, x.x, out); };
  } else {
    system.f = [](const StateView&, VectorRef out) { out.setZero(); };
    system.A = [](const StateView&, MatrixRef out) { out.setZero(); };
  }
  return system;
}

}  // namespace saltus
