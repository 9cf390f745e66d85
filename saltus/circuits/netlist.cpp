#include "saltus/circuits/netlist.hpp"

#include "saltus/base/error.hpp"
#include "saltus/circuits/netlist_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace saltus::circuits {

namespace {

constexpr int max_depth = 32;                  // of subcircuits in subcircuits
constexpr std::size_t max_elements = 2000000;  // a netlist of subcircuits can explode

struct Subcircuit {
  Fields head;  ///< name of the command, then the name and the ports; keys: default parameters
  std::vector<Line> body;
};

class NetlistReader {
 public:
  Circuit read(std::string_view text) {
    const std::vector<Line> lines = split_netlist(text, circuit_.title);
    std::vector<Line> top = take_subcircuits(lines);
    Scope scope;
    define(top, scope);
    expand(top, scope, "", {}, 0);
    for (const Line& line : top)
      if (line.front().text.front() == '.') command(line, scope);
    check();
    return std::move(circuit_);
  }

 private:
  /// Moves .subckt … .ends out of the lines, up to .end.
  std::vector<Line> take_subcircuits(const std::vector<Line>& lines) {
    std::vector<Line> top;
    Subcircuit* open = nullptr;
    Place begin;
    for (const Line& line : lines) {
      const Token& head = line.front();
      if (head.text == ".end") break;
      if (head.text == ".subckt") {
        if (open != nullptr)
          netlist_error(head.place, ".subckt inside .subckt, expected .ends before it");
        const Fields fields = split_fields(line);
        if (fields.words.size() < 2)
          netlist_error(head.place,
                        ".subckt needs a name and nodes, expected: .subckt name node "
                        "... [parameter=value]");
        begin = head.place;
        open = &subcircuits_[fields.words.front().text];
        *open = {fields, {}};
        erase_word(open->head, "params:");
      } else if (head.text == ".ends") {
        if (open == nullptr) netlist_error(head.place, ".ends without .subckt before it");
        open = nullptr;
      } else {
        (open != nullptr ? open->body : top).push_back(line);
      }
    }
    if (open != nullptr) netlist_error(begin, ".subckt is not closed, expected .ends");
    return top;
  }

  static void erase_word(Fields& fields, std::string_view word) {
    std::erase_if(fields.words, [&](const Token& token) { return token.text == word; });
  }

  /// Parameters and models of these lines.
  static void define(const std::vector<Line>& lines, Scope& scope) {
    for (const Line& line : lines) {
      const std::string& word = line.front().text;
      if (word == ".param" || word == ".params") {
        const Fields fields = split_fields(line);
        if (!fields.words.empty() || fields.keys.empty())
          netlist_error(line.front().place, "expected: .param name=value [name=value ...]");
        for (const auto& [name, value] : fields.keys) scope.define(name, value);
      } else if (word == ".model") {
        const Fields fields = split_fields(line);
        if (fields.words.size() != 2)
          netlist_error(line.front().place,
                        "expected: .model name type(number=value ...), type d, "
                        "sw, nmos or pmos");
        scope.define(ModelCard{fields.words[0], fields.words[1], fields.keys});
      }
    }
  }

  using Ports = std::map<std::string, Node>;

  Node node_of(const std::string& name, const std::string& prefix, const Ports& ports) {
    if (name == "0" || name == "gnd") return 0;
    if (const auto port = ports.find(name); port != ports.end()) return port->second;
    const std::string full = prefix + name;
    const auto [found, fresh] = nodes_.try_emplace(full, static_cast<Node>(circuit_.nodes.size()));
    if (fresh) circuit_.nodes.push_back(full);
    return found->second;
  }

