#!/usr/bin/python3
"""Several threads against one on large friction problems: the same bits, and how much sooner.

    python3 benchmarks/friction_threads.py [FILE...] [--threads 2] [--rounds 9] [--tolerance 1e-8]
                                           [--build build] [--output out/bench/friction_threads]

Solves each problem (FCLib or SICONOS files, global or reduced; without any, structures of our own
with 6000 contacts and more in either form) from zero with one thread and with several, in turns.
The ratio of a problem is the median over the rounds. The machine is measured in the same rounds:
`pace` is the time of one solve over that of as many at once, one thread each, in processes of
their own, times their number. On a machine that is shared with others it changes from minute to
minute, and a ratio says something only beside it. Writes threads.csv. Exit code 1 if a result
depends on the number of threads or is not converged.
"""

import argparse
import csv
import multiprocessing
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
STRUCTURES = {
    "box_stack": {"count": 1500},
    "kapla_tower": {"levels": 400},
    "wall": {"columns": 30, "rows": 32},
}


def make_structures(saltus, build, folder):
    """The first two one-step problems of each: under its weight, and after a step; global and reduced."""
    files = []
    for model, parameters in STRUCTURES.items():
        own = folder / model
        if not own.exists():
            settings = [word for name, value in parameters.items()
                        for word in ("--set", f"{name}={value}")]
            subprocess.run([build / "bin" / "saltus", "run", model, *settings, "--time", "0.01",
                            "--step", "0.005", "--no-plot", "--no-progress", "--quiet",
                            "--dump-problems", own, "--output", folder / "run"], check=True)
            for path in own.glob("*.hdf5"):
                reduced = saltus.FclibFile(saltus.read_problem(path).reduce())
                saltus.write_fclib(path.with_name(path.stem + "-reduced.hdf5"), reduced)
        files += sorted(own.glob("*.hdf5"))
    return files


def solve(saltus, problem, tolerance, threads):
    """Seconds, and the result to the last bit."""
    solver = saltus.CoulombCascade(tolerance=tolerance, threads=threads)
    result, report = saltus.solve(problem, solver=solver)
    arrays = result if isinstance(result, tuple) else (result,)
    return report.seconds, (report.converged(), *(a.tobytes() for a in arrays))


def at_once(saltus, problem, tolerance, count):
    """Seconds until the last of several processes has solved it."""
    def alone(barrier, queue):
        barrier.wait()
        queue.put(solve(saltus, problem, tolerance, 1)[0])

    context = multiprocessing.get_context("fork")
    barrier, queue = context.Barrier(count), context.SimpleQueue()
    workers = [context.Process(target=alone, args=(barrier, queue)) for _ in range(count)]
    for worker in workers:
        worker.start()
    times = [queue.get() for _ in workers]
    for worker in workers:
        worker.join()
    return max(times)


def measure(saltus, path, arguments):
    problem = saltus.read_problem(path)
    count, tolerance = arguments.threads, arguments.tolerance
    one, several, paces, results = [], [], [], set()
    for _ in range(arguments.rounds):
        for threads, times in ((1, one), (count, several)):
            seconds, result = solve(saltus, problem, tolerance, threads)
            times.append(seconds)
            results.add(result)
        single = at_once(saltus, problem, tolerance, 1)
        paces.append(count * single / at_once(saltus, problem, tolerance, count))
    return {"file": path.name, "contacts": len(problem.mu),
            "one_s": round(statistics.median(one), 4),
            "several_s": round(statistics.median(several), 4),
            "ratio": round(statistics.median(a / b for a, b in zip(one, several)), 3),
            "ratio_of_fastest": round(min(one) / min(several), 3),
            "pace": round(statistics.median(paces), 3),
            "same_bits": len(results) == 1, "converged": all(r[0] for r in results)}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="problems")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="build folder")
    parser.add_argument("--output", type=Path, default=ROOT / "out" / "bench" / "friction_threads")
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.build / "python"))
    import saltus
    arguments.output.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in arguments.files or make_structures(saltus, arguments.build, arguments.output):
        row = measure(saltus, path, arguments)
        rows.append(row)
        print(f"{row['file']:40} {row['contacts']:6} contacts: {row['one_s']:8.4f} -> "
              f"{row['several_s']:8.4f} s, {row['ratio']:.2f} times as fast (fastest runs "
              f"{row['ratio_of_fastest']:.2f}; pace of the machine {row['pace']:.2f})"
              + ("" if row["same_bits"] else ", NOT THE SAME BITS")
              + ("" if row["converged"] else ", NOT CONVERGED"), flush=True)
    with open(arguments.output / "threads.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return 0 if all(row["same_bits"] and row["converged"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
