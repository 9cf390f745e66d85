#pragma once

#include "saltus/integrators/scheme.hpp"
#include "saltus/simulation/accounts.hpp"
#include "saltus/simulation/adaptive_steps.hpp"
#include "saltus/simulation/trajectory.hpp"

#include <concepts>
#include <functional>
#include <vector>

namespace saltus {

/// What a run records, and how often.
struct RecordOptions {
  static constexpr std::string_view name = "RecordOptions";
  int every = 1;            ///< record each every-th step, and the last
  bool state = true;        ///< q, v, x
  bool outputs = true;      ///< y and u
  bool multipliers = true;  ///< r
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"every", "record each every-th step, and the last", Range{1, 1e9}}, s.every);
    visit(Field{"state", "record q, v, x"}, s.state);
    visit(Field{"outputs", "record y and u"}, s.outputs);
    visit(Field{"multipliers", "record r"}, s.multipliers);
  }
};

struct SimulationOptions {
  static constexpr std::string_view name = "SimulationOptions";
  double step = 0;              ///< h [s]; must be given
  AdaptiveSteps adaptive = {};  ///< with a tolerance, h is the first step, the others are chosen
  RecordOptions record = {};
  bool accept_unsolved = false;  ///< go on with the best point found when a solver fails
  bool profile = false;          ///< measure where the time goes (costs about 0.2 µs per step)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"step", "time step h [s]", positive}, s.step);
    visit(Field{"adaptive", "steps chosen by their error"}, s.adaptive);
    visit(Field{"record", "what is recorded, and how often"}, s.record);
    visit(Field{"accept_unsolved", "go on with the best point found when a solver fails"},
          s.accept_unsolved);
    visit(Field{"profile", "measure where the time goes"}, s.profile);
  }
};

/// What an observer sees after each step.
struct Observation {
  const Model& model;
  const State& state;
  const StepReport& report;
  long step;        ///< number of this step in the run, from 1
  double end_time;  ///< of the run
};

class Recorder;

/// Time loop: model + state + scheme + clock (PL:PL-01, PL:SI-01, PL:SI-02, PL:SI-04, PL:PL-05).
///
///     Simulation sim(model, MoreauJean{.theta = 0.5}, {.step = 5e-3});
///     Trajectory run = sim.run(10.0);
class Simulation {
 public:
  using Observer = std::function<void(const Observation&)>;
  using Condition = std::function<bool(const State&)>;

  /// Throws Error on options out of range or a solver that does not suit the model's laws.
  Simulation(Model model, MoreauJean scheme, SimulationOptions options);
  /// The same with any other scheme.
  template <class S>
  requires std::convertible_to<S, Scheme> Simulation(Model model, S scheme,
                                                     SimulationOptions options)
      : Simulation(Scheme(std::move(scheme)), std::move(model), std::move(options)) {}

  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Steps until t ≥ end_time (the last step is shortened if need be), a stop condition holds, or a
  /// step fails. May be called again to go on. Whatever happens, what was recorded is returned.
  Trajectory run(double end_time);
  /// The same into a Trajectory of the caller's: even when a system, relation or observer throws,
  /// what was recorded until then is in it.
  void run(double end_time, Trajectory& trajectory);

  /// One step of length h (default: the option `step`), not recorded.
  StepReport advance(double h);
  StepReport advance() { return advance(options_.step); }

  /// Called after each step of run().
  void observe(Observer observer) { observers_.push_back(std::move(observer)); }
  /// Called after each one-step problem that was solved, with its solution.
  void observe_problems(std::function<void(const OneStepProblem&)> observer) {
    work_.observe_problem = std::move(observer);
  }
  /// Ends run() after the first step for which the condition holds.
  void stop_when(Condition condition) { conditions_.push_back(std::move(condition)); }

  /// Changes the discrete parameters z of a system between steps (PL:DS-02).
  void set_parameters(SystemId system, const Values& z);
  /// Puts the simulation into another state. Throws Error on wrong sizes or values.
  void set_state(const State& state);

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const Scheme& scheme() const { return scheme_; }
  [[nodiscard]] const SimulationOptions& options() const { return options_; }
  /// Multipliers of the last step, all rows of all declared interactions, then of contacts().
  [[nodiscard]] const Vector& multipliers() const { return work_.r; }
  /// The contacts that sources found in the last step, at its forecast.
  [[nodiscard]] const ContactList& contacts() const { return work_.contacts; }

 private:
  Simulation(Scheme scheme, Model model, SimulationOptions options);
  bool run_step(double h, double t_next, RunReport& report);
  bool account(const StepReport& step, RunReport& report);
  bool after_step(long n, bool last, double end_time, Recorder& recorder, RunReport& report);
  RunEnd run_adaptive(double end_time, Recorder& recorder, RunReport& report);
  RunEnd run_steps(double end_time, Recorder& recorder, RunReport& report);

  Model model_;
  Scheme scheme_;
  SimulationOptions options_;
  State state_;
  StepWorkspace work_;
  Accounts accounts_;
  std::vector<Observer> observers_;
  std::vector<Condition> conditions_;
};

}  // namespace saltus
