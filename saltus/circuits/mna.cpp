#include "saltus/circuits/mna.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/circuits/topology.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace saltus::circuits {

namespace {

using Entries = std::vector<Eigen::Triplet<double>>;
using Terms = std::vector<DescriptorProbe::Term>;

struct SourceTerm {
  Index row;
  double factor;
  Waveform wave;
};

class Assembler {
 public:
  Assembler(const Circuit& circuit, bool capacitor_currents)
      : circuit_(circuit), capacitor_currents_(capacitor_currents) {
    for (std::size_t k = 1; k < circuit.nodes.size(); ++k)
      unknown(-inf, inf, fmt::format("node {}", circuit.nodes[k]));
    for (const auto& [node, voltage] : circuit.initial_voltages) start_[node] = voltage;
    for (const Probe& probe : circuit.probes) asked_.insert(probe.element);
    for (const Measure& measure : circuit.measures) asked_.insert(measure.probe.element);
    for (const Element& element : circuit.elements) {
      if (const auto* h = std::get_if<VoltageByCurrent>(&element.device)) asked_.insert(h->control);
      if (const auto* f = std::get_if<CurrentByCurrent>(&element.device)) asked_.insert(f->control);
    }
  }

  CircuitSystem run() {
    CircuitSystem made;
    made.remarks = check_topology(circuit_);
    for (const Element& element : circuit_.elements)
      std::visit([&](const auto& device) { stamp(element.name, device); }, element.device);
    for (const Element& element : circuit_.elements) stamp_controlled(element);
    for (const Coupling& coupling : circuit_.couplings) stamp_coupling(coupling);
    made.probes = probes();
    for (const Measure& measure : circuit_.measures)
      made.measured.push_back({measure.name, terms_of(measure.probe)});
    made.starts = std::move(starts_);
    made.system = system();
    return made;
  }

 private:
  /// Number of the unknown of a node, −1 for ground.
  [[nodiscard]] static Index of(Node node) { return node - 1; }

  Index unknown(double lower, double upper, std::string name) {
    lower_.push_back(lower);
    upper_.push_back(upper);
    names_.push_back(std::move(name));
    by_step_.push_back(0);
    initial_.push_back(0);
    return static_cast<Index>(lower_.size()) - 1;
  }
  void g(Index row, Index column, double value) {
    if (row >= 0 && column >= 0) G_.emplace_back(row, column, value);
  }
  void e(Index row, Index column, double value) {
    if (row >= 0 && column >= 0) E_.emplace_back(row, column, value);
  }
  void source(Index row, double factor, const Waveform& wave) {
    if (row >= 0) sources_.push_back({row, factor, wave});
  }
  /// Adds factor (v(a) − v(b)) to a row.
  void voltage(Index row, Node a, Node b, double factor) {
    g(row, of(a), factor);
    g(row, of(b), -factor);
  }
  /// Adds factor times unknown i to the current from a to b.
  void current(Node a, Node b, Index i, double factor = 1) {
    g(of(a), i, factor);
    g(of(b), i, -factor);
  }
  /// A conductance between a and b.
  void conductance(Node a, Node b, double value) {
    voltage(of(a), a, b, value);
    voltage(of(b), a, b, -value);
  }
  /// The unknown current of a branch, row: … − v = 0.
  Index branch(const std::string& name, Node a, Node b, double lower = -inf, double upper = inf) {
    const Index i = unknown(lower, upper, fmt::format("current of {}", name));
    current(a, b, i);
    voltage(i, a, b, -1);
    currents_[name] = {{i, 1}};
    return i;
  }