  /// The elements of these lines; names and nodes get the prefix unless they are ports.
  void expand(const std::vector<Line>& lines, const Scope& scope, const std::string& prefix,
              const Ports& ports, int depth) {
    for (const Line& line : lines) {
      const Token& head = line.front();
      if (head.kind != Token::Kind::word)
        netlist_error(head.place, fmt::format("a line begins with '{}', expected an element or a "
                                              "command",
                                              head.text));
      if (head.text.front() == '.') {
        if (depth > 0) check_inner_command(head);
        continue;
      }
      if (circuit_.elements.size() > max_elements)
        netlist_error(head.place, fmt::format("more than {} elements", max_elements));
      const Fields fields = split_fields(line);
      if (!names_.insert(prefix + head.text).second)
        netlist_error(head.place, fmt::format("the name '{}' is used twice", prefix + head.text));
      if (head.text.front() == 'x')
        instance(fields, scope, prefix, ports, depth);
      else
        read_device({fields, scope, prefix,
                     [&](const std::string& name) { return node_of(name, prefix, ports); },
                     circuit_});
    }
  }

  static void check_inner_command(const Token& head) {
    if (head.text != ".param" && head.text != ".params" && head.text != ".model")
      netlist_error(head.place, fmt::format("'{}' inside a subcircuit, expected elements, .param "
                                            "or .model",
                                            head.text));
  }

  void instance(const Fields& fields, const Scope& around, const std::string& prefix,
                const Ports& ports, int depth) {
    const Token& head = fields.name;
    if (fields.words.size() < 2)
      netlist_error(head.place, "expected: Xname node ... subcircuit [parameter=value]");
    if (depth >= max_depth)
      netlist_error(head.place, fmt::format("subcircuits stand {} deep in each other, the last is "
                                            "'{}'",
                                            depth, fields.words.back().text));
    const Token& type = fields.words.back();
    const auto found = subcircuits_.find(type.text);
    if (found == subcircuits_.end())
      netlist_error(type.place, fmt::format("the subcircuit '{}' is unknown, expected one of: {}",
                                            type.text, known_subcircuits()));
    const Subcircuit& inner = found->second;
    const std::size_t given = fields.words.size() - 1, wanted = inner.head.words.size() - 1;
    if (given != wanted)
      netlist_error(head.place, fmt::format("'{}' has {} nodes, expected {} as in .subckt {}",
                                            head.text, given, wanted, type.text));
    Ports inside;
    for (std::size_t k = 0; k < wanted; ++k)
      inside[inner.head.words[k + 1].text] = node_of(fields.words[k].text, prefix, ports);
    Scope scope(&around);
    for (const auto& [name, value] : inner.head.keys) scope.define(name, value);
    define(inner.body, scope);
    for (const auto& [name, value] : fields.keys) scope.define(name, around.number(value));
    expand(inner.body, scope, prefix + head.text + ".", inside, depth + 1);
  }

  [[nodiscard]] std::string known_subcircuits() const {
    std::string names;
    for (const auto& [name, inner] : subcircuits_) names += (names.empty() ? "" : ", ") + name;
    return names.empty() ? "none is defined" : names;
  }

  void command(const Line& line, const Scope& scope) {
    const Token& head = line.front();
    const std::string& word = head.text;
    if (word == ".param" || word == ".params" || word == ".model") return;
    if (word == ".tran") return transient(line, scope);
    if (word == ".ic") return initial(line, scope);
    if (word == ".meas" || word == ".measure") return measure(line, scope);
    if (word == ".options" || word == ".option") return option(line, scope);
    if (word == ".probe" || word == ".print" || word == ".plot" || word == ".save")
      return probe(line);
    netlist_error(head.place, fmt::format("'{}' is unknown, expected .tran .probe .meas .ic .param "
                                          ".model .subckt .ends .options or .end",
                                          word));
  }

  void transient(const Line& line, const Scope& scope) {
    Fields fields = split_fields(line);
    Transient& t = circuit_.transient;
    const std::size_t count = fields.words.size();
    erase_word(fields, "uic");
    t.use_initial = t.use_initial || fields.words.size() < count;
    if (fields.words.size() < 2 || fields.words.size() > 4 || !fields.keys.empty())
      netlist_error(line.front().place, "expected: .tran step stop [start [longest]] [uic]");
    t.step = scope.number(fields.words[0]);
    t.stop = scope.number(fields.words[1]);
    if (fields.words.size() > 2) t.start = scope.number(fields.words[2]);
    if (fields.words.size() > 3) {
      t.step = std::min(t.step, scope.number(fields.words[3]));
      t.fixed = true;
    }
    if (!(t.step > 0 && t.stop > t.start && t.start >= 0))
      netlist_error(line.front().place,
                    fmt::format(".tran has step {}, stop {}, start {}, expected step > 0 and 0 <= "
                                "start < stop",
                                t.step, t.stop, t.start));
    t.given = true;
  }

