#include "saltus/relations/linear.hpp"

namespace saltus {

namespace {

/// y = A x + F z + b, with empty F and b taken as zero.
void affine(const Matrix& A, VectorView x, const Matrix& F, VectorView z, const Vector& b,
            VectorRef y) {
  y.noalias() = A * x;
  if (F.size() > 0) {
    require(F.cols() == z.size(),
            "LinearRelation: F has {} columns, the systems have {} parameters z", F.cols(),
            z.size());
    y.noalias() += F * z;
  }
  if (b.size() > 0) y += b;
}

void require_rows(Index given, Index expected, const char* where, const char* what) {
  require(given == 0 || given == expected, "{}: {} has {} rows, expected {}", where, what, given,
          expected);
}

}  // namespace

void LinearRelation::output(const StateView& x, VectorRef y) const { affine(H, x.q, F, x.z, b, y); }

void LinearRelation::prepare() const {
  require(H.size() > 0, "LinearRelation: H is empty");
  require_rows(b.size(), H.rows(), "LinearRelation", "b");
  require_rows(F.rows(), H.rows(), "LinearRelation", "F");
}

void FirstOrderLinearRelation::output(const StateView& x, VectorRef y) const {
  affine(C, x.x, F, x.z, e, y);
}

void FirstOrderLinearRelation::feedthrough(const StateView&, MatrixRef out) const {
  if (D.size() > 0)
    out = D;
  else
    out.setZero();
}

void FirstOrderLinearRelation::prepare() const {
  const Index m = C.rows(), n = C.cols();
  require(C.size() > 0, "FirstOrderLinearRelation: C is empty");
  require(B.rows() == n && B.cols() == m,
          "FirstOrderLinearRelation: B is {}x{}, expected {}x{} for C of {}x{}", B.rows(), B.cols(),
          n, m, m, n);
  require(D.size() == 0 || (D.rows() == m && D.cols() == m),
          "FirstOrderLinearRelation: D is {}x{}, expected {}x{}", D.rows(), D.cols(), m, m);
  require_rows(e.size(), m, "FirstOrderLinearRelation", "e");
  require_rows(F.rows(), m, "FirstOrderLinearRelation", "F");
}

}  // namespace saltus
