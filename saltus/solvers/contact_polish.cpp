#include "saltus/solvers/contact_polish.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/solvers/body_lu.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

namespace {

constexpr double penalty = 1e7;       // ρ W_cc
constexpr double largest_turn = 0.5;  // of a sliding direction in one step [rad]
constexpr int steps_per_factor = 8;
constexpr double gain = 0.3;  // of a step that is worth another
constexpr int patience = 2;   // factorisations without it

using Vector2 = Eigen::Vector2d;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
constexpr Index width = BodyLu::width;

enum class Mode : unsigned char { lower, held, upper, slide };

/// Up to three rows that one mode rules: a contact, a row of a scalar set, equality rows.
struct Cell {
  Index row = 0, rows = 1;
  bool cone = false;
  double mu = 0, lower = -inf, upper = inf;
  double unit = 1;  // mean W_ii
  std::size_t first_side = 0, last_side = 0;
  Mode mode = Mode::held;
  Vector2 t = Vector2::UnitX();  // along which it slides
  Matrix3 A = Matrix3::Zero();

  [[nodiscard]] bool turns() const { return rows == 3 && mu > 0; }
};

/// The rows of a cell on one body.
struct Side {
  int body = 0;
  Eigen::Matrix<double, width, 3> H = Eigen::Matrix<double, width, 3>::Zero();
};

Vector3 three(ConstVectorRef x, const Cell& cell) {
  Vector3 out = Vector3::Zero();
  for (Index i = 0; i < cell.rows; ++i) out[i] = x[cell.row + i];
  return out;
}

Vector2 normal_to(const Vector2& t) { return {-t[1], t[0]}; }

class Polish {
 public:
  Polish(const GlobalBlockForm& problem, const ContactPolish& options)
      : problem_(problem), options_(options) {}

  [[nodiscard]] bool load() {
    if (!find_bodies() || !cut()) return false;
    gather_sides();
    return invert_masses();
  }

  double run(VectorRef v, VectorRef r) {
    r_.setZero(problem_.w.size());
    evaluate();
    size_ = u_.norm();
    if (!(size_ > 0) || !r.allFinite()) return inf;
    r_ = r;
    evaluate();
    double best = error();
    const auto offer = [&](double e) {
      if (!(e < best)) return;
      best = e;
      r = r_;
      for (Index b = 0; b < bodies(); ++b)
        v.segment(offset_[b], extent_[b]) = v_.segment(width * b, extent_[b]);
    };
    const double target = std::max(options_.target, rounding());
    if (best <= target) return best;
    if (!analyse()) return inf;
    int idle = 0;
    for (int k = 0; k < options_.factorisations && best > target && idle < patience; ++k) {
      const double before = best;
      const bool other = read_modes();
      if (!factorise() || !newton(target, offer)) break;
      idle = best > gain * before ? idle + (other ? 1 : patience) : 0;
    }
    return best;
  }

 private:
  [[nodiscard]] Index bodies() const { return static_cast<Index>(extent_.size()); }

  /// False if the factors are dear.
  bool analyse() {
    std::vector<std::vector<int>> ties(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c)
      for (std::size_t s = cells_[c].first_side; s < cells_[c].last_side; ++s)
        ties[c].push_back(sides_[s].body);
    lu_.analyse(bodies(), ties);
    return lu_.flops() <= options_.flops_per_row * static_cast<double>(problem_.w.size());
  }

  /// The diagonal blocks of M.
  bool find_bodies() {
    const auto& M = problem_.M;
    const Index n = M.rows();
    body_of_.assign(static_cast<std::size_t>(n), 0);
    Index begin = 0, end = 0;  // rows of the block so far
    for (Index j = 0; j < n; ++j) {
      if (j == end && j > 0) {
        offset_.push_back(begin);
        extent_.push_back(end - begin);
        begin = j;
      }
      end = std::max(end, j + 1);
      for (Eigen::SparseMatrix<double>::InnerIterator it(M, j); it; ++it) {
        if (it.row() < begin) return false;
        end = std::max(end, it.row() + 1);
      }
      if (end - begin > width) return false;
      body_of_[static_cast<std::size_t>(j)] = static_cast<int>(extent_.size());
    }
    offset_.push_back(begin);
    extent_.push_back(end - begin);
    return n > 0;
  }

