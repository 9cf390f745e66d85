#include "saltus/io/hdf5_old_format.hpp"

#include "saltus/io/inflate.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace saltus::hdf5 {

namespace {

constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
constexpr std::size_t none = ~std::size_t{0};

enum Message {
  extent = 1,
  type = 3,
  external = 7,
  layout = 8,
  filters = 11,
  more = 16,
  table = 17
};
enum Layout { compact = 0, contiguous = 1, chunked = 2 };
enum Filter { deflate = 1, shuffle = 2, checksum = 3 };
enum TypeClass { integer_class = 0, float_class = 1, text_class = 3 };

}  // namespace

/// A dataset: what its values are, where they stand, and their bytes.
struct OldFormat::Values {
  std::string path = {};
  std::size_t count = 1;  ///< values
  std::size_t rank = 0;
  int kind = -1;         ///< TypeClass
  std::size_t size = 0;  ///< bytes of each
  bool big_endian = false, is_signed = false;
  int form = -1;                     ///< Layout
  std::size_t at = none;             ///< first byte, or the tree of the pieces
  std::size_t stored = 0;            ///< bytes
  std::size_t piece = 0;             ///< values of a piece
  std::vector<Filter> filters = {};  ///< in the order of writing
  std::string data = {};             ///< count · size bytes

  [[nodiscard]] std::uint64_t bits(std::size_t k) const {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t at_byte = big_endian ? i : size - 1 - i;
      value = value << 8 | static_cast<unsigned char>(data[k * size + at_byte]);
    }
    return value;
  }
};

OldFormat::OldFormat(std::string bytes, std::string what)
    : bytes_(std::move(bytes)), what_(std::move(what)) {
  require(std::string_view(bytes_).starts_with(signature), "{}: it is not an HDF5 file", what_);
  const std::size_t version = number(8, 1);
  require(version <= 1, "{}: its superblock has version {}, expected 0 or 1", what_, version);
  require(number(13, 1) == 8 && number(14, 1) == 8,
          "{}: offsets and lengths have {} and {} bytes, expected 8", what_, number(13, 1),
          number(14, 1));
  const std::size_t base = version == 0 ? 24 : 28;
  require(number(base, 8) == 0, "{}: its base address is {}, expected 0", what_, number(base, 8));
  require(number(base + 16, 8) <= bytes_.size(), "{}: it is truncated, {} bytes of {} are there",
          what_, bytes_.size(), number(base + 16, 8));
  root_ = number(base + 40, 8);
}

/// Little-endian unsigned number of `size` bytes.
std::size_t OldFormat::number(std::size_t at, std::size_t size) const {
  require(at <= bytes_.size() && size <= bytes_.size() - at,
          "{}: it is damaged: byte {} is needed, it has {}", what_, at, bytes_.size());
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
  return value;
}

void OldFormat::require_magic(std::size_t at, std::string_view magic) const {
  require(at <= bytes_.size() && std::string_view(bytes_).substr(at).starts_with(magic),
          "{}: it is damaged: there is no {} at byte {}", what_, magic, at);
}

template <class Visit>
void OldFormat::visit_messages(std::size_t header, Visit&& visit) const {
  require(number(header, 1) == 1, "{}: it is damaged: the object header at byte {} has version {}",
          what_, header, number(header, 1));
  std::size_t left = number(header + 2, 2);
  std::vector<std::pair<std::size_t, std::size_t>> pieces{{header + 16, number(header + 8, 4)}};
  for (std::size_t p = 0; p < pieces.size() && left > 0; ++p) {
    auto [at, size] = pieces[p];
    while (size >= 8 && left > 0) {
      const std::size_t kind = number(at, 2), length = number(at + 2, 2), flags = number(at + 4, 1);
      require(length <= size - 8, "{}: it is damaged: the message at byte {} is too long", what_,
              at);
      --left;
      if (kind == more)
        pieces.emplace_back(number(at + 8, 8), number(at + 16, 8));
      else
        visit(kind, at + 8, length, (flags & 2) != 0);
      at += 8 + length;
      size -= 8 + length;
    }
  }
}

