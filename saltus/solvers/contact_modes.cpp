#include "saltus/solvers/contact_modes.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/problems/friction_measures.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus {

namespace {

constexpr int newton_steps = 20;
constexpr double largest_turn = 0.5;  // of a sliding direction in one step [rad]
constexpr double rank_tolerance = 1e-13;
constexpr double rounding = 1e-15;  // of ‖F‖/‖q‖

enum class Case : unsigned char { lower, held, upper, slide, slide_back };

/// One contact, or one row of a scalar set. Scaled: y = r · scale, u/scale.
struct Cell {
  Index row = 0, rows = 1;
  double mu = 0, lower = 0, upper = inf, scale = 1;
  std::array<Case, 4> cases = {};
  Index count = 0;
  Case mode = Case::held;
  double angle = 0, slip = 0;  // of t, and t · u_T, where it slides

  void allow(Case c) { cases[static_cast<std::size_t>(count++)] = c; }
  [[nodiscard]] bool cone() const { return rows > 1; }
  [[nodiscard]] bool turns() const { return rows == 3 && mu > 0; }
  [[nodiscard]] bool slides() const { return mode == Case::slide || mode == Case::slide_back; }
  [[nodiscard]] Index unknowns() const {
    if (mode == Case::held) return rows;
    return slides() ? (turns() ? 2 : 1) : 0;
  }
};

class ModeSearch {
 public:
  ModeSearch(const BlockForm& problem, const ContactModes& options, VectorRef r)
      : problem_(problem), options_(options), r_(r), W_(problem.W.to_dense()), q_(problem.q) {
    for (std::size_t b = 0; b < problem.K.size(); ++b) add(static_cast<Index>(b));
    scale();
    y_ = r.allFinite() ? Vector(r.cwiseProduct(scale_)) : Vector::Zero(r.size());
    start_ = y_;
    least_ = offer(start_);
  }

  /// Combinations that differ from those of the start in 0, 1, 2 … cells.
  Outcome run() {
    if (least_ <= options_.tolerance) return {SolveStatus::converged, 0};
    read_modes();
    const auto cells = static_cast<Index>(cells_.size());
    for (Index differing = 0; differing <= cells; ++differing) {
      vary(0, differing);
      if (least_ <= options_.tolerance) return {SolveStatus::converged, trials_};
      if (trials_ >= options_.trials) break;
    }
    return {SolveStatus::stalled, trials_};
  }

 private:
  void add(Index block) {
    const Index row = problem_.W.row_offset(block), size = problem_.W.row_size(block);
    std::visit(Overloaded{[&](const FrictionCone& cone) { add_cone(row, size, cone.mu); },
                          [&](const Reals&) { add_rows(row, size, -inf, inf); },
                          [&](const NonNegative&) { add_rows(row, size, 0, inf); },
                          [&](const Interval& set) { add_rows(row, size, set.lower, set.upper); },
                          [](const auto&) {}},
               problem_.K[static_cast<std::size_t>(block)]);
  }

  void add_cone(Index row, Index size, double mu) {
    Cell cell{.row = row, .rows = size, .mu = mu};
    cell.allow(Case::lower);
    if (mu > 0) cell.allow(Case::held);
    if (mu < inf) cell.allow(Case::slide);
    if (mu > 0 && mu < inf && size == 2) cell.allow(Case::slide_back);
    cells_.push_back(cell);
  }

  void add_rows(Index row, Index size, double lower, double upper) {
    for (Index i = 0; i < size; ++i) {
      Cell cell{.row = row + i, .lower = lower, .upper = upper};
      if (lower > -inf) cell.allow(Case::lower);
      if (lower < upper) cell.allow(Case::held);
      if (upper < inf && lower < upper) cell.allow(Case::upper);
      cells_.push_back(cell);
    }
  }

  /// y = S r, S = (mean W_ii)^½ of a cell: S⁻¹ W S⁻¹ has a diagonal of about 1, cones stay.
  void scale() {
    scale_.resize(q_.size());
    for (Cell& cell : cells_) {
      const double mean = W_.diagonal().segment(cell.row, cell.rows).mean();
      cell.scale = mean > 0 ? std::sqrt(mean) : 1;
      scale_.segment(cell.row, cell.rows).setConstant(cell.scale);
      cell.lower *= cell.scale;
      cell.upper *= cell.scale;
    }
    const Vector inverse = scale_.cwiseInverse();
    W_ = inverse.asDiagonal() * W_ * inverse.asDiagonal();
    q_ = q_.cwiseProduct(inverse);
  }

