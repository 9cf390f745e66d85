#include "saltus/io/inflate.hpp"

#include "saltus/base/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace saltus {

namespace {

constexpr int longest_code = 15;

/// Thrown inside; becomes the Error of the caller.
struct Damaged {};

/// Bits of a byte string, the lowest first.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  /// The next 15 bits without taking them; zeros after the end.
  unsigned peek() {
    while (count_ < longest_code) {
      const unsigned byte =
          position_ < bytes_.size() ? static_cast<unsigned char>(bytes_[position_]) : 0u;
      ++position_;
      buffer_ |= byte << count_;
      count_ += 8;
    }
    return buffer_ & ((1u << longest_code) - 1);
  }
  void drop(int bits) {
    buffer_ >>= bits;
    count_ -= bits;
    if (position_ > bytes_.size() + 2) throw Damaged{};  // took bits that were not there
  }
  unsigned take(int bits) {  // at most 15
    const unsigned value = peek() & ((1u << bits) - 1);
    drop(bits);
    return value;
  }
  /// The rest of the bytes, after the bits of the current one.
  std::string_view rest() {
    const std::size_t unread = static_cast<std::size_t>(count_ / 8);
    const std::size_t begin = position_ - unread;
    if (begin > bytes_.size()) throw Damaged{};
    buffer_ = 0;
    count_ = 0;
    position_ = begin;
    return bytes_.substr(begin);
  }
  void skip(std::size_t bytes) { position_ += bytes; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  unsigned buffer_ = 0;
  int count_ = 0;
};

/// Canonical Huffman code as a table over the next 15 bits: symbol · 16 + length, 0 if there is
/// none.
class Code {
 public:
  explicit Code(std::span<const std::uint8_t> lengths) : table_(std::size_t{1} << longest_code) {
    std::array<unsigned, longest_code + 1> count{}, code{};
    for (const std::uint8_t length : lengths) ++count[length];
    count[0] = 0;
    for (int k = 1; k <= longest_code; ++k) code[k] = (code[k - 1] + count[k - 1]) << 1;
    for (std::size_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] > 0) enter(symbol, lengths[symbol], code[lengths[symbol]]++);
  }
  unsigned decode(BitReader& in) const {
    const std::uint16_t entry = table_[in.peek()];
    if (entry == 0) throw Damaged{};
    in.drop(entry & 15);
    return entry >> 4;
  }

 private:
  void enter(std::size_t symbol, int length, unsigned code) {
    if (code >> length != 0) throw Damaged{};  // more codes than the lengths allow
    unsigned reversed = 0;
    for (int bit = 0; bit < length; ++bit) reversed |= (code >> bit & 1) << (length - 1 - bit);
    const auto entry = static_cast<std::uint16_t>(symbol << 4 | static_cast<unsigned>(length));
    for (unsigned at = reversed; at < table_.size(); at += 1u << length) table_[at] = entry;
  }
  std::vector<std::uint16_t> table_;
};

struct Codes {
  Code literals, distances;
};

Codes fixed_codes() {
  std::array<std::uint8_t, 288> lengths;
  for (std::size_t s = 0; s < lengths.size(); ++s)
    lengths[s] = static_cast<std::uint8_t>(s < 144 ? 8 : (s < 256 ? 9 : (s < 280 ? 7 : 8)));
  std::array<std::uint8_t, 30> distances;
  distances.fill(5);
  return {Code(lengths), Code(distances)};
}

