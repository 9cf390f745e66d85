/// Any bytes as a SICONOS text of every kind: a problem that is valid and reads back the same from
/// what is written of it, or an Error.
#include "saltus/base/error.hpp"
#include "saltus/io/siconos_text.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace saltus;

void check(std::string_view text, std::optional<ProblemKind> kind) {
  try {
    const ComplementarityProblem problem = parse_siconos_text(text, "fuzz.dat", kind);
    std::visit([](const auto& p) { validate(p); }, problem);
    const ComplementarityProblem again =
        parse_siconos_text(to_siconos_text(problem), "fuzz.dat", kind_of(problem));
    const bool same = vector_of(again) == vector_of(problem) &&
                      matrix_of(again).rows() == matrix_of(problem).rows() &&
                      matrix_of(again).nonzeros() == matrix_of(problem).nonzeros();
    if (!same) abort();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, std::nullopt);
  for (const ProblemKind kind : problem_kinds) check(text, kind);
  return 0;
}
