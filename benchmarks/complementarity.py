#!/usr/bin/env python3
"""The default solver against every solver of SICONOS 4.4 on a folder of complementarity problems.

    python3 benchmarks/complementarity.py [FOLDER] [--only TEXT] [--sizes 10 30 100 300 1000 2000]
                                          [--tolerance 1e-8] [--limit 10] [--cut 2] [--build build]
                                          [--no-growth]

FOLDER may hold LCP, MLCP and relay problems in any form that Saltus reads; without it the families
of complementarity_families.hpp are generated into out/bench/problems. Both sides get the same
numbers, start from z = 0 and one thread, and are judged by the same residual computed here from
(M, q, z): |z - P(z - (M z + q))| <= tolerance * max(1, |q|), maximum norms. Only the call of the
solver is timed (peers/siconos/complementarity.py and complementarity.cpp say how).

For each problem the ratio is the time of the fastest SICONOS solver over ours: above 1 we are
faster. A problem that no SICONOS solver solves within the limit counts with the limit, as a lower
bound (">"). Writes out/bench/complementarity.csv (one row per problem), complementarity_solvers.csv
(one per problem and solver) and the performance profile complementarity.png: the share of the
problems that a solver solves within a factor of the best time of all.

Then Lemke alone on columns of beads and on meshes of 100 to 5000 unknowns, cold, with the exponent
of the growth between neighbours.

Exit code: 0 if we solve every problem that SICONOS solves, 1 if not, 2 if SICONOS is not installed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np

import compare
from spine import SICONOS

OUT = compare.ROOT / "out" / "bench"
SUFFIXES = {".h5", ".dat", ".mtx", ".txt"}
SLOW = 1.5  # a problem is listed when we take this many times as long
RETAKES = 2  # of a time that came out slow
ONE_THREAD = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
GROWTH = (100, 300, 1000, 3000, 5000)


def residual(arrays, z):
    """Of w = M z + q, -w in N_[lower, upper](z); and the largest entry of q."""
    data = np.fromfile(arrays)
    n = int(data[0])
    lower, upper, q = data[1:1 + 3 * n].reshape(3, n)
    w = z @ data[1 + 3 * n:].reshape(n, n) + q
    error = np.abs(z - np.clip(z - w, lower, upper)).max()
    return (float(error) if np.isfinite(error) else float("inf")), float(np.abs(q).max())


def our_command(chosen, file, work, *keys):
    return [str(Path(chosen.build) / "bin" / "saltus-bench-complementarity"), "solve", str(file),
            str(work), "--tolerance", str(chosen.tolerance), *keys]


def run_ours(chosen, file, work):
    """The answer of our default, with the residual; seconds is None unless it is small enough."""
    try:
        done = subprocess.run(our_command(chosen, file, work), cwd=compare.ROOT, env=ONE_THREAD,
                              capture_output=True, text=True, timeout=10 * chosen.limit + 60)
    except subprocess.TimeoutExpired:
        return {"seconds": None, "note": "no answer", "residual": float("inf")}
    if done.returncode != 0:
        return {"seconds": None, "note": done.stderr.strip(), "residual": float("inf")}
    answer = json.loads(done.stdout)
    error, size = residual(f"{work}.arrays", np.fromfile(f"{work}.z"))
    solved = error <= chosen.tolerance * max(1.0, size)
    if not solved and answer["status"] == "converged":
        raise SystemExit(f"{file}: says converged, but the residual is {error:.3g}")
    answer.update(residual=error, note=answer["status"], size=size)
    if not solved:
        answer["seconds"] = None
    return answer


def run_peer(chosen, work, limit):
    """The rows of all solvers of the peer."""
    command = ["/usr/bin/python3", "benchmarks/peers/siconos/complementarity.py", f"{work}.arrays",
               "--tolerance", str(chosen.tolerance), "--limit", str(limit),
               "--cut", str(chosen.cut)]
    done = subprocess.run(command, cwd=compare.ROOT, env=ONE_THREAD, capture_output=True, text=True,
                          check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(chosen, file):
    """One problem: its name, our answer, and the peer's rows. Calls of microseconds that came out
    slow are timed again, on both sides: a disturbance outlasts their 0.2 s of repeats."""
    result = measure_once(chosen, file)
    for _ in range(RETAKES):
        r = ratio(result)
        if r is None or r >= 1 / SLOW or result["ours"]["seconds"] > 1e-3:
            break
        again = measure_once(chosen, file)
        result = {**result, "ours": quicker(result["ours"], again["ours"]),
                  "peer": list(map(quicker, result["peer"], again["peer"]))}
    return result


def measure_once(chosen, file):
    work = OUT / "work" / file.stem
    ours = run_ours(chosen, file, work)
    # where nobody else ends in time the limit is a bound of the ratio: it must not be below ours
    limit = max(chosen.limit, SLOW * (ours["seconds"] or 0))
    peer = run_peer(chosen, work, limit) if Path(f"{work}.arrays").is_file() else []
    for leftover in (f"{work}.arrays", f"{work}.z"):
        Path(leftover).unlink(missing_ok=True)
    return {"problem": file.stem, "limit": limit, "ours": ours, "peer": peer}


def quicker(a, b):
    times = [float("inf") if row["seconds"] is None else row["seconds"] for row in (a, b)]
    return a if times[0] <= times[1] else b


def best_of(rows):
    solved = [row for row in rows if row["seconds"] is not None]
    return min(solved, key=lambda row: row["seconds"]) if solved else None


def ratio(result):
    """Time of the best peer over ours; None if we fail, or if nobody solves the problem in time."""
    if result["ours"]["seconds"] is None:
        return None
    best = best_of(result["peer"])
    return (best["seconds"] if best else result["limit"]) / result["ours"]["seconds"]


def family(name):
    head, _, tail = name.rpartition("_")
    return head if tail.isdigit() else name.split("_")[0]


def microseconds(seconds):
    return "" if seconds is None else f"{1e6 * seconds:.4g}"


def table(results):
    rows = []
    for result in results:
        best, r = best_of(result["peer"]), ratio(result)
        text = "" if r is None else f"{'' if best else '>'}{r:.3g}"
        rows.append((result["problem"], microseconds(result["ours"]["seconds"]),
                     microseconds(best and best["seconds"]), text, "us",
                     f"{best['solver'] if best else 'none'}; ours: {result['ours']['note']}, "
                     f"{result['ours'].get('iterations', 0)} iterations, "
                     f"residual {result['ours']['residual']:.1e}"))
    return rows


def write_solvers(results):
    lines = ["problem,solver,seconds,residual,note"]
    for result in results:
        for row in [{**result["ours"], "solver": "saltus"}, *result["peer"]]:
            error = "" if row.get("residual") is None else f"{row['residual']:.3g}"
            seconds = "" if row["seconds"] is None else f"{row['seconds']:.6g}"
            lines.append(f"{result['problem']},{row['solver']},{seconds},{error},{row['note']}")
    (OUT / "complementarity_solvers.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def summary(results):
    """Median, geometric mean and extremes of the ratios, whole and by family."""
    ratios = {result["problem"]: ratio(result) for result in results}
    groups = {}
    for name, r in ratios.items():
        groups.setdefault(family(name), []).append((name, r))
    print(f"\n{'family':20s} {'problems':>8s} {'median':>8s} {'mean':>8s} {'least':>8s}  of")
    for name, members in [*groups.items(), ("all", list(ratios.items()))]:
        known = [(r, problem) for problem, r in members if r is not None]
        if not known:
            print(f"{name:20s} {len(members):8d}  none solved")
            continue
        values = [r for r, _ in known]
        print(f"{name:20s} {len(members):8d} {statistics.median(values):8.3g} "
              f"{statistics.geometric_mean(values):8.3g} {min(known)[0]:8.3g}  {min(known)[1]}")
    slow = sorted((r, name) for name, r in ratios.items() if r is not None and r < 1 / SLOW)
    print(f"slower than {SLOW} times the best SICONOS solver:",
          ", ".join(f"{name} ({1 / r:.2g})" for r, name in slow) or "none")
    lost = [result["problem"] for result in results
            if ratios[result["problem"]] is None and best_of(result["peer"])]
    print("solved by SICONOS only:", ", ".join(lost) or "none")
    nobody = [result["problem"] for result in results
              if ratios[result["problem"]] is None and not best_of(result["peer"])]
    print("solved by nobody:", ", ".join(nobody) or "none")
    return not lost


def draw_profile(results, path):
    """Share of problems over the factor of the best time of all solvers."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    times = {}
    for result in results:
        rows = [{**result["ours"], "solver": "Saltus, default"}, *result["peer"]]
        for row in rows:
            if row["seconds"] is not None:
                times.setdefault(row["solver"], {})[result["problem"]] = row["seconds"]
        best = best_of(result["peer"])
        if best:
            times.setdefault("best of SICONOS", {})[result["problem"]] = best["seconds"]
    least = {result["problem"]: min((t[result["problem"]] for t in times.values()
                                     if result["problem"] in t), default=None)
             for result in results}
    grid = np.logspace(0, 4, 400)
    figure, axes = pyplot.subplots(figsize=(8, 5))
    order = sorted(times, key=lambda name: -len(times[name]))
    for name in order:
        factors = np.array([seconds / least[p] for p, seconds in times[name].items()])
        share = [(factors <= g * (1 + 1e-12)).sum() / len(results) for g in grid]
        heavy = name in ("Saltus, default", "best of SICONOS")
        axes.step(grid, share, where="post", linewidth=2.5 if heavy else 1,
                  color={"Saltus, default": "black", "best of SICONOS": "tab:red"}.get(name),
                  linestyle="-" if heavy or order.index(name) < 10 else "--", label=name)
    axes.set(xscale="log", xlim=(1, grid[-1]), ylim=(0, 1.02), xlabel="factor of the best time",
             ylabel="share of the problems solved",
             title=f"{len(results)} complementarity problems")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=7, ncol=1, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.savefig(path, dpi=150, bbox_inches="tight")


