#include "saltus/base/error.hpp"

namespace saltus {

void throw_error(fmt::string_view format, fmt::format_args args) {
  throw Error(fmt::vformat(format, args));
}

}  // namespace saltus
