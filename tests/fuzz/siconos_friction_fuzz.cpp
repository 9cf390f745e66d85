/// Any bytes as a contact problem in SICONOS text: a problem that is valid and reads back the same
/// from what is written of it, or an Error.
#include "saltus/base/error.hpp"
#include "saltus/io/siconos_friction.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const ContactProblem problem = parse_siconos_friction(text, "fuzz.dat");
    std::visit([](const auto& p) { validate(p); }, problem);
    const std::string written = to_siconos_friction(problem);
    const ContactProblem again = parse_siconos_friction(written, "fuzz.dat");
    if (again.index() != problem.index() || to_siconos_friction(again) != written) abort();
  } catch (const Error&) {
  }
  return 0;
}
