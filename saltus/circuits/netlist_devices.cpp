#include "saltus/circuits/netlist_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

namespace saltus::circuits {

namespace {

/// Names of numbers and where they go.
using Known = std::initializer_list<std::pair<std::string_view, double*>>;

double* find(const Known& known, std::string_view name) {
  for (const auto& entry : known)
    if (entry.first == name) return entry.second;
  return nullptr;
}

std::string names(const Known& known, std::string_view behind) {
  std::string text;
  for (const auto& entry : known) text += fmt::format(" {}{}", entry.first, behind);
  return text;
}

/// Reads the words of a device line one after the other.
class Reader {
 public:
  Reader(const DeviceLine& line, std::string_view usage) : line_(line), usage_(usage) {}

  [[nodiscard]] bool more() const { return at < line_.fields.words.size(); }
  [[nodiscard]] const Token& word() {
    if (!more()) wrong(line_.fields.name, fmt::format("'{}' ends early", line_.fields.name.text));
    return line_.fields.words[at++];
  }
  [[nodiscard]] Node node() {
    const Token& token = word();
    if (token.kind != Token::Kind::word)
      wrong(token, fmt::format("'{{{}}}' is no name of a node", token.text));
    return line_.node(token.text);
  }
  [[nodiscard]] double number() { return line_.scope.number(word()); }
  /// A number that obeys `valid`.
  [[nodiscard]] double number(bool (*valid)(double), std::string_view range) {
    const Token& token = word();
    const double x = line_.scope.number(token);
    if (!valid(x))
      wrong(token, fmt::format("{} is {}, a number {} is needed", token.text, x, range));
    return x;
  }
  /// The name of another element, as seen from here.
  [[nodiscard]] std::string element() { return line_.prefix + word().text; }
  /// The values of the keys; every other key is a mistake.
  void keys(const Known& known) {
    for (const auto& [key, value] : line_.fields.keys) {
      double* target = find(known, key.text);
      if (target == nullptr)
        wrong(key, fmt::format("'{}=' is unknown here{}{}", key.text,
                               known.size() == 0 ? "" : ", known:", names(known, "=")));
      *target = line_.scope.number(value);
    }
  }
  void end() {
    if (more())
      wrong(line_.fields.words[at], fmt::format("'{}' is too much", line_.fields.words[at].text));
  }
  [[noreturn]] void wrong(const Token& token, const std::string& text) const {
    netlist_error(token.place, fmt::format("{}, expected: {}", text, usage_));
  }
  [[nodiscard]] std::string name() const { return line_.prefix + line_.fields.name.text; }
  void add(Device device) { line_.circuit.elements.push_back({name(), std::move(device)}); }
  void add(const std::string& part, Device device) {
    line_.circuit.elements.push_back({name() + "#" + part, std::move(device)});
  }

  std::size_t at = 0;