Codes read_codes(BitReader& in) {
  constexpr std::array<std::uint8_t, 19> order{16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                               11, 4,  12, 3, 13, 2, 14, 1, 15};
  const std::size_t literals = in.take(5) + 257, distances = in.take(5) + 1;
  const std::size_t given = in.take(4) + 4;
  std::array<std::uint8_t, 19> small{};
  for (std::size_t k = 0; k < given; ++k) small[order[k]] = static_cast<std::uint8_t>(in.take(3));
  const Code meta(small);
  std::vector<std::uint8_t> lengths;
  while (lengths.size() < literals + distances) {
    const unsigned symbol = meta.decode(in);
    if (symbol < 16) {
      lengths.push_back(static_cast<std::uint8_t>(symbol));
      continue;
    }
    if (symbol == 16 && lengths.empty()) throw Damaged{};
    const std::uint8_t repeated = symbol == 16 ? lengths.back() : std::uint8_t{0};
    const unsigned times =
        symbol == 16 ? 3 + in.take(2) : (symbol == 17 ? 3 + in.take(3) : 11 + in.take(7));
    lengths.insert(lengths.end(), times, repeated);
  }
  if (lengths.size() != literals + distances || literals > 286) throw Damaged{};
  const std::span<const std::uint8_t> all(lengths);
  return {Code(all.first(literals)), Code(all.subspan(literals))};
}

/// Length and distance symbols: base value and extra bits.
unsigned extended(BitReader& in, unsigned symbol, unsigned base, unsigned step) {
  // symbols come in groups of `step`, each group with one extra bit more
  if (symbol < 2 * step) return base + symbol;
  const unsigned extra = symbol / step - 1;
  return base + ((step + symbol % step) << extra) + in.take(static_cast<int>(extra));
}

void read_block(BitReader& in, const Codes& codes, std::string& out, std::size_t size) {
  for (;;) {
    const unsigned symbol = codes.literals.decode(in);
    if (symbol == 256) return;
    if (symbol < 256) {
      if (out.size() >= size) throw Damaged{};
      out.push_back(static_cast<char>(symbol));
      continue;
    }
    if (symbol > 285) throw Damaged{};
    const unsigned length = symbol == 285 ? 258 : extended(in, symbol - 257, 3, 4);
    const unsigned symbol_of_distance = codes.distances.decode(in);
    if (symbol_of_distance > 29) throw Damaged{};
    const std::size_t distance = extended(in, symbol_of_distance, 1, 2);
    if (distance > out.size() || length > size - out.size()) throw Damaged{};
    for (unsigned k = 0; k < length; ++k) out.push_back(out[out.size() - distance]);
  }
}

void read_stored(BitReader& in, std::string& out, std::size_t size) {
  const std::string_view rest = in.rest();
  if (rest.size() < 4) throw Damaged{};
  const auto byte = [&](std::size_t i) -> std::size_t {
    return static_cast<unsigned char>(rest[i]);
  };
  const std::size_t length = byte(0) | byte(1) << 8;
  if ((length ^ (byte(2) | byte(3) << 8)) != 0xffff || length > rest.size() - 4 ||
      length > size - out.size())
    throw Damaged{};
  out += rest.substr(4, length);
  in.skip(4 + length);
}

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<unsigned char>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

std::string inflate(std::string_view data, std::size_t size) {
  constexpr std::size_t best_ratio = 1032;
  if (data.size() < 6 || (data[0] & 15) != 8 || (data[1] & 32) != 0) throw Damaged{};
  BitReader in(data.substr(2));
  std::string out;
  out.reserve(std::min(size, best_ratio * data.size()));
  for (bool last = false; !last;) {
    last = in.take(1) == 1;
    const unsigned kind = in.take(2);
    if (kind == 3) throw Damaged{};
    if (kind == 0)
      read_stored(in, out, size);
    else
      read_block(in, kind == 1 ? fixed_codes() : read_codes(in), out, size);
  }
  const std::string_view rest = in.rest();
  if (out.size() != size || rest.size() < 4) throw Damaged{};
  std::uint32_t sum = 0;
  for (int k = 0; k < 4; ++k) sum = sum << 8 | static_cast<unsigned char>(rest[k]);
  if (sum != adler32(out)) throw Damaged{};
  return out;
}

}  // namespace

std::string inflate_zlib(std::string_view data, std::size_t size, const std::string& what) {
  try {
    return inflate(data, size);
  } catch (const Damaged&) {
    fail("{}: its compressed data are damaged", what);
  }
}

}  // namespace saltus
