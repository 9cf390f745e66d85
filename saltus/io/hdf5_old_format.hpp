#pragma once

#include "saltus/algebra/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace saltus::hdf5 {

/// Reader of the HDF5 format before 1.8, as FCLib writes it: superblock 0 or 1, groups by symbol
/// tables, datasets in one piece or, with one dimension, in pieces compressed by gzip. That format
/// carries no checksums, and the HDF5 library trusts what it finds; here every offset and count is
/// checked against the bytes of the file, so that a damaged file ends in an Error. Links to
/// elsewhere, other filters and other types than integers, floating-point numbers and fixed-length
/// text are refused. A dataset that was never written reads as zeros.
///
/// The format, little endian, with 8-byte offsets and lengths:
///
///     superblock     signature, versions, sizes; entry of the root group at byte 56 (60)
///     entry          name (offset in the heap), address of the object header, kind, scratch
///     object header  messages: 1 extent, 3 type, 8 place of the values, 11 filters,
///                    16 continuation (more messages elsewhere),
///                    17 symbol table (B-tree, heap): the object is a group
///     TREE           B-tree node: level, count, keys and children;
///                    on level 0 the children are SNOD,
///                    or the pieces of a dataset
///     SNOD           entries of a group
///     HEAP           names
class OldFormat {
 public:
  /// `what` begins the text of every Error. Throws Error unless the bytes begin such a file.
  OldFormat(std::string bytes, std::string what);

  /// "group/dataset" exists.
  [[nodiscard]] bool has(std::string_view path) const;
  [[nodiscard]] std::vector<Index> integers(std::string_view path) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view path) const;
  [[nodiscard]] std::string text(std::string_view path) const;

 private:
  struct Values;
  [[nodiscard]] std::size_t number(std::size_t at, std::size_t size) const;
  void require_magic(std::size_t at, std::string_view magic) const;
  [[nodiscard]] std::size_t find(std::string_view path) const;
  [[nodiscard]] std::size_t child(std::size_t header, std::string_view name) const;
  [[nodiscard]] std::size_t search(std::size_t node, int level, std::size_t heap,
                                   std::string_view name, std::size_t& budget) const;
  [[nodiscard]] bool named(std::size_t heap, std::size_t offset, std::string_view name) const;
  template <class Visit>
  void visit_messages(std::size_t header, Visit&& visit) const;
  [[nodiscard]] Values values(std::string_view path) const;
  void read_extent(std::size_t at, Values& v) const;
  void read_layout(std::size_t at, std::size_t length, Values& v) const;
  void read_filters(std::size_t at, Values& v) const;
  void read_data(Values& v) const;
  void read_pieces(std::size_t node, int level, Values& v, std::size_t& budget) const;
  [[nodiscard]] std::string unfiltered(const Values& v, std::string bytes, std::size_t mask) const;

  std::string bytes_, what_;
  std::size_t root_ = 0;  // object header of the root group
};

}  // namespace saltus::hdf5
