#include "saltus/systems/sparse.hpp"

#include "saltus/systems/point_motions.hpp"
#include "saltus/systems/source.hpp"

namespace saltus {

namespace {

/// f += sign A x
void add_product(double sign, const SparseMatrix& A, const double* x, double* f) {
  for (int j = 0; j < A.cols(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it) f[it.row()] += sign * it.value() * x[j];
}

void require_like(const SparseMatrix& A, Index n, const char* who, const char* name,
                  const char* like) {
  require(A.rows() == n && A.cols() == n, "{}: {} is {}x{}, expected {}x{} like {}", who, name,
          A.rows(), A.cols(), n, n, like);
}

void require_nodes(Index nodes, Index n, const char* who) {
  require(nodes > 0 && n % nodes == 0, "{}: {} unknowns for {} nodes", who, n, nodes);
}

/// The unknowns that are held.
std::vector<char> mark(const std::vector<Index>& held, Index n) {
  std::vector<char> is_held(n, 0);
  for (const Index i : held) {
    require(i >= 0 && i < n && is_held[i] == 0,
            "SparseLagrangian: held degree of freedom {} is out of range or given twice, there are "
            "{}",
            i, n);
    is_held[i] = 1;
  }
  return is_held;
}

}  // namespace

void SparseLagrangian::prepare() {
  const Index n = M.cols();
  require(n > 0 && M.rows() == n, "SparseLagrangian: M is {}x{}, expected square and not empty",
          M.rows(), n);
  if (C.size() == 0) C.resize(n, n);
  if (K.size() == 0) K.resize(n, n);
  require_like(C, n, "SparseLagrangian", "C", "M");
  require_like(K, n, "SparseLagrangian", "K", "M");
  require(F.size() == 0 || F.size() == n, "SparseLagrangian: F has size {}, M is {}x{}", F.size(),
          n, n);
  require_nodes(nodes, n, "SparseLagrangian");
  require(places.size() == 0 || (places.rows() == nodes && places.cols() * nodes == n),
          "SparseLagrangian: places is {}x{}, expected {}x{}", places.rows(), places.cols(), nodes,
          n / nodes);
  const std::vector<char> is_held = mark(held, n);
  require(!motion || !held.empty(), "SparseLagrangian: a motion, but no held degrees of freedom");
  inertia = M;
  inertia.prune([&](Index i, Index j, double) { return is_held[j] && (i == j || !is_held[i]); });
  M.prune([&](Index i, Index j, double) { return i == j || (!is_held[i] && !is_held[j]); });
  for (SparseMatrix* A : {&C, &K})
    if (!held.empty()) A->prune([&](Index i, Index, double) { return !is_held[i]; });
}

bool SparseLagrangian::rigid_motions(const StateView&, Index node, MatrixRef G) const {
  if (places.size() == 0) return false;
  const Index d = places.cols();
  if (d > 3) return false;
  double place[3];
  for (Index i = 0; i < d; ++i) place[i] = places(node, i);
  return motions_of_point(place, d, G);
}

void SparseLagrangian::force(const StateView& x, VectorRef out) const {
  apply_source(load, F, x, out);
  for (const Index i : held) out[i] = 0;
  add_product(-1, C, x.v.data(), out.data());
  add_product(-1, K, x.q.data(), out.data());
}

/// Takes the held degrees of freedom to their velocity at t + h, and the others feel it by M.
void SparseLagrangian::impulse(const StateView& x, double h, VectorRef P) const {
  thread_local Vector wanted;  // grow-only scratch
  P.setZero();
  if (held.empty()) return;
  wanted.setZero(static_cast<Index>(held.size()));
  if (motion) motion(x.t + h, x.z, wanted);
  Index number = 0;
  for (const Index i : held) {
    const double change = wanted[number++] - x.v[i];
    for (SparseMatrix::InnerIterator it(inertia, i); it; ++it)
      P[it.row()] += (it.row() == i ? 1 : -1) * it.value() * change;
  }
}

double SparseLagrangian::potential(const StateView& x) const {
  double V = 0;
  for (int j = 0; j < K.cols(); ++j)
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      V += 0.5 * x.q[it.row()] * it.value() * x.q[j];
  for (const Index j : held)  // K_fh has no mirror image in K
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      V += 0.5 * x.q[it.row()] * it.value() * x.q[j];
  if (F.size() > 0 && !load) {
    V -= F.dot(x.q);
    for (const Index i : held) V += F[i] * x.q[i];
  }
  return V;
}

void SparseFirstOrder::prepare() {
  const Index n = A.cols();
  require(n > 0 && A.rows() == n, "SparseFirstOrder: A is {}x{}, expected square and not empty",
          A.rows(), n);
  if (E.size() == 0) {
    E.resize(n, n);
    E.setIdentity();
  }
  require_like(E, n, "SparseFirstOrder", "E", "A");
  require(b.size() == 0 || b.size() == n, "SparseFirstOrder: b has size {}, A is {}x{}", b.size(),
          n, n);
  if (nodes == 0) nodes = n;
  require_nodes(nodes, n, "SparseFirstOrder");
}

void SparseFirstOrder::rate(const StateView& x, VectorRef f) const {
  apply_source(source, b, x, f);
  add_product(1, A, x.x.data(), f.data());
}

}  // namespace saltus