def growth(chosen):
    """Lemke, cold, on beads and meshes."""
    folder = OUT / "growth"
    program = str(Path(chosen.build) / "bin" / "saltus-bench-complementarity")
    subprocess.run([program, "generate", str(folder), "sparse_beads,sparse_mesh",
                    *map(str, GROWTH)], cwd=compare.ROOT, check=True)
    print(f"\nLemke on sparse factors, from zero\n{'problem':20s} {'pivots':>8s} {'seconds':>10s}"
          f" {'us/pivot':>9s} {'exponent':>9s}")
    for name in ("sparse_beads", "sparse_mesh"):
        last = None
        for n in GROWTH:
            command = our_command(chosen, folder / f"{name}_{n}.h5", OUT / "work" / "growth",
                                  "--solver", "Lemke", "--arrays", "0")
            done = subprocess.run(command, cwd=compare.ROOT, env=ONE_THREAD, capture_output=True,
                                  text=True, check=True)
            answer = json.loads(done.stdout)
            exponent = "" if last is None else (
                f"{np.log(answer['seconds'] / last[1]) / np.log(n / last[0]):.2f}")
            pivots = max(1, answer["iterations"])
            print(f"{name + '_' + str(n):20s} {answer['iterations']:8d} {answer['seconds']:10.4g} "
                  f"{1e6 * answer['seconds'] / pivots:9.1f} {exponent:>9s}"
                  f"{'' if answer['status'] == 'converged' else '  ' + answer['status']}")
            last = (n, answer["seconds"])


