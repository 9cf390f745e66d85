#include "saltus/problems/friction_measures.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"

#include <Eigen/SVD>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace saltus {

double self_stress_limit(double held) {
  constexpr double margin = 4;
  const double usual = FrictionErrors{}.self_stress_limit;
  return std::isfinite(held) ? std::max(usual, margin * held) : usual;
}

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// What the measures need of either form.
struct View {
  std::span<const BlockSet> K;
  std::vector<Index> sizes;
  Vector q;
  std::function<Vector(ConstVectorRef)> velocity;  ///< r ↦ W r + q
  Vector rho;                                      ///< 1/‖W_ii‖ per block
  double rho_0 = 1;

  template <class Visit>
  void for_each_block(Visit&& visit) const {
    Index first = 0;
    for (std::size_t i = 0; i < K.size(); first += sizes[i], ++i)
      visit(K[i], static_cast<Index>(i), first, sizes[i]);
  }
};

/// The coefficient of friction that belongs to row j of a block; 1 on the normal.
double scale_of(const BlockSet& set, Index j, Index size) {
  return std::visit(
      Overloaded{[&](const FrictionCone& K) { return j == 0 ? 1.0 : K.mu; },
                 [&](const SecondOrderCone& K) { return j == 0 ? 1.0 : K.mu; },
                 [&](const EllipticCone& K) { return j == 0 ? 1.0 : (j == 1 ? K.mu_1 : K.mu_2); },
                 [&](const RollingCone& K) {
                   return j == 0 ? 1.0 : (j <= (size - 1) / 2 ? K.mu : K.mu_rolling);
                 },
                 [](const auto&) { return 1.0; }},
      set);
}

double inverse(double norm) { return norm > 0 && std::isfinite(norm) ? 1 / norm : 1; }

void check_size(Index given, Index expected) {
  require(given == expected, "friction measures: r has size {}, the problem {}", given, expected);
}

View view_of(const BlockForm& problem) {
  const BlockSparse& W = problem.W;
  View view{problem.K, block_sizes(problem), problem.q, {}, Vector::Ones(W.block_rows()), 1};
  view.velocity = [&problem](ConstVectorRef r) -> Vector {
    if (r.isZero(0)) return problem.q;
    Vector u(problem.q.size());
    problem.W.multiply(r, u);
    return u + problem.q;
  };
  double trace = 0;
  view.for_each_block([&](const BlockSet& set, Index i, Index, Index size) {
    const Index k = W.diagonal(i);
    if (k < 0) return;
    const auto block = W.block(i, k);
    view.rho[i] = inverse(block.norm());
    for (Index j = 0; j < size; ++j)
      trace += block(j, j) * scale_of(set, j, size) * scale_of(set, j, size);
  });
  view.rho_0 = trace > 0 ? static_cast<double>(W.rows()) / trace : 1;
  return view;
}

View view_of(const GlobalBlockForm& problem, LinearSolve solve) {
  if (!solve) solve = factorise("GlobalBlockForm", problem.M);
  View view{problem.K, problem.sizes, {}, {}, Vector::Ones(std::ssize(problem.K)), 1};
  view.q = problem.H.transpose() * solve(problem.f) + problem.w;
  view.velocity = [&problem, solve](ConstVectorRef r) -> Vector {
    return problem.H.transpose() * solve(problem.H * r + problem.f) + problem.w;
  };
  // W_ii by the diagonal of M, up to its sign: any scaling ρ > 0 serves
  const Vector mass = problem.M.diagonal().cwiseAbs();
  double scaled = 0;
  view.for_each_block([&](const BlockSet& set, Index i, Index first, Index size) {
    double norm = 0;
    for (Index j = 0; j < size; ++j) {
      const double scale = scale_of(set, j, size);
      for (Sparse::InnerIterator it(problem.H, first + j); it; ++it) {
        scaled += it.value() * it.value() * scale * scale;
        if (mass[it.row()] > 0) norm += it.value() * it.value() / mass[it.row()];
      }
    }
    view.rho[i] = inverse(norm);
  });
  view.rho_0 = scaled > 0 && mass.sum() > 0 ? mass.sum() / scaled : 1;
  return view;
}