  /// Judges y, and keeps it in r if it is the best so far.
  double offer(const Vector& y) {
    trial_ = y.cwiseQuotient(scale_);
    const FrictionErrors errors = friction_errors(problem_, trial_);
    const double error = errors.trusted() ? errors.worst() : inf;
    if (error < least_) {
      least_ = error;
      r_ = trial_;
    }
    return least_;
  }

  /// The modes of P_K(y − û) at the start, the best guess first among those of each cell.
  void read_modes() {
    const Vector u = W_ * start_ + q_;
    for (Cell& cell : cells_) {
      cell.mode = cell.cone() ? contact_mode(cell, u) : row_mode(cell, u);
      const auto first = cell.cases.begin(), last = first + cell.count;
      const auto place = std::find(first, last, cell.mode);
      if (place != last) std::rotate(first, place, place + 1);
    }
  }

  [[nodiscard]] Case row_mode(const Cell& cell, const Vector& u) const {
    const double z = start_[cell.row] - u[cell.row];
    if (z <= cell.lower) return Case::lower;
    return z >= cell.upper ? Case::upper : Case::held;
  }

  [[nodiscard]] Case contact_mode(const Cell& cell, const Vector& u) const {
    const auto speed = u.segment(cell.row + 1, cell.rows - 1);
    const auto force = start_.segment(cell.row + 1, cell.rows - 1);
    const double z = start_[cell.row] - u[cell.row];
    if (z <= 0) return Case::lower;
    if (cell.mu == inf || (force - speed).norm() < cell.mu * z) return Case::held;
    return cell.rows == 2 && speed[0] - force[0] < 0 ? Case::slide_back : Case::slide;
  }

  /// Every combination with `differing` of the cells from `c` on not in their first mode.
  void vary(Index c, Index differing) {
    if (least_ <= options_.tolerance || trials_ >= options_.trials) return;
    const Index left = static_cast<Index>(cells_.size()) - c;
    if (differing > left) return;
    if (left == 0) {
      attempt();
      return;
    }
    Cell& cell = cells_[static_cast<std::size_t>(c)];
    for (Index k = 0; k < cell.count; ++k) {
      cell.mode = cell.cases[static_cast<std::size_t>(k)];
      if (k == 0)
        vary(c + 1, differing);
      else if (differing > 0)
        vary(c + 1, differing - 1);
    }
  }

  /// Newton's method with these modes; sliding directions start against the force, along
  /// the slip, along the force.
  void attempt() {
    ++trials_;
    const bool turning = std::any_of(cells_.begin(), cells_.end(), [](const Cell& cell) {
      return cell.slides() && cell.turns();
    });
    for (const Vector& direction : {Vector(-start_), Vector(W_ * start_ + q_), start_}) {
      begin(direction);
      newton();
      if (!turning || least_ <= options_.tolerance || options_.trials == 1) return;
    }
  }

  /// Sliding directions along the tangential part of `direction`.
  void point(const Vector& direction) {
    for (Cell& cell : cells_)
      if (cell.turns()) cell.angle = std::atan2(direction[cell.row + 2], direction[cell.row + 1]);
  }

  /// y in the given modes, directions of sliding along `direction`.
  void begin(const Vector& direction) {
    unknowns_ = 0;
    point(direction);
    foresee(W_ * start_ + q_);
    for (const Cell& cell : cells_) {
      unknowns_ += cell.unknowns();
      put(cell);
    }
  }

  /// y of a cell in its mode, nearest to the start.
  void put(const Cell& cell) {
    auto y = y_.segment(cell.row, cell.rows);
    if (cell.mode == Case::held) {
      y = start_.segment(cell.row, cell.rows);
    } else if (cell.slides()) {
      y[0] = start_[cell.row];
      put_friction(cell);
    } else if (cell.cone()) {
      y.setZero();
    } else {
      y[0] = cell.mode == Case::lower ? cell.lower : cell.upper;
    }
  }

  /// r_T = −μ r_N t
  void put_friction(const Cell& cell) {
    auto y = y_.segment(cell.row, cell.rows);
    const double friction = cell.mu * y[0];
    if (cell.rows == 2) {
      y[1] = cell.mode == Case::slide ? -friction : friction;
    } else {
      y[1] = -friction * std::cos(cell.angle);
      y[2] = -friction * std::sin(cell.angle);
    }
  }

  /// Steps while they reduce ‖F‖.
  void newton() {
    double before = inf;
    for (int k = 0; k < newton_steps && unknowns_ > 0; ++k) {
      const double size = step();
      if (offer(y_) <= options_.tolerance || size <= rounding * q_.norm()) return;
      if (k > 3 && !(size < before)) return;
      before = size;
    }
    offer(y_);
  }

