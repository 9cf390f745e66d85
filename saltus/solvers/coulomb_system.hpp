#pragma once

#include "saltus/base/unset_vector.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/mass_factor.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace saltus {

/// A block form with friction in scaled variables, cut into cells of the Lorentz cone L of R³:
///
///     M v = L y + f,    u = Rᵀ v + w,    L ∋ x = u + s(u) e_N ⟂ y ∈ L  in each cell,        (1)
///
/// with r = β D y, D = d diag(1, μ₁, μ₂) per cell and u scaled by D/β. d makes the largest diagonal
/// entry of the cell's block of W equal to one, β = ‖D q‖∞. In these variables the friction
/// coefficients have disappeared, s(u) = ‖u_T‖, and the unit of a penalty is one (FS:FS-22).
///
///     FrictionCone, EllipticCone    one cell (up to two tangents)
///     SecondOrderCone               one cell, s = 0
///     NonNegative                   one cell per row, no tangents
///     Reals                         cells of up to three rows, y free and u = 0
///     RollingCone                   two cells, (n₁, tangents) and (n₂, rolling), u₁ = u_N − a and
///                                   u₂ = a; the unknown a is added to v with the equation
///                                   d² a = n₂ − n₁, both sides 0 at a solution
///
/// A global form keeps its M, L = R = H D. A reduced form (W, q) has v = u, M = I, L = W D, R = D,
/// f = q: nothing is symmetrised and no rank is decided. Either way every linear system is
///
///     K(A) = M + L A Rᵀ,    A block diagonal, 3×3, nonsymmetric,
///
/// with the graph of the bodies (or of W), whatever the rank of H.
class CoulombSystem {
 public:
  enum class Kind : std::uint8_t { coulomb, associated, free };

  /// The sets that (1) can hold: not Interval, FrictionCylinder, or cones of more than 3 rows.
  [[nodiscard]] static bool can_treat(const std::vector<BlockSet>& K, Index block, Index rows);

  /// `threads` for large problems, 0: as many as the machine has. They change nothing but the time.
  explicit CoulombSystem(int threads = 0) : threads_(threads) {}

  /// False if M is singular.
  [[nodiscard]] bool load(const BlockForm& problem);
  [[nodiscard]] bool load(const GlobalBlockForm& problem);

  [[nodiscard]] Index cells() const { return static_cast<Index>(kind_.size()); }
  [[nodiscard]] Index conic_cells() const { return conic_; }
  [[nodiscard]] Kind kind(Index cell) const { return kind_[cell]; }
  [[nodiscard]] Index unknowns() const { return n_; }
  /// Shares out loops over cells; one thread while another analyses K(A).
  [[nodiscard]] ThreadTeam& team() const { return places_found_.valid() ? *alone_ : *team_; }
  [[nodiscard]] double norm_q() const { return norm_q_; }
  [[nodiscard]] const Vector& f() const { return f_; }
  [[nodiscard]] const Vector& w() const { return w_; }

  /// Adds to the constant part w of the velocities.
  void add_to_velocity(ConstVectorRef dw);
  /// The scaled form of r, and back.
  [[nodiscard]] Vector to_scaled(ConstVectorRef r) const;
  void to_problem(const Vector& y, VectorRef r) const;
  /// M⁻¹ b of a global form.
  [[nodiscard]] Vector solve_mass(ConstVectorRef b);

  /// out = L y + load
  void left(const Vector& y, const Vector& load, Vector& out) const;
  /// out ← out − M v
  void subtract_momentum(const Vector& v, Vector& out) const;
  /// u = Rᵀ v
  void right_transposed(const Vector& v, Vector& u) const;
  /// v = M⁻¹ (L y + f)
  void dynamics(const Vector& y, Vector& v);

  /// Sweeps need no factors: a second thread, if there is one, analyses a large K(A) meanwhile,
  /// and team() is this one alone. Else the first use of the factors does.
  void begin_analysis();
  /// Sends that thread back to the team: what is left of the analysis waits for the first use of
  /// the factors, when all do it together.
  void pause_analysis();
  /// Factorises K(A), A given by 9 values per cell. False if singular.
  [[nodiscard]] bool factorise(std::span<const double> A);
  /// x = K(A)⁻¹ b
  void solve(const Vector& b, Vector& x);
  /// b ↦ (H Hᵀ + ε M)⁻¹ b = K((ε D²)⁻¹)⁻¹ b/ε of a global form, but for tangents without friction;
  /// none if it has rolling contacts, the limit of self-stress is known, or the matrix is singular.
  /// Until the next use of K(A).
  [[nodiscard]] LinearSolve hold(double epsilon);
  /// Of K(A) as it was factorised: 1 or −1.
  [[nodiscard]] int determinant_sign() const { return factor_.determinant_sign(); }
  [[nodiscard]] int factorisations() const { return factorisations_; }
  /// Operations of one.
  [[nodiscard]] double factor_flops() {
    end_analysis();
    return factor_.flops();
  }

