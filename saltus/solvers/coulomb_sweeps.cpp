#include "saltus/solvers/coulomb_sweeps.hpp"

#include "saltus/solvers/dense_kernels.hpp"
#include "saltus/solvers/lorentz.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

constexpr int secular_steps = 60;
constexpr Index worth_dissecting = 2000;  // cells
constexpr int dissections = 3;            // one after the other: eight parts and their separators

/// The slip of one contact as a function of a: y_T(a) = (S + a I)⁻¹ b, S the Schur complement of
/// the normal row, and y_N from u_N = 0.
struct Secular {
  Secular(const double* W, const double* q) : W_(W), q_(q), i_(1 / W[0]) {
    s11 = W[4] - W[3] * W[1] * i_;
    s12 = W[5] - W[3] * W[2] * i_;
    s21 = W[7] - W[6] * W[1] * i_;
    s22 = W[8] - W[6] * W[2] * i_;
    b1 = -q[1] + W[3] * q[0] * i_;
    b2 = -q[2] + W[6] * q[0] * i_;
    if (s22 == 0 && b2 == 0 && s12 == 0 && s21 == 0) s22 = s11;  // in the plane: y_T2 stays zero
    size = 0.5 * (std::abs(s11) + std::abs(s22));
  }
  [[nodiscard]] double det(double a) const { return (s11 + a) * (s22 + a) - s12 * s21; }
  void at(double a, double* y) const {
    const double d = det(a);
    y[1] = ((s22 + a) * b1 - s12 * b2) / d;
    y[2] = ((s11 + a) * b2 - s21 * b1) / d;
    y[0] = (-q_[0] - W_[1] * y[1] - W_[2] * y[2]) * i_;
  }
  /// dy/da at y = y(a)
  void slope(double a, const double* y, double* dy) const {
    const double d = det(a);
    dy[1] = -((s22 + a) * y[1] - s12 * y[2]) / d;
    dy[2] = -((s11 + a) * y[2] - s21 * y[1]) / d;
    dy[0] = -(W_[1] * dy[1] + W_[2] * dy[2]) * i_;
  }
  const double *W_, *q_;
  double i_, s11, s12, s21, s22, b1, b2, size;
};

/// The a > 0 with ‖y_T(a)‖ = y_N(a), which exists: ‖y_T‖ > y_N at 0 and < at ∞.
double secular_root(const Secular& slip, double a, double* y) {
  double low = 0, high = inf;
  for (int k = 0; k < secular_steps; ++k) {
    slip.at(a, y);
    const double t = lorentz::tangent(y), gap = t - y[0];
    if (std::abs(gap) <= 1e-14 * (t + std::abs(y[0]))) return a;
    (gap > 0 ? low : high) = a;
    double dy[3];
    slip.slope(a, y, dy);
    const double dt = (y[1] * dy[1] + y[2] * dy[2]) / t;
    // Newton on 1/y_N − 1/‖y_T‖, nearly linear in a
    double next = y[0] > 0 ? a - (1 / y[0] - 1 / t) / (dt / (t * t) - dy[0] / (y[0] * y[0]))
                           : a - gap / (dt - dy[0]);
    if (!(next > low && next < high))
      next = std::isfinite(high) ? 0.5 * (low + high) : 2 * a + slip.size;
    if (std::isfinite(high) && high - low <= 1e-16 * high) return a;
    a = next;
  }
  return a;
}

}  // namespace

bool solve_coulomb_cell(const double* W, const double* q, double* y) {
  if (q[0] >= 0) {
    std::fill(y, y + 3, 0.0);
    return true;
  }
  if (!(W[0] > 0)) return false;
  const Secular slip(W, q);
  double next[3] = {-q[0] / W[0], 0, 0};
  if (slip.b1 != 0 || slip.b2 != 0) {
    bool stick = false;
    if (slip.det(0) > 1e-14 * slip.size * slip.size) {
      slip.at(0, next);
      stick = lorentz::tangent(next) <= next[0];
    }
    if (!stick) {
      const double t = lorentz::tangent(y);
      double a = std::hypot(slip.b1, slip.b2) * W[0] / -q[0] - slip.size;
      if (y[0] > 0 && t >= 0.999 * y[0]) {  // it slides already
        double u[3];
        lorentz::multiply(W, y, u);
        a = -((u[1] + q[1]) * y[1] + (u[2] + q[2]) * y[2]) / (t * t);
      }
      a = secular_root(slip, a > 0 ? a : 1e-3 * slip.size, next);
      const double length = lorentz::tangent(next);
      if (!std::isfinite(next[0]) || next[0] < 0 || !(length > 0)) return false;
      next[1] *= next[0] / length;
      next[2] *= next[0] / length;
    }
  }
  std::copy(next, next + 3, y);
  return true;
}

