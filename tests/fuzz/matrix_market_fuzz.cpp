/// Any bytes as a Matrix Market file: a matrix that reads back the same from what is written of it,
/// or an Error.
#include "saltus/base/error.hpp"
#include "saltus/io/matrix_market.hpp"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  try {
    const BlockSparse A =
        parse_matrix_market({reinterpret_cast<const char*>(data), size}, "fuzz.mtx");
    if (!A.all_finite()) abort();
    // A few bytes may claim a million empty rows, which cost nothing to read but much to repeat.
    if (A.rows() > 1000 || A.cols() > 1000) return 0;
    const BlockSparse again = parse_matrix_market(to_matrix_market(A), "again.mtx");
    if (again.to_dense() != A.to_dense()) abort();
  } catch (const Error&) {
  }
  return 0;
}
