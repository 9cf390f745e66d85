#pragma once

#include "saltus/io/hdf5_archive.hpp"

#include <Eigen/SparseCore>

#include <span>

namespace saltus {

/// The matrix of an FCLib group (fclib.hpp). Throws Error, beginning with `what`, on sizes,
/// pointers and indices that do not fit and on values that are not finite.
[[nodiscard]] Eigen::SparseMatrix<double> read_fclib_matrix(const hdf5::Archive& file,
                                                            const std::string& group,
                                                            const std::string& what);
/// Writes it as a group `name` in compressed columns.
void write_fclib_matrix(hid_t parent, const char* name, const Eigen::SparseMatrix<double>& A,
                        const std::string& what);

/// One-dimensional datasets, as FCLib writes them: 4-byte integers, doubles.
void write_fclib_integers(hid_t parent, const char* name, std::span<const int> values,
                          const std::string& what);
void write_fclib_numbers(hid_t parent, const char* name, ConstVectorRef values,
                         const std::string& what);

}  // namespace saltus
