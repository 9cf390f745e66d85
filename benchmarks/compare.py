"""Runs our program and a peer's alternately, checks that both computed the same, and reports.

A benchmark is a list of `Case`s handed to `main`, see spine.py. Each command prints one JSON line

    {"case": ..., "steps": ..., "seconds": ..., "final": {...}, "ok": ..., "note": ...}

with `seconds` the time of the loop over `steps` steps and `final` the state reached; an optional
`cpu_seconds` is the processor time of the same loop, taken instead with --clock cpu. The commands
run in turn (ours, peer, ours, peer, ...) so that the load of the machine meets both alike; the
best rate of each side counts. A row is valid only if both sides say `ok` in every round and
their final states agree: |a - b| <= tolerance * max(1, |a|, |b|) for every value compared.

A case with a `limit` has a peer that may not finish: it runs once, in a process of its own, and is
ended `limit` seconds after it began its first step (it says {"steps": ..., "cpu": ...} on standard
error then, with the number of steps). If it has not done them by then, the row gives bounds:
"< peer", ">= ratio".

The table and the file out/bench/<name>.csv (columns case,ours,peer,ratio,unit,note) give
steps per second and ratio = ours / peer: above 1 we are faster.

Exit code: 0 all rows valid, 1 a row is not or our program is missing, 2 peer not installed.
"""
import argparse
import csv
import json
import resource
import select
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UNIT = "steps/s"
CLOCKS = {"wall": "seconds", "cpu": "cpu_seconds"}  # --clock and the key of the JSON line


@dataclass(frozen=True)
class Peer:
    """The program we compare with: `probe` is a command that succeeds if it is installed."""
    name: str
    probe: tuple
    install: str  # one line: how to get it


@dataclass(frozen=True)
class Case:
    """One comparison. Commands start in the root of the tree; {build} is the build folder."""
    name: str
    ours: tuple
    peer: tuple
    tolerance: float = 1e-9
    check: tuple = ()  # keys of `final` that both must give; empty: all keys they share
    note: str = ""
    limit: float = 0  # seconds that the peer has for its steps; 0: as --timeout says


class Failure(Exception):
    """A command that did not give a valid result; the text says which and why."""


def run(command, clock, timeout):
    """Rate, final state and note that a command reports; `clock` is the key of its time."""
    text = " ".join(command)
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"`{text}` took longer than {timeout} s") from None
    if done.returncode != 0:
        message = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise Failure(f"`{text}` ended with code {done.returncode}: {message}")
    try:
        result = json.loads(done.stdout)
        rate = result["steps"] / result[clock]
        if not (result["ok"] and rate > 0):
            raise Failure(f"`{text}` reports: {result.get('note', 'not ok')}")
        return rate, result["final"], result.get("note", "")
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise Failure(f"`{text}` did not print the JSON line: {error!r}") from None


