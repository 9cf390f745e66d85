#pragma once

#include "saltus/integrators/alpha_workspace.hpp"
#include "saltus/integrators/coupled.hpp"
#include "saltus/integrators/inclusion_workspace.hpp"
#include "saltus/integrators/layout.hpp"
#include "saltus/integrators/segment_rows.hpp"
#include "saltus/integrators/system_integrators.hpp"
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
  Eigen::Vector3d moment;      ///< of rolling and spinning friction, in the world frame
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
  std::vector<double> mass, iteration;    ///< M and M̂ of pools, body by body
  std::vector<CoupledOperators> coupled;  ///< those of coupled systems
  StepFactors factor;                     ///< of M̂
  IterationWeights factored;              ///< for which the time-invariant parts are factorised
  std::vector<double> stiffness;          ///< scratch for one body
  bool masses_known = false;              ///< the masses of time-invariant systems were evaluated
  bool systems_invariant = false;         ///< every system is time-invariant
  SystemRules rules;                      ///< of systems with integrators of their own

  // Relations, entry by entry: output H (rows × body), input B (body × rows), X = M̂⁻¹ B
  std::vector<double> output, input, response;
  std::vector<double> feedthrough;  ///< D, block by block
  Vector offset;                    ///< y − H w at the linearisation point, or c of y = H q + c
  Vector bias;                      ///< ∂h/∂t of Lagrangian relations
  Vector gap;                       ///< y at the forecast
  Vector gap_end;                   ///< y at the end of the step, where it is asked for
  Vector u_minus;                   ///< u at the start of the step
  Vector constant;                  ///< of u = W r + H w_free + constant, on Lagrangian rows
  Vector compliance, pull;          ///< of laws with terms, zero elsewhere: LawTerms
  Vector r_before;                  ///< multipliers of the last step
  double step_before = 0;           ///< its length
  Vector w_pulled;                  ///< w_free, pulled at by cohesion
  Vector poisson;                   ///< e of the active blocks under Poisson's law
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

  SegmentRows pieces;           ///< the same problem, for laws that one set per block cannot say
  bool broken_lines = false;    ///< the model has such laws, or found contacts have
  bool declared_lines = false;  ///< its declared interactions have

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
  Vector guess;            ///< kept for it
  long steps = 0;          ///< begun since prepare()
  double step_length = 0;  ///< h of the last one

  std::unique_ptr<StepWorkspace> projection;  ///< of the positions, for schemes that project

  Workspace solver;
  bool accept_unsolved = false;  ///< advance with the best point found when the solver fails
  bool profile = false;          ///< measure `times`
  StepTimes times;

  AlphaWorkspace alpha;          ///< of GeneralizedAlpha
  InclusionWorkspace inclusion;  ///< of the schemes for first-order inclusions

  // What the last step left: schemes with a memory start anew if the state is another
  Vector q_left, v_left;
  [[nodiscard]] bool continues(const State& state) const;
  void remember(const State& state);

  StepWorkspace();
  ~StepWorkspace();
  StepWorkspace(StepWorkspace&&) noexcept;
  StepWorkspace& operator=(StepWorkspace&&) noexcept;
};

}  // namespace saltus
