// Finite elements: patch tests, rigid motions, derivatives, frequencies, convergence.

#include "saltus/mechanics/elastic/elastic_body.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <cmath>

namespace saltus::mechanics {
namespace {

/// A box of a few elements whose inner nodes are moved: elements of every shape.
Mesh distorted(ElementKind kind) {
  const Index d = dimension_of(kind);
  Mesh mesh = box_mesh(kind, Vector::Ones(d), std::vector<Index>(d, 3));
  for (Index i = 0; i < mesh.node_count(); ++i) {
    const bool inside =
        mesh.nodes.row(i).minCoeff() > 1e-9 && mesh.nodes.row(i).maxCoeff() < 1 - 1e-9;
    for (Index k = 0; k < d && inside; ++k)
      mesh.nodes(i, k) += 0.08 * std::sin(double(7 * i + 3 * k));
  }
  return mesh;
}

const ElementKind kinds[] = {ElementKind::bar, ElementKind::triangle, ElementKind::quad,
                             ElementKind::brick};

/// Displacements q = A X of all nodes.
Vector field(const Mesh& mesh, const Matrix& A) {
  Vector q(mesh.node_count() * mesh.dimension());
  for (Index i = 0; i < mesh.node_count(); ++i)
    q.segment(i * mesh.dimension(), mesh.dimension()) = A * mesh.nodes.row(i).transpose();
  return q;
}

bool at_border(const Mesh& mesh, Index i) {
  return mesh.nodes.row(i).minCoeff() < 1e-9 || mesh.nodes.row(i).maxCoeff() > 1 - 1e-9;
}

TEST(Elements, PassThePatchTest) {  // F:F136, F:F137
  const double E = 210, nu = 0.3;
  for (const ElementKind kind : kinds)
    for (const bool plane_stress : {false, true}) {
      const ElasticBody body{.mesh = distorted(kind),
                             .young = E,
                             .poisson = nu,
                             .section = kind == ElementKind::brick ? 1.0 : 0.5,
                             .plane_stress = plane_stress};
      const Index d = body.mesh.dimension();
      Matrix A(3, 3);
      A << 1.0, 0.4, -0.2, 0.1, -0.5, 0.3, 0.6, 0.2, 0.7;
      A = Matrix(1e-3 * A.topLeftCorner(d, d));
      const Vector q = field(body.mesh, A), f = body.stiffness_matrix() * q;
      for (Index i = 0; i < body.mesh.node_count(); ++i)
        if (!at_border(body.mesh, i)) {
          EXPECT_LT(f.segment(i * d, d).norm(), 1e-14) << name(kind);  // of forces of 1e-1
        }
      // Hooke's law, by its compliance: ε = ((1+ν) S − ν tr(S) I)/E; plane strain has S₃₃ = ν tr S
      const Matrix strain = 0.5 * (A + A.transpose());
      const Matrix found = stresses(body, q);
      double energy = 0;
      for (Index e = 0; e < found.rows(); ++e) {
        Matrix S = Matrix::Zero(d, d);
        S.diagonal() = found.row(e).head(d);
        if (d == 2) S(0, 1) = S(1, 0) = found(e, 2);
        if (d == 3)
          S(0, 1) = S(1, 0) = found(e, 3), S(0, 2) = S(2, 0) = found(e, 4),
               S(1, 2) = S(2, 1) = found(e, 5);
        double trace = S.trace();
        if (d == 2 && !plane_stress) trace *= 1 + nu;
        const Matrix expected =
            d == 1 ? Matrix(S / E)
                   : Matrix(((1 + nu) * S - nu * trace * Matrix::Identity(d, d)) / E);
        EXPECT_LT((strain - expected).norm(), 2e-15) << name(kind);  // ε over a size of 1/3
        if (e == 0) energy = 0.5 * S.cwiseProduct(strain).sum() * body.section;
      }
      EXPECT_NEAR(0.5 * q.dot(f), energy, 1e-15) << name(kind);  // of a volume of section · 1
    }
}

/// Translations and small rotations.
Matrix rigid_modes(const Mesh& mesh) {
  const Index d = mesh.dimension();
  Matrix modes = Matrix::Zero(mesh.node_count() * d, d * (d + 1) / 2);
  for (Index i = 0; i < mesh.node_count(); ++i) {
    const auto x = mesh.nodes.row(i);
    modes.block(i * d, 0, d, d).setIdentity();
    Index column = d;
    for (Index k = 0; k < d; ++k)
      for (Index l = k + 1; l < d; ++l, ++column)
        modes(i * d + k, column) = -x[l], modes(i * d + l, column) = x[k];
  }
  return modes;
}

TEST(Elements, RigidModesAreTheOnlyOnesWithoutStiffness) {  // F:F137
  for (const ElementKind kind : kinds) {
    const ElasticBody body{.mesh = distorted(kind), .young = 10, .poisson = 0.2};
    const Matrix K = body.stiffness_matrix(), modes = rigid_modes(body.mesh);
    EXPECT_LT((K * modes).cwiseAbs().maxCoeff(), 1e-12) << name(kind);
    EXPECT_LT((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-13) << name(kind);
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues();
    const Index free = modes.cols();
    EXPECT_LT(values.head(free).cwiseAbs().maxCoeff(), 1e-11) << name(kind);
    EXPECT_GT(values[free], 1e-3) << name(kind);
  }
}

TEST(Elements, MassMatricesHoldTheMassAndItsMoments) {  // F:F137
  for (const ElementKind kind : kinds)
    for (const bool lumped : {false, true}) {
      const ElasticBody body{
          .mesh = distorted(kind), .density = 3, .section = 0.5, .lumped = lumped};
      const Index d = body.mesh.dimension();
      const SparseMatrix M = body.mass_matrix();
      const Vector ones = Vector::Ones(body.dof()), x = field(body.mesh, Matrix::Identity(d, d));
      EXPECT_NEAR(ones.dot(M * ones), 1.5 * double(d), 1e-13);  // ρ V in each direction
      EXPECT_NEAR(ones.dot(M * x), 1.5 * 0.5 * double(d), 1e-13);
      if (lumped) {
        EXPECT_EQ(M.nonZeros(), body.dof());
      } else {
        EXPECT_NEAR(x.dot(M * x), 1.5 * double(d) / 3, 1e-13);  // ∫ x², exact
      }
    }
}

TEST(Elements, BarHasTheMatricesOfTheTheory) {  // F:V59
  const double EA = 12, rhoA = 3, L = 2;
  ElasticBody bar{.mesh = {.kind = ElementKind::bar,
                           .nodes = {{0.0}, {L}},
                           .elements = Eigen::RowVector2i(0, 1)},
                  .young = EA / 0.5,
                  .density = rhoA / 0.5,
                  .section = 0.5};
  const Matrix consistent = Matrix{{2.0, 1.0}, {1.0, 2.0}} * rhoA * L / 6;
  EXPECT_LT((Matrix(bar.mass_matrix()) - consistent).norm(), 1e-15);
  EXPECT_LT((Matrix(bar.stiffness_matrix()) - EA / L * Matrix{{1.0, -1.0}, {-1.0, 1.0}}).norm(),
            1e-14);
  bar.lumped = true;
  EXPECT_LT((Matrix(bar.mass_matrix()) - rhoA * L / 2 * Matrix::Identity(2, 2)).norm(), 1e-15);
  // stretch s: E = (s² − 1)/2, in the plane and turned; W = EA L E²/2, force EA E s along the bar
  const Matrix X{{0.0, 0.0}, {L, 0.0}};
  const Element element(ElementKind::bar, X, bar.section, 0);
  for (const double s : {0.7, 1.0, 1.4}) {
    const Eigen::Vector2d along(std::cos(1.0), std::sin(1.0));
    Matrix x(2, 2);
    x.row(0) << 5, -3;
    x.row(1) = x.row(0) + s * L * along.transpose();
    const double strain = 0.5 * (s * s - 1);
    EXPECT_NEAR(element.energy(x, bar.lame()), 0.5 * EA * L * strain * strain, 1e-13);
    Vector f(4);
    element.force(x, bar.lame(), f);
    const Vector expected = EA * strain * s * along;
    EXPECT_LT((f.tail(2) - expected).norm(), 1e-13);
    EXPECT_LT((f.head(2) + expected).norm(), 1e-13);
  }
}

TEST(Elements, RigidMotionsOfAnySizeGiveNoForce) {  // F:V59, F:F135
  for (const ElementKind kind : kinds) {
    const ElasticBody body{.mesh = distorted(kind), .young = 10, .poisson = 0.2};
    const Index d = body.mesh.dimension();
    Matrix R = Matrix::Identity(d, d);
    if (d == 2) R = Eigen::Rotation2Dd(2.0).toRotationMatrix();
    if (d == 3)
      R = Eigen::AngleAxisd(2.0, Eigen::Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    Vector q = field(body.mesh, R - Matrix::Identity(d, d));
    q.array() += 4;
    const System system = body.finite();
    Vector F(body.dof()), zero = Vector::Zero(body.dof());
    const StateView x{
        .t = 0, .q = view_of(q.data(), q.size()), .v = view_of(zero.data(), q.size())};
    system.force(x, F);
    EXPECT_LT(F.lpNorm<Eigen::Infinity>(), 1e-13) << name(kind);
    EXPECT_LT(std::abs(system.potential(x)), 1e-14) << name(kind);
  }
}

TEST(Elements, ForceAndStiffnessAreTheDerivativesOfTheEnergy) {  // F:F136
  for (const ElementKind kind : kinds) {
    const ElasticBody body{.mesh = distorted(kind), .young = 10, .poisson = 0.2, .gravity = {}};
    const System system = body.finite();
    const Index n = body.dof();
    Vector q(n), zero = Vector::Zero(n), plus(n), minus(n);
    for (Index i = 0; i < n; ++i) q[i] = 0.1 * std::sin(double(3 * i));
    const auto at = [&](const Vector& p) {
      return StateView{.t = 0, .q = view_of(p.data(), n), .v = view_of(zero.data(), n)};
    };
    SparseMatrix K;
    system.coupled_stiffness(at(q), K);
    Vector F(n);
    system.force(at(q), F);
    const double step = 1e-5;  // truncation step²/6 times third derivatives of 1e4, rounding 1e-10
    for (Index i = 0; i < n; i += 5) {
      Vector moved = q;
      moved[i] += step;
      system.force(at(moved), plus);
      const double high = system.potential(at(moved));
      moved[i] -= 2 * step;
      system.force(at(moved), minus);
      const double low = system.potential(at(moved));
      EXPECT_NEAR(-F[i], (high - low) / (2 * step), 1e-8) << name(kind);
      EXPECT_LT((Matrix(K).col(i) - (minus - plus) / (2 * step)).lpNorm<Eigen::Infinity>(), 1e-6)
          << name(kind);
    }
  }
}

TEST(Elements, BarHasTheFrequenciesOfItsMesh) {  // F:F137, AI:NM-17
  // fixed at one end, c = L = 1: k_p = (2p−1)π/2, h the length of an element, ω² = 6/h² (1 − cos
  // kh)/ (2 + cos kh) with consistent mass, (2/h sin(kh/2))² with lumped mass: exact; ω → k from
  // above and below
  const Index n = 20;
  const double h = 1.0 / double(n);
  for (const bool lumped : {false, true}) {
    ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {1.0}, {n}), .lumped = lumped};
    const Matrix K = Matrix(bar.stiffness_matrix()).bottomRightCorner(n, n);
    const Matrix M = Matrix(bar.mass_matrix()).bottomRightCorner(n, n);
    const Vector values =
        Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M).eigenvalues().cwiseSqrt();
    for (Index p = 0; p < n; ++p) {
      const double k = (2 * double(p) + 1) * M_PI / 2;
      const double exact = lumped
                               ? 2 / h * std::sin(k * h / 2)
                               : std::sqrt(6 * (1 - std::cos(k * h)) / (2 + std::cos(k * h))) / h;
      EXPECT_NEAR(values[p], exact, 1e-10 * exact) << p;
    }
    EXPECT_NEAR(values[0], M_PI / 2, 1e-3);
    EXPECT_EQ(values[0] > M_PI / 2, !lumped);
  }
}

/// ‖u_h − u‖ over the nodes for u = (sin πx sin πy, …) on the unit square or cube, K u_h = ∫ f N.
double error_of(ElementKind kind, Index divisions) {
  const Index d = dimension_of(kind);
  const ElasticBody body{.mesh = box_mesh(kind, Vector::Ones(d), std::vector<Index>(d, divisions)),
                         .young = 2.5,
                         .poisson = 0.25};
  const double mu = body.lame().mu, sum = body.lame().lambda + mu;
  // u_i = Π sin πx: −f_i = μ Δu_i + (λ+μ) ∂_i div u
  const auto u = [&](const Vector& x) { return (M_PI * x).array().sin().prod(); };
  const auto f = [&](const Vector& x) {
    Vector force = Vector::Constant(d, mu * double(d) * M_PI * M_PI * u(x));
    for (Index i = 0; i < d; ++i)
      for (Index j = 0; j < d; ++j) {
        double second = i == j ? -u(x) : 1;
        for (Index k = 0; k < d && i != j; ++k)
          second *= k == i || k == j ? std::cos(M_PI * x[k]) : std::sin(M_PI * x[k]);
        force[i] -= sum * M_PI * M_PI * second;
      }
    return force;
  };
  Vector at_nodes(body.dof()), exact(body.dof());
  std::vector<Index> position(body.dof(), -1);
  Index free = 0;
  for (Index i = 0; i < body.mesh.node_count(); ++i) {
    const Vector x = body.mesh.nodes.row(i).transpose();
    at_nodes.segment(i * d, d) = f(x);
    exact.segment(i * d, d).setConstant(u(x));
    for (Index k = 0; k < d && !at_border(body.mesh, i); ++k) position[i * d + k] = free++;
  }
  const Vector load = body.mass_matrix() * at_nodes;  // ∫ of the interpolated force, order 2
  std::vector<Eigen::Triplet<double>> entries;
  const SparseMatrix K = body.stiffness_matrix();
  Vector rhs(free);
  for (int j = 0; j < K.cols(); ++j) {
    if (position[j] < 0) continue;
    rhs[position[j]] = load[j];
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      if (position[it.row()] >= 0)
        entries.emplace_back(int(position[it.row()]), int(position[j]), it.value());
  }
  SparseMatrix reduced(free, free);
  reduced.setFromTriplets(entries.begin(), entries.end());
  const Vector found = Eigen::SimplicialLDLT<SparseMatrix>(reduced).solve(rhs);
  Vector difference = exact;
  for (Index i = 0; i < exact.size(); ++i)
    if (position[i] >= 0) difference[i] -= found[position[i]];
  return std::sqrt(difference.dot(body.mass_matrix() * difference));
}

TEST(Elements, DisplacementsConvergeWithOrderTwo) {  // F:F137
  for (const ElementKind kind : kinds) {
    const bool brick = kind == ElementKind::brick;
    std::vector<double> sizes;
    for (const Index n :
         brick ? std::vector<Index>{6, 7, 8, 10, 12} : std::vector<Index>{6, 8, 11, 15, 20, 27})
      sizes.push_back(1.0 / double(n));
    const double order =
        testing::fitted_order(sizes, [&](double h) { return error_of(kind, std::lround(1 / h)); });
    EXPECT_NEAR(order, 2, 0.15) << name(kind);  // the coarsest mesh has six elements to half a wave
  }
}

TEST(Elements, MeshesThatAreNoneAreRefused) {
  EXPECT_ERROR(box_mesh(ElementKind::quad, {1.0}, {2}), "expected 2 each");
  EXPECT_ERROR(box_mesh(ElementKind::bar, {-1.0}, {2}), "length -1 cut into 2");
  Mesh mesh = box_mesh(ElementKind::quad, {1.0, 1.0}, {1, 1});
  mesh.elements.row(0) << 0, 1, 2, 3;  // crosses itself
  EXPECT_ERROR(static_cast<void>(ElasticBody{.mesh = mesh}.stiffness_matrix()),
               "Element 0 (quad): the volume at an integration point is");
  mesh.elements(0, 0) = 9;
  EXPECT_ERROR(mesh.check(), "element 0 has node 9, there are 4");
  mesh = box_mesh(ElementKind::quad, {1.0, 1.0}, {1, 1});
  mesh.kind = ElementKind::brick;
  EXPECT_ERROR(mesh.check(), "elements brick need nodes of dimension 3");
  const Mesh good = box_mesh(ElementKind::quad, {1.0, 1.0}, {1, 1});
  EXPECT_ERROR((ElasticBody{.mesh = good, .poisson = 0.5}.check()), "poisson is 0.5");
  EXPECT_ERROR((ElasticBody{.mesh = good, .young = -1}.check()), "young is -1");
  EXPECT_ERROR((ElasticBody{.mesh = good, .gravity = {0.0}}.check()), "gravity has 1 entries");
  EXPECT_ERROR(static_cast<void>(ElasticBody{.mesh = good}.dofs({4})), "node 4, there are 4");
}

}  // namespace
}  // namespace saltus::mechanics
