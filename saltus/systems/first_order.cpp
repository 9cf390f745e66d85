#include "saltus/systems/first_order.hpp"

#include "saltus/systems/source.hpp"

namespace saltus {

namespace {

void copy_or_identity(const Matrix& E, MatrixRef out) {
  if (E.size() > 0)
    out = E;
  else
    out.setIdentity();
}

void require_square_or_empty(const Matrix& E, Index n, const char* where) {
  require(E.size() == 0 || (E.rows() == n && E.cols() == n), "{}: E is {}x{}, expected {}x{}",
          where, E.rows(), E.cols(), n, n);
}

}  // namespace

void FirstOrderLinear::rate(const StateView& x, VectorRef f) const {
  apply_source(source, b, x, f);
  f.noalias() += A * x.x;
}

void FirstOrderLinear::matrix(const StateView&, MatrixRef out) const { copy_or_identity(E, out); }

void FirstOrderLinear::prepare() const {
  const Index n = A.rows();
  require(n > 0 && A.cols() == n, "FirstOrderLinear: A is {}x{}, expected square and not empty", n,
          A.cols());
  require_square_or_empty(E, n, "FirstOrderLinear");
  require(b.size() == 0 || b.size() == n, "FirstOrderLinear: b has size {}, A is {}x{}", b.size(),
          n, n);
}

void FirstOrder::matrix(const StateView&, MatrixRef out) const { copy_or_identity(E, out); }

void FirstOrder::prepare() const {
  require(n > 0, "FirstOrder: n is {}, expected at least 1", n);
  require(static_cast<bool>(f), "FirstOrder: the right-hand side f is not set");
  require_square_or_empty(E, n, "FirstOrder");
}

}  // namespace saltus
