#include "saltus/mechanics/elastic/elements.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus::mechanics {

namespace {

using Vector3 = Eigen::Vector3d;
// at most 3×3, on the stack
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;

/// Corners of [−1, 1]^d in the order of the nodes.
constexpr double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                 {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

/// Products of (1 ± ξ_k)/2 and their derivatives.
Quadrature::Point product_point(Index dimension, const Vector3& xi, double weight) {
  const Index nodes = Index(1) << dimension;
  Quadrature::Point point{weight, Vector::Ones(nodes), Matrix::Ones(nodes, dimension)};
  for (Index a = 0; a < nodes; ++a)
    for (Index k = 0; k < dimension; ++k) {
      const double factor = 0.5 * (1 + corner[a][k] * xi[k]);
      point.N[a] *= factor;
      for (Index l = 0; l < dimension; ++l) point.dN(a, l) *= l == k ? 0.5 * corner[a][k] : factor;
    }
  return point;
}

/// Two Gauss points in each direction.
Quadrature product_rule(Index dimension) {
  Quadrature rule;
  const double g = 1 / std::sqrt(3.0);
  for (Index p = 0; p < (Index(1) << dimension); ++p)
    rule.points.push_back(
        product_point(dimension, g * Vector3(corner[p][0], corner[p][1], corner[p][2]), 1));
  return rule;
}

/// The middles of the edges.
Quadrature triangle_rule() {
  Quadrature rule;
  Matrix dN(3, 2);
  dN << -1, -1, 1, 0, 0, 1;
  for (Index p = 0; p < 3; ++p) {
    Vector N = Vector::Constant(3, 0.5);
    N[p] = 0;
    rule.points.push_back({1.0 / 6, N, dN});
  }
  return rule;
}

/// Deformation at a point of an element.
struct Strain {
  Small F, E, S;
  Strain(const Matrix& x, const Matrix& gradient, const Lame& lame) {
    const Index d = x.cols(), p = gradient.cols();
    F.setZero(d, p);
    for (Index a = 0; a < x.rows(); ++a)
      for (Index k = 0; k < p; ++k)
        for (Index i = 0; i < d; ++i) F(i, k) += x(a, i) * gradient(a, k);
    E = 0.5 * (F.transpose().lazyProduct(F) - Small::Identity(p, p));
    S = 2 * lame.mu * E;
    S.diagonal().array() += lame.lambda * E.trace();
  }
};

}  // namespace

const Quadrature& quadrature(ElementKind kind) {
  static const Quadrature bar = product_rule(1), triangle = triangle_rule(), quad = product_rule(2),
                          brick = product_rule(3);
  switch (kind) {
    case ElementKind::bar:
      return bar;
    case ElementKind::triangle:
      return triangle;
    case ElementKind::quad:
      return quad;
    default:
      return brick;
  }
}

Vector side_functions(Index nodes, const Eigen::Vector2d& xi) {
  if (nodes == 1) return Vector::Ones(1);
  return product_point(nodes == 2 ? 1 : 2, {xi[0], xi[1], 0}, 1).N;
}

Matrix side_derivatives(Index nodes, const Eigen::Vector2d& xi) {
  return product_point(nodes == 2 ? 1 : 2, {xi[0], xi[1], 0}, 1).dN;
}

Element::Element(ElementKind kind, const Matrix& X, double section, Index number) {
  for (const Quadrature::Point& point : quadrature(kind).points) {
    const Matrix J = X.transpose() * point.dN;  // dX/dξ
    const bool bar = kind == ElementKind::bar;
    const double volume = bar ? J.norm() : J.determinant();
    require(volume > 0, "Element {} ({}): the volume at an integration point is {}, expected > 0",
            number, name(kind), volume);
    const Matrix gradient = bar ? Matrix(point.dN / volume) : Matrix(point.dN * J.inverse());
    points_.push_back({point.weight * volume * section, point.N, gradient});
  }
}

Matrix Element::mass() const {
  const Index n = points_.front().N.size();
  Matrix m = Matrix::Zero(n, n);
  for (const Point& point : points_) m += point.weight * point.N * point.N.transpose();
  return m;
}

double Element::volume() const {
  double sum = 0;
  for (const Point& point : points_) sum += point.weight;
  return sum;
}

double Element::energy(const Matrix& x, const Lame& lame) const {
  double sum = 0;
  for (const Point& point : points_) {
    const Strain strain(x, point.gradient, lame);
    sum += 0.5 * point.weight * strain.S.cwiseProduct(strain.E).sum();
  }
  return sum;
}

Matrix Element::small_stress(const Matrix& X, const Matrix& x, const Lame& lame) const {
  const Index p = points_.front().gradient.cols();
  Matrix sum = Matrix::Zero(p, p);
  for (const Point& point : points_) {
    const Matrix along = X.transpose() * point.gradient;  // I, or the direction of the bar
    const Matrix H = along.transpose() * ((x - X).transpose() * point.gradient);
    sum += point.weight *
           (lame.lambda * H.trace() * Matrix::Identity(p, p) + lame.mu * (H + H.transpose()));
  }
  return sum / volume();
}

void Element::force(const Matrix& x, const Lame& lame, VectorRef f) const {
  const Index d = x.cols(), nodes = x.rows();
  f.setZero();
  for (const Point& point : points_) {
    const Strain strain(x, point.gradient, lame);
    const Small FS = point.weight * strain.F.lazyProduct(strain.S);
    for (Index a = 0; a < nodes; ++a)
      for (Index k = 0; k < FS.cols(); ++k)
        for (Index i = 0; i < d; ++i) f[a * d + i] += FS(i, k) * point.gradient(a, k);
  }
}

/// K_ab = (∇N_a·S ∇N_b) I + λ g_a g_bᵀ + μ g_b g_aᵀ + μ (∇N_a·∇N_b) FFᵀ,   g = F ∇N
void Element::stiffness(const Matrix& x, const Lame& lame, MatrixRef K) const {
  const Index d = x.cols(), nodes = x.rows();
  K.setZero();
  for (const Point& point : points_) {
    const Strain strain(x, point.gradient, lame);
    const Small FF = strain.F.lazyProduct(strain.F.transpose());
    Eigen::Matrix<double, 3, 8> g, s;  // F ∇N_a and S ∇N_a
    const Index p = strain.S.cols();
    g.topLeftCorner(d, nodes) = strain.F.lazyProduct(point.gradient.transpose());
    s.topLeftCorner(p, nodes) = strain.S.lazyProduct(point.gradient.transpose());
    for (Index b = 0; b < nodes; ++b)
      for (Index a = 0; a < nodes; ++a) {
        double stress = 0, both = 0;
        for (Index k = 0; k < p; ++k) {
          stress += point.gradient(a, k) * s(k, b);
          both += point.gradient(a, k) * point.gradient(b, k);
        }
        for (Index j = 0; j < d; ++j)
          for (Index i = 0; i < d; ++i)
            K(a * d + i, b * d + j) +=
                point.weight * ((i == j ? stress : 0.0) + lame.lambda * g(i, a) * g(j, b) +
                                lame.mu * (g(i, b) * g(j, a) + both * FF(i, j)));
      }
  }
}

}  // namespace saltus::mechanics