bool is_cone(const BlockSet& K) {
  return !std::holds_alternative<Interval>(K) && !std::holds_alternative<FrictionCylinder>(K);
}

double self_stress(const View& view, ConstVectorRef r) {
  const double norm = view.q.norm();
  return r.norm() / (view.rho_0 * (norm > 0 ? norm : 1));
}

FrictionErrors errors_of(const View& view, ConstVectorRef r) {
  check_size(r.size(), view.q.size());
  FrictionErrors errors;
  Vector shifted = view.velocity(r);
  const double norm = view.q.norm(), scale = norm > 0 ? norm : 1;
  // finite, and so are their squares: no projection and no norm overflows
  if (!std::isfinite(norm + shifted.norm() + r.norm())) return errors;
  Vector p(r.size());
  double first_sum = 0, second_sum = 0;
  view.for_each_block([&](const BlockSet& K, Index, Index first, Index size) {
    auto u = shifted.segment(first, size);
    auto out = p.segment(first, size);
    const auto own = r.segment(first, size);
    second_sum += squared_dual_map(K, size, r.data() + first, u.data());
    u[0] += shift(K, size, u.data());
    project(K, own - u, out);
    first_sum += (own - out).squaredNorm();
  });
  errors.e1 = std::sqrt(first_sum) / scale;
  errors.e2 = std::sqrt(second_sum) / scale;
  errors.self_stress = self_stress(view, r);
  return errors;
}

FrictionCertificate certificate_of(const View& view, ConstVectorRef r) {
  check_size(r.size(), view.q.size());
  const Index m = r.size();
  FrictionCertificate result{Vector::Zero(m), view.velocity(r), Vector::Zero(m)};
  view.for_each_block([&](const BlockSet& K, Index i, Index first, Index size) {
    auto u = result.u.segment(first, size);
    auto out = result.r.segment(first, size);
    u[0] += shift(K, size, u.data());
    const Vector z = r.segment(first, size) - view.rho[i] * u;
    project(K, z, out);
    if (is_cone(K)) {
      project_dual(K, -z, u);  // û* = P_K*(−z)/ρ keeps its digits where r* − z would not
      u /= view.rho[i];
    } else {
      u = (out - z) / view.rho[i];
    }
    u[0] -= shift(K, size, u.data());
  });
  result.dq = result.u - view.velocity(result.r);
  if (!result.dq.allFinite()) return result;
  result.perturbation = 0;
  view.for_each_block([&](const BlockSet&, Index, Index first, Index size) {
    result.perturbation = std::max(result.perturbation, result.dq.segment(first, size).norm());
  });
  const double largest = view.q.size() > 0 ? view.q.lpNorm<Eigen::Infinity>() : 0;
  result.relative = result.perturbation / (largest > 0 ? largest : 1);
  return result;
}

constexpr double smallest = 1e-10;  // ε over the mean of the diagonal of W
constexpr double nearly = 1e-2;     // error of an r whose self-stress matters

/// (H Hᵀ + ε M)⁻¹ f by the solver given, if it does so, or by a factorisation; empty if that matrix
/// is singular to rounding.
Vector hold(const GlobalBlockForm& problem, double epsilon, const HeldSolve& held) {
  constexpr double exact = 1e-8;  // relative residual
  const Sparse& H = problem.H;
  if (const LinearSolve solve = held ? held(epsilon) : LinearSolve{}) {
    Vector x = solve(problem.f), left;
    const auto residual = [&] {
      left = problem.f - H * (H.transpose() * x) - epsilon * (problem.M * x);
      return left.norm();
    };
    if (residual() < std::sqrt(exact) * problem.f.norm()) x += solve(left);
    if (residual() <= exact * problem.f.norm()) return x;
  }
  const Eigen::SimplicialLDLT<Sparse> factor(H * Sparse(H.transpose()) + epsilon * problem.M);
  return factor.info() == Eigen::Success ? Vector(factor.solve(problem.f)) : Vector{};
}

