#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/solvers/mode_pivoting.hpp"
#include "saltus/systems/descriptor.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace saltus {

/// Where a run stands: the unknowns at time t, and what the next step takes from them.
struct DescriptorState {
  double t = 0;
  Vector z;
  Vector e;                  ///< E z: charges and fluxes
  Vector g;                  ///< G z + s(t) on the differential rows (DescriptorTheta)
  Vector rate;               ///< ė on the differential rows (DescriptorTrBdf2)
  Vector w;                  ///< w on the held rows (DescriptorTrBdf2)
  Vector x;                  ///< of the rows that are functions: their arguments z − w (likewise)
  Vector slope;              ///< ẋ, by differences (likewise)
  std::vector<char> closed;  ///< of each switch
};

/// The one-step problems of a run, and buffers. Problems whose steps are alike share one matrix
/// pattern and one analysis; the factors are kept for every length of step and every pattern of
/// modes that was met, as far as memory allows (ModeFactors).
class DescriptorWorkspace {
 public:
  struct OneStep {
    double h = 0, theta = 1;
    BlockForm form;
    ModeWorkspace solver;

   private:
    friend class DescriptorWorkspace;
    struct Length {
      double h, theta;
      std::uint64_t label;
      std::vector<double> values;  // of W
    };
    std::vector<Length> known;
    std::vector<double> rate, rest;  // of the entries of W: those of E and of G
    double first = 0;                // the length it was made for
    std::uint64_t labels = 0;
  };
  /// The problem for this h and θ; steps that differ by less than 1e-9 of their length are the same
  /// one. An infinite h is the operating point.
  [[nodiscard]] OneStep& problem(const Descriptor& system, double h, double theta);

  Vector s, z;
  Vector expected;                  ///< buffer for DescriptorStage::expected
  std::vector<Index> differential;  ///< rows with an entry in E
  std::vector<char> closed, flipped;
  std::vector<char> continuous;  ///< of each row: see StageReport::hard
  /// Of each row: hard, with one bound, and not differential. (What has two, a relay, may slide:
  /// the implicit step must find that.)
  std::vector<char> held;
  std::vector<Index> hard;           ///< rows that are held
  std::vector<double> control_size;  ///< of each switch: the largest |control| so far
  std::vector<Mode> modes;           ///< of the last step
  const Vector* u = nullptr;         ///< w of the rows in the last stage
  const Vector* x = nullptr;         ///< arguments of the functions in the last stage

 private:
  static void assemble(const Descriptor& system, OneStep& one);
  static OneStep::Length& length_of(const Descriptor& system, double h, double theta, OneStep& one);
  std::vector<std::unique_ptr<OneStep>> known_;
};

/// The implicit problem that the one-step methods for descriptor systems are made of,
///
///     differential rows   w = (E z − e)/h + θ (G z + s) + (1 − θ) g                         (1)
///     algebraic rows      w = G z + s,         −w ∈ N_K(z).
struct DescriptorStage {
  double h = 0, theta = 1;
  const Vector& e;
  const Vector* g = nullptr;  ///< not looked at if θ = 1
  double tick = -1;           ///< time at which clocked switches look at their control; < 0: none
  bool hold = false;          ///< held rows and switches keep their modes, see StageReport::waiting
  const Vector* expected = nullptr;  ///< arguments of the functions, whose modes begin there
};
struct StageReport {
  /// Its residual is in parts of max(1, ‖q‖∞), as the tolerance of the solver: rows are divided by
  /// h, which may be very short.
  StepReport report;
  bool commuted = false;  ///< a mode or a switch changed
  /// A switch turned, or the mode of a row changed that bends or jumps: one without an entry on the
  /// diagonal of G. Those with one (hinges of transistors, diodes with a resistance) are
  /// continuous functions.
  bool hard = false;
  /// How far controls were past their thresholds when their switches turned, in parts of the
  /// largest control so far.
  double overshoot = 0;
  /// With DescriptorStage::hold: a hard row or a switch (see DescriptorWorkspace::held) asks for
  /// another mode.
  bool waiting = false;
};

/// Solves (1) with s = work.s and the switches as they are; those whose control asks for it then
/// change, once each, and it is solved again. Guess and controls at the tick: `z`. The solution
/// stands in work.z and work.closed.
[[nodiscard]] StageReport solve_stage(const Descriptor& system, const DescriptorStage& stage,
                                      const Vector& z, const std::vector<char>& closed,
                                      const ModePivoting& solver, DescriptorWorkspace& work);

/// s(t) in work.s.
void evaluate_source(const Descriptor& system, double t, DescriptorWorkspace& work);

/// z[plus] − z[minus] of a switch.
[[nodiscard]] double control(const DescriptorSwitch& s, const Vector& z);

/// E z of row i.
[[nodiscard]] double charge(const Descriptor& system, Index i, const Vector& z);

/// z = 0, the charges and switches of the system.
void begin(const Descriptor& system, double t0, DescriptorState& state, DescriptorWorkspace& work);

}  // namespace saltus
