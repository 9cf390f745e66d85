#pragma once

#include "saltus/circuits/waveform.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace saltus::circuits {

/// Number of a node; 0 is ground.
using Node = int;

// The devices. Voltages are v = v(a) − v(b); currents flow from a to b through the device.

struct Resistor {
  Node a = 0, b = 0;
  double resistance = 1;  ///< R ≠ 0 [Ω], v = R i
};
struct Capacitor {
  Node a = 0, b = 0;
  double capacitance = 1;              ///< C > 0 [F], i = C v̇
  std::optional<double> voltage = {};  ///< v(0)
};
struct Inductor {
  Node a = 0, b = 0;
  double inductance = 1;               ///< L > 0 [H], v = L i̇
  std::optional<double> current = {};  ///< i(0)
};
struct VoltageSource {
  Node a = 0, b = 0;
  Waveform wave = {};
};
struct CurrentSource {
  Node a = 0, b = 0;
  Waveform wave = {};
};
/// Controlled sources: v = gain (v(c) − v(d)), i = gain (v(c) − v(d)), i = gain i_k, v = gain i_k.
struct VoltageByVoltage {
  Node a = 0, b = 0, c = 0, d = 0;
  double gain = 1;
};
struct CurrentByVoltage {
  Node a = 0, b = 0, c = 0, d = 0;
  double gain = 1;
};
struct CurrentByCurrent {
  Node a = 0, b = 0;
  std::string control;  ///< name of the device whose current controls it
  double gain = 1;
};
struct VoltageByCurrent {
  Node a = 0, b = 0;
  std::string control;
  double gain = 1;
};
/// v = R_on i while closed; i = v / R_off while open. Closes when v(c) − v(d) > threshold +
/// hysteresis, opens below threshold − hysteresis.
struct Switch {
  Node a = 0, b = 0, c = 0, d = 0;
  double threshold = 0.5, hysteresis = 0;
  double on = 0, off = inf;  ///< R_on ≥ 0, R_off > 0 [Ω]
  double clock = 0;          ///< period at which the control is looked at [s]; 0: always
  bool closed = false;       ///< before the start
};
/// 0 ≤ i ⟂ forward + R_on i − v ≥ 0 (F:F030, F:F031); with a finite breakdown a Zener diode,
/// v − R_on i ∈ [−breakdown, forward] with i ≤ 0 at the lower and i ≥ 0 at the upper end (F:F034).
struct Diode {
  Node a = 0, b = 0;       ///< anode, cathode
  double forward = 0;      ///< V_f ≥ 0 [V]
  double on = 0;           ///< R_on ≥ 0 [Ω]
  double breakdown = inf;  ///< V_z > 0 [V]
};
/// Piecewise-linear MOS transistor (PL:C-05, PL:C-06): i_D = σ K/2 (f(x_S) − f(x_D)) with x_S = σ
/// (v_G − v_S) − |V_T|, x_D = σ (v_G − v_D) − |V_T|, σ = 1 (NMOS) or −1 (PMOS), and f the
/// piecewise-linear square of mos_square().
struct Mos {
  Node drain = 0, gate = 0, source = 0;
  bool p_channel = false;
  double gain = 1e-4;    ///< K = μ C_ox W / L [A/V²]
  double threshold = 1;  ///< |V_T| [V]
};
/// v(out) such that v(plus) = v(minus), within [low, high]: at the rails, v(plus) ≥ v(minus) (high)
/// or ≤ (low). Without feedback it is a comparator, hence a relay.
struct OpAmp {
  Node plus = 0, minus = 0, out = 0;
  double low = -inf, high = inf;
};
/// v_ab = ratio v_cd, i_cd = −ratio i_ab.
struct Transformer {
  Node a = 0, b = 0, c = 0, d = 0;
  double ratio = 1;
};

using Device = std::variant<Resistor, Capacitor, Inductor, VoltageSource, CurrentSource,
                            VoltageByVoltage, CurrentByVoltage, CurrentByCurrent, VoltageByCurrent,
                            Switch, Diode, Mos, OpAmp, Transformer>;

struct Element {
  std::string name;  ///< lower case; inside a subcircuit "x1.r1"
  Device device;
};

/// M = coupling √(L_a L_b) between two inductors, |coupling| ≤ 1.
struct Coupling {
  std::string name, first, second;
  double coupling = 1;
};

/// What to record: a voltage v(a) − v(b), or the current through an element.
struct Probe {
  std::string name;  ///< "v(out)", "i(l1)"
  bool current = false;
  Node a = 0, b = 0;    ///< of a voltage
  std::string element;  ///< of a current
};

/// Kinds of measurement: mean, root of the mean square, extrema, their difference, total harmonic
/// distortion √(Σ_{k ≥ 2} a_k²) / a_1 at a frequency, value at the end.
enum class MeasureKind { avg, rms, max, min, pp, thd, last };
[[nodiscard]] std::string_view name(MeasureKind kind);

struct Measure {
  std::string name;
  MeasureKind kind = MeasureKind::avg;
  Probe probe;
  double from = 0, to = inf;  ///< [s]
  double frequency = 0;       ///< of the distortion [Hz]
};

/// What `.tran` asks for.
struct Transient {
  double step = 0, stop = 0;  ///< [s]
  /// A longest step or .options theta=… was given: steps of this length, not of the error's choice.
  bool fixed = false;
  std::optional<double> accuracy = {};  ///< .options accuracy=…; 0: fixed steps
  double start = 0;                     ///< first instant recorded
  bool given = false;
  bool use_initial = false;  ///< uic: from the given charges and fluxes, not the operating point
  double theta = 1;          ///< .options theta=…
};

/// A circuit as a netlist describes it, subcircuits written out.
struct Circuit {
  std::string title;
  std::vector<std::string> nodes = {"0"};
  std::vector<Element> elements;
  std::vector<Coupling> couplings;
  std::vector<Probe> probes;
  std::vector<Measure> measures;
  std::vector<std::pair<Node, double>> initial_voltages;  ///< .ic v(node)=…
  Transient transient;
};

}  // namespace saltus::circuits
