#include "saltus/problems/matrix_classes.hpp"

#include "saltus/sets/nonnegative_least_squares.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <cstdint>
#include <vector>

namespace saltus {

namespace {

constexpr double rounding = 1e-12;
constexpr Index eigenvalue_limit = 300;
constexpr Index sufficiency_limit = 6;

using Indices = std::vector<Index>;
using Sparse = Eigen::SparseMatrix<double>;

Membership answer(bool holds) { return {holds ? Answer::yes : Answer::no, {}}; }
Membership disproved(Vector witness) { return {Answer::no, std::move(witness)}; }
void imply(Membership& member, Answer value) {
  if (member.answer == Answer::unknown) member.answer = value;
}

Indices bits(std::uint64_t number, Index n) {
  Indices set;
  for (Index i = 0; i < n; ++i)
    if (number >> i & 1) set.push_back(i);
  return set;
}

Vector indicator(const Indices& set, Index n) {
  Vector x = Vector::Zero(n);
  x(set).setOnes();
  return x;
}

Vector spread(const Indices& set, const Vector& part, Index n) {
  Vector x = Vector::Zero(n);
  x(set) = part;
  return x;
}

/// −1, 0, 1: sign of det A, zero up to rounding of the product of the rows.
int sign_of_determinant(const Matrix& A) {
  double size = 1;
  for (Index i = 0; i < A.rows(); ++i) size *= A.row(i).norm();
  const double det = A.partialPivLu().determinant();
  return std::abs(det) <= rounding * size ? 0 : det > 0 ? 1 : -1;
}

void classify_definite_small(const Matrix& S, MatrixClass& c) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(S);
  const double least = eigen.eigenvalues()[0];
  const double zero = rounding * eigen.eigenvalues().lpNorm<Eigen::Infinity>();
  c.positive_definite = least > zero ? answer(true) : disproved(eigen.eigenvectors().col(0));
  c.positive_semidefinite = least >= -zero ? answer(true) : disproved(eigen.eigenvectors().col(0));
}

void classify_definite_large(const Sparse& S, MatrixClass& c) {
  double largest = 0;
  for (Index e = 0; e < S.nonZeros(); ++e) largest = std::max(largest, std::abs(S.valuePtr()[e]));
  Sparse identity(S.rows(), S.cols());
  identity.setIdentity();
  const auto definite = [&](double shift) {
    const Sparse A = S + shift * identity;
    return Eigen::SimplicialLLT<Sparse>(A).info() == Eigen::Success;
  };
  c.positive_definite = answer(definite(-rounding * largest));
  c.positive_semidefinite = answer(c.positive_definite.yes() || definite(rounding * largest));
}

void classify_definite(const BlockSparse& M, MatrixClass& c) {
  const Sparse A = M.to_sparse();
  Sparse S = Sparse(A.transpose());
  const Sparse difference = A - S;
  double largest = 0, skew = 0;
  for (Index e = 0; e < A.nonZeros(); ++e) largest = std::max(largest, std::abs(A.valuePtr()[e]));
  for (Index e = 0; e < difference.nonZeros(); ++e)
    skew = std::max(skew, std::abs(difference.valuePtr()[e]));
  c.symmetric = answer(skew <= rounding * largest);
  S += A;
  if (c.size <= eigenvalue_limit)
    classify_definite_small(Matrix(S), c);
  else
    classify_definite_large(S, c);
}

/// Signs of the entries: Z, and nonnegative matrices, which are copositive.
void classify_signs(const BlockSparse& M, MatrixClass& c) {
  const Sparse A = M.to_sparse();
  bool z = true, nonnegative = true;
  Vector diagonal = Vector::Zero(c.size), highest = Vector::Constant(c.size, -inf);
  Eigen::VectorXi stored = Eigen::VectorXi::Zero(c.size);
  for (int j = 0; j < A.outerSize(); ++j)
    for (Sparse::InnerIterator e(A, j); e; ++e) {
      if (e.row() == j) diagonal[j] = e.value();
      z = z && (e.row() == j || e.value() <= 0);
      nonnegative = nonnegative && e.value() >= 0;
      highest[e.row()] = std::max(highest[e.row()], e.value());
      ++stored[e.row()];
    }
  c.z = answer(z);
  if (nonnegative) c.copositive = answer(true);
  if (nonnegative && c.size > 0 && diagonal.minCoeff() > 0) {  // strictly copositive
    c.copositive_plus = answer(true);
    c.q = answer(true);
  }
  for (Index i = 0; i < c.size && !c.q.no(); ++i)
    if (highest[i] <= 0) c.q = disproved(-Vector::Unit(c.size, i));  // w_i ≤ q_i < 0
}

/// P₀, P and column adequacy from the principal minors.
void classify_minors(const Matrix& M, MatrixClass& c) {
  const Index n = c.size;
  c.p = c.p0 = c.column_adequate = answer(true);
  for (std::uint64_t number = 1; number >> n == 0 && !c.p0.no(); ++number) {
    const Indices set = bits(number, n);
    const int sign = sign_of_determinant(M(set, set));
    if (sign > 0) continue;
    if (!c.p.no()) c.p = disproved(indicator(set, n));
    if (sign < 0) {
      c.p0 = c.column_adequate = disproved(indicator(set, n));
    } else if (!c.column_adequate.no()) {
      Eigen::ColPivHouseholderQR<Matrix> qr(M(Eigen::all, set));
      qr.setThreshold(rounding);
      if (qr.rank() == static_cast<Index>(set.size()))
        c.column_adequate = disproved(indicator(set, n));
    }
  }
}

/// Hadeler: S with copositive proper submatrices is not copositive iff det S < 0 and S⁻¹ ≤ 0.
void classify_copositive(const Matrix& S, MatrixClass& c) {
  const Index n = c.size;
  c.copositive = answer(true);
  std::vector<Indices> sets;
  for (std::uint64_t number = 1; number >> n == 0; ++number) sets.push_back(bits(number, n));
  std::stable_sort(sets.begin(), sets.end(),
                   [](const Indices& a, const Indices& b) { return a.size() < b.size(); });
  for (const Indices& set : sets) {
    const Matrix A = S(set, set);
    if (sign_of_determinant(A) >= 0) continue;
    const Matrix inverse = A.inverse();
    if (inverse.maxCoeff() > rounding * inverse.lpNorm<Eigen::Infinity>()) continue;
    const Vector x = -inverse.rowwise().sum();  // xᵀSx = 1ᵀS⁻¹1 < 0
    c.copositive = disproved(spread(set, x.cwiseMax(0.0), n));
    return;
  }
}

/// A least-squares fit is exact up to rounding.
bool exact(const NonnegativeFit& fit, ConstVectorRef x) {
  return fit.residual.norm() <= 1e-10 * x.norm();
}

/// Of a copositive S: some x ≥ 0 has S_αα x_α = 0 on its support α and (S x)_j > 0 elsewhere.
void classify_copositive_plus(const Matrix& S, MatrixClass& c) {
  const Index n = c.size;
  c.copositive_plus = answer(true);
  for (std::uint64_t number = 1; number >> n == 0; ++number) {
    const Indices set = bits(number, n);
    const auto m = static_cast<Index>(set.size());
    if (sign_of_determinant(S(set, set)) != 0) continue;
    Matrix G(m + 1, m);
    G.topRows(m) = S(set, set);
    G.row(m) = S(Eigen::all, set).colwise().sum() - S(set, set).colwise().sum();
    const Vector target = Vector::Unit(m + 1, m);  // Σ_j (S x)_j over j ∉ α
    const NonnegativeFit fit = nonnegative_least_squares(G, target);
    if (!exact(fit, target)) continue;
    c.copositive_plus = disproved(spread(set, fit.coefficients, n));
    return;
  }
}

/// Some u > 0 has A u ≤ 0, A u ≠ 0: with u = 1 + v, v, s, t ≥ 0: A v + s = −A 1, Σ s − t = 1.
bool strictly_reverses(const Matrix& A, Vector& u) {
  const Index m = A.rows();
  Matrix G = Matrix::Zero(m + 1, 2 * m + 1);
  G.topLeftCorner(m, m) = A;
  G.block(0, m, m, m).setIdentity();
  G.row(m).segment(m, m).setOnes();
  G(m, 2 * m) = -1;
  Vector target(m + 1);
  target << -A.rowwise().sum(), 1;
  const NonnegativeFit fit = nonnegative_least_squares(G, target);
  u = Vector::Ones(m) + fit.coefficients.head(m);
  return exact(fit, target);
}

/// x = σ∘u over every support and sign pattern σ.
Membership column_sufficient(const Matrix& M) {
  const Index n = M.rows();
  for (std::uint64_t support = 1; support >> n == 0; ++support) {
    const Indices set = bits(support, n);
    const auto m = static_cast<Index>(set.size());
    for (std::uint64_t signs = 0; signs >> (m - 1) == 0; ++signs) {
      Vector sigma = Vector::Ones(m), u;
      for (Index i = 0; i + 1 < m; ++i)
        if (signs >> i & 1) sigma[i] = -1;
      const Matrix A = sigma.asDiagonal() * M(set, set) * sigma.asDiagonal();
      if (strictly_reverses(A, u)) return disproved(spread(set, sigma.cwiseProduct(u), n));
    }
  }
  return answer(true);
}

void apply_implications(MatrixClass& c) {
  if (c.positive_definite.yes()) imply(c.p, Answer::yes);
  if (c.symmetric.yes() && c.positive_definite.no()) imply(c.p, Answer::no);
  if (c.symmetric.yes() && c.positive_semidefinite.no()) imply(c.p0, Answer::no);
  if (c.p.yes() || c.positive_semidefinite.yes()) imply(c.p0, Answer::yes);
  if (c.p.yes()) imply(c.column_adequate, Answer::yes);
  if (c.positive_semidefinite.yes()) {
    imply(c.copositive, Answer::yes);
    imply(c.copositive_plus, Answer::yes);
    if (c.symmetric.yes()) imply(c.column_adequate, Answer::yes);
  }
  if (c.copositive.no()) imply(c.copositive_plus, Answer::no);
  for (Membership* sufficient : {&c.column_sufficient, &c.row_sufficient}) {
    if (c.p.yes() || c.positive_semidefinite.yes()) imply(*sufficient, Answer::yes);
    if (c.p0.no()) imply(*sufficient, Answer::no);
  }
  if (c.p0.no()) imply(c.column_adequate, Answer::no);
  if (c.z.no() || c.p.no()) imply(c.m, Answer::no);
  if (c.z.yes() && c.p.yes()) imply(c.m, Answer::yes);
  if (c.p.yes()) imply(c.q, Answer::yes);
  if (c.q.yes() || c.positive_semidefinite.yes() || c.copositive_plus.yes() ||
      c.row_sufficient.yes() || c.z.yes())
    imply(c.q0, Answer::yes);
}

/// Z: P ⇔ M⁻¹ exists and is nonnegative.
void classify_z(const Matrix& M, MatrixClass& c) {
  if (!c.z.yes() || c.p.answer != Answer::unknown) return;
  const Eigen::FullPivLU<Matrix> lu(M);
  if (!lu.isInvertible()) {
    c.p = answer(false);
    return;
  }
  const Matrix inverse = lu.inverse();
  c.p = answer(inverse.minCoeff() >= -rounding * inverse.lpNorm<Eigen::Infinity>());
}

}  // namespace

