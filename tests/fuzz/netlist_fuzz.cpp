/// Any bytes as a netlist: a circuit whose unknowns can be assembled and that can make a few steps,
/// or an Error.
#include "saltus/base/error.hpp"
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/integrators/descriptor_step.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  try {
    const auto circuit = circuits::read_netlist({reinterpret_cast<const char*>(data), size});
    if (circuit.elements.size() > 200) return 0;  // a few bytes may ask for many subcircuits
    const auto made = circuits::assemble(circuit);
    DescriptorState state;
    DescriptorWorkspace work;
    const DescriptorTheta scheme{.solver = {.max_iterations = 20, .fallback = false}};
    StepReport report = start_descriptor(made.system, 0, 1e-9, scheme, state, work);
    for (int k = 0; k < 3 && report.done(); ++k)
      report = step(made.system, state, 1e-3, scheme, work);
    if (made.system.next_break) static_cast<void>(made.system.next_break(state.t));
  } catch (const Error&) {
  }
  return 0;
}
