#pragma once

#include "saltus/algebra/state.hpp"

namespace saltus {

/// out = source(t, z), or the constant where there is no function, or zero where that is empty.
template <class Source>
void apply_source(const Source& source, const Vector& constant, const StateView& x, VectorRef out) {
  if (source)
    source(x.t, x.z, out);
  else if (constant.size() > 0)
    out = constant;
  else
    out.setZero();
}

}  // namespace saltus
