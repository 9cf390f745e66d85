#pragma once

#include <string>
#include <string_view>

namespace saltus {

/// The bytes behind zlib data (RFC 1950: two bytes of header, DEFLATE blocks of RFC 1951,
/// Adler-32). Throws Error, beginning with `what`, unless the data are sound and give exactly
/// `size` bytes; allocates no more than DEFLATE can make of the data (1032 bytes of one).
[[nodiscard]] std::string inflate_zlib(std::string_view data, std::size_t size,
                                       const std::string& what);

}  // namespace saltus
