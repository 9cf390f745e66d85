#include "saltus/solvers/coulomb_sweeps.hpp"

#include "saltus/solvers/dense_kernels.hpp"
#include "saltus/solvers/lorentz.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

namespace {

constexpr int secular_steps = 60;
constexpr int first_check = 5;            // sweeps before the error is looked at
constexpr double hopeless = 4;            // times what sweeps may cost
constexpr Index worth_dissecting = 2000;  // cells
constexpr int worth_parts = 20;           // sweeps before the parts are looked for
constexpr int dissections = 3;            // one after the other: eight parts and their separators
// Closing velocity of an open contact that no error sees, the largest of w being 1. Towers pass on
// less from level to level, down to denormal numbers, which take a hundred times as long.
constexpr double unseen = 1e-30;

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
  /// y(a); returns 1/det.
  double at(double a, double* y) const {
    const double scale = 1 / det(a);
    y[1] = ((s22 + a) * b1 - s12 * b2) * scale;
    y[2] = ((s11 + a) * b2 - s21 * b1) * scale;
    y[0] = (-q_[0] - W_[1] * y[1] - W_[2] * y[2]) * i_;
    return scale;
  }
  /// dy/da at y = y(a)
  void slope(double a, const double* y, double scale, double* dy) const {
    dy[1] = -((s22 + a) * y[1] - s12 * y[2]) * scale;
    dy[2] = -((s11 + a) * y[2] - s21 * y[1]) * scale;
    dy[0] = -(W_[1] * dy[1] + W_[2] * dy[2]) * i_;
  }
  const double *W_, *q_;
  double i_, s11, s12, s21, s22, b1, b2, size;
};