bool CoulombSweeps::prepare(CoulombSystem& system) {
  s_ = &system;
  if (system.reduced() && system.rolling_weight().size() == 0)
    inverse_ = system.left();
  else if (!prepare_bodies())
    return false;
  diagonal_blocks();
  join_rows();
  parts_ = Dissection(s_->cells());
  return true;
}

/// M⁻¹ L by the blocks of M; false if these are larger than bodies.
bool CoulombSweeps::prepare_bodies() {
  const CoulombSystem::Side& L = s_->left();
  const MassFactor& mass = s_->mass();
  const Index base = s_->unknowns() - s_->rolling_weight().size();
  if (!s_->reduced() && !mass.small_blocks()) return false;
  inverse_ = {};
  std::vector<char> done;
  Matrix columns, product;
  for (Index c = 0; c < s_->cells(); ++c) {
    const Index end = L.begin[c + 1];
    done.assign(static_cast<std::size_t>(end - L.begin[c]), 0);
    for (Index k = L.begin[c]; k < end; ++k) {
      if (done[k - L.begin[c]]) continue;
      const Index row = L.row[k];
      if (s_->reduced() || row >= base) {
        const double weight = row >= base ? s_->rolling_weight()[row - base] : 1;
        inverse_.row.push_back(L.row[k]);
        for (Index a = 0; a < 3; ++a) inverse_.value.push_back(L.value[3 * k + a] / weight);
        continue;
      }
      const int block = mass.block_of(row);
      columns.setZero(mass.block_size(block), 3);
      for (Index j = k; j < end; ++j) {
        if (L.row[j] >= base || mass.block_of(L.row[j]) != block) continue;
        done[j - L.begin[c]] = 1;
        for (Index a = 0; a < 3; ++a)
          columns(mass.place_in_block(L.row[j]), a) = L.value[3 * j + a];
      }
      product.noalias() = mass.inverse(block) * columns;
      for (Index i = 0; i < product.rows(); ++i) {
        inverse_.row.push_back(mass.block_rows(block)[i]);
        for (Index a = 0; a < 3; ++a) inverse_.value.push_back(product(i, a));
      }
    }
    inverse_.begin.push_back(static_cast<Index>(inverse_.row.size()));
  }
  return true;
}

void CoulombSweeps::diagonal_blocks() {
  const CoulombSystem::Side& R = s_->right();
  W_.assign(9 * static_cast<std::size_t>(s_->cells()), 0.0);
  std::vector<double> column(3 * static_cast<std::size_t>(s_->unknowns()), 0.0);
  for (Index c = 0; c < s_->cells(); ++c) {
    const auto spread = [&](double factor) {
      for (Index k = inverse_.begin[c]; k < inverse_.begin[c + 1]; ++k)
        for (Index a = 0; a < 3; ++a)
          column[3 * inverse_.row[k] + a] = factor * inverse_.value[3 * k + a];
    };
    spread(1);
    double* W = &W_[9 * c];
    for (Index k = R.begin[c]; k < R.begin[c + 1]; ++k)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j) W[3 * i + j] += R.value[3 * k + i] * column[3 * R.row[k] + j];
    spread(0);
    if (s_->kind(c) != CoulombSystem::Kind::free) continue;
    for (Index i = 0; i < 9; i += 4)
      if (W[i] == 0) W[i] = 1;  // rows that the cell does not have
  }
}

/// A reduced form has long runs, or few: its sweeps are products of dense columns.
void CoulombSweeps::join_rows() {
  runs_.clear();
  run_begin_.assign(1, 0);
  run_value_.resize(inverse_.value.size());
  double* out = run_value_.data();
  for (Index c = 0; c < s_->cells(); ++c) {
    const Index end = inverse_.begin[c + 1];
    for (Index k = inverse_.begin[c], next = k; k < end; k = next) {
      while (next < end && inverse_.row[next] - inverse_.row[k] == next - k) ++next;
      runs_.push_back({inverse_.row[k], static_cast<int>(next - k),
                       static_cast<std::size_t>(out - run_value_.data())});
      for (Index a = 0; a < 3; ++a)
        for (Index j = k; j < next; ++j) *out++ = inverse_.value[3 * j + a];
    }
    run_begin_.push_back(runs_.size());
  }
}