  void option(const Line& line, const Scope& scope) {
    for (const auto& [key, value] : split_fields(line).keys) {
      if (key.text == "theta") {
        const double theta = scope.number(value);
        if (!(theta >= 0.5 && theta <= 1))
          netlist_error(value.place, fmt::format("theta is {}, expected 0.5 to 1", theta));
        circuit_.transient.theta = theta;
        circuit_.transient.fixed = true;
      } else if (key.text == "accuracy") {
        const double accuracy = scope.number(value);
        if (!(accuracy == 0 || (accuracy >= 1e-12 && accuracy <= 0.5)))
          netlist_error(value.place,
                        fmt::format("accuracy is {}, expected 0 or 1e-12 to 0.5", accuracy));
        circuit_.transient.accuracy = accuracy;
      } else if (key.text == "method") {
        if (value.text != "trap" && value.text != "euler")
          netlist_error(value.place,
                        fmt::format("method is '{}', expected trap or euler", value.text));
        circuit_.transient.theta = value.text == "trap" ? 0.5 : 1.0;
        circuit_.transient.fixed = true;
      }
    }
  }

  /// v(a), v(a,b) or i(element) at line[at …].
  Probe read_probe(const Line& line, std::size_t& at) {
    const auto word = [&](std::size_t k) -> const Token& {
      if (k >= line.size())
        netlist_error(line.back().place,
                      "the line ends, expected v(node), v(node,node) or "
                      "i(element)");
      return line[k];
    };
    const Token& kind = word(at);
    if ((kind.text != "v" && kind.text != "i") || word(at + 1).kind != Token::Kind::open)
      netlist_error(kind.place, fmt::format("'{}' is no probe, expected v(node), v(node,node) or "
                                            "i(element)",
                                            kind.text));
    Probe probe;
    probe.current = kind.text == "i";
    std::vector<Token> names;
    for (at += 2; word(at).kind != Token::Kind::close; ++at) names.push_back(word(at));
    ++at;
    if (names.empty() || names.size() > (probe.current ? 1u : 2u))
      netlist_error(kind.place, fmt::format("{}() has {} names, expected {}", kind.text,
                                            names.size(), probe.current ? "1" : "1 or 2"));
    probe.name = fmt::format("{}({})", kind.text, names[0].text);
    if (names.size() == 2) probe.name = fmt::format("v({},{})", names[0].text, names[1].text);
    if (probe.current) {
      probe.element = names[0].text;
      if (names_.count(probe.element) == 0)
        netlist_error(names[0].place, fmt::format("the element '{}' is unknown, expected one of "
                                                  "this netlist",
                                                  probe.element));
    } else {
      probe.a = known_node(names[0]);
      probe.b = names.size() == 2 ? known_node(names[1]) : 0;
    }
    return probe;
  }

  Node known_node(const Token& name) {
    if (name.text == "0" || name.text == "gnd") return 0;
    const auto found = nodes_.find(name.text);
    if (found == nodes_.end())
      netlist_error(name.place, fmt::format("the node '{}' is unknown, expected one of this "
                                            "netlist",
                                            name.text));
    return found->second;
  }

  void probe(const Line& line) {
    std::size_t at = 1;
    if (at < line.size() && line[at].text == "tran") ++at;
    while (at < line.size()) circuit_.probes.push_back(read_probe(line, at));
  }