/// The a > 0 with ‖y_T(a)‖ = y_N(a), which exists: ‖y_T‖ > y_N at 0 and < at ∞.
double secular_root(const Secular& slip, double a, double* y) {
  double low = 0, high = inf;
  for (int k = 0; k < secular_steps; ++k) {
    const double scale = slip.at(a, y);
    const double t = lorentz::tangent(y), gap = t - y[0];
    if (std::abs(gap) <= 1e-14 * (t + std::abs(y[0]))) return a;
    (gap > 0 ? low : high) = a;
    double dy[3];
    slip.slope(a, y, scale, dy);
    const double turn = y[1] * dy[1] + y[2] * dy[2];  // ‖y_T‖ d‖y_T‖/da
    // Newton on 1/y_N − 1/‖y_T‖, nearly linear in a
    double next = y[0] > 0 ? a - gap * t * t * y[0] / (turn * y[0] * y[0] - dy[0] * t * t * t)
                           : a - gap * t / (turn - dy[0] * t);
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
      const double pull[3] = {0, slip.b1, slip.b2};
      double a = lorentz::tangent(pull) * W[0] / -q[0] - slip.size;
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
  dissected_ = false;
  if (system.reduced() && system.rolling_weight().size() == 0)
    inverse_ = system.left();
  else if (!prepare_bodies())
    return false;
  diagonal_blocks();
  parts_ = Dissection(s_->cells());
  arrange();
  return true;
}

/// M⁻¹ L by the blocks of M; false if these are larger than bodies.
bool CoulombSweeps::prepare_bodies() {
  const CoulombSystem::Side& L = s_->left();
  if (!s_->reduced() && !s_->mass().small_blocks()) return false;
  ThreadTeam& team = s_->team();
  const Index cells = s_->cells();
  // of each block: a mark of the cell that had it last
  std::vector<std::vector<Index>> met(
      static_cast<std::size_t>(team.size()),
      std::vector<Index>(static_cast<std::size_t>(s_->unknowns()), -1));
  inverse_.begin.assign(static_cast<std::size_t>(cells) + 1, 0);
  team.for_range(cells, [&](Index c, int thread) {
    for (Index k = L.begin[c]; k < L.begin[c + 1]; ++k) {
      const int block = body_of(L.row[k]);
      if (block < 0)
        ++inverse_.begin[c + 1];
      else if (std::exchange(met[thread][block], c) != c)
        inverse_.begin[c + 1] += s_->mass().block_size(block);
    }
  });
  inverse_.make_room();
  team.for_range(cells, [&](Index c, int thread) { divide_by_mass(c, met[thread], cells + c); });
  return true;
}

/// The block of M that a row belongs to; −1 if it is alone in it, or no row of M.
int CoulombSweeps::body_of(Index row) const {
  const Index base = s_->unknowns() - s_->rolling_weight().size();
  if (s_->reduced() || row >= base) return -1;
  const int block = s_->mass().block_of(row);
  return s_->mass().block_size(block) > 1 ? block : -1;
}

/// What a row with no others in its block is multiplied by.
double CoulombSweeps::inverse_mass(Index row) const {
  const Index base = s_->unknowns() - s_->rolling_weight().size();
  if (row >= base) return 1 / s_->rolling_weight()[row - base];
  return s_->reduced() ? 1 : s_->mass().inverse(s_->mass().block_of(row))(0, 0);
}

/// A cell of M⁻¹ L; `met` has the mark of the cell for blocks that are done.
void CoulombSweeps::divide_by_mass(Index cell, std::vector<Index>& met, Index mark) {
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, MassFactor::largest_block, 3>;
  const CoulombSystem::Side& L = s_->left();
  const MassFactor& mass = s_->mass();
  const Index end = L.begin[cell + 1];
  int* row = inverse_.row.data() + inverse_.begin[cell];
  double* value = inverse_.value.data() + 3 * inverse_.begin[cell];
  for (Index k = L.begin[cell]; k < end; ++k) {
    const int block = body_of(L.row[k]);
    if (block < 0) {
      const double scale = inverse_mass(L.row[k]);
      *row++ = L.row[k];
      for (Index a = 0; a < 3; ++a) *value++ = L.value[3 * k + a] * scale;
    } else if (std::exchange(met[block], mark) != mark) {
      Columns columns = Columns::Zero(mass.block_size(block), 3);
      for (Index j = k; j < end; ++j)
        if (body_of(L.row[j]) == block)
          for (Index a = 0; a < 3; ++a)
            columns(mass.place_in_block(L.row[j]), a) = L.value[3 * j + a];
      const Columns product = mass.inverse(block).lazyProduct(columns);
      for (Index i = 0; i < product.rows(); ++i) {
        *row++ = mass.block_rows(block)[i];
        for (Index a = 0; a < 3; ++a) *value++ = product(i, a);
      }
    }
  }
}

void CoulombSweeps::diagonal_blocks() {
  const CoulombSystem::Side& R = s_->right();
  ThreadTeam& team = s_->team();
  W_.resize(9 * static_cast<std::size_t>(s_->cells()));
  std::vector<std::vector<double>> columns(
      static_cast<std::size_t>(team.size()),
      std::vector<double>(3 * static_cast<std::size_t>(s_->unknowns()), 0.0));
  team.for_range(s_->cells(), [&](Index c, int thread) {
    std::vector<double>& column = columns[thread];
    const auto spread = [&](double factor) {
      for (Index k = inverse_.begin[c]; k < inverse_.begin[c + 1]; ++k)
        for (Index a = 0; a < 3; ++a)
          column[3 * inverse_.row[k] + a] = factor * inverse_.value[3 * k + a];
    };
    spread(1);
    double* W = &W_[9 * c];
    std::fill_n(W, 9, 0.0);
    for (Index k = R.begin[c]; k < R.begin[c + 1]; ++k)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j) W[3 * i + j] += R.value[3 * k + i] * column[3 * R.row[k] + j];
    spread(0);
    if (s_->kind(c) != CoulombSystem::Kind::free) return;
    for (Index i = 0; i < 9; i += 4)
      if (W[i] == 0) W[i] = 1;  // rows that the cell does not have
  });
}

/// Rows of v follow the cells that touch them first.
void CoulombSweeps::order_velocities() {
  velocity_.assign(static_cast<std::size_t>(s_->unknowns()), -1);
  int next = 0;
  if (parts_.levels() > 1)
    for (const Index c : parts_.order())
      for (Index k = inverse_.begin[c]; k < inverse_.begin[c + 1]; ++k)
        if (int& place = velocity_[inverse_.row[k]]; place < 0) place = next++;
  for (int& place : velocity_)
    if (place < 0) place = next++;
}

