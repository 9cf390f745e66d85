/// HDF5 files that are well-formed, with arrays and attributes that are not: the checksums of HDF5
/// stop random bytes before they reach our own checks, so here the bytes choose what is stored.
#include "fuzz/scratch_file.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/io/problem_hdf5.hpp"

#include <fuzzer/FuzzedDataProvider.h>

namespace {

using namespace saltus;
using hdf5::Handle;

constexpr const char* what = "fuzz";

/// Mostly small numbers, as sizes and pointers are.
std::vector<Index> integers(FuzzedDataProvider& in) {
  std::vector<Index> list(in.ConsumeIntegralInRange<std::size_t>(0, 6));
  for (Index& entry : list)
    entry = in.ConsumeIntegralInRange(0, 15) == 0 ? in.ConsumeIntegral<Index>()
                                                  : in.ConsumeIntegralInRange<Index>(-1, 4);
  return list;
}

std::vector<double> numbers(FuzzedDataProvider& in) {
  std::vector<double> list(in.ConsumeIntegralInRange<std::size_t>(0, 16));
  for (double& entry : list) entry = in.ConsumeFloatingPoint<double>();
  return list;
}

/// A dataset of the right type, of the wrong one, or none.
void put(hid_t group, const char* name, bool integral, FuzzedDataProvider& in) {
  const int choice = in.ConsumeIntegralInRange(0, 20);
  if (choice == 0) return;
  if (integral != (choice == 1))
    hdf5::write_integers(group, name, integers(in), "fuzz", what);
  else
    hdf5::write_numbers(group, name, numbers(in), "fuzz", what);
}

Handle create_group(hid_t file, const char* name) {
  return Handle(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose, what);
}

void put_solution(hid_t file, FuzzedDataProvider& in) {
  const Handle group = create_group(file, "solution");
  put(group, "z", false, in);
  hdf5::write_attribute(group, "solver", in.ConsumeRandomLengthString(8), what);
  hdf5::write_attribute(group, "tolerance", in.ConsumeFloatingPoint<double>(), what);
  const std::string status =
      in.ConsumeBool() ? std::string("converged") : in.ConsumeRandomLengthString(12);
  hdf5::write_attribute(group, "status", status, what);
  hdf5::write_attribute(group, "residual", in.ConsumeFloatingPoint<double>(), what);
  hdf5::write_attribute(group, "iterations", in.ConsumeIntegral<long>(), what);
  hdf5::write_attribute(group, "seconds", in.ConsumeFloatingPoint<double>(), what);
  put(group, "certificate", false, in);
}

void make_file(const std::filesystem::path& path, FuzzedDataProvider& in) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, what);
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), what);
  const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), &H5Fclose, what);
  hdf5::write_attribute(file, "format", std::string("saltus problem"), what);
  hdf5::write_attribute(file, "version", 1L, what);
  const ProblemKind kind = problem_kinds[in.ConsumeIntegralInRange(0, 2)];
  hdf5::write_attribute(file, "kind", std::string(name(kind)), what);
  const Handle M = create_group(file, "M");
  for (const char* list : {"row_sizes", "column_sizes", "row_begin", "columns"})
    put(M, list, true, in);
  put(M, "values", false, in);
  put(file, "q", false, in);
  put(file, "equalities", true, in);
  put(file, "lower", false, in);
  put(file, "upper", false, in);
  if (in.ConsumeBool()) put_solution(file, in);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hdf5::Silence silence;
  const ScratchFile file(nullptr, 0);
  FuzzedDataProvider in(data, size);
  make_file(file.path(), in);
  try {
    const ComplementarityProblem problem = read_problem_hdf5(file.path());
    std::visit([](const auto& p) { validate(p); }, problem);
  } catch (const Error&) {
  }
  try {
    static_cast<void>(read_solution_hdf5(file.path()));
  } catch (const Error&) {
  }
  return 0;
}