  void stamp(const std::string& name, const Resistor& d) {
    conductance(d.a, d.b, 1 / d.resistance);
    currents_[name] = difference(d.a, d.b, 1 / d.resistance);
  }
  void stamp(const std::string& name, const Capacitor& d) {
    const double voltage = d.voltage.value_or(start(d.a) - start(d.b));
    starts_.push_back({{fmt::format("voltage of {}", name), difference(d.a, d.b, 1)}, voltage});
    if (!capacitor_currents_ && asked_.count(name) == 0) {
      for (const auto& [row, sign] : {std::pair{of(d.a), 1.0}, std::pair{of(d.b), -1.0}}) {
        e(row, of(d.a), sign * d.capacitance);
        e(row, of(d.b), -sign * d.capacitance);
        if (row >= 0) initial_[row] += sign * d.capacitance * voltage;
      }
      return;
    }
    const Index i = unknown(-inf, inf, fmt::format("current of {}", name));
    current(d.a, d.b, i);
    e(i, of(d.a), -1);
    e(i, of(d.b), 1);
    g(i, i, 1 / d.capacitance);
    by_step_[i] = 1;
    initial_[i] = -voltage;
    currents_[name] = {{i, 1}};
  }
  void stamp(const std::string& name, const Inductor& d) {
    const Index i = branch(name, d.a, d.b);
    e(i, i, d.inductance);
    initial_[i] = d.inductance * d.current.value_or(0);
    starts_.push_back({{fmt::format("current of {}", name), {{i, 1}}}, d.current.value_or(0)});
    inductors_[name] = {i, &d};
  }
  void stamp(const std::string& name, const VoltageSource& d) {
    source(branch(name, d.a, d.b), 1, d.wave);
  }
  void stamp(const std::string&, const CurrentSource& d) {
    source(of(d.a), 1, d.wave);
    source(of(d.b), -1, d.wave);
  }
  void stamp(const std::string& name, const VoltageByVoltage& d) {
    voltage(branch(name, d.a, d.b), d.c, d.d, d.gain);
  }
  void stamp(const std::string& name, const CurrentByVoltage& d) {
    voltage(of(d.a), d.c, d.d, d.gain);
    voltage(of(d.b), d.c, d.d, -d.gain);
    currents_[name] = difference(d.c, d.d, d.gain);
  }
  // Those controlled by a current are stamped when all currents are known.
  void stamp(const std::string& name, const VoltageByCurrent& d) { branch(name, d.a, d.b); }
  void stamp(const std::string&, const CurrentByCurrent&) {}

  void stamp(const std::string& name, const Switch& d) {
    const Index i = branch(name, d.a, d.b);
    g(i, i, d.on);
    if (d.off < inf) {
      conductance(d.a, d.b, 1 / d.off);
      Terms terms = difference(d.a, d.b, 1 / d.off);
      terms.push_back({i, 1});
      currents_[name] = terms;
    }
    switches_.push_back({i, of(d.c), of(d.d), d.threshold + d.hysteresis,
                         d.threshold - d.hysteresis, d.clock, d.closed});
  }
  void stamp(const std::string& name, const Diode& d) {
    if (d.breakdown < inf) {
      const Index i = branch(name, d.a, d.b);
      const Index u = unknown(-d.breakdown, d.forward, fmt::format("voltage of {}", name));
      g(i, u, 1);
      g(i, i, d.on);
      g(u, i, -1);
      return;
    }
    const Index i = branch(name, d.a, d.b, 0, inf);
    g(i, i, d.on);
    if (d.forward != 0) source(i, 1, Constant{d.forward});
  }
  void stamp(const std::string& name, const Mos& d) {
    const double sign = d.p_channel ? -1.0 : 1.0;
    Terms drain_current;
    const auto end_of = [&](Node end, double side) {
      const Index k = unknown(-inf, inf, fmt::format("end of {}", name));
      g(k, k, 1);
      voltage(k, d.gate, end, -sign);
      source(k, 1, Constant{d.threshold});
      const double slope = sign * side * d.gain / 2;
      current(d.drain, d.source, k, slope);
      drain_current.push_back({k, slope});
      hinges_.rows.push_back({k, 0});
    };
    end_of(d.source, 1);
    end_of(d.drain, -1);
    currents_[name] = drain_current;
  }
  void stamp(const std::string& name, const OpAmp& d) {
    const Index i = unknown(-inf, inf, fmt::format("current of {}", name));
    current(d.out, 0, i);
    currents_[name] = {{i, 1}};
    if (d.low == -inf && d.high == inf) {
      voltage(i, d.plus, d.minus, 1);
      return;
    }
    const Index u = unknown(d.low, d.high, fmt::format("output of {}", name));
    g(i, u, 1);
    g(i, of(d.out), -1);
    voltage(u, d.plus, d.minus, -1);
  }
  void stamp(const std::string& name, const Transformer& d) {
    const Index i = branch(name, d.a, d.b);
    current(d.c, d.d, i, -d.ratio);
    voltage(i, d.c, d.d, d.ratio);
  }

  void stamp_controlled(const Element& element) {
    if (const auto* h = std::get_if<VoltageByCurrent>(&element.device)) {
      const Index row = currents_.at(element.name).front().index;
      for (const auto& term : controlling(element.name, h->control))
        g(row, term.index, h->gain * term.factor);
    }
    if (const auto* f = std::get_if<CurrentByCurrent>(&element.device)) {
      Terms terms = controlling(element.name, f->control);
      for (auto& term : terms) {
        term.factor *= f->gain;
        current(f->a, f->b, term.index, term.factor);
      }
      currents_[element.name] = terms;
    }
  }
  void stamp_coupling(const Coupling& coupling) {
    const auto find = [&](const std::string& coil) {
      const auto found = inductors_.find(coil);
      require(found != inductors_.end(),
              "circuit: {} couples '{}', expected the name of an inductor", coupling.name, coil);
      return found->second;
    };
    const auto [i, first] = find(coupling.first);
    const auto [j, second] = find(coupling.second);
    require(i != j, "circuit: {} couples {} with itself", coupling.name, coupling.first);
    const double mutual = coupling.coupling * std::sqrt(first->inductance * second->inductance);
    e(i, j, mutual);
    e(j, i, mutual);
    initial_[i] += mutual * second->current.value_or(0);
    initial_[j] += mutual * first->current.value_or(0);
  }