/// Calls visit(begin, end) for the rows of M⁻¹ L of a cell, in runs of consecutive velocities. A
/// reduced form has long ones, or few: its sweeps are products of dense columns.
template <class Visit>
void CoulombSweeps::for_runs(Index cell, const Visit& visit) const {
  const auto row = [&](Index k) { return velocity_[inverse_.row[k]]; };
  const Index end = inverse_.begin[cell + 1];
  for (Index k = inverse_.begin[cell], next = k; k < end; k = next) {
    while (next < end && row(next) - row(k) == next - k) ++next;
    visit(k, next);
  }
}

/// All that a sweep needs, in its order.
void CoulombSweeps::arrange() {
  order_velocities();
  const CoulombSystem::Side& R = s_->right();
  const std::vector<Index>& order = parts_.order();
  ThreadTeam& team = s_->team();
  cells_.resize(order.size() + 1);
  team.for_range(std::ssize(order), [&](Index place) {
    const Index c = order[place];
    Index runs = 0;
    for_runs(c, [&](Index, Index) { ++runs; });
    cells_[place] = {s_->kind(c), R.begin[c + 1] - R.begin[c], runs,
                     inverse_.begin[c + 1] - inverse_.begin[c]};
  });
  cells_.back() = {};
  Cell next{};
  for (Cell& cell : cells_) {
    const Cell own = std::exchange(cell, {cell.kind, next.right, next.run, next.row});
    next = {{}, next.right + own.right, next.run + own.run, next.row + own.row};
  }
  constant_.resize(3 * order.size());
  block_.resize(W_.size());
  right_row_.resize(static_cast<std::size_t>(next.right));
  right_value_.resize(3 * right_row_.size());
  runs_.resize(static_cast<std::size_t>(next.run));
  run_value_.resize(3 * static_cast<std::size_t>(next.row));
  team.for_range(std::ssize(order), [&](Index place) { copy_cell(place); });
}

void CoulombSweeps::copy_cell(Index place) {
  const CoulombSystem::Side& R = s_->right();
  const Index c = parts_.order()[place], rows = R.begin[c + 1] - R.begin[c];
  const Cell& cell = cells_[place];
  for (Index k = 0; k < rows; ++k) right_row_[cell.right + k] = velocity_[R.row[R.begin[c] + k]];
  std::copy_n(R.value.begin() + 3 * R.begin[c], 3 * rows, right_value_.begin() + 3 * cell.right);
  std::copy_n(&s_->w()[3 * c], 3, constant_.begin() + 3 * place);
  std::copy_n(W_.begin() + 9 * c, 9, block_.begin() + 9 * place);
  Run* run = runs_.data() + cell.run;
  Index value = 3 * cell.row;
  for_runs(c, [&](Index begin, Index end) {
    *run++ = {velocity_[inverse_.row[begin]], static_cast<int>(end - begin), value};
    for (Index a = 0; a < 3; ++a)  // by columns
      for (Index k = begin; k < end; ++k) run_value_[value++] = inverse_.value[3 * k + a];
  });
}

/// Parts of the cells: those of one level touch no common velocity. A second thread finds them.
void CoulombSweeps::begin_dissection() {
  if (dissected_ || s_->cells() < worth_dissecting) return;
  dissected_ = true;
  const auto policy = s_->team().size() == 1 ? std::launch::deferred : std::launch::async;
  cut_ = std::async(policy, [this] {
    std::vector<Index> begin = {0};
    std::vector<int> row;
    for (Index c = 0; c < s_->cells(); ++c) {
      for (const CoulombSystem::Side* side : {&s_->right(), &std::as_const(inverse_)})
        row.insert(row.end(), side->row.begin() + side->begin[c],
                   side->row.begin() + side->begin[c + 1]);
      begin.push_back(static_cast<Index>(row.size()));
    }
    return Dissection(begin, row, s_->unknowns(), dissections);
  });
}

void CoulombSweeps::end_dissection() {
  if (!cut_.valid()) return;
  parts_ = cut_.get();
  arrange();
}

