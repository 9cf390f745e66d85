#include "saltus/sets/polyhedral_cone.hpp"

#include "saltus/base/report.hpp"
#include "saltus/sets/nonnegative_least_squares.hpp"

#include <Eigen/QR>

#include <cmath>
#include <utility>
#include <vector>

namespace saltus {

namespace {

constexpr double rounding = 1e-12;         // of products and fits, relative
constexpr double kink_tolerance = 1.5e-8;  // √ε: half the digits tell a face from its neighbour

// Generators of the cone itself, or of its polar if only the inequalities are known.
struct Generated {
  Matrix G;
  bool polar = false;
};

Generated generated(const PolyhedralCone& K, Index n) {
  check_dimension(K, n);
  if (K.generators) return {*K.generators, false};
  return {-K.inequalities->transpose(), true};
}

// One of Moreau's two parts of x: P_K(x), or P_K°(x) if `polar`.
void decompose(const PolyhedralCone& K, bool polar, ConstVectorRef x, VectorRef p) {
  check_result(PolyhedralCone::name, x.size(), p.size());
  const Generated cone = generated(K, x.size());
  const NonnegativeFit fit = nonnegative_least_squares(cone.G, x);
  if (cone.polar == polar)
    p = cone.G * fit.coefficients;
  else
    p = fit.residual;
}

void check_entries(const char* form, const Matrix& values) {
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i)
      require(std::isfinite(values(i, j)), "PolyhedralCone: {}({}, {}) is {}, expected finite",
              form, i, j, values(i, j));
}

// Orthogonal projector on the span of the columns of G orthogonal to r.
Matrix face_projector(const Matrix& G, ConstVectorRef r, double scale) {
  std::vector<Index> face;
  for (Index j = 0; j < G.cols(); ++j)
    if (std::abs(G.col(j).dot(r)) <= kink_tolerance * G.col(j).norm() * scale) face.push_back(j);
  if (face.empty()) return Matrix::Zero(G.rows(), G.rows());
  Matrix span = G(Eigen::all, face);
  for (Index j = 0; j < span.cols(); ++j)
    if (const double norm = span.col(j).norm(); norm > 0) span.col(j) /= norm;
  Eigen::ColPivHouseholderQR<Matrix> qr(span.rows(), span.cols());
  qr.setThreshold(rounding);
  qr.compute(span);
  const Matrix Q = qr.householderQ() * Matrix::Identity(G.rows(), qr.rank());
  return Q * Q.transpose();
}

}  // namespace

PolyhedralCone PolyhedralCone::from_generators(Matrix G) {
  PolyhedralCone K{.generators = std::move(G), .inequalities = {}};
  validate(K);
  return K;
}

PolyhedralCone PolyhedralCone::from_inequalities(Matrix A) {
  PolyhedralCone K{.generators = {}, .inequalities = std::move(A)};
  validate(K);
  return K;
}

Index dimension(const PolyhedralCone& K) {
  require(K.generators || K.inequalities,
          "PolyhedralCone: neither generators nor inequalities are given");
  return K.generators ? K.generators->rows() : K.inequalities->cols();
}

void validate(const PolyhedralCone& K) {
  require(dimension(K) >= 1, "PolyhedralCone: the dimension is 0, expected at least 1");
  if (K.generators) check_entries("generators", *K.generators);
  if (K.inequalities) check_entries("inequalities", *K.inequalities);
  if (!K.generators || !K.inequalities) return;
  const Matrix &G = *K.generators, &A = *K.inequalities;
  require(G.rows() == A.cols(), "PolyhedralCone: generators have size {}, inequalities size {}",
          G.rows(), A.cols());
  for (Index j = 0; j < G.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      const double product = A.row(i).dot(G.col(j));
      require(product >= -rounding * A.row(i).norm() * G.col(j).norm(),
              "PolyhedralCone: generator {} violates inequality {}: a.g = {}, expected >= 0", j, i,
              product);
    }
}

void check_dimension(const PolyhedralCone& K, Index n) {
  require(dimension(K) == n, "PolyhedralCone: x has size {}, expected {}", n, dimension(K));
}

PolyhedralCone dual(const PolyhedralCone& K) {
  PolyhedralCone D;
  if (K.inequalities) D.generators = K.inequalities->transpose();
  if (K.generators) D.inequalities = K.generators->transpose();
  return D;
}

void project(const PolyhedralCone& K, ConstVectorRef x, VectorRef p) { decompose(K, false, x, p); }

void project_polar(const PolyhedralCone& K, ConstVectorRef x, VectorRef p) {
  decompose(K, true, x, p);
}

double distance(const PolyhedralCone& K, ConstVectorRef x) {
  Vector s(x.size());
  project_polar(K, x, s);
  return s.norm();
}

bool contains(const PolyhedralCone& K, ConstVectorRef x, double tolerance) {
  check_dimension(K, x.size());
  if (K.inequalities && ((*K.inequalities * x).array() >= 0).all()) return true;
  return distance(K, x) <= tolerance;
}

double support(const PolyhedralCone& K, ConstVectorRef d) {
  const Generated cone = generated(K, d.size());
  const double allowed = rounding * d.norm();
  if (cone.polar) return nonnegative_least_squares(cone.G, d).residual.norm() <= allowed ? 0 : inf;
  for (Index j = 0; j < cone.G.cols(); ++j)
    if (!(cone.G.col(j).dot(d) <= allowed * cone.G.col(j).norm())) return inf;
  return 0;
}

void projection_jacobian(const PolyhedralCone& K, ConstVectorRef x, MatrixRef J) {
  check_jacobian(PolyhedralCone::name, x.size(), J);
  const Generated cone = generated(K, x.size());
  const NonnegativeFit fit = nonnegative_least_squares(cone.G, x);
  J = face_projector(cone.G, fit.residual, x.norm());
  if (cone.polar) J = Matrix::Identity(x.size(), x.size()) - J;
}

}  // namespace saltus
