#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/io/hdf5_handle.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace saltus::hdf5 {

/// Opens a file for reading, or throws the Error that says why not. HDF5 is not made for hostile
/// files; two guards stand before it. The metadata must carry checksums (superblock version 2 or
/// more: HDF5 1.8 format, h5py `libver='v108'`), so that what is damaged is refused before it is
/// interpreted. The attribute `format` must be `format`, and `version` one of 1 … `newest`. Reading
/// then follows hard links only, never into other files, and allocates no more than the file holds.
[[nodiscard]] Handle open_file(const std::filesystem::path& path, const std::string& format,
                               long newest, const std::string& what);

/// Opens a dataset or a group of the file itself: links to other files are refused.
[[nodiscard]] Handle open_dataset(hid_t parent, const char* name, const std::string& what);
[[nodiscard]] Handle open_group(hid_t parent, const char* name, const std::string& what);
[[nodiscard]] bool has(hid_t parent, const char* name);

/// The sizes along each of `dimensions` dimensions. Throws Error on another number of dimensions,
/// on values of another class than `kind` (H5T_FLOAT, H5T_INTEGER), and unless the values are
/// stored in the file: 8 bytes each, or what deflate can make of that at best (a 1032nd).
[[nodiscard]] std::vector<hsize_t> extent(hid_t set, const char* name, int dimensions,
                                          H5T_class_t kind, const std::string& what);

/// One-dimensional datasets.
[[nodiscard]] std::vector<double> read_numbers(hid_t parent, const char* name,
                                               const std::string& what);
[[nodiscard]] std::vector<Index> read_integers(hid_t parent, const char* name,
                                               const std::string& what);
void write_numbers(hid_t parent, const char* name, std::span<const double> values,
                   const std::string& about, const std::string& what);
void write_integers(hid_t parent, const char* name, std::span<const Index> values,
                    const std::string& about, const std::string& what);

}  // namespace saltus::hdf5