void CoulombSweeps::take(const Vector& y, const Vector& v) {
  y_.resize(y.size());
  v_.resize(v.size());
  for (Index k = 0; k < s_->cells(); ++k)
    y_.segment<3>(3 * k) = y.segment<3>(3 * parts_.order()[k]);
  for (Index i = 0; i < v.size(); ++i) v_[velocity_[i]] = v[i];
}

void CoulombSweeps::give(Vector& y) const {
  for (Index k = 0; k < s_->cells(); ++k)
    y.segment<3>(3 * parts_.order()[k]) = y_.segment<3>(3 * k);
}

void CoulombSweeps::sweep() {
  for (Index level = 0; level < parts_.levels(); ++level)
    s_->team().for_parts(parts_.parts(level), [&](Index part) {
      parts_.for_places(level, part, [&](Index k) { solve_cell(k); });
    });
}

void CoulombSweeps::solve_cell(Index c) {
  const Cell& cell = cells_[c];
  double u[3] = {constant_[3 * c], constant_[3 * c + 1], constant_[3 * c + 2]};
  for (Index k = cell.right; k < cells_[c + 1].right; ++k)
    for (Index a = 0; a < 3; ++a) u[a] += right_value_[3 * k + a] * v_[right_row_[k]];
  double* now = &y_[3 * c];
  const double* W = &block_[9 * c];
  double next[3] = {now[0], now[1], now[2]}, own[3], q[3];
  lorentz::multiply(W, now, own);
  for (int a = 0; a < 3; ++a) q[a] = u[a] - own[a];
  if (cell.kind == CoulombSystem::Kind::free) {
    double inverse[9];
    if (!lorentz::invert(W, inverse)) return;
    lorentz::multiply(inverse, q, next);
    for (double& value : next) value = -value;
  } else if (cell.kind == CoulombSystem::Kind::associated) {
    const double rho = 1 / (W[0] + W[4] + W[8]);
    for (int a = 0; a < 3; ++a) next[a] = now[a] - rho * u[a];
    lorentz::project(next, next);
  } else if ((now[0] == 0 && u[0] >= -unseen) || !solve_coulomb_cell(W, q, next)) {
    return;
  }
  const double d[3] = {now[0] - next[0], now[1] - next[1], now[2] - next[2]};
  std::copy(next, next + 3, now);
  for (Index k = cell.run; k < cells_[c + 1].run; ++k)
    kernels::subtract_product(runs_[k].rows, 3, &run_value_[runs_[k].value], runs_[k].rows, d,
                              &v_[runs_[k].row]);
}

double CoulombSweeps::cost() const {
  return 6.0 * static_cast<double>(s_->right().row.size() + inverse_.row.size()) +
         150.0 * static_cast<double>(s_->cells());
}

int CoulombSweeps::run(const SweepPlan& plan, const std::function<double()>& budget,
                       CoulombBest& best) {
  Vector y = best.y, v;
  for (Index c = 0; c < s_->cells(); ++c)
    if (s_->kind(c) != CoulombSystem::Kind::free) lorentz::project(&y[3 * c], &y[3 * c]);
  s_->dynamics(y, v);
  take(y, v);
  double last = inf, most = -1;
  const int several = std::min(plan.least, worth_parts);
  int last_sweep = 0;
  for (int k = 1, check = std::min(first_check, plan.least);; ++k) {
    sweep();
    if (k < check) continue;
    give(y);
    s_->dynamics(y, v);
    const double e = s_->error(y, v);
    best.offer(y, e);
    if (e < plan.tolerance) return k;
    const double rate = std::log(e / last) / (k - last_sweep);  // < 0 if it converges
    const double target = e > plan.goal ? std::max(plan.goal, plan.tolerance) : plan.tolerance;
    const double needed = rate < 0 ? std::log(target / e) / rate : inf;
    if (k >= plan.trial) {
      if (most < 0) most = std::max(static_cast<double>(plan.least), budget() / cost());
      if (!(k + needed <= (k < plan.least ? hopeless : 1) * most) || k >= most) return k;
    }
    if (k >= several) {
      s_->pause_analysis();
      begin_dissection();
      if (k >= 2 * several) end_dissection();
    }
    take(y, v);
    last = e;
    last_sweep = k;
    check = k + std::max(first_check, k / 4);
    if (k < plan.least) check = std::min(check, plan.least);
  }
}

}  // namespace saltus
