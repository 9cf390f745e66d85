/// Any bytes as an HDF5 trajectory file: tables that fit the instants, or an Error.
#include "fuzz/scratch_file.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/trajectory_hdf5.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace saltus;
  const ScratchFile file(data, size);
  try {
    const Trajectory run = read_hdf5(file.path());
    for (const Table* table : {&run.q, &run.v, &run.x, &run.y, &run.u, &run.r})
      if (table->values.size() != run.t.size() * table->names.size()) abort();
    static_cast<void>(read_notes(file.path()));
  } catch (const Error&) {
  }
  return 0;
}
