#include "saltus/solvers/coulomb_system.hpp"

#include "saltus/solvers/lorentz.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr double nearly = 1e-2;  // error from which on a larger self-stress may be asked for

}  // namespace

void CoulombSystem::add_to_velocity(ConstVectorRef dw) {
  for (Index k = 0; k < D_.size(); ++k)
    if (component_[k] >= 0) w_[k] += D_[k] * dw[component_[k]] / beta_;
}

Vector CoulombSystem::to_scaled(ConstVectorRef r) const {
  Vector y = Vector::Zero(3 * cells());
  for (Index k = 0; k < y.size(); ++k)
    if (component_[k] >= 0 && D_[k] > 0) y[k] = r[component_[k]] / (beta_ * D_[k]);
  for (Index c = 0; c < cells(); ++c)
    if (twin_[c] >= 0) y[3 * c] = r[component_[3 * twin_[c]]] / (beta_ * D_[3 * c]);
  return y;
}

void CoulombSystem::to_problem(const Vector& y, VectorRef r) const {
  for (Index k = 0; k < y.size(); ++k)
    if (component_[k] >= 0) r[component_[k]] = beta_ * D_[k] * y[k];
}

Vector CoulombSystem::solve_mass(ConstVectorRef b) {
  x_ = b;
  Vector v;
  mass_.solve(x_, v, team());
  return v;
}

void CoulombSystem::left(const Vector& y, const Vector& load, Vector& out) const {
  out.resize(n_);
  team().for_range(n_, [&](Index i) {
    double even = 0, odd = 0;  // two sums, which do not wait for each other
    const auto term = [&](Index k) {
      return lorentz::dot(&left_row_value_[3 * k], &y[3 * left_row_cell_[k]]);
    };
    Index k = left_row_begin_[i];
    const Index end = left_row_begin_[i + 1];
    for (; k + 1 < end; k += 2) {
      even += term(k);
      odd += term(k + 1);
    }
    out[i] = even + (k < end ? odd + term(k) : odd) + load[i];
  });
}

void CoulombSystem::subtract_momentum(const Vector& v, Vector& out) const {
  team().for_range(n_, [&](Index i) {
    double sum = out[i];
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(M_by_rows_, i); it; ++it)
      sum -= it.value() * v[it.col()];
    out[i] = sum;
  });
}

void CoulombSystem::right_transposed(const Vector& v, Vector& u) const {
  u.resize(3 * cells());
  const Side& R = right();
  team().for_range(cells(), [&](Index c) {
    double n = 0, t1 = 0, t2 = 0;
    for (Index k = R.begin[c]; k < R.begin[c + 1]; ++k) {
      const double* h = &R.value[3 * k];
      const double x = v[R.row[k]];
      n += h[0] * x;
      t1 += h[1] * x;
      t2 += h[2] * x;
    }
    u[3 * c] = n;
    u[3 * c + 1] = t1;
    u[3 * c + 2] = t2;
  });
}

void CoulombSystem::dynamics(const Vector& y, Vector& v) {
  left(y, f_, b_);
  if (reduced_) {
    v = b_;
  } else {
    x_ = b_.head(base_);
    mass_.solve(x_, p_, team());
    v.resize(n_);
    v.head(base_) = p_;
  }
  v.tail(n_ - base_) = b_.tail(n_ - base_).cwiseQuotient(weight_);
}

bool CoulombSystem::factorise(std::span<const double> A) {
  aside_ = false;
  if (may_hold() && A.data() != A_.data()) {
    A_.resize(A.size());
    team().for_slices(std::ssize(A), [&](Index first, Index count) {
      std::copy_n(A.begin() + first, count, A_.begin() + first);
    });
  }
  return assemble_and_factorise(A);
}

void CoulombSystem::solve(const Vector& b, Vector& x) {
  if (aside_) (void)factorise(A_);  // as it was, and it was not singular
  factor_.solve(b, x, team());
}

LinearSolve CoulombSystem::hold(double epsilon) {
  if (!may_hold()) return {};
  std::vector<double> A(9 * kind_.size(), 0.0);
  for (Index k = 0; k < D_.size(); ++k)
    if (D_[k] > 0) A[9 * (k / 3) + 4 * (k % 3)] = 1 / (epsilon * D_[k] * D_[k]);
  aside_ = true;
  if (!assemble_and_factorise(A)) return {};
  return [this, epsilon](ConstVectorRef b) -> Vector {
    Vector x;
    factor_.solve(b, x, team());
    return x / epsilon;
  };
}

bool CoulombSystem::assemble_and_factorise(std::span<const double> A) {
  make_places();
  const Side& R = right();
  factor_.clear(team());
  double* K = factor_.values();
  team().for_range(n_, [&](Index column) {
    for (Index k = M_.outerIndexPtr()[column]; k < M_.outerIndexPtr()[column + 1]; ++k)
      K[matrix_position_[k]] += M_.valuePtr()[k];
    for (Index k = right_touch_begin_[column]; k < right_touch_begin_[column + 1]; ++k) {
      const Touch& touch = right_touch_[k];
      const Index first = left_.begin[touch.cell], rows = left_.begin[touch.cell + 1] - first;
      const Index* position = &cell_position_[touch.position];
      double s[3];
      lorentz::multiply(&A[9 * touch.cell], &R.value[3 * touch.entry], s);
      for (Index i = 0; i < rows; ++i)
        K[position[i]] += lorentz::dot(&left_.value[3 * (first + i)], s);
    }
  });
  ++factorisations_;
  return factor_.factorise(team());
}

double CoulombSystem::error(const Vector& y) {
  dynamics(y, v_);
  return error(y, v_);
}

double CoulombSystem::error(const Vector& y, const Vector& v) {
  if (&v != &v_) v_ = v;
  v_.tail(n_ - base_).setZero();
  right_transposed(v_, u_);
  team().for_range(u_.size(), [&](Index k) {
    u_[k] += w_[k];
    if (component_[k] < 0) return;
    r_[component_[k]] = beta_ * D_[k] * y[k];
    velocity_[component_[k]] = D_[k] > 0 ? beta_ * u_[k] / D_[k] : 0;
  });
  const auto blocks = static_cast<Index>(K_.size());
  const double primal = team().sum(blocks, [&](Index b) {
    const Index first = block_begin_[b];
    return squared_natural_map(K_[b], block_begin_[b + 1] - first, &r_[first], &velocity_[first]);
  });
  const double dual = team().sum(blocks, [&](Index b) {
    const Index first = block_begin_[b];
    return squared_dual_map(K_[b], block_begin_[b + 1] - first, &r_[first], &velocity_[first]);
  });
  const double e = std::sqrt(std::max(primal, dual)) / norm_q_;
  if (!std::isfinite(e)) return inf;
  const double stress = r_.norm() / (rho0_ * norm_q_);
  const double usual = FrictionErrors{}.self_stress_limit;
  if (stress > usual && e < nearly && find_limit_ && !limit_) limit_ = find_limit_();
  return stress <= limit_.value_or(usual) ? e : inf;
}

}  // namespace saltus