  [[nodiscard]] double start(Node node) const {
    const auto found = start_.find(node);
    return found == start_.end() ? 0.0 : found->second;
  }
  [[nodiscard]] static Terms difference(Node a, Node b, double factor) {
    Terms terms;
    if (a > 0) terms.push_back({of(a), factor});
    if (b > 0) terms.push_back({of(b), -factor});
    return terms;
  }
  [[nodiscard]] const Terms& controlling(const std::string& name, const std::string& control) {
    const auto found = currents_.find(control);
    require(
        found != currents_.end(),
        "circuit: {} is controlled by the current of '{}', expected the name of an element with "
        "a current among the unknowns",
        name, control);
    return found->second;
  }
  [[nodiscard]] Terms terms_of(const Probe& probe) {
    return probe.current ? controlling(probe.name, probe.element) : difference(probe.a, probe.b, 1);
  }
  [[nodiscard]] std::vector<DescriptorProbe> probes() {
    std::vector<DescriptorProbe> all;
    for (const Probe& probe : circuit_.probes) all.push_back({probe.name, terms_of(probe)});
    if (!all.empty()) return all;
    for (std::size_t k = 1; k < circuit_.nodes.size(); ++k)
      if (circuit_.nodes[k].find('.') == std::string::npos &&
          circuit_.nodes[k].find('#') == std::string::npos)
        all.push_back({fmt::format("v({})", circuit_.nodes[k]), {{of(static_cast<Node>(k)), 1}}});
    return all;
  }

  [[nodiscard]] static Descriptor::Matrix matrix(const Entries& entries, Index n) {
    Descriptor::Matrix A(n, n);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
  }
  [[nodiscard]] Descriptor system() {
    const Index n = static_cast<Index>(lower_.size());
    Descriptor made;
    made.E = matrix(E_, n);
    made.G = matrix(G_, n);
    made.lower = Eigen::Map<const Vector>(lower_.data(), n);
    made.upper = Eigen::Map<const Vector>(upper_.data(), n);
    made.initial = Eigen::Map<const Vector>(initial_.data(), n);
    made.by_step = by_step_;
    made.names = names_;
    made.switches = switches_;
    made.hinges = std::move(hinges_);
    if (!made.hinges.rows.empty())
      made.hinges.functions.emplace_back(std::vector(mos_breaks.begin(), mos_breaks.end()),
                                         std::vector(mos_slopes.begin(), mos_slopes.end()));
    made.constant.setZero(n);
    for (const SourceTerm& term : sources_)
      if (const auto* fixed = std::get_if<Constant>(&term.wave))
        made.constant[term.row] += term.factor * fixed->value;
    std::erase_if(sources_, [](const SourceTerm& term) {
      return std::holds_alternative<Constant>(term.wave);
    });
    for (const SourceTerm& term : sources_) {
      made.break_width = std::max(made.break_width, circuits::break_width(term.wave));
      made.resolution = std::min(made.resolution, circuits::resolution(term.wave));
    }
    const auto shared = std::make_shared<const std::vector<SourceTerm>>(std::move(sources_));
    made.source = [shared](double t, VectorRef s) {
      for (const SourceTerm& term : *shared) s[term.row] += term.factor * value(term.wave, t);
    };
    made.next_break = [shared](double t) {
      double next = inf;
      for (const SourceTerm& term : *shared)
        next = std::min(next, circuits::next_break(term.wave, t));
      return next;
    };
    return made;
  }

  const Circuit& circuit_;
  bool capacitor_currents_;
  std::set<std::string> asked_;  // elements whose current is probed or controls something
  std::vector<CircuitSystem::Start> starts_;
  Entries E_, G_;
  std::vector<double> lower_, upper_, initial_;
  std::vector<char> by_step_;
  std::vector<std::string> names_;
  std::vector<SourceTerm> sources_;
  std::vector<DescriptorSwitch> switches_;
  HingeRows hinges_;
  std::unordered_map<std::string, Terms> currents_;
  std::unordered_map<std::string, std::pair<Index, const Inductor*>> inductors_;
  std::map<Node, double> start_;
};

}  // namespace

double mos_square(double x) {
  double sum = 0;
  for (std::size_t j = 0; j < mos_slopes.size(); ++j)
    sum += mos_slopes[j] * std::max(x - mos_breaks[j], 0.0);
  return sum;
}

CircuitSystem assemble(const Circuit& circuit, bool capacitor_currents) {
  return Assembler(circuit, capacitor_currents).run();
}

}  // namespace saltus::circuits
