#!/usr/bin/python3
"""Growth of the friction solver's cost with the number of contacts, and what warm start saves.

    python3 benchmarks/friction_growth.py [--build build] [--output out/friction_growth]
                                          [--largest 20000] [--steps 400]

Piles of spheres and of boxes come to rest; their last one-step problem is solved from the reactions
of the step before and from zero, to 1e-8 (from zero also with one thread, unless that would take
minutes: nan). Before that, each of STEPS steps of a pile that comes to rest (after 3 STEPS steps of
falling) is solved both ways. Writes growth.csv and warm.csv, prints the exponents p of time ~
contacts^p, also of one sweep and of one factorisation. The largest pile takes a quarter of an hour
to come to rest.
"""

import argparse
import csv
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONTACTS_PER_BODY = {"spheres": 2.35, "boxes": 3.4}  # of a settled pile, about
COSTS = {"cold": "cold_s", "warm": "warm_s", "one sweep": "sweep_s",
         "one factorisation": "factorisation_s"}


def measure(program, mode, kind, *numbers):
    done = subprocess.run([program, mode, kind, *map(str, numbers)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return next(csv.DictReader(done.stdout.splitlines()))


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def exponent(rows, column):
    """Slope of log(column) over log(contacts)."""
    points = [(math.log(float(r["contacts"])), math.log(max(float(r[column]), 1e-9))) for r in rows]
    if len(points) < 2:
        return math.nan
    mx, my = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, _ in points)


def growth(program, arguments):
    rows = []
    for kind, density in CONTACTS_PER_BODY.items():
        own = []
        for contacts in (100, 200, 500, 1000, 2000, 5000, 10000, 20000):
            if contacts > arguments.largest:
                break
            own.append(measure(program, "growth", kind, round(contacts / density), arguments.steps))
            r = own[-1]
            print(f"{kind:8} {r['contacts']:>6} contacts: cold {float(r['cold_s']):8.3f} s "
                  f"(one thread {float(r['one_thread_s']):8.3f} s), "
                  f"{r['cold_factorisations']:>4} factorisations; warm {float(r['warm_s']):8.3f} s, "
                  f"{r['warm_factorisations']:>4}", flush=True)
        print(f"{kind:8} " + ", ".join(f"{what} ~ contacts^{exponent(own, column):.2f}"
                                       for what, column in COSTS.items()), flush=True)
        rows += own
    return rows


def warm(program, arguments):
    rows = []
    for kind in CONTACTS_PER_BODY:
        rows.append(measure(program, "warm", kind, arguments.warm_bodies, 3 * arguments.steps,
                            arguments.steps))
        r = rows[-1]
        ratio = int(r["cold_factorisations"]) / max(1, int(r["warm_factorisations"]))
        print(f"{kind:8} {r['problems']} steps, {r['mean_contacts']} contacts: factorisations cold "
              f"{r['cold_factorisations']}, warm {r['warm_factorisations']} ({ratio:.1f} times "
              f"fewer); time cold {r['cold_s']} s, warm {r['warm_s']} s", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder")
    parser.add_argument("--output", type=Path, default=ROOT / "out" / "friction_growth")
    parser.add_argument("--largest", type=int, default=20000, help="contacts")
    parser.add_argument("--steps", type=int, default=400,
                        help="of 5 ms, while a pile falls (of 2 ms for the warm start)")
    parser.add_argument("--warm-bodies", type=int, default=100, help="in the settling pile")
    arguments = parser.parse_args()
    program = arguments.build / "bin" / "saltus-bench-friction-growth"
    arguments.output.mkdir(parents=True, exist_ok=True)
    write(arguments.output / "warm.csv", warm(program, arguments))
    write(arguments.output / "growth.csv", growth(program, arguments))


if __name__ == "__main__":
    main()
