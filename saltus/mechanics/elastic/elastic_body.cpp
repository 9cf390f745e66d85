#include "saltus/mechanics/elastic/elastic_body.hpp"

#include "saltus/systems/point_motions.hpp"

#include <algorithm>

namespace saltus::mechanics {

namespace {

/// Reference positions of the nodes of an element, one per row.
Matrix gather(const Mesh& mesh, Index e) {
  Matrix X(mesh.elements.cols(), mesh.dimension());
  for (Index a = 0; a < X.rows(); ++a) X.row(a) = mesh.nodes.row(mesh.elements(e, a));
  return X;
}

std::vector<Element> make_elements(const ElasticBody& body) {
  std::vector<Element> elements;
  for (Index e = 0; e < body.mesh.element_count(); ++e)
    elements.emplace_back(body.mesh.kind, gather(body.mesh, e), body.section, e);
  return elements;
}

SparseMatrix assemble(Index n, const std::vector<Eigen::Triplet<double>>& entries) {
  SparseMatrix A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// The tangent stiffness in the pattern of the mesh, the values of one element at a time.
class FiniteStrain {
 public:
  explicit FiniteStrain(const ElasticBody& body)
      : mesh_(body.mesh), lame_(body.lame()), elements_(make_elements(body)), rest_(body.linear()) {
    K_ = body.stiffness_matrix();
    rest_.K = {};  // the elements do it
    is_held_.assign(body.dof(), 0);
    for (const Index i : body.held) is_held_[i] = 1;
    const Index d = mesh_.dimension(), n = mesh_.elements.cols() * d;
    for (Index e = 0; e < mesh_.element_count(); ++e)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i)
          place_.push_back(is_held_[dof_of(e, i)] ? -1 : position(dof_of(e, i), dof_of(e, j)));
  }
  void prepare() { rest_.prepare(); }

  [[nodiscard]] Index dof() const { return K_.cols(); }
  [[nodiscard]] Index bodies() const { return mesh_.node_count(); }
  void coupled_mass(const StateView& x, SparseMatrix& M) const { rest_.coupled_mass(x, M); }
  void coupled_damping(const StateView& x, SparseMatrix& C) const { rest_.coupled_damping(x, C); }
  void coupled_stiffness(const StateView& x, SparseMatrix& K) const {
    thread_local Matrix block;
    if (K.nonZeros() != K_.nonZeros()) K = K_;
    K.coeffs().setZero();
    const Index n = mesh_.elements.cols() * mesh_.dimension();
    block.resize(n, n);
    const Index* place = place_.data();
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      elements_[e].stiffness(at(e, x.q), lame_, block);
      for (Index k = 0; k < n * n; ++k, ++place)
        if (*place >= 0) K.valuePtr()[*place] += block.data()[k];
    }
  }
  void force(const StateView& x, VectorRef F) const {
    thread_local Vector f;
    rest_.force(x, F);
    const Index n = mesh_.elements.cols() * mesh_.dimension();
    f.resize(n);
    for (Index e = 0; e < mesh_.element_count(); ++e) {
      elements_[e].force(at(e, x.q), lame_, f);
      for (Index i = 0; i < n; ++i) F[dof_of(e, i)] -= f[i];
    }
    for (const Index i : rest_.held) F[i] = 0;
  }
  void impulse(const StateView& x, double h, VectorRef P) const { rest_.impulse(x, h, P); }
  /// Of a node where it is.
  bool rigid_motions(const StateView& x, Index node, MatrixRef G) const {
    const Index d = mesh_.dimension();
    double place[3];
    for (Index i = 0; i < d; ++i) place[i] = mesh_.nodes(node, i) + x.q[node * d + i];
    return motions_of_point(place, d, G);
  }
  [[nodiscard]] double potential(const StateView& x) const {
    double V = rest_.potential(x);
    for (Index e = 0; e < mesh_.element_count(); ++e) V += elements_[e].energy(at(e, x.q), lame_);
    return V;
  }
  [[nodiscard]] bool conservative() const { return rest_.conservative(); }

 private:
  [[nodiscard]] Index dof_of(Index e, Index local) const {
    const Index d = mesh_.dimension();
    return mesh_.elements(e, local / d) * d + local % d;
  }
  [[nodiscard]] Index position(Index row, Index column) const {
    const int* begin = K_.innerIndexPtr() + K_.outerIndexPtr()[column];
    const int* end = K_.innerIndexPtr() + K_.outerIndexPtr()[column + 1];
    return std::lower_bound(begin, end, row) - K_.innerIndexPtr();
  }
  /// Positions of the nodes of an element.
  [[nodiscard]] const Matrix& at(Index e, VectorView q) const {
    thread_local Matrix x;
    const Index d = mesh_.dimension();
    x.resize(mesh_.elements.cols(), d);
    for (Index a = 0; a < x.rows(); ++a)
      for (Index i = 0; i < d; ++i)
        x(a, i) = mesh_.nodes(mesh_.elements(e, a), i) + q[mesh_.elements(e, a) * d + i];
    return x;
  }

