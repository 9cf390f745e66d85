/// Any bytes as an HDF5 problem file: a valid problem, or an Error.
#include "fuzz/scratch_file.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/problem_hdf5.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  const ScratchFile file(data, size);
  try {
    const ComplementarityProblem problem = read_problem_hdf5(file.path());
    std::visit([](const auto& p) { validate(p); }, problem);
    static_cast<void>(read_solution_hdf5(file.path()));
  } catch (const Error&) {
  }
  return 0;
}
