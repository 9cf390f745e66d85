#!/usr/bin/env python3
"""The spine of the platform against SICONOS 4.4: same model, same scheme, same step, same solver.

    python3 benchmarks/spine.py [--rounds 3] [--only CASE] [--build build]

Both sides time their time loop only; models and parameters are those of PL:C-01, PL:C-02, PL:C-03.
"""
import sys

import compare

SICONOS = compare.Peer(
    name="SICONOS 4.4 (Debian python3-siconos)",
    probe=("/usr/bin/python3", "-c", "import siconos.kernel, siconos.numerics"),
    install="apt-get install --no-install-recommends python3-siconos (Debian 12)")


def case(name, run, *keys, ours=(), peer=(), tolerance=1e-9, note=""):
    """Both programs run the same case with the same keys; `ours` and `peer` are added to one."""
    return compare.Case(
        name=name, tolerance=tolerance, note=note,
        ours=("{build}/bin/saltus-bench-spine", run, *keys, *ours),
        peer=("/usr/bin/python3", "benchmarks/peers/siconos/run.py", run, *keys, *peer))


CASES = [
    case("bouncing_ball", "bouncing_ball", "--T", "10", "--h", "5e-3", "--repeat", "20"),
    case("diode_bridge", "diode_bridge", "--T", "5e-3", "--h", "1e-6", "--repeat", "10"),
    case("bead_column_100", "bead_column", "--N", "100", "--T", "0.051",
         ours=("--solver", "Lemke"), note="both Lemke"),
    case("bead_column_1000", "bead_column", "--N", "1000", "--T", "0.004",
         peer=("--solver", "lemke"), tolerance=1e-8, note="our default against the peer's default, Lemke"),
    case("bead_column_1000_lemke", "bead_column", "--N", "1000", "--T", "0.004", "--solver", "lemke",
         tolerance=1e-8, note="both Lemke"),
    case("bead_column_1000_best", "bead_column", "--N", "1000", "--T", "0.051",
         peer=("--solver", "newton_fb", "--tolerance", "1e-8"), tolerance=1e-8,
         note="our default against the peer's fastest accurate solver, warm started"),
]

if __name__ == "__main__":
    sys.exit(compare.main(
        "spine", "Time loop of Saltus and SICONOS on the same models, schemes, steps and solvers.",
        SICONOS, CASES))