  bool cut() {
    Index row = 0;
    for (std::size_t b = 0; b < problem_.K.size(); row += problem_.sizes[b], ++b) {
      const Index size = problem_.sizes[b];
      const bool known = std::visit(
          Overloaded{[&](const FrictionCone& K) {
                       if (size > 1 && size <= 3)
                         cells_.push_back({.row = row, .rows = size, .cone = true, .mu = K.mu});
                       return size > 1 && size <= 3;
                     },
                     [&](const Reals&) {
                       for (Index i = 0; i < size; i += 3)
                         cells_.push_back({.row = row + i, .rows = std::min<Index>(3, size - i)});
                       return true;
                     },
                     [&](const NonNegative&) { return add_rows(row, size, 0, inf); },
                     [&](const Interval& K) { return add_rows(row, size, K.lower, K.upper); },
                     [](const auto&) { return false; }},
          problem_.K[b]);
      if (!known) return false;
    }
    return true;
  }

  bool add_rows(Index row, Index size, double lower, double upper) {
    for (Index i = 0; i < size; ++i)
      cells_.push_back({.row = row + i, .lower = lower, .upper = upper});
    return true;
  }

  void gather_sides() {
    for (Cell& cell : cells_) {
      cell.first_side = sides_.size();
      for (Index i = 0; i < cell.rows; ++i)
        for (Eigen::SparseMatrix<double>::InnerIterator it(problem_.H, cell.row + i); it; ++it) {
          const int body = body_of_[static_cast<std::size_t>(it.row())];
          const auto first = sides_.begin() + static_cast<std::ptrdiff_t>(cell.first_side);
          auto side =
              std::find_if(first, sides_.end(), [&](const Side& s) { return s.body == body; });
          if (side == sides_.end()) side = sides_.insert(side, Side{.body = body});
          side->H(it.row() - offset_[static_cast<std::size_t>(body)], i) = it.value();
        }
      cell.last_side = sides_.size();
    }
  }

  /// M_b⁻¹, and the units of the cells.
  bool invert_masses() {
    mass_.assign(extent_.size(), BodyLu::Block::Identity());
    f_.setZero(width * bodies());
    for (Index b = 0; b < bodies(); ++b) {
      const Index first = offset_[b];
      for (Index c = 0; c < extent_[b]; ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(problem_.M, first + c); it; ++it)
          mass_[b](it.row() - first, c) = it.value();
      f_.segment(width * b, extent_[b]) = problem_.f.segment(first, extent_[b]);
    }
    inverse_.clear();
    for (const BodyLu::Block& M : mass_) {
      inverse_.push_back(M.inverse());
      if (!inverse_.back().allFinite()) return false;
    }
    for (Cell& cell : cells_) {
      double trace = 0;
      for (std::size_t s = cell.first_side; s < cell.last_side; ++s)
        trace += sides_[s].H.cwiseProduct(inverse_[sides_[s].body] * sides_[s].H).sum();
      cell.unit = trace / static_cast<double>(cell.rows);
      if (!(cell.unit > 0)) return false;
    }
    return true;
  }

  /// b += H x of one cell
  void add(const Cell& cell, const Vector3& x, Vector& b) const {
    for (std::size_t s = cell.first_side; s < cell.last_side; ++s)
      b.segment<width>(width * sides_[s].body).noalias() += sides_[s].H * x;
  }

  [[nodiscard]] Vector3 transposed(const Cell& cell, const Vector& v) const {
    Vector3 u = Vector3::Zero();
    for (std::size_t s = cell.first_side; s < cell.last_side; ++s)
      u.noalias() += sides_[s].H.transpose() * v.segment<width>(width * sides_[s].body);
    return u;
  }

