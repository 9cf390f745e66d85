#include "saltus/solvers/enumeration.hpp"

#include "saltus/sets/nonnegative_least_squares.hpp"
#include "saltus/solvers/dense_lu.hpp"
#include "saltus/solvers/tableau.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <cmath>

namespace saltus {

namespace {

/// The complementary bases of one LCP; α is work.active.
class Bases {
 public:
  Bases(const DenseLcp& lcp, double tolerance, Workspace& work)
      : lcp_(lcp), work_(work), q_(Eigen::Map<const Vector>(lcp.q, lcp.n)) {
    M_ = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(lcp.M, lcp.n, lcp.n);
    zero_ = tolerance * std::max(1.0, q_.lpNorm<Eigen::Infinity>());
    work.active.reserve(static_cast<std::size_t>(lcp.n));
    work.lu_pivots.resize(static_cast<std::size_t>(lcp.n));
  }

  /// α = the bits of `number`; a solution on it, if there is one, into z.
  [[nodiscard]] bool solve(std::uint64_t number, Vector& z) {
    auto& active = work_.active;
    active.clear();
    for (Index i = 0; i < lcp_.n; ++i)
      if (number >> i & 1) active.push_back(i);
    z.setZero(lcp_.n);
    singular_ = !solve_regular(z);
    if (singular_ && !solve_singular(z)) return false;
    return accept(z);
  }

  /// Solutions on the last α form more than the point z: some direction t ≠ 0 in the kernel of M_αα
  /// leaves z ≥ 0 and w ≥ 0.
  [[nodiscard]] bool family(const Vector& z) const {
    if (!singular_) return false;
    const auto& active = work_.active;
    const Matrix K = Eigen::FullPivLU<Matrix>(M_(active, active).eval()).kernel();
    const Vector w = M_ * z + q_;
    const Matrix slope = M_(Eigen::all, active) * K;
    Matrix C(lcp_.n, K.cols());  // the constraints that t meets at once: C t ≥ 0
    Index rows = 0;
    for (std::size_t a = 0; a < active.size(); ++a)
      if (z[active[a]] <= zero_) C.row(rows++) = K.row(static_cast<Index>(a));
    for (Index i = 0; i < lcp_.n; ++i)
      if (!in_basis(i) && w[i] <= zero_) C.row(rows++) = slope.row(i);
    C.conservativeResize(rows, Eigen::NoChange);
    if (rows == 0 || C.colPivHouseholderQr().rank() < K.cols()) return true;
    // Stiemke: C t ≥ 0, C t ≠ 0 has a solution or Cᵀλ = 0, λ > 0 has one
    const Vector ones = C.transpose() * Vector::Ones(rows);
    const NonnegativeFit fit = nonnegative_least_squares(-C.transpose(), ones);
    return fit.residual.norm() > 1e-9 * C.norm();
  }

  [[nodiscard]] bool degenerate(const Vector& z) const {
    const Vector w = M_ * z + q_;
    for (Index i = 0; i < lcp_.n; ++i)
      if (z[i] <= zero_ && w[i] <= zero_) return true;
    return false;
  }
  [[nodiscard]] double zero() const { return zero_; }

 private:
  [[nodiscard]] bool in_basis(Index i) const {
    return std::find(work_.active.begin(), work_.active.end(), i) != work_.active.end();
  }

  bool solve_regular(Vector& z) {
    const auto& active = work_.active;
    const auto m = static_cast<Index>(active.size());
    double* lu = work_.lu.get(m * m);
    double* x = work_.lu_rhs.get(m);
    for (Index i = 0; i < m; ++i) {
      x[i] = -lcp_.q[active[i]];
      for (Index j = 0; j < m; ++j) lu[i * m + j] = lcp_.M[active[i] * lcp_.n + active[j]];
    }
    if (!lu_factorise(m, lu, work_.lu_pivots.data())) return false;
    lu_solve(m, lu, work_.lu_pivots.data(), x);
    for (Index i = 0; i < m; ++i) z[active[i]] = x[i];
    return true;
  }

  /// M_αα z_α = −q_α, M_γα z_α − w_γ = −q_γ with z_α, w_γ ≥ 0.
  bool solve_singular(Vector& z) const {
    const auto& active = work_.active;
    const auto m = static_cast<Index>(active.size());
    Matrix G(lcp_.n, lcp_.n);
    G.leftCols(m) = M_(Eigen::all, active);
    Index column = m;
    for (Index i = 0; i < lcp_.n; ++i)
      if (!in_basis(i)) G.col(column++) = -Vector::Unit(lcp_.n, i);
    const NonnegativeFit fit = nonnegative_least_squares(G, -q_);
    for (Index a = 0; a < m; ++a) z[active[a]] = fit.coefficients[a];
    return fit.residual.norm() <= zero_;
  }

  [[nodiscard]] bool accept(Vector& z) const {
    if (!(z.minCoeff() >= -zero_)) return false;
    z = z.cwiseMax(0.0);
    const Vector w = M_ * z + q_;
    return z.cwiseMin(w).lpNorm<Eigen::Infinity>() <= zero_;
  }

  const DenseLcp& lcp_;
  Workspace& work_;
  Matrix M_;
  Vector q_;
  double zero_ = 0;
  bool singular_ = false;
};

Outcome first_solution(const DenseLcp& lcp, double* z, const Enumeration& options,
                       Workspace& work) {
  std::fill(z, z + lcp.n, 0.0);
  if (lcp.n > options.max_size) return {SolveStatus::max_iterations, 0};
  if (lcp.n == 0) return {SolveStatus::converged, 0};
  Bases bases(lcp, options.tolerance, work);
  Vector point;
  Outcome outcome{SolveStatus::stalled, 0};
  for (std::uint64_t number = 0; number >> lcp.n == 0; ++number) {
    ++outcome.iterations;
    if (!bases.solve(number, point)) continue;
    std::copy(point.data(), point.data() + lcp.n, z);
    outcome.status = SolveStatus::converged;
    break;
  }
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Enumeration& options,
                      Workspace& work) {
  return solve_by_tableau(problem, z, options, work,
                          [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                            return first_solution(lcp, solution, options, w);
                          });
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Enumeration& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Enumeration& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Enumeration& options,
                  Workspace& work) {
  return solve_any(problem, r, options, work);
}

std::vector<EnumeratedSolution> enumerate_solutions(LcpView problem, const Enumeration& options) {
  validate(problem);
  require_valid(options);
  const Index n = problem.q.size();
  require(n <= options.max_size,
          "enumerate_solutions: the problem has {} rows, Enumeration takes at most {}", n,
          options.max_size);
  Workspace work;
  const Vector guess = Vector::Zero(n);
  const BoxView box = as_box(problem, guess, Enumeration::name, work);
  DenseLcp lcp;
  static_cast<void>(to_dense_lcp(box, work, lcp));  // an LCP has no free rows to eliminate
  Bases bases(lcp, options.tolerance, work);
  std::vector<EnumeratedSolution> solutions;
  Vector z = guess;
  for (std::uint64_t number = 0; n > 0 && number >> n == 0; ++number) {
    if (!bases.solve(number, z)) continue;
    const bool family = bases.family(z);
    const double near = bases.zero() * std::max(1.0, z.lpNorm<Eigen::Infinity>());
    const auto known = std::find_if(solutions.begin(), solutions.end(), [&](const auto& s) {
      return (s.z - z).template lpNorm<Eigen::Infinity>() <= near;
    });
    if (known == solutions.end())
      solutions.push_back({z, work.active, bases.degenerate(z), family});
    else
      known->family = known->family || family;
  }
  return solutions;
}

}  // namespace saltus