def options():
    parser = argparse.ArgumentParser(prog="complementarity.py")
    parser.add_argument("folder", nargs="?", help="of problems; none: generate them")
    parser.add_argument("--only", default="", help="only problems whose name contains this text")
    parser.add_argument("--sizes", type=int, nargs="+", default=(10, 30, 100, 300, 1000, 2000))
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--limit", type=float, default=10, help="seconds per solve")
    parser.add_argument("--cut", type=float, default=2,
                        help="ends a SICONOS solver that takes so many times the fastest so far")
    parser.add_argument("--build", default="build", help="build folder, from the root of the tree")
    parser.add_argument("--no-growth", action="store_true", help="leave out the growth of Lemke")
    return parser.parse_args()


def main():
    chosen = options()
    if not compare.installed(SICONOS):
        print(f"complementarity: {SICONOS.name} is not installed. To get it: {SICONOS.install}")
        return 2
    (OUT / "work").mkdir(parents=True, exist_ok=True)
    folder = Path(chosen.folder or OUT / "problems")
    if not chosen.folder:
        program = str(Path(chosen.build) / "bin" / "saltus-bench-complementarity")
        subprocess.run([program, "generate", str(folder), "all", *map(str, chosen.sizes)],
                       cwd=compare.ROOT, check=True)
    files = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES
                   and chosen.only in path.stem and not path.stem.endswith("_q"))
    if not chosen.folder:
        files = [path for path in files if int(path.stem.rpartition("_")[2]) in chosen.sizes]
    results = []
    for file in files:
        results.append(measure(chosen, file))
        print(f"{len(results)}/{len(files)} {file.stem}", file=sys.stderr, flush=True)
    if not results:
        print(f"complementarity: no problem files in {folder}")
        return 1
    rows = table(results)
    compare.print_table(f"Default of Saltus and the fastest solver of SICONOS 4.4, microseconds of "
                        f"the solve, residual {chosen.tolerance:g}; ratio = peer / ours.", rows)
    compare.write_csv(OUT / "complementarity.csv", rows)
    write_solvers(results)
    draw_profile(results, OUT / "complementarity.png")
    good = summary(results)
    if not chosen.no_growth:
        growth(chosen)
    print(f"written: {OUT.relative_to(compare.ROOT)}/complementarity.csv, "
          "complementarity_solvers.csv, complementarity.png")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
