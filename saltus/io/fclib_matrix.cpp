#include "saltus/io/fclib_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

using hdf5::Handle;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// The arrays of the group, and how to speak of them.
struct Arrays {
  Index rows = 0, columns = 0;
  std::vector<Index> p, i;
  std::vector<double> x;
  std::string what;

  void require_entries(Index count) const {
    require(count <= static_cast<Index>(i.size()) && count <= static_cast<Index>(x.size()),
            "{}: 'i' and 'x' hold {} and {} entries, expected {}", what, i.size(), x.size(), count);
  }
  [[nodiscard]] Index checked(Index value, Index end, const char* array, Index k) const {
    require(value >= 0 && value < end, "{}: '{}'[{}] is {}, expected 0 to {}", what, array, k,
            value, end - 1);
    return value;
  }
  [[nodiscard]] double value(Index k) const {
    require(std::isfinite(x[k]), "{}: 'x'[{}] is {}, expected a finite number", what, k, x[k]);
    return x[k];
  }
};

Sparse from_triplets(const Arrays& a, Index count) {
  require(count <= static_cast<Index>(a.p.size()), "{}: 'p' holds {} entries, expected nz = {}",
          a.what, a.p.size(), count);
  a.require_entries(count);
  std::vector<Eigen::Triplet<double>> list;
  list.reserve(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k)
    list.emplace_back(static_cast<int>(a.checked(a.i[k], a.rows, "i", k)),
                      static_cast<int>(a.checked(a.p[k], a.columns, "p", k)), a.value(k));
  Sparse A(a.rows, a.columns);
  A.setFromTriplets(list.begin(), list.end());
  return A;
}

/// `outer` columns of `inner` rows, or rows of columns.
Sparse from_compressed(const Arrays& a, bool by_columns) {
  const Index outer = by_columns ? a.columns : a.rows, inner = by_columns ? a.rows : a.columns;
  require(static_cast<Index>(a.p.size()) >= outer + 1,
          "{}: 'p' holds {} pointers, expected {} (one per {} and the end)", a.what, a.p.size(),
          outer + 1, by_columns ? "column" : "row");
  require(a.p[0] == 0, "{}: 'p'[0] is {}, expected 0", a.what, a.p[0]);
  for (Index j = 0; j < outer; ++j)
    require(a.p[j + 1] >= a.p[j], "{}: 'p'[{}] is {}, expected at least 'p'[{}] = {}", a.what,
            j + 1, a.p[j + 1], j, a.p[j]);
  a.require_entries(a.p[outer]);
  std::vector<Eigen::Triplet<double>> list;
  list.reserve(static_cast<std::size_t>(a.p[outer]));
  for (Index j = 0; j < outer; ++j)
    for (Index k = a.p[j]; k < a.p[j + 1]; ++k) {
      const auto other = static_cast<int>(a.checked(a.i[k], inner, "i", k));
      const auto own = static_cast<int>(j);
      list.emplace_back(by_columns ? other : own, by_columns ? own : other, a.value(k));
    }
  Sparse A(a.rows, a.columns);
  A.setFromTriplets(list.begin(), list.end());
  return A;
}

/// Long arrays are compressed: bytes of equal weight side by side, then deflate.
Handle storage(hsize_t size, const std::string& what) {
  constexpr hsize_t short_array = 128, largest_chunk = hsize_t{1} << 17;
  Handle list(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, what);
  if (size < short_array) return list;
  const hsize_t chunk = std::min(size, largest_chunk);
  hdf5::check(H5Pset_chunk(list, 1, &chunk), what);
  hdf5::check(H5Pset_shuffle(list), what);
  hdf5::check(H5Pset_deflate(list, 6), what);
  return list;
}

template <class T>
void write_array(hid_t parent, const char* name, std::span<const T> values, hid_t file_type,
                 hid_t memory_type, const std::string& what) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, what);
  const Handle list = storage(size, what);
  Handle set(H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, list, H5P_DEFAULT), &H5Dclose,
             what);
  if (size > 0)
    hdf5::check(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  set.finish(what);
}

}  // namespace

Sparse read_fclib_matrix(const hdf5::Archive& file, const std::string& group,
                         const std::string& what) {
  Arrays a;
  a.what = what + ": " + group;
  a.rows = file.integer(group + "/m");
  a.columns = file.integer(group + "/n");
  a.p = file.integers(group + "/p");
  a.i = file.integers(group + "/i");
  a.x = file.numbers(group + "/x");
  const Index nz = file.integer(group + "/nz");
  // Every row and column has its entry of 8 bytes in a vector of the problem, which deflate makes
  // smaller by 1032 at best.
  const Index most = std::min<Index>(1032 * file.bytes() / 8, std::numeric_limits<int>::max() - 1);
  require(a.rows >= 1 && a.rows <= most && a.columns >= 1 && a.columns <= most,
          "{}: it is {}x{}, expected 1 to {} rows and columns (the file has {} bytes)", a.what,
          a.rows, a.columns, most, file.bytes());
  require(nz >= -2, "{}: 'nz' is {}, expected -1 (columns), -2 (rows) or the number of triplets",
          a.what, nz);
  return nz >= 0 ? from_triplets(a, nz) : from_compressed(a, nz == -1);
}

void write_fclib_integers(hid_t parent, const char* name, std::span<const int> values,
                          const std::string& what) {
  write_array(parent, name, values, H5T_STD_I32LE, H5T_NATIVE_INT, what);
}

void write_fclib_numbers(hid_t parent, const char* name, ConstVectorRef values,
                         const std::string& what) {
  write_array(parent, name,
              std::span<const double>(values.data(), static_cast<std::size_t>(values.size())),
              H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, what);
}

void write_fclib_matrix(hid_t parent, const char* name, const Sparse& A, const std::string& what) {
  Sparse compressed = A;
  compressed.makeCompressed();
  const auto entries = static_cast<int>(compressed.nonZeros());
  const Handle group(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose,
                     what);
  const auto one = [&](const char* label, int value) {
    write_fclib_integers(group, label, {&value, 1}, what);
  };
  one("nzmax", entries);
  one("m", static_cast<int>(A.rows()));
  one("n", static_cast<int>(A.cols()));
  one("nz", -1);
  const auto count = static_cast<std::size_t>(entries);
  write_fclib_integers(group, "p",
                       {compressed.outerIndexPtr(), static_cast<std::size_t>(A.cols()) + 1}, what);
  write_fclib_integers(group, "i", {compressed.innerIndexPtr(), count}, what);
  write_fclib_numbers(group, "x", Eigen::Map<const Vector>(compressed.valuePtr(), entries), what);
}

}  // namespace saltus
