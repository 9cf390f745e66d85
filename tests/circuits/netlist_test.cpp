// The reader of netlists: F:F044, F:F045.
#include "saltus/circuits/netlist.hpp"

#include "saltus/circuits/expression.hpp"
#include "saltus/circuits/topology.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus::circuits {
namespace {

double no_parameter(const std::string& name, Place) { return fail("no {}", name), 0.0; }

TEST(Expression, NumbersTakeSuffixesAndUnits) {
  EXPECT_EQ(parse_number("4.7", {}), 4.7);
  EXPECT_EQ(parse_number("-10uF", {}), -10e-6);
  EXPECT_EQ(parse_number("1meg", {}), 1e6);
  EXPECT_EQ(parse_number("1m", {}), 1e-3);
  EXPECT_EQ(parse_number("2.5e-3kOhm", {}), 2.5);
  EXPECT_EQ(parse_number("3n", {}), 3e-9);
  EXPECT_EQ(parse_number("5A", {}), 5);
  EXPECT_ERROR(parse_number("abc", {2, 5}), "line 2, column 5: 'abc' is no number");
  EXPECT_ERROR(parse_number("1..2", {2, 5}), "'1..2' is no number");
}

TEST(Expression, FollowsTheRulesOfPrecedence) {
  const Lookup none = no_parameter;
  EXPECT_DOUBLE_EQ(evaluate("1 + 2*3 - 4/2", {}, none), 5);
  EXPECT_DOUBLE_EQ(evaluate("-2^2", {}, none), -4);
  EXPECT_DOUBLE_EQ(evaluate("2**3^2", {}, none), 512);
  EXPECT_DOUBLE_EQ(evaluate("(1+2)*-3", {}, none), -9);
  EXPECT_DOUBLE_EQ(evaluate("max(1k, 2)/min(4,8)", {}, none), 250);
  EXPECT_DOUBLE_EQ(evaluate("sqrt(2)*cos(pi/4)", {}, none), 1);
}

TEST(Expression, SaysWhereItIsWrong) {
  const Lookup none = no_parameter;
  EXPECT_ERROR(evaluate("1+*2", {7, 11}, none), "line 7, column 13: in the expression '1+*2'");
  EXPECT_ERROR(evaluate("(1+2", {1, 1}, none), "expected ')'");
  EXPECT_ERROR(evaluate("1/0", {1, 1}, none), "expected a divisor");
  EXPECT_ERROR(evaluate("foo(1)", {1, 4}, none), "column 4: there is no function 'foo'");
  EXPECT_ERROR(evaluate("exp(1000)", {1, 1}, none), "expected a finite number");
  EXPECT_ERROR(evaluate(std::string(500, '('), {1, 1}, none), "fewer parentheses");
}

TEST(Waveform, PulseIsLeftContinuousAtItsEdges) {
  const Waveform pulse = Pulse{0, 5, 1, 0, 0, 2, 10};
  EXPECT_EQ(value(pulse, 0.5), 0);
  EXPECT_EQ(value(pulse, 1), 0);
  EXPECT_EQ(value(pulse, 1.001), 5);
  EXPECT_EQ(value(pulse, 3), 5);
  EXPECT_EQ(value(pulse, 3.001), 0);
  EXPECT_EQ(value(pulse, 11), 0);
  EXPECT_EQ(value(pulse, 12), 5);
  EXPECT_DOUBLE_EQ(next_break(pulse, 0), 1);
  EXPECT_DOUBLE_EQ(next_break(pulse, 1), 3);
  EXPECT_DOUBLE_EQ(next_break(pulse, 3), 11);
}

TEST(Waveform, PulseRisesAndFallsInTheTimeGiven) {
  const Waveform pulse = Pulse{1, 3, 0, 2, 4, 6, 20};
  EXPECT_DOUBLE_EQ(value(pulse, 1), 2);
  EXPECT_DOUBLE_EQ(value(pulse, 5), 3);
  EXPECT_DOUBLE_EQ(value(pulse, 10), 2);
  EXPECT_DOUBLE_EQ(value(pulse, 13), 1);
  EXPECT_DOUBLE_EQ(value(pulse, 21), 2);
}

TEST(Waveform, LinesInterpolateAndJump) {
  const Waveform line = PiecewiseLinear{{{1, 0}, {2, 10}, {2, -10}, {3, 0}}};
  EXPECT_DOUBLE_EQ(value(line, 0), 0);
  EXPECT_DOUBLE_EQ(value(line, 1.5), 5);
  EXPECT_DOUBLE_EQ(value(line, 2), 10);
  EXPECT_DOUBLE_EQ(value(line, 2.5), -5);
  EXPECT_DOUBLE_EQ(value(line, 9), 0);
  EXPECT_DOUBLE_EQ(next_break(line, 1), 2);
  EXPECT_DOUBLE_EQ(next_break(line, 2), 3);
  EXPECT_EQ(next_break(line, 3), inf);
}

TEST(Netlist, ReadsEveryKindOfElement) {
  const Circuit circuit = read_netlist(R"(all of them
* a comment
.param r=2k w={2*pi*50}
R1 a b {r/2}   ; behind an element
C1 b 0 10u ic=5
L1 b c 1m ic=-2
L2 d 0 4m
K1 L1 L2 0.5
V1 a 0 SIN(0 {10}
+ 50 0 0 90)
I1 c 0 dc 1m
E1 e 0 a b 10
G1 e 0 a b 1m
F1 f 0 V1 2
H1 g 0 V1 3
R2 f 0 1
R3 d c 1
S1 a e c d sw1 on
S2 a e pulse(0 1 0 0 0 1 2) sw1
D1 a b
D2 b a dz
M1 f a 0 0 nm w=2u l=1u
O1 a b h low=-5 high=5
T1 a 0 g 0 2
.model sw1 sw(vt=1 vh=.1 ron=1m roff=1meg)
.model dz d(vf=0.7 ron=1m bv=5)
.model nm nmos(kp=100u vto=0.8 cgs=1f)
.tran 1u 1m uic
.probe v(a) v(a,b) i(l1)
.meas tran m1 avg v(a) from=0.5m to=1m
.ic v(b)=3
.options theta=0.5
.end
this is not read
)");
  EXPECT_EQ(circuit.title, "all of them");
  const auto find = [&](const std::string& name) -> const Device& {
    for (const Element& element : circuit.elements)
      if (element.name == name) return element.device;
    fail("no {}", name);
  };
  EXPECT_DOUBLE_EQ(std::get<Resistor>(find("r1")).resistance, 1000);
  EXPECT_EQ(std::get<Capacitor>(find("c1")).voltage, 5);
  EXPECT_EQ(std::get<Inductor>(find("l1")).current, -2);
  EXPECT_FALSE(std::get<Inductor>(find("l2")).current.has_value());
  EXPECT_DOUBLE_EQ(value(std::get<VoltageSource>(find("v1")).wave, 0), 10);
  EXPECT_DOUBLE_EQ(value(std::get<CurrentSource>(find("i1")).wave, 0), 1e-3);
  EXPECT_EQ(std::get<VoltageByVoltage>(find("e1")).gain, 10);
  EXPECT_EQ(std::get<CurrentByCurrent>(find("f1")).control, "v1");
  const auto& closed = std::get<Switch>(find("s1"));
  EXPECT_TRUE(closed.closed);
  EXPECT_EQ(closed.threshold, 1);
  EXPECT_EQ(closed.off, 1e6);
  EXPECT_EQ(std::get<Diode>(find("d1")).breakdown, inf);
  EXPECT_EQ(std::get<Diode>(find("d2")).breakdown, 5);
  EXPECT_DOUBLE_EQ(std::get<Mos>(find("m1")).gain, 200e-6);
  EXPECT_EQ(std::get<Capacitor>(find("m1#cgs")).capacitance, 1e-15);
  EXPECT_EQ(std::get<OpAmp>(find("o1")).high, 5);
  EXPECT_EQ(std::get<Transformer>(find("t1")).ratio, 2);
  ASSERT_EQ(circuit.couplings.size(), 1u);
  EXPECT_EQ(circuit.couplings[0].coupling, 0.5);
  EXPECT_TRUE(circuit.transient.use_initial);
  EXPECT_EQ(circuit.transient.theta, 0.5);
  ASSERT_EQ(circuit.probes.size(), 3u);
  EXPECT_EQ(circuit.probes[1].name, "v(a,b)");
  EXPECT_EQ(circuit.measures[0].from, 0.5e-3);
}

TEST(Netlist, WritesSubcircuitsOut) {
  const Circuit circuit = read_netlist(R"(subcircuits
.param r=1
.subckt pair in out r=5
R1 in mid {r}
X1 mid out half r={2*r}
.ends
.subckt half a b params: r=9
.param s={r+1}
Ra a b {s}
.ends
X1 p 0 pair r=10
R1 p 0 {r}
.tran 1 2
)");
  ASSERT_EQ(circuit.elements.size(), 3u);
  EXPECT_EQ(circuit.elements[0].name, "x1.r1");
  EXPECT_EQ(std::get<Resistor>(circuit.elements[0].device).resistance, 10);
  EXPECT_EQ(circuit.elements[1].name, "x1.x1.ra");
  EXPECT_EQ(std::get<Resistor>(circuit.elements[1].device).resistance, 21);
  EXPECT_EQ(std::get<Resistor>(circuit.elements[2].device).resistance, 1);
  EXPECT_EQ(circuit.nodes, (std::vector<std::string>{"0", "p", "x1.mid"}));
}

struct Mistake {
  const char* line;
  const char* text;
};

class NetlistMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(NetlistMistakes, AreToldWithLineAndColumn) {
  const std::string netlist = std::string("title\nR0 a 0 1\n") + GetParam().line + "\n.tran 1 2\n";
  EXPECT_ERROR(read_netlist(netlist), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    All, NetlistMistakes,
    ::testing::Values(
        Mistake{"R1 a b", "line 3, column 1: 'r1' ends early, expected: Rname a b resistance"},
        Mistake{"R1 a b 0", "line 3, column 8: 0 is 0, a number that is not 0 is needed"},
        Mistake{"R1 a b 5 6", "column 10: '6' is too much"},
        Mistake{"R1 a b x", "column 8: 'x' is no number"},
        Mistake{"R0 a b 1", "column 1: the name 'r0' is used twice"},
        Mistake{"C1 a 0 -1u", "a number > 0 is needed"},
        Mistake{"C1 a 0 1u ix=3", "column 11: 'ix=' is unknown here, known: ic="},
        Mistake{"C1 a 0 1u ic=", "'ic=' has no value"},
        Mistake{"R1 a 0 = 5", "column 1: 'r1' ends early"},
        Mistake{"R1 a 0 5 =", "column 10: '5=' has no value"},
        Mistake{"R1 a 0 {x", "column 8: '{' is not closed"},
        Mistake{"R1 a 0 {x}", "column 9: the parameter 'x' is unknown"},
        Mistake{"V1 a 0 sin(1 2", "'(' is not closed"}, Mistake{"V1 a 0 1)", "')' without a '('"},
        Mistake{"V1 a 0 sin(1 2)", "'sin' has 2 numbers, expected: sin(offset"},
        Mistake{"V1 a 0", "the value is missing"},
        Mistake{"V1 a 0 pulse(0 1 0 0 0 5 2)", "rise + width + fall <= period"},
        Mistake{"V1 a 0 pwl(0 1 2)", "expected pairs t x"},
        Mistake{"V1 a 0 pwl(2 1 1 1)", "expected increasing times"},
        Mistake{"D1 a 0 dx", "the model 'dx' is unknown, expected one of: no .model"},
        Mistake{".model dx d(is=1)\nD1 a 0 dx", "has no number 'is', expected one of vf ron"},
        Mistake{".model dx sw\nD1 a 0 dx", "is of type sw, expected d"},
        Mistake{"K1 L1 0.5", "two inductors are needed"},
        Mistake{"Z1 a 0 1", "line 3, column 1: 'z1' is no element, expected a name that begins"},
        Mistake{".foo", "'.foo' is unknown, expected .tran"},
        Mistake{".tran 1", "expected: .tran step stop"}, Mistake{".tran 0 1", "expected step > 0"},
        Mistake{".probe w(a)", "'w' is no probe, expected v(node)"},
        Mistake{".probe v(nowhere)", "column 10: the node 'nowhere' is unknown"},
        Mistake{".probe i(r9)", "the element 'r9' is unknown"},
        Mistake{".meas m1 mean v(a)", "'mean' is no measurement"},
        Mistake{".meas m1 thd v(a)", "expected freq= > 0"},
        Mistake{".subckt s a", ".subckt is not closed"}, Mistake{".ends", ".ends without .subckt"},
        Mistake{"X1 a nothing", "the subcircuit 'nothing' is unknown"},
        Mistake{".subckt s a b\nR1 a b 1\n.ends\nX1 a s", "'x1' has 1 nodes, expected 2"},
        Mistake{".subckt s a b\nX1 a b s\n.ends\nX1 a 0 s", "32 deep"},
        Mistake{".param a={b} b={a}\nR1 a 0 {a}", "the parameter 'a' is defined by itself"}));

TEST(Netlist, ContinuationNeedsALineBeforeIt) {
  EXPECT_ERROR(read_netlist("title\n+ 5"), "line 2, column 1: '+' continues a line");
  EXPECT_ERROR(read_netlist("R1 a 0 5"), "there is no element (the first line is the title)");
}

TEST(Topology, NamesLoopsOfVoltageSources) {
  const auto check = [](const char* lines) {
    return check_topology(read_netlist(std::string("t\n") + lines));
  };
  EXPECT_ERROR(check("V1 a 0 1\nV2 b a 1\nE1 b 0 a 0 2\nR1 a 0 1"),
               "the voltage sources e1, v2, v1 form a loop");
  EXPECT_ERROR(check("I1 a b 1\nI2 0 a 2\nR1 b 0 1\nR2 a c 1"),
               "the current sources i1, i2 form a cutset: nothing else ties the nodes a, c");
  EXPECT_ERROR(check("R1 a b 1\nV1 c 0 1"), "the nodes a, b float");
  EXPECT_ERROR(check("V1 a 0 1\nE1 b 0 c 0 2\nR1 a b 1"), "the nodes c float");
}

TEST(Topology, RemarksOnLoopsAndCutsetsOfStorage) {
  const auto remarks = check_topology(read_netlist(
      "t\nV1 a 0 1\nC1 a b 1\nC2 b 0 1\nL1 b c 1\nL2 c 0 1\nR1 c 0 1\nI1 d 0 1\nL3 d 0 1"));
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0],
            "c2, c1, v1 form a loop of capacitors and voltage sources: charges may jump");
  EXPECT_EQ(remarks[1], "i1, l3 form a cutset of inductors and current sources: fluxes may jump");
}

}  // namespace
}  // namespace saltus::circuits