  /// v = M⁻¹(H r + f), refined once, and u = Hᵀ v + w.
  void evaluate() {
    b_ = f_;
    for (const Cell& cell : cells_) add(cell, three(r_, cell), b_);
    v_.resize(b_.size());
    for (Index b = 0; b < bodies(); ++b) {
      auto v = v_.segment<width>(width * b);
      const auto rhs = b_.segment<width>(width * b);
      v = inverse_[b] * rhs;
      v += inverse_[b] * (rhs - mass_[b] * v);
    }
    u_.resize(problem_.w.size());
    for (const Cell& cell : cells_) {
      const Vector3 u = transposed(cell, v_);
      for (Index i = 0; i < cell.rows; ++i) u_[cell.row + i] = u[i] + problem_.w[cell.row + i];
    }
  }

  /// P_K(z) of a cell
  static Vector3 projected(const Cell& cell, const Vector3& z) {
    if (!cell.cone)
      return cell.rows > 1 ? z : Vector3(std::clamp(z[0], cell.lower, cell.upper), 0, 0);
    const double slip = z.tail<2>().norm(), mu = cell.mu;
    if (mu == inf) return z[0] > 0 ? z : Vector3(Vector3::Zero());
    if (slip <= mu * z[0]) return z;
    if (mu * slip <= -z[0]) return Vector3::Zero();
    const double normal = (z[0] + mu * slip) / (1 + mu * mu);
    Vector3 p(normal, 0, 0);
    if (slip > 0) p.tail<2>() = mu * normal / slip * z.tail<2>();
    return p;
  }

  /// What rounding of W r leaves of the error.
  [[nodiscard]] double rounding() const {
    double square = 0;
    for (const Cell& cell : cells_) square += (cell.unit * three(r_, cell)).squaredNorm();
    return 4 * std::numeric_limits<double>::epsilon() * std::sqrt(square) / size_;
  }

  [[nodiscard]] double error() const {
    double square = 0;
    for (const Cell& cell : cells_) {
      const Vector3 r = three(r_, cell);
      Vector3 u = three(u_, cell);
      if (cell.cone && cell.mu < inf) u[0] += cell.mu * u.tail<2>().norm();
      square += (cell.unit * (r - projected(cell, r - u / cell.unit))).squaredNorm();
    }
    return std::sqrt(square) / size_;
  }

  /// That of r − u/w, as in the map of Alart and Curnier.
  void read_mode(Cell& cell) const {
    const Vector3 z = three(r_, cell) - three(u_, cell) / cell.unit;
    if (!cell.cone) {
      if (cell.rows == 1)
        cell.mode = z[0] <= cell.lower   ? Mode::lower
                    : z[0] >= cell.upper ? Mode::upper
                                         : Mode::held;
      return;
    }
    const double pull = z.tail<2>().norm();
    if (z[0] <= 0)
      cell.mode = Mode::lower;
    else
      cell.mode = cell.mu == inf || pull < cell.mu * z[0] ? Mode::held : Mode::slide;
    if (pull > 0) cell.t = -z.tail<2>() / pull;
  }

  /// r in that mode, nearest to what it is.
  void put(const Cell& cell, double normal) {
    auto r = r_.segment(cell.row, cell.rows);
    if (cell.mode == Mode::slide) {
      r[0] = normal;
      for (Index i = 1; i < cell.rows; ++i) r[i] = -cell.mu * normal * cell.t[i - 1];
    } else if (cell.mode == Mode::lower && cell.cone) {
      r.setZero();
    } else if (cell.mode != Mode::held) {
      r[0] = cell.mode == Mode::lower ? cell.lower : cell.upper;
    }
  }

  [[nodiscard]] static double lever(const Cell& cell, double normal) { return cell.mu * normal; }