  void initial(const Line& line, const Scope& scope) {
    for (std::size_t at = 1; at < line.size();) {
      const Token& first = line[at];
      const Probe probe = read_probe(line, at);
      if (probe.current || probe.b != 0 || at + 1 >= line.size() ||
          line[at].kind != Token::Kind::equals)
        netlist_error(first.place, "expected: .ic v(node)=value ...");
      circuit_.initial_voltages.emplace_back(probe.a, scope.number(line[at + 1]));
      at += 2;
    }
    circuit_.transient.use_initial = true;
  }

  void measure(const Line& line, const Scope& scope) {
    static constexpr std::array kinds{MeasureKind::avg, MeasureKind::rms, MeasureKind::max,
                                      MeasureKind::min, MeasureKind::pp,  MeasureKind::thd,
                                      MeasureKind::last};
    std::size_t at = line.size() > 1 && line[1].text == "tran" ? 2 : 1;
    const std::string usage =
        "expected: .meas [tran] name avg|rms|max|min|pp|thd|last v(node) "
        "[from= to= freq=]";
    if (at + 2 >= line.size()) netlist_error(line.front().place, "the line ends early, " + usage);
    Measure measure;
    measure.name = line[at].text;
    const Token& kind = line[at + 1];
    const auto found = std::find_if(kinds.begin(), kinds.end(),
                                    [&](MeasureKind k) { return name(k) == kind.text; });
    if (found == kinds.end())
      netlist_error(kind.place, fmt::format("'{}' is no measurement, {}", kind.text, usage));
    measure.kind = *found;
    at += 2;
    measure.probe = read_probe(line, at);
    Line rest{line.front()};
    rest.insert(rest.end(), line.begin() + static_cast<std::ptrdiff_t>(at), line.end());
    const Fields fields = split_fields(rest);
    if (!fields.words.empty())
      netlist_error(fields.words[0].place,
                    fmt::format("'{}' is too much, {}", fields.words[0].text, usage));
    for (const auto& [key, value] : fields.keys) {
      const double x = scope.number(value);
      if (key.text == "from")
        measure.from = x;
      else if (key.text == "to")
        measure.to = x;
      else if (key.text == "freq")
        measure.frequency = x;
      else
        netlist_error(key.place, fmt::format("'{}=' is unknown, {}", key.text, usage));
    }
    if (measure.kind == MeasureKind::thd && !(measure.frequency > 0))
      netlist_error(kind.place, "thd needs the frequency of the fundamental, expected freq= > 0");
    if (!(measure.to > measure.from))
      netlist_error(kind.place, fmt::format("from is {} and to is {}, expected from < to",
                                            measure.from, measure.to));
    circuit_.measures.push_back(measure);
  }

  /// What can only be seen when all is read.
  void check() {
    require(!circuit_.elements.empty(),
            "netlist: there is no element (the first line is the "
            "title)");
    for (const Element& element : circuit_.elements) {
      if (const auto* c = std::get_if<Capacitor>(&element.device); c && c->voltage)
        circuit_.transient.use_initial = true;
      if (const auto* l = std::get_if<Inductor>(&element.device); l && l->current)
        circuit_.transient.use_initial = true;
    }
  }

  Circuit circuit_;
  std::map<std::string, Subcircuit> subcircuits_;
  std::map<std::string, Node> nodes_;
  std::set<std::string> names_;
};

}  // namespace

std::string_view name(MeasureKind kind) {
  switch (kind) {
    case MeasureKind::avg:
      return "avg";
    case MeasureKind::rms:
      return "rms";
    case MeasureKind::max:
      return "max";
    case MeasureKind::min:
      return "min";
    case MeasureKind::pp:
      return "pp";
    case MeasureKind::thd:
      return "thd";
    case MeasureKind::last:
      return "last";
  }
  return "?";
}

Circuit read_netlist(std::string_view text) { return NetlistReader().read(text); }

Circuit read_netlist_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  require(stream.good() && !std::filesystem::is_directory(file), "{}: cannot be read",
          file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  try {
    return read_netlist(text.str());
  } catch (const Error& mistake) {
    fail("{}: {}", file.string(), mistake.what());
  }
}

}  // namespace saltus::circuits