bool OldFormat::named(std::size_t heap, std::size_t offset, std::string_view name) const {
  require_magic(heap, "HEAP");
  const std::size_t size = number(heap + 8, 8), data = number(heap + 24, 8);
  if (offset >= size || data > bytes_.size() || offset >= bytes_.size() - data) return false;
  const std::string_view text = std::string_view(bytes_).substr(data + offset);
  return text.size() > name.size() && text.starts_with(name) && text[name.size()] == '\0';
}

/// The object header of `name` below a B-tree node, none if it is not there. The level must drop
/// from node to child, and no more nodes are visited than the file has room for.
std::size_t OldFormat::search(std::size_t node, int level, std::size_t heap, std::string_view name,
                              std::size_t& budget) const {
  require(budget-- > 0, "{}: it is damaged: a group does not end", what_);
  if (level < 0) {
    require_magic(node, "SNOD");
    const std::size_t count = number(node + 6, 2);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t entry = node + 8 + 40 * k;
      if (!named(heap, number(entry, 8), name)) continue;
      require(number(entry + 16, 4) != 2, "{}: '{}' is a link to somewhere else", what_, name);
      return number(entry + 8, 8);
    }
    return none;
  }
  require_magic(node, "TREE");
  require(number(node + 4, 1) == 0 && static_cast<int>(number(node + 5, 1)) == level,
          "{}: it is damaged: the tree node at byte {} does not fit", what_, node);
  const std::size_t count = number(node + 6, 2);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t found = search(number(node + 32 + 16 * k, 8), level - 1, heap, name, budget);
    if (found != none) return found;
  }
  return none;
}

std::size_t OldFormat::child(std::size_t header, std::string_view name) const {
  std::size_t tree = none, heap = none;
  visit_messages(header, [&](std::size_t kind, std::size_t at, std::size_t, bool) {
    if (kind != table) return;
    tree = number(at, 8);
    heap = number(at + 8, 8);
  });
  if (tree == none) return none;
  std::size_t budget = bytes_.size() / 24;
  require_magic(tree, "TREE");
  return search(tree, static_cast<int>(number(tree + 5, 1)), heap, name, budget);
}

std::size_t OldFormat::find(std::string_view path) const {
  std::size_t header = root_;
  while (!path.empty() && header != none) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    header = child(header, path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return header;
}

bool OldFormat::has(std::string_view path) const { return find(path) != none; }

void OldFormat::read_extent(std::size_t at, Values& v) const {
  const std::size_t version = number(at, 1);
  v.rank = number(at + 1, 1);
  require(version == 1 || version == 2, "{}: '{}' has an extent of version {}", what_, v.path,
          version);
  v.count = version == 2 && number(at + 3, 1) == 2 ? 0 : 1;
  constexpr std::size_t best_ratio = 1032;  // of deflate
  for (std::size_t d = 0; d < v.rank; ++d) {
    const std::size_t size = number(at + (version == 1 ? 8 : 4) + 8 * d, 8);
    require(size <= best_ratio * bytes_.size() / std::max<std::size_t>(v.count, 1),
            "{}: '{}' claims more values than the file has bytes", what_, v.path);
    v.count *= size;
  }
}

void OldFormat::read_layout(std::size_t at, std::size_t length, Values& v) const {
  const std::size_t version = number(at, 1);
  v.form = static_cast<int>(number(at + 1, 1));
  require((version == 3 || (version == 4 && v.form <= contiguous)) && v.form <= chunked,
          "{}: '{}' is stored in a way that is not supported (h5repack -l CONTI helps)", what_,
          v.path);
  if (v.form == compact) {
    v.at = at + 4;
    v.stored = std::min(number(at + 2, 2), length);
  } else if (v.form == contiguous) {
    v.at = number(at + 2, 8);
    v.stored = number(at + 10, 8);
  } else {
    require(number(at + 2, 1) == 2, "{}: '{}' is stored in pieces of {} dimensions, expected 1",
            what_, v.path, number(at + 2, 1) - 1);
    v.at = number(at + 3, 8);
    v.piece = number(at + 11, 4);
  }
}

void OldFormat::read_filters(std::size_t at, Values& v) const {
  const std::size_t version = number(at, 1), count = number(at + 1, 1);
  require(version == 1 || version == 2, "{}: '{}' has filters of version {}", what_, v.path,
          version);
  std::size_t next = at + (version == 1 ? 8 : 2);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t id = number(next, 2);
    require(id == deflate || id == shuffle || id == checksum,
            "{}: '{}' is compressed with filter {}, expected gzip", what_, v.path, id);
    const std::size_t name = version == 1 ? number(next + 2, 2) : 0;
    const std::size_t begin = next + (version == 1 ? 8 : 6);
    const std::size_t numbers = number(begin - 2, 2);
    next = begin + (name + 7) / 8 * 8 + 4 * numbers + (version == 1 && numbers % 2 == 1 ? 4 : 0);
    v.filters.push_back(static_cast<Filter>(id));
  }
}

