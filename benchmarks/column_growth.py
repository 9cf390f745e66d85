#!/usr/bin/env python3
"""How the cost of a step of the falling column grows with the number of beads (PL:C-03).

    python3 benchmarks/column_growth.py [--build build]

The peer is linear growth itself: the rate of the shortest column, divided by the factor in N.
A ratio near 1 means cost proportional to N; dense linear algebra would halve it with every doubling.
"""
import argparse
import sys

import compare

COUNTS = (100, 300, 1000, 3000, 10000)


def rate(build, count, rounds=3):
    """Best steps per second over 0.2 s of fall, impact and rest."""
    command = [f"{build}/bin/saltus-bench-spine", "bead_column", "--N", str(count), "--T", "0.2",
               "--drop", "0.01"]
    return max(compare.run(command, "seconds", 600)[0] for _ in range(rounds))


def main():
    parser = argparse.ArgumentParser(prog="column_growth.py")
    parser.add_argument("--build", default="build", help="build folder, from the root of the tree")
    build = parser.parse_args().build
    rates = {count: rate(build, count) for count in COUNTS}
    rows = []
    for count, ours in rates.items():
        linear = rates[COUNTS[0]] * COUNTS[0] / count
        rows.append((f"falling_column_{count}", f"{ours:.4g}", f"{linear:.4g}",
                     f"{ours / linear:.3g}", compare.UNIT, f"{1e6 / ours:.1f} us per step"))
    compare.print_table("Falling column: steps per second against linear growth from N = 100.", rows)
    compare.write_csv(compare.ROOT / "out" / "bench" / "column_growth.csv", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