std::string_view name(Answer answer) {
  return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "unknown";
}

MatrixClass classify(const BlockSparse& M, Index exhaustive_limit) {
  require(M.rows() == M.cols(), "classify: the matrix is {}x{}, expected a square one", M.rows(),
          M.cols());
  require(M.all_finite(), "classify: the matrix has entries that are NaN or infinite");
  MatrixClass c;
  c.size = M.rows();
  if (c.size == 0) {
    for (Membership* member :
         {&c.symmetric, &c.positive_definite, &c.positive_semidefinite, &c.z, &c.q})
      *member = answer(true);
    apply_implications(c);
    return c;
  }
  classify_definite(M, c);
  classify_signs(M, c);
  apply_implications(c);
  if (c.size <= eigenvalue_limit) classify_z(M.to_dense(), c);
  if (c.size <= std::min(exhaustive_limit, Index{30})) {
    const Matrix A = M.to_dense(), S = A + A.transpose();
    const bool definite = c.positive_definite.yes();
    if (!definite) classify_minors(A, c);
    if (c.copositive.answer == Answer::unknown) classify_copositive(S, c);
    if (c.copositive.yes() && c.copositive_plus.answer == Answer::unknown)
      classify_copositive_plus(S, c);
    if (c.size <= sufficiency_limit && c.p0.yes() && !c.p.yes() && !c.positive_semidefinite.yes()) {
      c.column_sufficient = column_sufficient(A);
      c.row_sufficient = column_sufficient(A.transpose());
    }
  }
  apply_implications(c);
  return c;
}