/// Parts of the cells: those of one level touch no common velocity.
void CoulombSweeps::dissect() {
  if (dissected_ || s_->cells() < worth_dissecting) return;
  dissected_ = true;
  std::vector<Index> begin = {0};
  std::vector<int> row;
  for (Index c = 0; c < s_->cells(); ++c) {
    for (const CoulombSystem::Side* side : {&s_->right(), &std::as_const(inverse_)})
      row.insert(row.end(), side->row.begin() + side->begin[c],
                 side->row.begin() + side->begin[c + 1]);
    begin.push_back(static_cast<Index>(row.size()));
  }
  parts_ = Dissection(begin, row, s_->unknowns(), dissections);
}

void CoulombSweeps::sweep(Vector& y, Vector& v) const {
  for (Index level = 0; level < parts_.levels(); ++level)
    s_->team().for_parts(parts_.parts(level), [&](Index part) {
      parts_.for_cells(level, part, [&](Index c) { solve_cell(c, y, v); });
    });
}

void CoulombSweeps::solve_cell(Index c, Vector& y, Vector& v) const {
  const CoulombSystem::Side& R = s_->right();
  double u[3] = {s_->w()[3 * c], s_->w()[3 * c + 1], s_->w()[3 * c + 2]};
  for (Index k = R.begin[c]; k < R.begin[c + 1]; ++k)
    for (Index a = 0; a < 3; ++a) u[a] += R.value[3 * k + a] * v[R.row[k]];
  double* now = &y[3 * c];
  const double* W = &W_[9 * c];
  double next[3] = {now[0], now[1], now[2]}, own[3], q[3];
  lorentz::multiply(W, now, own);
  for (int a = 0; a < 3; ++a) q[a] = u[a] - own[a];
  if (s_->kind(c) == CoulombSystem::Kind::free) {
    double inverse[9];
    if (!lorentz::invert(W, inverse)) return;
    lorentz::multiply(inverse, q, next);
    for (double& value : next) value = -value;
  } else if (s_->kind(c) == CoulombSystem::Kind::associated) {
    const double rho = 1 / (W[0] + W[4] + W[8]);
    for (int a = 0; a < 3; ++a) next[a] = now[a] - rho * u[a];
    lorentz::project(next, next);
  } else if ((now[0] == 0 && u[0] >= 0) || !solve_coulomb_cell(W, q, next)) {
    return;
  }
  const double d[3] = {now[0] - next[0], now[1] - next[1], now[2] - next[2]};
  std::copy(next, next + 3, now);
  for (std::size_t k = run_begin_[c]; k < run_begin_[c + 1]; ++k)
    kernels::subtract_product(runs_[k].rows, 3, &run_value_[runs_[k].value], runs_[k].rows, d,
                              &v[runs_[k].row]);
}

double CoulombSweeps::cost() const {
  return 6.0 * static_cast<double>(s_->right().row.size() + inverse_.row.size()) +
         150.0 * static_cast<double>(s_->cells());
}

int CoulombSweeps::run(double tolerance, const std::function<double()>& budget, int least,
                       CoulombBest& best) {
  Vector y = best.y, v;
  for (Index c = 0; c < s_->cells(); ++c)
    if (s_->kind(c) != CoulombSystem::Kind::free) lorentz::project(&y[3 * c], &y[3 * c]);
  s_->dynamics(y, v);
  double last = inf, most = -1;
  int last_sweep = 0;
  for (int k = 1, check = std::min(5, least);; ++k) {
    sweep(y, v);
    if (k < check) continue;
    s_->dynamics(y, v);
    const double e = s_->error(y, v);
    best.offer(y, e);
    if (e < tolerance) return k;
    const double rate = std::log(e / last) / (k - last_sweep);  // < 0 if it converges
    const double needed = rate < 0 ? std::log(tolerance / e) / rate : inf;
    if (k >= least) {
      if (most < 0) most = std::max(static_cast<double>(least), budget() / cost());
      if (!(k + needed <= most) || static_cast<double>(k) >= most) return k;
      dissect();
    }
    last = e;
    last_sweep = k;
    check = std::min(k + std::max(5, k / 4), std::max(k + 1, least));
    if (k >= least) check = k + std::max(5, k / 4);
  }
}

}  // namespace saltus