/// One piece of a dataset as it was before the filters; `mask` tells which of them were left out.
std::string OldFormat::unfiltered(const Values& v, std::string bytes, std::size_t mask) const {
  const std::size_t size = v.piece * v.size;
  for (std::size_t k = v.filters.size(); k-- > 0;) {
    if (mask >> k & 1) continue;
    if (v.filters[k] == deflate) {
      bytes = inflate_zlib(bytes, size, fmt::format("{}: '{}'", what_, v.path));
    } else if (v.filters[k] == checksum) {
      require(bytes.size() >= 4, "{}: '{}' is damaged", what_, v.path);
      bytes.resize(bytes.size() - 4);
    } else {  // shuffle: all first bytes, all second bytes …
      std::string plain(bytes.size(), '\0');
      const std::size_t count = bytes.size() / v.size;
      for (std::size_t j = 0; j < count * v.size; ++j)
        plain[j % count * v.size + j / count] = bytes[j];
      bytes = std::move(plain);
    }
  }
  require(bytes.size() == size, "{}: '{}' has a piece of {} bytes, expected {}", what_, v.path,
          bytes.size(), size);
  return bytes;
}

/// The pieces below a node of their B-tree: keys of size, mask and two offsets.
void OldFormat::read_pieces(std::size_t node, int level, Values& v, std::size_t& budget) const {
  require(budget-- > 0, "{}: it is damaged: '{}' does not end", what_, v.path);
  require_magic(node, "TREE");
  require(number(node + 4, 1) == 1 && static_cast<int>(number(node + 5, 1)) == level,
          "{}: it is damaged: the tree node at byte {} does not fit", what_, node);
  const std::size_t count = number(node + 6, 2);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t key = node + 24 + 32 * k, child = number(key + 24, 8);
    if (level > 0) {
      read_pieces(child, level - 1, v, budget);
      continue;
    }
    require(budget-- > 0, "{}: it is damaged: '{}' does not end", what_, v.path);
    const std::size_t size = number(key, 4), first = number(key + 8, 8);
    require(child <= bytes_.size() && size <= bytes_.size() - child,
            "{}: it is damaged: a piece of '{}' ends behind the file", what_, v.path);
    if (first >= v.count) continue;
    const std::string piece = unfiltered(v, bytes_.substr(child, size), number(key + 4, 4));
    piece.copy(v.data.data() + first * v.size, std::min(v.piece, v.count - first) * v.size);
  }
}

