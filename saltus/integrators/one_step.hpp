#pragma once

#include "saltus/base/stopwatch.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// The parts that every time-stepping scheme shares: one step in the making. A scheme decides which
/// blocks are active and what `work.constant` is, computes work.w_free, and then has the one-step
/// problem
///     u = W r + H w_free + constant,   −(u + g(u)) ∈ N_K(r),   W = H M̂⁻¹ Hᵀ
/// assembled, solved, and its answer applied, w = w_free + M̂⁻¹ Hᵀ r.
struct OneStep {
  const Model& model;
  const State& state;  ///< at the beginning of the step
  const double h;
  const Algorithm& solver;
  StepWorkspace& work;
  StepReport report = {};
  Stopwatch watch = {};

  /// Adds the time since the last call to an account of work.times, if it is kept.
  void charge(double& account) {
    if (work.profile) account += watch.lap();
  }
  /// Ends the step: returns false.
  bool stop(StepStatus status) {
    report.status = status;
    return false;
  }
  [[nodiscard]] const Law& law(const Layout::Block& block) const {
    return block.detected() ? work.contacts[block.contact].law
                            : model.interactions()[block.interaction].law;
  }

  /// w_begin = w = (v, x) at the beginning, F there, percussions of the systems, and the masses of
  /// time-invariant systems if they are not known yet.
  void begin();
  /// Jacobians of the constant relations, H and gap of the others at (t, q), and the contacts that
  /// sources find within `reach` at work.q_forecast.
  void linearise(double t, const Vector& q, double reach);
  /// The first of them alone.
  void linearise_constant();
  /// Every block takes part.
  void activate_all();
  /// Gap of a declared block at work.q_forecast: of constant relations only, the others know it.
  void evaluate_constant_gap(const Layout::Block& block);
  /// The factors of M̂ at (t, q, w), with the masses at `mass_position`, unless they are known.
  bool factorise(double t, const Vector& q, const Vector& mass_position, IterationWeights weights);
  /// Number of rows of the active blocks into the report; the matrix is kept if they are those of
  /// the last step.
  void count_active();
  /// The problem on the active blocks, with one set per block and the guess of the last step.
  void assemble();
  /// Solves it with `solver`; false if that failed and unsolved steps are not accepted.
  bool solve();
  /// work.r from the answer, w = w_free + M̂⁻¹ Hᵀ r.
  void advance();
  /// ‖R − B r‖∞ / (1 + ‖M w‖∞ + h‖F‖∞), R in work.newton.
  double newton_residual();
  /// Writes the new state, q_end and w, at t + h.
  void finish(State& next);

 private:
  [[nodiscard]] bool global() const;
  void assemble_reduced();
  void collect_poisson();
  void pull();
  void cut_rows();
  void solve_pieces();
  void solve_poisson();
};

/// Sizes every buffer for `model`, and checks that `solver` suits its laws.
void prepare_step(const Model& model, const Algorithm& solver, StepWorkspace& work);

/// Throws Error unless the model has second-order systems only, constraints on positions as its
/// laws (Equality, contact without friction), and no sources; with `vectors`, positions must be
/// vectors. `who` begins the text.
void require_position_constraints(const Model& model, bool vectors, const char* who);

/// Outputs after a step (or before the first): y = h(q) (+ Dλ for first order) and, on Lagrangian
/// rows, u = H v + ∂h/∂t with H as the step had it; u is zero on first-order rows.
void observe(const Model& model, const State& state, StepWorkspace& work, VectorRef y, VectorRef u);

}  // namespace saltus
