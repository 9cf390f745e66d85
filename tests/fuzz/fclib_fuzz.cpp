/// Any bytes as an FCLib file: a valid problem, or an Error. Files of the old HDF5 format reach our
/// own reader byte by byte; those with checksums are left to fuzz_problem_hdf5 and its arrays.
#include "fuzz/scratch_file.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/fclib.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  constexpr std::size_t version = 8;  // of the superblock
  if (size > version && data[version] > 1) return 0;
  const ScratchFile file(data, size);
  try {
    const FclibFile content = read_fclib(file.path());
    std::visit([](const auto& p) { validate(p); }, content.problem);
  } catch (const Error&) {
  }
  return 0;
}
