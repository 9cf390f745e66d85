#include "saltus/solvers/cone_program.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Φ(x) = cᵀx + ‖P_K(y − ρ s(x))‖²/(2ρ) + δ/2 ‖x − center‖²
class Subproblem {
 public:
  Subproblem(const ConeProgram& program, int budget)
      : p_(program), Bt_(program.B.transpose()), budget_(budget) {}

  Vector y, center;
  double rho = 1, delta = 1;

  [[nodiscard]] Vector slack(const Vector& x) const { return p_.B * x + p_.b; }

  /// P_K(y − ρ s(x))
  [[nodiscard]] Vector multiplier(const Vector& x) const {
    return project_cones(y - rho * slack(x));
  }

  [[nodiscard]] Vector project_cones(const Vector& z) const {
    Vector p(z.size());
    for_each_block([&](const BlockSet& K, Index first, Index size) {
      project(K, z.segment(first, size), p.segment(first, size));
    });
    return p;
  }

  [[nodiscard]] Vector dual_residual(const Vector& multipliers) const {
    return Bt_ * multipliers - p_.c;
  }

  /// Newton from x until ‖∇Φ‖∞ ≤ tolerance or no descent is left in the digits.
  void minimise(Vector& x, double tolerance) {
    Vector p = multiplier(x);
    double value = phi(x, p);
    for (int k = 0; k < 50 && used_ < budget_; ++k) {
      const Vector gradient = delta * (x - center) - dual_residual(p);
      if (gradient.lpNorm<Eigen::Infinity>() <= tolerance) return;
      const Vector step = -newton(x, gradient);
      const double slope = gradient.dot(step);
      if (!(slope < 0)) return;
      double a = 1;
      Vector next, p_next;
      double value_next = inf;
      for (; a > 1e-6; a *= 0.5) {
        next = x + a * step;
        p_next = multiplier(next);
        value_next = phi(next, p_next);
        if (value_next <= value + 1e-4 * a * slope) break;
      }
      // At the level of rounding the values no longer tell; the gradient does.
      const bool descends = value_next <= value + 1e-4 * a * slope;
      if (!descends) {
        next = x + step;
        p_next = multiplier(next);
        const Vector after = delta * (next - center) - dual_residual(p_next);
        if (!(after.norm() < 0.9 * gradient.norm())) return;
        value_next = phi(next, p_next);
      }
      x = next;
      p = p_next;
      value = value_next;
    }
  }

  [[nodiscard]] int factorisations() const { return used_; }
  [[nodiscard]] bool exhausted() const { return used_ >= budget_; }

 private:
  template <class Visit>
  void for_each_block(Visit&& visit) const {
    Index first = 0;
    for (std::size_t i = 0; i < p_.K.size(); first += p_.sizes[i], ++i)
      visit(p_.K[i], first, p_.sizes[i]);
  }

  [[nodiscard]] double phi(const Vector& x, const Vector& multipliers) const {
    return p_.c.dot(x) + multipliers.squaredNorm() / (2 * rho) +
           0.5 * delta * (x - center).squaredNorm();
  }

  /// (ρ Bᵀ P_K'(z) B + δ I)⁻¹ g
  Vector newton(const Vector& x, const Vector& gradient) {
    const Vector z = y - rho * slack(x);
    std::vector<Eigen::Triplet<double>> entries;
    for_each_block([&](const BlockSet& K, Index first, Index size) {
      Matrix J = Matrix::Zero(size, size);
      projection_jacobian(K, z.segment(first, size), J);
      for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j)
          if (J(i, j) != 0)
            entries.emplace_back(static_cast<int>(first + i), static_cast<int>(first + j), J(i, j));
    });
    Sparse J(z.size(), z.size()), I(x.size(), x.size());
    J.setFromTriplets(entries.begin(), entries.end());
    I.setIdentity();
    const Sparse A = rho * Sparse(Bt_ * Sparse(J * p_.B)) + delta * I;
    factor_.compute(A);
    ++used_;
    if (factor_.info() != Eigen::Success) return gradient / rho;
    Vector d = factor_.solve(gradient);
    d += factor_.solve(gradient - A * d);
    return d.allFinite() ? d : Vector(gradient / rho);
  }

  const ConeProgram& p_;
  Sparse Bt_;
  Eigen::SimplicialLDLT<Sparse> factor_;
  int budget_, used_ = 0;
};

void check(const ConeProgram& program) {
  Index rows = 0;
  for (const Index size : program.sizes) rows += size;
  require(program.K.size() == program.sizes.size() && rows == program.B.rows() &&
              rows == program.b.size() && program.c.size() == program.B.cols(),
          "cone program: B is {}x{}, b has size {}, c {}, the {} cones {} rows", program.B.rows(),
          program.B.cols(), program.b.size(), program.c.size(), program.K.size(), rows);
}

}  // namespace

ConeAnswer solve_cone_program(const ConeProgram& program, double tolerance,
                              int max_factorisations) {
  check(program);
  Subproblem sub(program, max_factorisations);
  sub.y = Vector::Zero(program.b.size());
  ConeAnswer answer{Vector::Zero(program.c.size()), sub.y};
  for (int k = 0; k < 100 && !sub.exhausted(); ++k) {
    sub.center = answer.x;
    sub.delta = 1 / sub.rho;
    sub.minimise(answer.x, 0.1 * tolerance);
    answer.y = sub.multiplier(answer.x);
    sub.y = answer.y;
    const Vector s = sub.slack(answer.x);
    answer.primal = (answer.y - sub.project_cones(answer.y - s)).lpNorm<Eigen::Infinity>();
    answer.dual = sub.dual_residual(answer.y).lpNorm<Eigen::Infinity>();
    if (std::max(answer.primal, answer.dual) <= tolerance) break;
    sub.rho = std::min(1e3, 5 * sub.rho);  // y keeps its digits up to 1e3 · 2⁻⁵²
  }
  answer.factorisations = sub.factorisations();
  return answer;
}

ConeAnswer least_change(const ConeProgram& program, double tolerance, int max_factorisations) {
  ConeProgram plain = program;
  plain.c = Vector::Zero(program.B.cols());
  check(plain);
  Subproblem sub(plain, max_factorisations);
  sub.y = Vector::Zero(plain.b.size());
  ConeAnswer answer{Vector::Zero(plain.c.size()), sub.y};
  for (int k = 0; k < 40 && !sub.exhausted(); ++k) {
    sub.center = answer.x;
    sub.delta = std::max(1e-10, 1e-2 * std::pow(0.1, k));
    sub.minimise(answer.x, 0.1 * tolerance);
    answer.y = sub.multiplier(answer.x);
    answer.dual = sub.dual_residual(answer.y).lpNorm<Eigen::Infinity>();
    answer.primal = answer.y.lpNorm<Eigen::Infinity>();
    if (answer.dual <= tolerance * std::max(answer.primal, tolerance)) break;
  }
  answer.factorisations = sub.factorisations();
  return answer;
}

}  // namespace saltus
