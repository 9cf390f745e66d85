#!/usr/bin/env python3
"""A linked mechanism against SICONOS 4.4: chain of rigid links with ball joints, four contacts
with friction per link; same model, scheme, step and tolerance.

    python3 benchmarks/mechanism.py [--rounds 3] [--only CASE] [--build build]

Both sides time their time loop only, on one thread. The peer takes the directions of joints and
contacts at the beginning of a step, we in its middle: states differ by O(h).
"""
import sys

import compare
from spine import SICONOS


def case(links, end_time, limit=0, warmup=1):
    keys = ("--N", str(links), "--T", str(end_time), "--h", "1e-3", "--tolerance", "1e-8",
            "--warmup", str(warmup))
    return compare.Case(
        name=f"chain_{links}", tolerance=5e-4, check=("y", "vy", "speed", "height"),
        limit=limit, ours=("{build}/bin/saltus-bench-mechanism", "chain", *keys),
        peer=("/usr/bin/python3", "benchmarks/peers/siconos/run.py", "chain", *keys))


# The peer needs half a minute for a step of 100 links, and its cost grows with about their fourth
# power. Of 1000 links it does not finish two steps in five minutes: a bound, both sides from
# their first step on.
CASES = [case(10, 0.02), case(30, 0.01), case(100, 0.003), case(1000, 0.002, limit=300, warmup=0)]

if __name__ == "__main__":
    sys.exit(compare.main(
        "mechanism", "Chain of rigid links on the ground: ball joints, four feet per link.",
        SICONOS, CASES))
