#pragma once

#include "saltus/algebra/block_diagonal_lu.hpp"
#include "saltus/integrators/layout.hpp"
#include "saltus/problems/global_block_form.hpp"
#include "saltus/solvers/algorithm.hpp"
#include "saltus/solvers/workspace.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace saltus {

/// Where the wall time of the steps went, in seconds.
struct StepTimes {
  double free = 0;      ///< forces, iteration matrices, free velocity
  double activate = 0;  ///< gaps, relation Jacobians, active set
  double assemble = 0;  ///< the one-step problem
  double solve = 0;     ///< its solution
  double update = 0;    ///< new state, Newton residual
};

/// A detected contact of the last step: what warm-starts the same contact in the next.
struct RememberedContact {
  ContactKey key;
  Eigen::Vector3d percussion;  ///< in the world frame
};

/// A one-step problem that was solved, in the form in which it was solved.
struct OneStepProblem {
  const GlobalBlockForm* global = nullptr;  ///< or
  const BlockForm* reduced = nullptr;
  const Vector& guess;  ///< r from which the solver started
  const Vector& r;      ///< its answer
  const SolveReport& report;
  long step = 0;  ///< number of the step since prepare(), from 1
  double t = 0;   ///< time at its beginning [s]
};

/// Every buffer of a one-step integrator; grow-only, sized by prepare(). Flat arrays follow Layout.
struct StepWorkspace {
  Layout layout;

  // Dynamics: w = (v, x)
  Vector w_begin, w, w_free, w_scratch;   ///< start of the step, Newton iterate, free, scratch
  Vector force_begin, force_end, newton;  ///< F(t, ·), F(t⁺, ·), residual R
  Vector impulse;                         ///< percussions that systems integrate themselves
  Vector q_end, q_forecast, displacement;
  std::vector<double> mass, iteration;  ///< M and M̂, body by body
  BlockDiagonalLu factor;               ///< of M̂
  double factored_step = -1;            ///< h for which the time-invariant parts are factorised
  double factored_theta = -1;
  std::vector<double> stiffness;   ///< scratch for one body
  bool systems_invariant = false;  ///< every system is time-invariant
  [[nodiscard]] bool factored(double h, double theta) const {
    return factored_step == h && factored_theta == theta;
  }

  // Relations, entry by entry: output H (rows × body), input B (body × rows), X = M̂⁻¹ B
  std::vector<double> output, input, response;
  std::vector<double> feedthrough;  ///< D, block by block
  Vector offset;                    ///< y − H w at the linearisation point, or c of y = H q + c
  Vector bias;                      ///< ∂h/∂t of Lagrangian relations
  Vector gap;                       ///< y at the forecast
  Vector u_minus;                   ///< u at the start of the step
  Vector z_seen;                    ///< parameters z for which `offset` was computed
  Vector gathered_q, gathered_v, gathered_x, gathered_z, relation_y;
  Matrix relation_H, relation_B, relation_D;
  bool relations_known = false;  ///< time-invariant relations have been evaluated
  bool nonlinear_lagrangian = false,
       nonlinear_first_order = false;  ///< there are relations of the kind

  // One-step problem on the active blocks
  std::vector<Index> active, previously_active;
  BlockForm problem;
  Vector r_active;
  Vector r;  ///< multipliers of all rows, zero where inactive: result and warm start; first
             ///< those of the model, then those of detected contacts
  std::vector<Index> sizes, incidence_begin, incidence_block, incidence_entry, marker, touched;
  bool matrix_current = false;  ///< problem.W is that of the present M̂, H, active set

  // Contacts found by sources; they own the rows behind those of the model
  std::vector<std::unique_ptr<InteractionSource::Cache>> caches;
  ContactList contacts;
  std::vector<RememberedContact> remembered;

  // One-step problem in global form
  GlobalBlockForm global;
  Vector global_velocity;
  std::vector<Index> global_row;  ///< of each body in the global problem, −1: not in it
  bool pure_lagrangian = false;   ///< no first-order relation: the global form exists

  /// Called after each solve of a one-step problem, if it is set.
  std::function<void(const OneStepProblem&)> observe_problem;
  Vector guess;    ///< kept for it
  long steps = 0;  ///< begun since prepare()

  Workspace solver;
  bool accept_unsolved = false;  ///< advance with the best point found when the solver fails
  bool profile = false;          ///< measure `times`
  StepTimes times;

  StepWorkspace() = default;
  StepWorkspace(StepWorkspace&&) = default;
  StepWorkspace& operator=(StepWorkspace&&) = default;
};

}  // namespace saltus
