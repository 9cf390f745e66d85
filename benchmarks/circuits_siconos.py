#!/usr/bin/env python3
"""Circuits from netlists against SICONOS 4.4: the diode bridge and a system with two relays, both by
the implicit Euler method with the same step.

    python3 benchmarks/circuits_siconos.py [--rounds 3] [--build build]

Both sides time their time loop only. SICONOS gets the system reduced by hand (two states), we get a
netlist. Models: PL:C-01 and F:V57.
"""
import sys

import compare
from spine import SICONOS


def case(name, *keys, tolerance, note):
    return compare.Case(
        name=name, tolerance=tolerance, note=note,
        ours=("{build}/bin/saltus-bench-circuits", name, *keys),
        peer=("/usr/bin/python3", "benchmarks/peers/siconos/run.py", name, *keys, "--theta", "1"),
        check=("a", "b"))


CASES = [
    # our start is made consistent by two steps of 1e-9 h, in which the state moves as little
    case("diode_bridge", "--T", "5e-3", "--h", "1e-6", "--repeat", "100", tolerance=1e-6,
         note="netlist of 7 elements; peer: Lemke"),
    case("relay", "--T", "1", "--h", "1e-4", "--repeat", "100", tolerance=1e-6,
         note="two relays, reach 0 after infinitely many switches; peer: Lemke"),
]

if __name__ == "__main__":
    sys.exit(compare.main("circuits_siconos", "Circuits from netlists against SICONOS.", SICONOS,
                          CASES))