 private:
  const DeviceLine& line_;
  std::string_view usage_;
};

bool is_positive(double x) { return x > 0; }
bool is_not_zero(double x) { return x != 0; }
bool is_coupling(double x) { return x >= -1 && x <= 1; }

/// Numbers of a model card, stored.
void take_model(const ModelCard& card, const Scope& scope, const Known& known) {
  for (const auto& [key, value] : card.numbers) {
    double* target = find(known, key.text);
    if (target == nullptr)
      netlist_error(key.place,
                    fmt::format("the model '{}' ({}) has no number '{}', expected one of{}",
                                card.name.text, card.type.text, key.text, names(known, "")));
    *target = scope.number(value);
  }
}

/// The model named by a word, which must be of one of the types.
const ModelCard& find_model(const Token& word, const Scope& scope, const Scope*& where,
                            std::initializer_list<std::string_view> types) {
  const ModelCard* card = scope.model(word.text, where);
  if (card == nullptr)
    netlist_error(word.place, fmt::format("the model '{}' is unknown, expected one of: {}",
                                          word.text, scope.known_models()));
  if (std::find(types.begin(), types.end(), card->type.text) == types.end())
    netlist_error(word.place, fmt::format("the model '{}' is of type {}, expected {}", word.text,
                                          card->type.text, fmt::join(types, " or ")));
  return *card;
}

void check_range(const Token& word, std::string_view what, double x, bool fine,
                 std::string_view range) {
  if (!fine) netlist_error(word.place, fmt::format("{} is {}, expected {}", what, x, range));
}

void read_resistor(const DeviceLine& line) {
  Reader r(line, "Rname a b resistance");
  const Node a = r.node(), b = r.node();
  r.add(Resistor{a, b, r.number(is_not_zero, "that is not 0")});
  r.keys({});
  r.end();
}

void read_storage(const DeviceLine& line, bool capacitor) {
  Reader r(line,
           capacitor ? "Cname a b capacitance [ic=voltage]" : "Lname a b inductance [ic=current]");
  const Node a = r.node(), b = r.node();
  const double size = r.number(is_positive, "> 0");
  double initial = inf;
  r.keys({{"ic", &initial}});
  r.end();
  const std::optional<double> start = initial < inf ? std::optional(initial) : std::nullopt;
  if (capacitor)
    r.add(Capacitor{a, b, size, start});
  else
    r.add(Inductor{a, b, size, start});
}

void read_coupling(const DeviceLine& line) {
  Reader r(line, "Kname La Lb [Lc ...] coupling");
  std::vector<std::string> coils;
  while (line.fields.words.size() > r.at + 1) coils.push_back(r.element());
  if (coils.size() < 2) r.wrong(line.fields.name, "two inductors are needed");
  const double k = r.number(is_coupling, "from -1 to 1");
  r.keys({});
  for (std::size_t i = 0; i < coils.size(); ++i)
    for (std::size_t j = i + 1; j < coils.size(); ++j)
      line.circuit.couplings.push_back({r.name(), coils[i], coils[j], k});
}

void read_source(const DeviceLine& line, bool voltage) {
  Reader r(line, voltage ? "Vname a b [dc] X | sin(...) | pulse(...) | pwl(...)"
                         : "Iname a b [dc] X | sin(...) | pulse(...) | pwl(...)");
  const Node a = r.node(), b = r.node();
  if (!r.more()) r.wrong(line.fields.name, "the value is missing");
  const Waveform wave = read_wave(line.fields, line.scope, r.at);
  r.keys({});
  r.end();
  if (voltage)
    r.add(VoltageSource{a, b, wave});
  else
    r.add(CurrentSource{a, b, wave});
}

void read_controlled(const DeviceLine& line, char kind) {
  const bool by_voltage = kind == 'e' || kind == 'g';
  Reader r(line, by_voltage ? "Ename a b c d gain (or G)" : "Fname a b Vcontrol gain (or H)");
  const Node a = r.node(), b = r.node();
  if (by_voltage) {
    const Node c = r.node(), d = r.node();
    const double gain = r.number();
    if (kind == 'e')
      r.add(VoltageByVoltage{a, b, c, d, gain});
    else
      r.add(CurrentByVoltage{a, b, c, d, gain});
  } else {
    const std::string control = r.element();
    const double gain = r.number();
    if (kind == 'f')
      r.add(CurrentByCurrent{a, b, control, gain});
    else
      r.add(VoltageByCurrent{a, b, control, gain});
  }
  r.keys({});
  r.end();
}

/// Takes the numbers of a switch model.
void take_switch_model(const Token& word, const Scope& scope, Switch& device) {
  const Scope* where = nullptr;
  const ModelCard& card = find_model(word, scope, where, {"sw", "vswitch"});
  take_model(card, *where,
             {{"vt", &device.threshold},
              {"vh", &device.hysteresis},
              {"ron", &device.on},
              {"roff", &device.off},
              {"clock", &device.clock}});
  check_range(card.name, "vh", device.hysteresis, device.hysteresis >= 0, ">= 0");
  check_range(card.name, "ron", device.on, device.on >= 0, ">= 0");
  check_range(card.name, "roff", device.off, device.off > 0, "> 0");
  check_range(card.name, "clock", device.clock, device.clock >= 0, ">= 0");
}

bool is_wave_word(const Token& token) {
  return token.text == "sin" || token.text == "pulse" || token.text == "pwl" || token.text == "dc";
}

void read_switch(const DeviceLine& line) {
  Reader r(line, "Sname a b c d [model] [on|off], or Sname a b pulse(...) [model]");
  Switch device;
  device.a = r.node();
  device.b = r.node();
  const auto& words = line.fields.words;
  if (r.more() && is_wave_word(words[r.at])) {
    const Waveform wave = read_wave(line.fields, line.scope, r.at);
    device.c = line.node(line.fields.name.text + "#control");
    r.add("control", VoltageSource{device.c, 0, wave});
  } else {
    device.c = r.node();
    device.d = r.node();
  }
  while (r.more()) {
    const Token& word = r.word();
    if (word.text == "on" || word.text == "off")
      device.closed = word.text == "on";
    else
      take_switch_model(word, line.scope, device);
  }
  r.keys({});
  r.add(device);
}

void read_diode(const DeviceLine& line) {
  Reader r(line, "Dname anode cathode [model]");
  Diode device;
  device.a = r.node();
  device.b = r.node();
  if (r.more()) {
    const Scope* where = nullptr;
    const ModelCard& card = find_model(r.word(), line.scope, where, {"d"});
    take_model(card, *where,
               {{"vf", &device.forward},
                {"ron", &device.on},
                {"rs", &device.on},
                {"bv", &device.breakdown}});
    check_range(card.name, "vf", device.forward, device.forward >= 0, ">= 0");
    check_range(card.name, "ron", device.on, device.on >= 0, ">= 0");
    check_range(card.name, "bv", device.breakdown, device.breakdown > 0, "> 0");
  }
  r.keys({});
  r.end();
  r.add(device);
}

void read_mos(const DeviceLine& line) {
  Reader r(line, "Mname drain gate source bulk model [w= l=]");
  Mos device;
  device.drain = r.node();
  device.gate = r.node();
  device.source = r.node();
  static_cast<void>(r.word());  // the bulk carries no current in this model
  const Scope* where = nullptr;
  const ModelCard& card = find_model(r.word(), line.scope, where, {"nmos", "pmos"});
  double kp = 1e-4, width = 1, length = 1, gs = 0, gd = 0;
  take_model(card, *where,
             {{"kp", &kp},
              {"vto", &device.threshold},
              {"w", &width},
              {"l", &length},
              {"cgs", &gs},
              {"cgd", &gd}});
  r.keys({{"w", &width}, {"l", &length}});
  r.end();
  device.p_channel = card.type.text == "pmos";
  device.threshold = std::abs(device.threshold);
  device.gain = kp * width / length;
  check_range(card.name, "kp w / l", device.gain, device.gain > 0 && device.gain < inf, "> 0");
  check_range(card.name, "cgs", gs, gs >= 0, ">= 0");
  check_range(card.name, "cgd", gd, gd >= 0, ">= 0");
  r.add(device);
  if (gs > 0) r.add("cgs", Capacitor{device.gate, device.source, gs, {}});
  if (gd > 0) r.add("cgd", Capacitor{device.gate, device.drain, gd, {}});
}

void read_op_amp(const DeviceLine& line) {
  Reader r(line, "Oname plus minus out [low= high=]");
  OpAmp device;
  device.plus = r.node();
  device.minus = r.node();
  device.out = r.node();
  r.keys({{"low", &device.low}, {"high", &device.high}});
  r.end();
  check_range(line.fields.name, "low", device.low, device.low < device.high, "less than high");
  r.add(device);
}

void read_transformer(const DeviceLine& line) {
  Reader r(line, "Tname a b c d ratio");
  const Node a = r.node(), b = r.node(), c = r.node(), d = r.node();
  r.add(Transformer{a, b, c, d, r.number(is_not_zero, "that is not 0")});
  r.keys({});
  r.end();
}

/// The numbers that follow the word at `first`, at most `most`.
std::vector<double> numbers_after(const Fields& fields, const Scope& scope, std::size_t& first,
                                  std::size_t least, std::size_t most, std::string_view usage) {
  const Token& head = fields.words[first++];
  std::vector<double> numbers;
  while (first < fields.words.size() && numbers.size() < most &&
         (fields.words[first].kind == Token::Kind::expression ||
          looks_like_number(fields.words[first].text)))
    numbers.push_back(scope.number(fields.words[first++]));
  if (numbers.size() < least)
    netlist_error(head.place, fmt::format("'{}' has {} numbers, expected: {}", head.text,
                                          numbers.size(), usage));
  return numbers;
}

Pulse read_pulse(const Fields& fields, const Scope& scope, std::size_t& first) {
  const Token& head = fields.words[first];
  const auto n =
      numbers_after(fields, scope, first, 2, 7, "pulse(low high delay rise fall width period)");
  const auto at = [&](std::size_t k, double otherwise) { return k < n.size() ? n[k] : otherwise; };
  Pulse pulse{n[0], n[1], at(2, 0), at(3, 0), at(4, 0), at(5, inf), at(6, inf)};
  const bool ordered = pulse.delay >= 0 && pulse.rise >= 0 && pulse.fall >= 0 && pulse.width >= 0 &&
                       pulse.period > 0;
  const bool fits =
      pulse.period == inf || pulse.rise + pulse.width + pulse.fall <= pulse.period * (1 + 1e-9);
  if (!ordered || !fits)
    netlist_error(head.place,
                  "a pulse has times that do not fit, expected delay, rise, fall, width "
                  ">= 0 and rise + width + fall <= period");
  return pulse;
}

PiecewiseLinear read_lines(const Fields& fields, const Scope& scope, std::size_t& first) {
  const Token& head = fields.words[first];
  const auto n =
      numbers_after(fields, scope, first, 2, static_cast<std::size_t>(-1), "pwl(t1 x1 t2 x2 ...)");
  if (n.size() % 2 != 0)
    netlist_error(head.place, fmt::format("pwl has {} numbers, expected pairs t x", n.size()));
  PiecewiseLinear line;
  for (std::size_t k = 0; k < n.size(); k += 2) {
    if (k > 0 && n[k] < n[k - 2])
      netlist_error(head.place,
                    fmt::format("pwl goes from t = {} back to {}, expected increasing times",
                                n[k - 2], n[k]));
    line.points.emplace_back(n[k], n[k + 1]);
  }
  return line;
}

}  // namespace

Waveform read_wave(const Fields& fields, const Scope& scope, std::size_t& first) {
  Waveform wave = Constant{};
  if (first < fields.words.size() &&
      !(is_wave_word(fields.words[first]) && fields.words[first].text != "dc")) {
    if (fields.words[first].text == "dc") ++first;
    if (first >= fields.words.size())
      netlist_error(fields.name.place, "'dc' has no value, expected a number");
    wave = Constant{scope.number(fields.words[first++])};
  }
  if (first >= fields.words.size()) return wave;
  const std::string& kind = fields.words[first].text;
  if (kind == "pulse") return read_pulse(fields, scope, first);
  if (kind == "pwl") return read_lines(fields, scope, first);
  if (kind != "sin") return wave;
  const auto n = numbers_after(fields, scope, first, 3, 6,
                               "sin(offset amplitude frequency delay damping phase)");
  const auto at = [&](std::size_t k) { return k < n.size() ? n[k] : 0.0; };
  return Sine{n[0], n[1], n[2], at(3), at(4), at(5) * std::numbers::pi / 180};
}

void read_device(const DeviceLine& line) {
  const char kind = line.fields.name.text.front();
  switch (kind) {
    case 'r':
      return read_resistor(line);
    case 'c':
      return read_storage(line, true);
    case 'l':
      return read_storage(line, false);
    case 'k':
      return read_coupling(line);
    case 'v':
      return read_source(line, true);
    case 'i':
      return read_source(line, false);
    case 'e':
    case 'g':
    case 'f':
    case 'h':
      return read_controlled(line, kind);
    case 's':
      return read_switch(line);
    case 'd':
      return read_diode(line);
    case 'm':
      return read_mos(line);
    case 'o':
      return read_op_amp(line);
    case 't':
      return read_transformer(line);
    default:
      netlist_error(line.fields.name.place,
                    fmt::format("'{}' is no element, expected a name that begins with one of R C L "
                                "K V I E F G H S D M O T X, or a command like .tran",
                                line.fields.name.text));
  }
}

}  // namespace saltus::circuits
