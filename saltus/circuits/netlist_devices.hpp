#pragma once

#include "saltus/circuits/circuit.hpp"
#include "saltus/circuits/netlist_scope.hpp"

#include <functional>

namespace saltus::circuits {

/// What the reader of one device line needs: the line, the parameters, and names for its nodes and
/// for the elements it refers to.
struct DeviceLine {
  const Fields& fields;
  const Scope& scope;
  std::string prefix;  ///< "x1." inside a subcircuit
  std::function<Node(const std::string&)> node;
  Circuit& circuit;  ///< gets the elements
};

/// Reads an element other than X into the circuit. Throws Error with line and column.
void read_device(const DeviceLine& line);

/// The waveform in words[first …]. Stops at a word that is none of it and sets `first` to it.
[[nodiscard]] Waveform read_wave(const Fields& fields, const Scope& scope, std::size_t& first);

}  // namespace saltus::circuits
