#include "benchmarks/complementarity_families.hpp"

#include <cmath>
#include <cstdint>

namespace saltus {

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Uniform numbers that are the same with every standard library (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// In [−1, 1).
  double operator()() {
    std::uint64_t x = (state_ += 0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return double((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
  }
  Vector vector(Index n) {
    Vector v(n);
    for (double& x : v) x = (*this)();
    return v;
  }
  Matrix matrix(Index rows, Index cols) {
    Matrix A(rows, cols);
    for (Index j = 0; j < cols; ++j) A.col(j) = vector(rows);
    return A;
  }

 private:
  std::uint64_t state_;
};

BlockSparse sparse(Index n, const Triplets& entries) {
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return BlockSparse::sparse(A);
}

void add(Triplets& entries, Index i, Index j, double value) {
  entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
}

/// q for which z solves the LCP: z_i > 0, w_i > 0, or with `degenerate` neither on a third.
Vector constant_term(const BlockSparse& M, Random& random, bool degenerate) {
  const Index n = M.rows();
  Vector z = Vector::Zero(n), w = Vector::Zero(n), q(n);
  for (Index i = 0; i < n; ++i) {
    const double x = random();
    if (degenerate && random() < -1.0 / 3) continue;
    (x > 0 ? z : w)[i] = std::abs(x);
  }
  M.multiply(z, q);
  return w - q;
}

Matrix definite(Index n, Random& random) {
  const Matrix A = random.matrix(n, n);
  Matrix M = 0.1 * Matrix::Identity(n, n);
  M.noalias() += A * A.transpose() / double(n);
  return M;
}

Matrix positive(Index n, Random& random) {
  const Matrix A = random.matrix(n, n);
  return definite(n, random) + (A - A.transpose()) / std::sqrt(double(n));
}

Lcp dense_p(Index n) {
  Random random(1);
  Lcp lcp{BlockSparse::dense(positive(n, random)), {}};
  lcp.q = random.vector(n);
  return lcp;
}

Lcp dense_spd(Index n) {
  Random random(2);
  Lcp lcp{BlockSparse::dense(definite(n, random)), {}};
  lcp.q = random.vector(n);
  return lcp;
}

/// Q D Qᵀ with Q the product of four reflections.
Lcp dense_ill(Index n) {
  Random random(3);
  Matrix M = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) M(i, i) = std::pow(1e-8, double(i) / double(n - 1));
  for (int k = 0; k < 4; ++k) {
    const Vector v = random.vector(n).normalized();
    M -= 2 * v * (v.transpose() * M);
    M -= 2 * (M * v) * v.transpose();
  }
  Lcp lcp{BlockSparse::dense((M + M.transpose()) / 2), {}};
  lcp.q = constant_term(lcp.M, random, false);
  return lcp;
}

Lcp dense_delassus(Index n) {
  Random random(4);
  const Matrix H = random.matrix(n / 2, n);
  return {BlockSparse::dense(H.transpose() * H), H.transpose() * random.vector(n / 2)};
}

Lcp dense_degenerate(Index n) {
  Random random(5);
  Lcp lcp{BlockSparse::dense(definite(n, random)), {}};
  lcp.q = constant_term(lcp.M, random, true);
  return lcp;
}

/// Contacts of bodies in space, unknowns (normal, four facets, sliding speed) per contact:
/// M = [W_NN W_NT 0; W_TN W_TT E; μ −Eᵀ 0].
Lcp dense_friction(Index n) {
  constexpr Index facets = 4, size = facets + 2;
  constexpr double mu = 0.3;
  Random random(6);
  const Index contacts = std::max<Index>(1, n / size), N = contacts * size;
  Matrix H = Matrix::Zero(3 * contacts + 3, N);
  Matrix M = Matrix::Zero(N, N);
  for (Index c = 0; c < contacts; ++c) {
    const Matrix frame = random.matrix(H.rows(), 3);
    const Index first = c * size;
    H.col(first) = frame.col(0);
    for (Index f = 0; f < facets; ++f) {
      H.col(first + 1 + f) = (f < 2 ? 1 : -1) * frame.col(1 + f % 2);
      M(first + 1 + f, first + size - 1) = 1;
      M(first + size - 1, first + 1 + f) = -1;
    }
    M(first + size - 1, first) = mu;
  }
  M.noalias() += H.transpose() * H / double(H.rows());
  return {BlockSparse::dense(M), H.transpose() * random.vector(H.rows()) / double(H.rows())};
}

std::vector<Index> first_rows(Index count) {
  std::vector<Index> rows;
  for (Index i = 0; i < count; ++i) rows.push_back(i);
  return rows;
}

Mlcp dense_mlcp(Index n) {
  Random random(7);
  Mlcp mlcp{BlockSparse::dense(positive(n, random)), {}, first_rows(n / 3)};
  mlcp.q = random.vector(n);
  return mlcp;
}

BlockForm relay(const BlockSparse& M, const Vector& q) {
  return make_relay(M, q, Vector::Constant(q.size(), -1), Vector::Constant(q.size(), 1));
}

BlockForm dense_relay(Index n) {
  Random random(8);
  const BlockSparse M = BlockSparse::dense(positive(n, random));
  return relay(M, 2 * random.vector(n));
}

Lcp sparse_beads(Index n) {
  Random random(9);
  Triplets entries;
  for (Index i = 0; i < n; ++i) {
    add(entries, i, i, i == 0 ? 1 : 2);
    if (i > 0) add(entries, i, i - 1, -1);
    if (i + 1 < n) add(entries, i, i + 1, -1);
  }
  return {sparse(n, entries), random.vector(n)};
}

struct Mesh {
  Index rows, cols;
};

/// The factors of n that are nearest to its square root.
Mesh mesh_of(Index n) {
  auto rows = static_cast<Index>(std::sqrt(double(n)));
  while (n % rows != 0) --rows;
  return {rows, n / rows};
}

/// −Δ on a mesh of unit spacing, with a wind along the columns, discretised upstream.
BlockSparse laplacian(Index n, double wind) {
  const Mesh mesh = mesh_of(n);
  Triplets entries;
  for (Index i = 0; i < mesh.rows; ++i)
    for (Index j = 0; j < mesh.cols; ++j) {
      const Index k = i * mesh.cols + j;
      add(entries, k, k, 4 + wind);
      if (i > 0) add(entries, k, k - mesh.cols, -1);
      if (i + 1 < mesh.rows) add(entries, k, k + mesh.cols, -1);
      if (j > 0) add(entries, k, k - 1, -1 - wind);
      if (j + 1 < mesh.cols) add(entries, k, k + 1, -1);
    }
  return sparse(n, entries);
}

/// z = height of the membrane above the obstacle sin(2πx) sin(3πy), under its weight.
Lcp obstacle(Index n, double wind) {
  const Mesh mesh = mesh_of(n);
  const double pi = std::acos(-1.0);
  Vector shape(n), q(n);
  for (Index k = 0; k < n; ++k) {
    const double x = double(k / mesh.cols + 1) / double(mesh.rows + 1);
    const double y = double(k % mesh.cols + 1) / double(mesh.cols + 1);
    shape[k] = std::sin(2 * pi * x) * std::sin(3 * pi * y);
  }
  Lcp lcp{laplacian(n, wind), {}};
  lcp.M.multiply(shape, q);
  lcp.q = q + Vector::Constant(n, 1.0 / double(n));
  return lcp;
}

Lcp sparse_mesh(Index n) { return obstacle(n, 0); }
Lcp sparse_wind(Index n) { return obstacle(n, 2); }

/// Contacts i of body i/2 with its left neighbour, each twice.
Lcp sparse_delassus(Index n) {
  Random random(10);
  const Index bodies = n / 2;
  Eigen::SparseMatrix<double> H(static_cast<int>(bodies), static_cast<int>(n));
  Triplets entries;
  for (Index i = 0; i < n; ++i) {
    add(entries, i / 2, i, 1);
    if (i >= 2) add(entries, i / 2 - 1, i, -1);
  }
  H.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> M = H.transpose() * H;
  return {BlockSparse::sparse(M), H.transpose() * random.vector(bodies)};
}

Lcp sparse_degenerate(Index n) {
  Random random(11);
  Lcp lcp{laplacian(n, 0), {}};
  lcp.q = constant_term(lcp.M, random, true);
  return lcp;
}

/// A pile of blocks of mass 1 in the plane pushed sideways: unknowns (normal, two directions,
/// sliding speed) per contact.
Lcp sparse_friction(Index n) {
  constexpr Index size = 4;
  constexpr double mu = 0.3;
  Random random(12);
  const Index contacts = std::max<Index>(1, n / size);
  Triplets entries;
  Vector q = Vector::Zero(contacts * size);
  const auto couple = [&](Index a, Index b, double mass) {
    add(entries, a * size, b * size, mass);
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < 2; ++j)
        add(entries, a * size + 1 + i, b * size + 1 + j, i == j ? mass : -mass);
  };
  for (Index c = 0; c < contacts; ++c) {
    couple(c, c, c == 0 ? 1 : 2);
    if (c > 0) couple(c, c - 1, -1);
    if (c + 1 < contacts) couple(c, c + 1, -1);
    for (Index i = 1; i < 3; ++i) {
      add(entries, c * size + i, c * size + 3, 1);
      add(entries, c * size + 3, c * size + i, -1);
    }
    add(entries, c * size + 3, c * size, mu);
    q[c * size] = c == 0 ? -1 : 0.1 * random();
    q[c * size + 1] = 0.5 * random();
    q[c * size + 2] = -q[c * size + 1];
  }
  return {sparse(contacts * size, entries), q};
}

/// (v, r): v − Hᵀ r = v_f, 0 ≤ H v ⟂ r ≥ 0 for a column of beads.
Mlcp sparse_mlcp(Index n) {
  Random random(13);
  const Index beads = n / 2;
  Triplets entries;
  Vector q = Vector::Zero(2 * beads);
  for (Index i = 0; i < beads; ++i) {
    add(entries, i, i, 1);
    for (Index body = std::max<Index>(0, i - 1); body <= i; ++body) {
      const double h = body == i ? 1 : -1;
      add(entries, body, beads + i, -h);
      add(entries, beads + i, body, h);
    }
    q[i] = random();
  }
  return {sparse(2 * beads, entries), q, first_rows(beads)};
}

BlockForm sparse_relay(Index n) {
  Random random(14);
  Triplets entries;
  for (Index i = 0; i < n; ++i) {
    add(entries, i, i, 2.1);
    if (i > 0) add(entries, i, i - 1, -1);
    if (i + 1 < n) add(entries, i, i + 1, -1);
  }
  return relay(sparse(n, entries), 2 * random.vector(n));
}

}  // namespace

const std::vector<ProblemFamily>& problem_families() {
  static const std::vector<ProblemFamily> families = {
      {"dense_p", dense_p},
      {"dense_spd", dense_spd},
      {"dense_ill", dense_ill},
      {"dense_delassus", dense_delassus},
      {"dense_degenerate", dense_degenerate},
      {"dense_friction", dense_friction},
      {"dense_mlcp", dense_mlcp},
      {"dense_relay", dense_relay},
      {"sparse_beads", sparse_beads},
      {"sparse_mesh", sparse_mesh},
      {"sparse_wind", sparse_wind},
      {"sparse_delassus", sparse_delassus},
      {"sparse_degenerate", sparse_degenerate},
      {"sparse_friction", sparse_friction},
      {"sparse_mlcp", sparse_mlcp},
      {"sparse_relay", sparse_relay},
  };
  return families;
}

}  // namespace saltus