  /// A of dr = −A (u + du)
  void linearise(Cell& cell) const {
    const double rho = penalty / cell.unit;
    cell.A.setZero();
    if (cell.mode == Mode::held) {
      for (Index i = 0; i < cell.rows; ++i) cell.A(i, i) = rho;
    } else if (cell.mode == Mode::slide) {
      cell.A(0, 0) = rho;
      cell.A.col(0).tail<2>() = -cell.mu * rho * cell.t;
      if (!cell.turns()) return;
      const double slip = std::max(0.0, cell.t.dot(three(u_, cell).tail<2>()));
      const double force = lever(cell, r_[cell.row]);
      const double a = force > 0 ? 1 / (slip / force + 1 / rho) : 0;
      const Vector2 across = normal_to(cell.t);
      cell.A.bottomRightCorner<2, 2>() = a * across * across.transpose();
    }
  }

  /// The modes of the point, and the point in them. True if they are others than before.
  bool read_modes() {
    bool other = false;
    for (Cell& cell : cells_) {
      const Mode before = cell.mode;
      read_mode(cell);
      other = other || cell.mode != before;
      put(cell, r_[cell.row]);
    }
    evaluate();
    return other;
  }

  /// M + H A Hᵀ
  bool factorise() {
    lu_.clear();
    for (Index b = 0; b < bodies(); ++b)
      lu_(static_cast<int>(b), static_cast<int>(b)) = mass_[static_cast<std::size_t>(b)];
    for (Cell& cell : cells_) {
      linearise(cell);
      if (cell.mode == Mode::lower || cell.mode == Mode::upper) continue;
      for (std::size_t s = cell.first_side; s < cell.last_side; ++s) {
        const Eigen::Matrix<double, width, 3> HA = sides_[s].H * cell.A;
        for (std::size_t k = cell.first_side; k < cell.last_side; ++k)
          lu_(sides_[s].body, sides_[k].body).noalias() += HA * sides_[k].H.transpose();
      }
    }
    return lu_.factorise();
  }

  void move(Cell& cell, const Vector3& dr) {
    if (cell.mode == Mode::held) {
      for (Index i = 0; i < cell.rows; ++i) r_[cell.row + i] += dr[i];
    } else if (cell.mode == Mode::slide) {
      const double force = lever(cell, r_[cell.row]);
      if (cell.turns() && force > 0) {
        const double turn =
            std::clamp(-normal_to(cell.t).dot(dr.tail<2>()) / force, -largest_turn, largest_turn);
        cell.t = Vector2(std::cos(turn) * cell.t + std::sin(turn) * normal_to(cell.t)).normalized();
      }
      put(cell, r_[cell.row] + dr[0]);
    }
  }

  /// Steps with the same factors while they reduce the error.
  template <class Offer>
  bool newton(double target, const Offer& offer) {
    double before = inf;
    for (int k = 0; k < steps_per_factor; ++k) {
      b_.setZero();
      for (Cell& cell : cells_) {
        if (cell.mode == Mode::slide) linearise(cell);
        if (cell.mode == Mode::held || cell.mode == Mode::slide)
          add(cell, -(cell.A * three(u_, cell)), b_);
      }
      lu_.solve(b_);
      if (!b_.allFinite()) return false;
      for (Cell& cell : cells_)
        if (cell.mode == Mode::held || cell.mode == Mode::slide)
          move(cell, -(cell.A * (three(u_, cell) + transposed(cell, b_))));
      evaluate();
      const double e = error();
      offer(e);
      if (e <= target || !(e < gain * before)) break;
      before = e;
    }
    return true;
  }

  const GlobalBlockForm& problem_;
  const ContactPolish& options_;
  std::vector<Index> offset_, extent_;  // rows of the bodies
  std::vector<int> body_of_;            // of a row
  std::vector<BodyLu::Block> mass_, inverse_;
  std::vector<Cell> cells_;
  std::vector<Side> sides_;
  BodyLu lu_;
  double size_ = 0;
  Vector f_, r_, v_, u_, b_;
};

}  // namespace

double polish(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
              const ContactPolish& options) {
  Polish work(problem, options);
  return work.load() ? work.run(v, r) : inf;
}

}  // namespace saltus