  /// A step of least norm; returns ‖F‖ before it.
  double step() {
    linearise();
    decomposition_.setThreshold(rank_tolerance);
    decomposition_.compute(E_ * W_ * T_ + D_);
    const Vector x = decomposition_.solve(-F_);
    foresee(W_ * (y_ + T_ * x) + q_);
    advance(x);
    return F_.norm();
  }

  /// Slip of the linear problem.
  void foresee(const Vector& u) {
    for (Cell& cell : cells_)
      if (cell.turns())
        cell.slip = std::max(
            0.0, std::cos(cell.angle) * u[cell.row + 1] + std::sin(cell.angle) * u[cell.row + 2]);
  }

  /// F = E u and its Jacobian E W T + D, T = ∂y/∂x.
  void linearise() {
    const Index n = y_.size();
    E_ = Matrix::Zero(unknowns_, n);
    T_ = Matrix::Zero(n, unknowns_);
    D_ = Matrix::Zero(unknowns_, unknowns_);
    const Vector u = W_ * y_ + q_;
    Index k = 0;
    for (const Cell& cell : cells_) {
      if (cell.mode == Case::held) {
        E_.block(k, cell.row, cell.rows, cell.rows).setIdentity();
        T_.block(cell.row, k, cell.rows, cell.rows).setIdentity();
      } else if (cell.slides()) {
        slide(cell, k);
        if (cell.turns()) turn(cell, k + 1);
      }
      k += cell.unknowns();
    }
    F_.noalias() = E_ * u;
  }

  /// Unknown k: r_N, with r_T = −μ r_N t; equation: u_N = 0.
  void slide(const Cell& cell, Index k) {
    const Index i = cell.row;
    E_(k, i) = T_(i, k) = 1;
    if (cell.rows == 2) T_(i + 1, k) = cell.mode == Case::slide ? -cell.mu : cell.mu;
    if (!cell.turns()) return;
    T_(i + 1, k) = -cell.mu * std::cos(cell.angle);
    T_(i + 2, k) = -cell.mu * std::sin(cell.angle);
  }

  /// Unknown k: the way that r_T turns; equation: t⊥ · u_T = 0.
  void turn(const Cell& cell, Index k) {
    const Index i = cell.row;
    const double c = std::cos(cell.angle), s = std::sin(cell.angle);
    T_(i + 1, k) = s;
    T_(i + 2, k) = -c;
    E_(k, i + 1) = -s;
    E_(k, i + 2) = c;
    D_(k, k) = -cell.slip / lever(cell);
  }

  /// By which a turn is multiplied to a way; not zero.
  [[nodiscard]] double lever(const Cell& cell) const {
    return std::max(cell.mu * y_[cell.row], 1e-10 * y_.norm() + 1e-300);
  }

  void advance(const Vector& x) {
    Index k = 0;
    for (Cell& cell : cells_) {
      if (cell.mode == Case::held) y_.segment(cell.row, cell.rows) += x.segment(k, cell.rows);
      if (cell.slides()) {
        if (cell.turns())
          cell.angle += std::clamp(x[k + 1] / lever(cell), -largest_turn, largest_turn);
        y_[cell.row] += x[k];
        put_friction(cell);
      }
      k += cell.unknowns();
    }
  }

  const BlockForm& problem_;
  const ContactModes& options_;
  VectorRef r_;
  Matrix W_;
  Vector q_, scale_, start_, y_, trial_, F_;
  Matrix E_, T_, D_;
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition_;
  std::vector<Cell> cells_;
  Index unknowns_ = 0;
  int trials_ = 0;
  double least_ = inf;
};

}  // namespace

bool suits_contact_modes(std::span<const BlockSet> K, std::span<const Index> sizes, Index rows) {
  for (std::size_t b = 0; b < K.size(); ++b) {
    const bool cone = std::holds_alternative<FrictionCone>(K[b]);
    if (!row_by_row(K[b]) && (!cone || sizes[b] > 3)) return false;
    rows -= sizes[b];
  }
  return rows >= 0;
}

bool suits_contact_modes(const BlockForm& problem, Index rows) {
  return problem.q.size() <= rows && suits_contact_modes(problem.K, block_sizes(problem), rows);
}

Outcome solve(const BlockForm& problem, VectorRef r, const ContactModes& options) {
  return ModeSearch(problem, options, r).run();
}

}  // namespace saltus