  /// max(e₁, e₂) of y alone, v recomputed: e₁ = ‖r − P_K(r − û)‖/‖q‖, e₂ = ‖û − P_K*(û − r)‖/‖q‖.
  /// e₁ alone accepts |r| ≫ |û|, where r − û cancels. Infinite if y is a self-stress out of all
  /// proportion, ‖r‖ > 1e4 ρ₀‖q‖, ρ₀ = Σ M_ii / Σ (H diag(1, μ, μ))², or another limit.
  [[nodiscard]] double error(const Vector& y);
  /// The same with v = M⁻¹(L y + f) given.
  [[nodiscard]] double error(const Vector& y, const Vector& v);
  /// Asked once, when a good y exceeds 1e4: the limit of FrictionErrors.
  void limit_self_stress(std::function<double()> find) { find_limit_ = std::move(find); }
  /// That limit, if it was asked for.
  [[nodiscard]] std::optional<double> self_stress_limit() const { return limit_; }
  /// u of the last call of error(), scaled.
  [[nodiscard]] const Vector& scaled_velocity() const { return u_; }

  /// Rows and values (3 per row) of one cell of L and of R.
  struct Side {
    std::vector<Index> begin = {0};
    UnsetVector<int> row;
    UnsetVector<double> value;
    /// Room for begin[c + 1] rows in each cell c; then begin is what its name says.
    void make_room();
  };
  [[nodiscard]] const Side& left() const { return left_; }
  [[nodiscard]] const Side& right() const { return reduced_ ? right_ : left_; }
  /// A reduced form: M = I, but for what rolling adds
  [[nodiscard]] bool reduced() const { return reduced_; }
  /// The factors of M as given (not of a reduced form), and what rolling adds to its diagonal
  [[nodiscard]] MassFactor& mass() { return mass_; }
  [[nodiscard]] const Vector& rolling_weight() const { return weight_; }

 private:
  struct Source;

  [[nodiscard]] bool load(const Source& source);
  void cut(const Source& source);
  void add_cell(Kind kind, Index normal, Index tangent, Index tangents, double mu1, double mu2);
  void scale(const Source& source);
  void gather(const Eigen::SparseMatrix<double>& H, Side& side);
  void add_twin_rows();
  void end_analysis();
  void analyse();
  void make_places();
  void find_places_alone();
  void find_places(Index column, std::vector<Index>& position);
  [[nodiscard]] bool may_hold() const { return !reduced_ && n_ == base_ && !limit_; }
  [[nodiscard]] bool assemble_and_factorise(std::span<const double> A);
  void pattern(std::vector<int>& begin, std::vector<int>& row) const;

  int threads_;
  bool reduced_ = false;
  Index n_ = 0, base_ = 0, rows_ = 0, conic_ = 0;
  std::vector<BlockSet> K_;
  std::vector<Index> block_begin_;
  std::vector<Kind> kind_;
  std::vector<Index> component_;     // row of r, 3 per cell; −1: none
  std::vector<Index> twin_;          // cell with the same normal component, or −1
  std::vector<double> coefficient_;  // 1, μ₁, μ₂ per cell
  Vector D_;
  double beta_ = 1, norm_q_ = 0, rho0_ = 1;
  std::function<double()> find_limit_;
  std::optional<double> limit_;
  Eigen::SparseMatrix<double> M_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> M_by_rows_;
  Vector f_, w_, weight_;
  Side left_, right_;  // right_ of a reduced form only: else both are H D
  MassFactor mass_;
  SparseLu factor_;
  std::unique_ptr<ThreadTeam> team_, alone_ = std::make_unique<ThreadTeam>(1);
  std::vector<int> column_begin_, column_row_;  // the pattern of K(A)
  UnsetVector<Index> matrix_position_;
  Index next_column_ = 0;             // whose places are to be found
  std::atomic<bool> paused_ = false;  // read by the thread that finds them
  /// A column of R: a cell that touches it, and where it does.
  struct Touch {
    int cell;
    int entry;       // of the side
    Index position;  // of the first of its values in cell_position_
  };
  void transpose(const Side& side, UnsetVector<Touch>& touch, std::vector<Index>& begin) const;
  void copy_left_by_rows();
  UnsetVector<Touch> right_touch_;
  std::vector<Index> right_touch_begin_;
  UnsetVector<Index> cell_position_;
  std::vector<Index> left_row_begin_;  // L by rows: cells, and 3 values each
  UnsetVector<int> left_row_cell_;
  UnsetVector<double> left_row_value_;
  int factorisations_ = 0;
  UnsetVector<double> A_;  // of K(A), which hold() puts aside
  bool aside_ = false;
  Vector v_, u_, b_, r_, velocity_, x_, p_;
  bool analysed_ = false, placed_ = false;
  std::future<void> tree_found_, places_found_;  // last: they end before what they write to does
};

}  // namespace saltus