  Mesh mesh_;
  Lame lame_;
  std::vector<Element> elements_;
  SparseLagrangian rest_;     // mass, damping, weight and boundary conditions
  SparseMatrix K_;            // pattern
  std::vector<Index> place_;  // of the values of each element in it, −1: a held row
  std::vector<char> is_held_;
};

}  // namespace

void ElasticBody::check() const {
  validate(*this);
  mesh.check();
  require(gravity.size() == 0 || gravity.size() == mesh.dimension(),
          "ElasticBody: gravity has {} entries, the nodes have {} coordinates", gravity.size(),
          mesh.dimension());
}

Lame ElasticBody::lame() const {
  if (mesh.kind == ElementKind::bar) return {0, 0.5 * young};
  const double mu = young / (2 * (1 + poisson));
  const bool stress = plane_stress && dimension_of(mesh.kind) == 2;
  const double lambda =
      young * poisson / ((1 + poisson) * (stress ? 1 - poisson : 1 - 2 * poisson));
  return {lambda, mu};
}

double ElasticBody::mass() const {
  double sum = 0;
  for (const Element& element : make_elements(*this)) sum += density * element.volume();
  return sum;
}

SparseMatrix ElasticBody::mass_matrix() const {
  check();
  const Index d = mesh.dimension();
  std::vector<Eigen::Triplet<double>> entries;
  Index e = 0;
  for (const Element& element : make_elements(*this)) {
    const Matrix m = density * element.mass();
    for (Index b = 0; b < m.cols(); ++b)
      for (Index a = 0; a < m.rows(); ++a)
        for (Index i = 0; i < d; ++i)
          entries.emplace_back(static_cast<int>(mesh.elements(e, a) * d + i),
                               static_cast<int>(mesh.elements(e, lumped ? a : b) * d + i), m(a, b));
    ++e;
  }
  return assemble(dof(), entries);
}

SparseMatrix ElasticBody::stiffness_matrix() const {
  check();
  const Index d = mesh.dimension(), n = mesh.elements.cols() * d;
  const Lame constants = lame();
  Matrix K(n, n);
  std::vector<Eigen::Triplet<double>> entries;
  Index e = 0;
  for (const Element& element : make_elements(*this)) {
    element.stiffness(gather(mesh, e), constants, K);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        entries.emplace_back(static_cast<int>(mesh.elements(e, i / d) * d + i % d),
                             static_cast<int>(mesh.elements(e, j / d) * d + j % d), K(i, j));
    ++e;
  }
  return assemble(dof(), entries);
}

Vector ElasticBody::weight() const {
  Vector acceleration = Vector::Zero(dof());
  if (gravity.size() == 0) return acceleration;
  for (Index a = 0; a < mesh.node_count(); ++a)
    acceleration.segment(a * mesh.dimension(), mesh.dimension()) = gravity;
  return mass_matrix() * acceleration;
}

std::vector<Index> ElasticBody::dofs(const std::vector<Index>& nodes, Index axis) const {
  const Index d = mesh.dimension();
  require(axis >= -1 && axis < d, "ElasticBody: axis {} of {}", axis, d);
  std::vector<Index> found;
  for (const Index a : nodes) {
    require(a >= 0 && a < mesh.node_count(), "ElasticBody: node {}, there are {}", a,
            mesh.node_count());
    for (Index i = 0; i < d; ++i)
      if (axis < 0 || axis == i) found.push_back(a * d + i);
  }
  return found;
}

SparseLagrangian ElasticBody::linear() const {
  SparseLagrangian system{.M = mass_matrix(),
                          .K = stiffness_matrix(),
                          .F = weight(),
                          .nodes = mesh.node_count(),
                          .held = held,
                          .motion = motion,
                          .places = mesh.nodes};
  if (damping_mass > 0 || damping_stiffness > 0)
    system.C = damping_mass * system.M + damping_stiffness * system.K;
  return system;
}

System ElasticBody::finite() const { return FiniteStrain(*this); }

Matrix stresses(const ElasticBody& body, ConstVectorRef q) {
  const Mesh& mesh = body.mesh;
  body.check();
  require(q.size() == body.dof(), "stresses: q has {} entries, the body has {}", q.size(),
          body.dof());
  const Index d = mesh.dimension(), p = dimension_of(mesh.kind);
  Matrix result(mesh.element_count(), p * (p + 1) / 2);
  Index e = 0;
  for (const Element& element : make_elements(body)) {
    const Matrix X = gather(mesh, e);
    Matrix x = X;
    for (Index a = 0; a < X.rows(); ++a)
      x.row(a) += q.segment(mesh.elements(e, a) * d, d).transpose();
    const Matrix S = element.small_stress(X, x, body.lame());
    Index column = 0;
    for (Index k = 0; k < p; ++k) result(e, column++) = S(k, k);
    for (Index k = 0; k < p; ++k)
      for (Index l = k + 1; l < p; ++l) result(e, column++) = S(k, l);
    ++e;
  }
  return result;
}

}  // namespace saltus::mechanics