double limit_of(const GlobalBlockForm& problem, const View& view, const HeldSolve& held) {
  double trace = 0;
  const Vector mass = problem.M.diagonal().cwiseAbs();
  for (Index j = 0; j < problem.H.cols(); ++j)
    for (Sparse::InnerIterator it(problem.H, j); it; ++it)
      if (mass[it.row()] > 0) trace += it.value() * it.value() / mass[it.row()];
  const double epsilon = smallest * trace / static_cast<double>(std::max<Index>(1, view.q.size()));
  const Vector x = epsilon > 0 ? hold(problem, epsilon, held) : Vector{};
  return self_stress_limit(x.size() > 0 ? self_stress(view, problem.H.transpose() * x) : 0);
}

/// W (W + ε I)⁻² q by the solver given, if it does so, or by a factorisation; empty if that matrix
/// is singular to rounding.
Vector hold(const BlockForm& problem, double epsilon, const HeldSolve& held) {
  const Vector& q = problem.q;
  if (const LinearSolve solve = held ? held(epsilon) : LinearSolve{}) {
    const Vector r = solve(q);
    const auto times_W = [&](const Vector& x) {
      Vector y(x.size());
      problem.W.multiply(x, y);
      return y;
    };
    constexpr double near = 1e-6;  // a solver may know W but for 1e-12 or so, and r is large
    const Vector stopped = times_W(q), once = times_W(r) + epsilon * r;
    if ((times_W(once) + epsilon * once - stopped).norm() <= near * stopped.norm()) return r;
  }
  const Sparse W = problem.W.to_sparse();
  Sparse shift(W.rows(), W.rows());
  shift.setIdentity();
  const Eigen::SimplicialLDLT<Sparse> factor(W + epsilon * shift);
  return factor.info() == Eigen::Success ? Vector(W * factor.solve(factor.solve(q))) : Vector{};
}

double held_stress(const BlockForm& problem, const View& view, const HeldSolve& held) {
  const BlockSparse& W = problem.W;
  double trace = 0;
  for (Index i = 0; i < W.block_rows(); ++i)
    if (W.diagonal(i) >= 0) trace += W.block(i, W.diagonal(i)).trace();
  const double epsilon = smallest * trace / static_cast<double>(std::max<Index>(1, W.rows()));
  return epsilon > 0 && W.symmetric() ? self_stress(view, hold(problem, epsilon, held)) : 0;
}

bool asks_for_limit(const FrictionErrors& errors) {
  return errors.worst() < nearly && !errors.trusted();
}

/// Golub–Kahan bidiagonalisation of W from q: the ratio of the extreme singular values of the
/// bidiagonal matrix after at most `steps` steps.
double bidiagonal_condition(const BlockSparse& W, const Vector& q, Index steps) {
  Vector u = q.norm() > 0 ? Vector(q.normalized()) : Vector(Vector::Ones(W.rows()).normalized());
  Vector v(W.cols()), next(W.rows());
  W.multiply_transposed(u, v);
  std::vector<double> alpha{v.norm()}, beta;
  if (!(alpha[0] > 0)) return 0;
  v /= alpha[0];
  const double negligible = 1e-12 * alpha[0];
  for (Index k = 1; k < steps; ++k) {
    W.multiply(v, next);
    u = next - alpha.back() * u;
    const double b = u.norm();
    if (!(b > negligible)) break;
    u /= b;
    Vector w(W.cols());
    W.multiply_transposed(u, w);
    v = w - b * v;
    const double a = v.norm();
    beta.push_back(b);
    if (!(a > negligible)) break;
    v /= a;
    alpha.push_back(a);
  }
  const auto k = std::ssize(alpha);
  Matrix B = Matrix::Zero(std::ssize(beta) + 1, k);
  for (Index i = 0; i < k; ++i) B(i, i) = alpha[i];
  for (Index i = 0; i < std::ssize(beta); ++i) B(i + 1, i) = beta[i];
  const Vector sigma = Eigen::JacobiSVD<Matrix>(B).singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

}  // namespace

FrictionErrors friction_errors(const BlockForm& problem, ConstVectorRef r,
                               std::optional<double> limit) {
  const View view = view_of(problem);
  FrictionErrors errors = errors_of(view, r);
  if (asks_for_limit(errors))
    errors.self_stress_limit = limit ? *limit : self_stress_limit(held_stress(problem, view, {}));
  return errors;
}