void OldFormat::read_data(Values& v) const {
  if (v.count == 0) return;
  const std::size_t total = v.count * v.size;
  if (v.at == none) {  // never written: zeros
    require(total <= bytes_.size(), "{}: '{}' claims {} bytes that are not stored", what_, v.path,
            total);
    v.data.assign(total, '\0');
    return;
  }
  if (v.form != chunked) {
    require(v.filters.empty() && v.at <= bytes_.size() && v.stored <= bytes_.size() - v.at &&
                total <= v.stored,
            "{}: '{}' claims {} values of {} bytes, {} bytes are stored", what_, v.path, v.count,
            v.size, v.stored);
    v.data = bytes_.substr(v.at, total);
    return;
  }
  constexpr std::size_t largest = std::size_t{1} << 26;  // bytes of a piece
  require(v.rank == 1 && v.piece > 0 && v.piece <= largest / v.size,
          "{}: '{}' is stored in pieces of {} values of {} bytes", what_, v.path, v.piece, v.size);
  v.data.assign(total, '\0');
  std::size_t budget = bytes_.size() / 24;
  require_magic(v.at, "TREE");
  read_pieces(v.at, static_cast<int>(number(v.at + 5, 1)), v, budget);
}

OldFormat::Values OldFormat::values(std::string_view path) const {
  const std::size_t header = find(path);
  require(header != none, "{}: '{}' is missing", what_, path);
  Values v;
  v.path = path;
  bool has_extent = false;
  visit_messages(header, [&](std::size_t kind, std::size_t at, std::size_t length, bool shared) {
    const bool known = kind == extent || kind == type || kind == layout || kind == filters;
    require(kind != external && !(known && shared),
            "{}: '{}' is shared with another object or file", what_, path);
    if (kind == extent) {
      has_extent = true;
      read_extent(at, v);
    } else if (kind == type) {
      v.kind = static_cast<int>(number(at, 1) & 15);
      v.big_endian = (number(at + 1, 1) & 1) != 0;
      v.is_signed = (number(at + 1, 1) & 8) != 0;
      v.size = number(at + 4, 4);
    } else if (kind == layout) {
      read_layout(at, length, v);
    } else if (kind == filters) {
      read_filters(at, v);
    }
  });
  require(has_extent && v.kind >= 0 && v.form >= 0 && v.size > 0 && v.size <= bytes_.size(),
          "{}: '{}' is not a dataset", what_, path);
  require(v.count <= 1032 * bytes_.size() / v.size,
          "{}: '{}' claims more values than the file has bytes", what_, path);
  read_data(v);
  return v;
}

std::vector<Index> OldFormat::integers(std::string_view path) const {
  const Values v = values(path);
  require(v.kind == integer_class && (v.size == 4 || v.size == 8),
          "{}: '{}' does not hold integers of 4 or 8 bytes", what_, path);
  std::vector<Index> list(v.count);
  for (std::size_t k = 0; k < v.count; ++k) {
    const std::uint64_t bits = v.bits(k);
    const bool negative = v.is_signed && v.size == 4 && (bits >> 31) != 0;
    require(v.is_signed || v.size == 4 || bits >> 63 == 0, "{}: '{}' holds {}, which is too large",
            what_, path, bits);
    list[k] = static_cast<Index>(negative ? bits | 0xffffffff00000000u : bits);
  }
  return list;
}

std::vector<double> OldFormat::numbers(std::string_view path) const {
  const Values v = values(path);
  require(v.kind == float_class && (v.size == 4 || v.size == 8),
          "{}: '{}' does not hold floating-point numbers of 4 or 8 bytes", what_, path);
  std::vector<double> list(v.count);
  for (std::size_t k = 0; k < v.count; ++k) {
    const std::uint64_t bits = v.bits(k);
    list[k] = v.size == 8 ? std::bit_cast<double>(bits)
                          : double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
  }
  return list;
}

std::string OldFormat::text(std::string_view path) const {
  const Values v = values(path);
  require(v.kind == text_class && v.count <= 1, "{}: '{}' does not hold one text", what_, path);
  return v.data.substr(0, v.data.find('\0'));
}

}  // namespace saltus::hdf5
