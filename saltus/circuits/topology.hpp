#pragma once

#include "saltus/circuits/circuit.hpp"

namespace saltus::circuits {

/// Looks at the graph of a circuit before any number is computed. Throws Error, naming the elements
/// or nodes, on
///
///     loops of voltage sources (V, E, H)             their currents would not be determined,
///     cutsets of current sources (I, G, F)           their voltages would not be determined,
///     nodes that no element ties to ground           such as gates or control inputs left open.
///
/// Returns remarks on what is handled but worth knowing: loops of capacitors and voltage sources
/// (charges may jump) and cutsets of inductors and current sources (fluxes may jump).
std::vector<std::string> check_topology(const Circuit& circuit);

}  // namespace saltus::circuits