def unfinished(command, clock, limit, timeout):
    """Runs the command until `limit` seconds after its model was built: the number of steps and
    the seconds, by the clock, that were too short for them, or None if it ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    ready = select.select([process.stderr], [], [], timeout)[0]
    first = process.stderr.readline() if ready else ""
    try:
        built = json.loads(first)
    except ValueError:
        process.kill()
        process.communicate()
        raise Failure(f"`{' '.join(command)}` built no model: {first.strip() or 'no message'}") \
            from None
    ready = time.perf_counter()
    try:
        process.communicate(timeout=limit)
        return None
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
    spent = time.perf_counter() - ready if clock == "seconds" else cpu - built["cpu"]
    return built["steps"], spent


def measure_bound(case, chosen):
    """The row of a case with a limit: a bound, or as any other if the peer keeps to the limit."""
    ours = [part.format(build=chosen.build) for part in case.ours]
    clock = CLOCKS[chosen.clock]
    try:
        bound = unfinished(list(case.peer), clock, case.limit, chosen.timeout)
        if bound is None:
            return measure(replace(case, limit=0), chosen)
        rate = max(run(ours, clock, chosen.timeout)[0] for _ in range(chosen.rounds))
    except Failure as failure:
        return (case.name, "", "", "", UNIT, f"INVALID: {failure}"), False
    steps, spent = bound
    note = "; ".join(filter(None, (case.note, f"peer: {steps} steps not done in {spent:.0f} s")))
    return (case.name, f"{rate:.4g}", f"< {steps / spent:.2g}", f">= {rate * spent / steps:.3g}",
            UNIT, note), True


def values(state, keys):
    """The numbers under the keys, lists laid out flat, as pairs (label, number)."""
    for key in keys:
        entry = state[key]
        if isinstance(entry, list):
            yield from ((f"{key}[{i}]", float(x)) for i, x in enumerate(entry))
        else:
            yield key, float(entry)


def compare_states(case, ours, peer):
    """Raises Failure unless the final states agree; returns the largest scaled difference."""
    keys = case.check or sorted(set(ours) & set(peer))
    missing = [key for key in keys if key not in ours or key not in peer]
    if missing or not keys:
        raise Failure(f"final states lack {missing or 'any common key'}: "
                      f"ours has {sorted(ours)}, peer has {sorted(peer)}")
    ours, peer = list(values(ours, keys)), list(values(peer, keys))
    if [label for label, _ in ours] != [label for label, _ in peer]:
        raise Failure("final states differ in length")
    worst = 0.0
    for (label, a), (_, b) in zip(ours, peer):
        difference = abs(a - b) / max(1.0, abs(a), abs(b))
        if not difference <= case.tolerance:
            raise Failure(f"final states differ: {label} ours {a!r}, peer {b!r}, "
                          f"tolerance {case.tolerance:g}")
        worst = max(worst, difference)
    return worst


def measure(case, chosen):
    """Row (case, ours, peer, ratio, unit, note) and whether it is valid."""
    if case.limit > 0:
        return measure_bound(case, chosen)
    ours = [part.format(build=chosen.build) for part in case.ours]
    clock = CLOCKS[chosen.clock]
    best = [0.0, 0.0]
    try:
        for _ in range(chosen.rounds):
            our_rate, our_state, _ = run(ours, clock, chosen.timeout)
            peer_rate, peer_state, peer_note = run(list(case.peer), clock,
                                                 chosen.timeout)
            worst = compare_states(case, our_state, peer_state)
            best = [max(best[0], our_rate), max(best[1], peer_rate)]
    except Failure as failure:
        return (case.name, "", "", "", UNIT, f"INVALID: {failure}"), False
    note = "; ".join(filter(None, (case.note, f"states agree to {worst:.1e}", peer_note)))
    return (case.name, f"{best[0]:.4g}", f"{best[1]:.4g}", f"{best[0] / best[1]:.3g}", UNIT,
            note), True


def print_table(title, rows):
    head = ("case", "ours", "peer", "ratio")
    table = [head] + [row[:4] for row in rows]
    width = [max(len(row[i]) for row in table) for i in range(4)]
    print(title)
    for line, row in enumerate(table):
        cells = [row[0].ljust(width[0])] + [row[i].rjust(width[i]) for i in (1, 2, 3)]
        print("  ".join(cells) + ("" if line == 0 else "  " + rows[line - 1][5]))


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("case", "ours", "peer", "ratio", "unit", "note"))
        writer.writerows(rows)


def installed(peer):
    try:
        return subprocess.run(peer.probe, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def options(name, cases):
    parser = argparse.ArgumentParser(prog=f"{name}.py")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each side, best counts")
    parser.add_argument("--build", default="build", help="build folder, from the root of the tree")
    parser.add_argument("--only", action="append", choices=[case.name for case in cases],
                        help="only this case; may be repeated")
    parser.add_argument("--clock", choices=CLOCKS, default="wall", help="which time is compared")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds per command")
    chosen = parser.parse_args()
    if chosen.rounds < 1:
        parser.error(f"--rounds: at least 1, given {chosen.rounds}")
    return chosen


def main(name, what, peer, cases):
    """Runs the benchmark `name`; `what` says what is compared. Returns the exit code."""
    chosen = options(name, cases)
    if not installed(peer):
        print(f"{name}: {peer.name} is not installed. To get it: {peer.install}")
        return 2
    cases = [case for case in cases if not chosen.only or case.name in chosen.only]
    for program in sorted({case.ours[0].format(build=chosen.build) for case in cases}):
        if not (ROOT / program).is_file():
            print(f"{name}: our program {program} is missing; build it first "
                  f"(or name the build folder with --build)")
            return 1
    rows, valid = [], True
    for case in cases:
        row, good = measure(case, chosen)
        rows.append(row)
        valid = valid and good
    print_table(f"{what}\nPeer: {peer.name}. Steps per second ({chosen.clock} time), "
                f"best of {chosen.rounds} alternating runs; ratio = ours / peer.", rows)
    path = ROOT / "out" / "bench" / f"{name}.csv"
    write_csv(path, rows)
    print(f"written: {path.relative_to(ROOT)}")
    return 0 if valid else 1


if __name__ == "__main__":
    sys.exit("compare.py is used by the benchmarks next to it, e.g. python3 benchmarks/spine.py")