namespace {

/// "positive definite", the strongest statement about M that is known.
std::string_view strongest(const MatrixClass& c) {
  if (c.positive_definite.yes()) return "positive definite";
  if (c.p.yes()) return "a P-matrix";
  if (c.positive_semidefinite.yes()) return "positive semi-definite";
  if (c.row_sufficient.yes()) return "row sufficient";
  if (c.copositive_plus.yes()) return "copositive-plus";
  if (c.copositive.yes() && c.copositive_plus.no()) return "copositive but not copositive-plus";
  if (c.copositive.yes()) return "copositive";
  if (c.p0.yes()) return "a P0-matrix";
  if (c.copositive.no() && c.p0.no()) return "neither P0 nor copositive";
  return "in none of the known classes";
}

std::string_view advice(const MatrixClass& c) {
  if (c.p.yes())
    return "every problem has exactly one solution; look at scaling and tolerance, or use Lemke, "
           "Murty or BlockPivoting";
  if (c.q.yes()) return "a solution exists for every q: use Lemke, or Keller if M is symmetric";
  if (c.positive_semidefinite.yes() || c.copositive_plus.yes() || c.row_sufficient.yes())
    return "a problem is solvable if and only if it is feasible: use Lemke, which finds a solution "
           "or a certificate";
  if (c.symmetric.yes())
    return "no algorithm is sure to succeed: try Keller, and Enumeration for at most 20 rows";
  return "no algorithm is sure to succeed: try Lemke, and Enumeration for at most 20 rows";
}

std::string_view meaning(SolveStatus status) {
  switch (status) {
    case SolveStatus::not_run:
      return "Nothing was solved";
    case SolveStatus::converged:
      return "Solved";
    case SolveStatus::max_iterations:
      return "The iterations were used up";
    case SolveStatus::stalled:
      return "No more progress was possible";
    case SolveStatus::infeasible:
      return "Proved to have no feasible point";
    case SolveStatus::unbounded:
      return "Proved to be unbounded";
    case SolveStatus::nonconvex:
      return "The algorithm needs structure that M does not have";
    case SolveStatus::numerical_error:
      return "A factorisation broke down";
    case SolveStatus::stopped:
      return "Stopped on request";
  }
  return "";
}

}  // namespace

std::string explain(const SolveReport& report, const MatrixClass& classes) {
  const std::string facts = fmt::format("{}; M is {}.", meaning(report.status), strongest(classes));
  if (report.status == SolveStatus::infeasible)
    return facts + " The certificate of the workspace proves it, whatever M is.";
  if (!report.converged()) return fmt::format("{} For such M {}.", facts, advice(classes));
  return facts + (classes.p.yes() ? " The solution is the only one." : "");
}

}  // namespace saltus