FrictionErrors friction_errors(const GlobalBlockForm& problem, ConstVectorRef r,
                               const LinearSolve& solve, std::optional<double> limit) {
  const View view = view_of(problem, solve);
  FrictionErrors errors = errors_of(view, r);
  if (asks_for_limit(errors))
    errors.self_stress_limit = limit ? *limit : limit_of(problem, view, {});
  return errors;
}

double self_stress_limit(const GlobalBlockForm& problem, const LinearSolve& solve,
                         const HeldSolve& held) {
  return limit_of(problem, view_of(problem, solve), held);
}

double held_self_stress(const BlockForm& problem, const HeldSolve& held) {
  return held_stress(problem, view_of(problem), held);
}

double cheap_error(ConstVectorRef r, ConstVectorRef r_old) {
  check_size(r.size(), r_old.size());
  const double norm = r_old.norm();
  return (r - r_old).norm() / (norm > 0 ? norm : 1);
}

FrictionCertificate friction_certificate(const BlockForm& problem, ConstVectorRef r) {
  return certificate_of(view_of(problem), r);
}

FrictionCertificate friction_certificate(const GlobalBlockForm& problem, ConstVectorRef r,
                                         const LinearSolve& solve) {
  return certificate_of(view_of(problem, solve), r);
}

std::string_view name(ContactStatus status) {
  constexpr std::array<std::string_view, 3> names{"open", "stick", "slide"};
  return names[static_cast<std::size_t>(status)];
}

std::vector<ContactStatus> contact_status(std::span<const BlockSet> K, std::span<const Index> sizes,
                                          const FrictionCertificate& certificate) {
  std::vector<ContactStatus> status;
  Index first = 0;
  for (std::size_t i = 0; i < K.size(); first += sizes[i], ++i) {
    if (row_by_row(K[i])) continue;
    const bool free = (certificate.r.segment(first, sizes[i]).array() == 0).all();
    const bool rest = (certificate.u.segment(first, sizes[i]).array() == 0).all();
    status.push_back(free ? ContactStatus::open
                          : (rest ? ContactStatus::stick : ContactStatus::slide));
  }
  return status;
}

std::array<Index, 3> count(std::span<const ContactStatus> status) {
  std::array<Index, 3> number{};
  for (const ContactStatus s : status) ++number[static_cast<std::size_t>(s)];
  return number;
}

std::vector<Index> block_sizes(const BlockForm& problem) {
  std::vector<Index> sizes(static_cast<std::size_t>(problem.W.block_rows()));
  for (Index i = 0; i < problem.W.block_rows(); ++i) sizes[i] = problem.W.row_size(i);
  return sizes;
}

FrictionDiagnostics diagnose(const BlockForm& problem, Index dense_rows) {
  FrictionDiagnostics result;
  result.rows = problem.q.size();
  for (const BlockSet& K : problem.K) result.contacts += row_by_row(K) ? 0 : 1;
  const Sparse W = problem.W.to_sparse();
  const double norm = W.norm();
  result.asymmetry = norm > 0 ? (W - Sparse(W.transpose())).norm() / norm : 0;
  constexpr Index steps = 60;
  result.condition = bidiagonal_condition(problem.W, problem.q, std::min(steps, result.rows));
  if (result.rows > dense_rows || result.rows == 0) return result;
  const Vector sigma = Eigen::BDCSVD<Matrix>(Matrix(W)).singularValues();
  const double least =
      static_cast<double>(result.rows) * std::numeric_limits<double>::epsilon() * sigma[0];
  while (result.rank < sigma.size() && sigma[result.rank] > least) ++result.rank;
  if (result.rank == 0) return result;
  result.rank_ratio = static_cast<double>(result.rows) / static_cast<double>(result.rank);
  result.condition_svd = sigma[0] / sigma[result.rank - 1];
  return result;
}

FrictionDiagnostics diagnose(const GlobalBlockForm& problem, Index dense_rows) {
  FrictionDiagnostics result = diagnose(reduce(problem), dense_rows);
  result.velocities = problem.f.size();
  result.density = static_cast<double>(result.rows) / static_cast<double>(result.velocities);
  return result;
}

}  // namespace saltus
