#!/usr/bin/env python3
"""Circuits against ngspice, and how their cost grows with their size.

    python3 benchmarks/circuits.py [--rounds 3] [--build build] [--only CASE]

Three circuits are simulated by both programs with a list of settings: ngspice with a longest step,
ours with steps that the error chooses (accuracy) and with fixed steps. The reference of each is
ngspice with tight tolerances and nearly ideal diodes; of the inverter chain, whose transistors are
piecewise linear for us and of level 1 for ngspice, each program has its own: ours ngspice with
behavioural sources of the same piecewise-linear law. For each the coarsest setting counts whose
waveforms differ from the reference by at most 1 % of full scale away from commutations (a few steps
around an edge are left out, see Case.quiet), and whose edges cross half of full scale within 1 % of their
delay (1.1 % for ngspice, whose own steps do not come nearer). Accuracies are measured with instants
recorded closely, times with the same .tran line for both programs, over ten times the span: a processor that
wakes up for a few milliseconds does not run at its full speed. Times are processor times, the
medians of rounds in turn: of the program, and of the analysis, which is what the program takes beyond
that of a circuit with one resistor. Then growth: a ladder of diodes and an interleaved converter of
switches, in processor time per step against linear growth.

Writes out/bench/circuits.csv. Exit code: 0 done, 1 a case with chosen steps misses 1 %, 2 ngspice is not
installed. (Fixed steps of backward Euler do not bring the edges of the inverters within 1 %.)
"""
import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

import compare

LIMIT = 0.01  # of full scale, and of the delay of edges
LONGER = 10  # times the span of the accuracy is what is timed
PEER_EDGES = 0.011
NEARLY_IDEAL = ".model dn d(is=1e-12 n=0.01)\n"


@dataclass(frozen=True)
class Case:
    """A circuit for both programs; {step} is replaced. `probes`: our name, ngspice's expression,
    full scale. `quiet` seconds around an edge of the reference are not compared."""
    name: str
    ours: str
    peer: str
    probes: tuple
    end: float
    steps: tuple
    fine: float
    theta: float
    quiet: float = 0.0
    twin: str = ""  # our devices for ngspice, if `peer` has others


RECTIFIER = """V1 a b sin(0 10 50)
R1 b 0 1meg
D1 a out {d}
D2 b out {d}
D3 0 a {d}
D4 0 b {d}
C1 out 0 1m ic=0
Rs out 0 100
"""
BUCK = """V1 in 0 24
D1 0 x {d}
L1 x out 100u ic=0
C1 out 0 47u ic=0
R1 out 0 4
"""


SQUARE = ".func f(x) {" + " + ".join(
    f"{s}*max(x-{a},0)" for s, a in zip((0.09, 0.224055, 0.466367, 1.160648, 2.88659),
                                        (0, 0.1, 0.2487, 0.6185, 1.5383))) + "}\n"


def twin_chain():
    """The chain with our transistors, for ngspice (PL:C-05)."""
    return (SQUARE + ".subckt inv in out vdd\n"
            "Bn out 0 i = 64.74625u*(f(v(in)-1) - f(v(in)-v(out)-1))\n"
            "Bp vdd out i = 64.746u*(f(v(vdd)-v(in)-1) - f(v(out)-v(in)-1))\n"
            "C1 in out 4f\nC2 in 0 2f\nC3 in vdd 2f\nCL out 0 50f\n.ends\nVdd vdd 0 5\n"
            "Vin n0 0 pulse(0 5 1n 0.1n 0.1n 20n 40n)\n"
            + "".join(f"X{k} n{k - 1} n{k} vdd inv\n" for k in range(1, 9)))


def chain(ours):
    """Eight inverters; transistors of both channels are equally strong."""
    model = (".model n nmos(kp=129.4925u vto=1 cgs=2f cgd=2f)\n"
             ".model p pmos(kp=43.164u vto=-1 w=3 cgs=2f cgd=2f)\n" if ours else
             ".model n nmos(level=1 kp=129.4925u vto=1)\n.model p pmos(level=1 kp=129.492u vto=-1)\n")
    gates = "" if ours else ("C1 in out 4f\nC2 in 0 2f\nC3 in vdd 2f\n")
    size = "" if ours else " w=1u l=1u"
    return (model + ".subckt inv in out vdd\n" + f"Mn out in 0 0 n{size}\nMp out in vdd vdd p{size}\n"
            + gates + "CL out 0 50f\n.ends\nVdd vdd 0 5\n"
            "Vin n0 0 pulse(0 5 1n 0.1n 0.1n 20n 40n)\n"
            + "".join(f"X{k} n{k - 1} n{k} vdd inv\n" for k in range(1, 9)))


CASES = (
    Case("bridge", RECTIFIER.format(d=""), RECTIFIER.format(d="dn") + NEARLY_IDEAL,
         (("v(out)", "v(out)", 10), ("v(a,b)", "v(a)-v(b)", 10)), end=5.0,
         steps=(500e-6, 200e-6, 100e-6, 50e-6, 20e-6), fine=20e-6, theta=0.5),
    Case("buck", BUCK.format(d="") + "S1 in x pulse(0 1 0 0 0 4u 10u)\n",
         BUCK.format(d="dn") + NEARLY_IDEAL + "Vc c 0 pulse(0 1 0 1n 1n 3.999u 10u)\n"
         "S1 in x c 0 sw\n.model sw sw(vt=0.5 vh=0 ron=1u roff=1g)\n",
         (("v(out)", "v(out)", 24), ("i(l1)", "i(l1)", 6)), end=10e-3,
         steps=(2e-6, 1e-6, 0.5e-6, 0.2e-6, 0.1e-6), fine=0.02e-6, theta=1.0),
    Case("inverter_chain", chain(True), chain(False),
         (("v(n1)", "v(n1)", 5), ("v(n8)", "v(n8)", 5)), end=2e-6,
         steps=(2e-9, 1e-9, 500e-12, 200e-12, 100e-12, 50e-12, 20e-12), fine=20e-12, theta=1.0, quiet=1e-9,
         twin=twin_chain()),
)
ACCURACIES = (1e-1, 3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4)


def timed(command):
    """The finished process and its processor time [s], which other work on the machine disturbs
    less than the time on the wall."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, cwd=compare.ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def uic(case):
    return "" if case.name == "inverter_chain" else " uic"


def run_peer(case, step, folder, tight=False, output=True, twin=False):
    """Waveforms (t, one row per probe) if output, and the processor seconds of the program."""
    options = ".options reltol=1e-6 abstol=1e-12 vntol=1e-9\n" if tight else ""
    data, netlist = folder / "peer.txt", folder / "peer.cir"
    data.unlink(missing_ok=True)
    write = f"wrdata {data} {' '.join(p[1] for p in case.probes)}\n" if output else ""
    netlist.write_text(
        f"{case.name}\n{case.twin if twin else case.peer}{options}.tran {step} {case.end} 0 {step}{uic(case)}\n.control\n"
        f"set wr_vecnames\nrun\n{write}.endc\n.end\n")
    done, seconds = timed(["ngspice", "-b", str(netlist)])
    if not output:
        return None, None, seconds
    if not data.exists():
        raise RuntimeError(f"ngspice failed on {case.name}: {done.stdout[-400:]}{done.stderr[-400:]}")
    table = np.loadtxt(data, skiprows=1)
    return table[:, 0], table[:, 1::2].T, seconds


def run_ours(case, setting, build, folder, output=True):
    """`setting`: ("accuracy", a) or ("step", h). With output, chosen steps are recorded closely:
    edges are to be read off."""
    netlist, data = folder / "ours.cir", folder / "ours.csv"
    kind, number = setting
    record = case.fine if output else case.steps[0]
    step, options = ((record, f"accuracy={number}") if kind == "accuracy"
                     else (number, f"theta={case.theta}"))
    netlist.write_text(f"{case.name}\n{case.ours}.tran {step} {case.end}{uic(case)}\n"
                       f".options {options}\n"
                       f".probe {' '.join(p[0] for p in case.probes)}\n")
    command = [f"{build}/bin/saltus", "circuit", str(netlist), "--json"]
    done, seconds = timed(command + (["--output", str(data)] if output else []))
    if done.returncode != 0:
        raise RuntimeError(f"saltus failed on {case.name}: {done.stderr}")
    if not output:
        return None, None, seconds
    # a name like v(a,b) holds a comma, so the row of names is not split
    table = np.loadtxt(data, delimiter=",", skiprows=1)
    return table[:, 0], table[:, 1:].T, seconds


EMPTY = Case("empty", "V1 a 0 1\nR1 a 0 1\n", "V1 a 0 1\nR1 a 0 1\n", (("v(a)", "v(a)", 1),), end=2.0,
             steps=(1.0, 1.0), fine=1.0, theta=1.0)


def difference(case, reference, t, waves):
    """Largest difference to the reference, in parts of full scale, away from its edges."""
    t0, waves0 = reference
    worst = 0.0
    for (_, _, scale), wave0, wave in zip(case.probes, waves0, waves):
        expected = np.interp(t, t0, wave0)
        gap = np.abs(wave - expected) / scale
        if case.quiet > 0:  # left out: where the reference or we ourselves are between the rails
            moving = lambda x: (x > 0.02 * scale) & (x < 0.98 * scale)
            times = np.concatenate([t0[moving(wave0)], t[moving(wave)]])
            times.sort()
            near = np.searchsorted(times, t + case.quiet) > np.searchsorted(times, t - case.quiet)
            gap = gap[~near]
        worst = max(worst, gap.max())
    return worst


def crossings(t, wave, level):
    """Instants at which the wave crosses the level, on straight lines."""
    over = wave > level
    at = np.flatnonzero(over[1:] != over[:-1])
    return t[at] + (t[at + 1] - t[at]) * (level - wave[at]) / (wave[at + 1] - wave[at])


def edge_error(case, reference, t, waves):
    """Largest error of an edge of the last wave, in parts of its delay after the input's edge."""
    expected = crossings(reference[0], reference[1][-1], case.probes[-1][2] / 2)
    found = crossings(t, waves[-1], case.probes[-1][2] / 2)
    if len(expected) != len(found):
        return np.inf
    return np.abs(found - expected).max() / (expected[0] - 1.05e-9)


def coarsest(case, reference, settings, runner, limit=LIMIT):
    """The first setting whose waveforms and edges are close enough, their differences."""
    for setting in settings:
        t, waves, _ = runner(setting)
        gap = difference(case, reference, t, waves)
        edges = edge_error(case, reference, t, waves) if case.quiet > 0 else 0.0
        if gap <= LIMIT and edges <= limit:
            break
    return setting, gap, edges


def best(runner, rounds):
    return min(runner()[2] for _ in range(rounds))


def medians(ours, peer, rounds):
    """Median times of both programs, run in turn."""
    times = np.array([(ours()[2], peer()[2]) for _ in range(rounds)])
    return np.median(times, axis=0)


def describe(setting, gap, edges):
    text = f"{setting[0]} {setting[1]:g}, {100 * gap:.2f} % off"
    return text + (f", edges {100 * edges:.1f} % of their delay" if edges else "")


def compare_case(case, build, folder, rounds, starts):
    """Rows of the table, and whether all settings were close enough."""
    theirs_reference = run_peer(case, case.fine, folder, tight=True)[:2]
    reference = run_peer(case, case.fine, folder, tight=True, twin=True)[:2] if case.twin \
        else theirs_reference
    peer, peer_gap, peer_edges = coarsest(case, theirs_reference, case.steps,
                                          lambda h: run_peer(case, h, folder), PEER_EDGES)
    rows, fine = [], True
    for kind, numbers in (("accuracy", ACCURACIES), ("step", case.steps)):
        runner = lambda setting: run_ours(case, setting, build, folder)
        setting, gap, edges = coarsest(case, reference, [(kind, x) for x in numbers], runner)
        timed_case = replace(case, end=LONGER * case.end)
        mine, theirs = medians(lambda: run_ours(timed_case, setting, build, folder, False),
                               lambda: run_peer(timed_case, peer, folder, output=False), rounds)
        fine = fine and (kind == "step" or (gap <= LIMIT and edges <= LIMIT))
        note = (f"{describe(setting, gap, edges)}; ngspice "
                f"{describe(('step', peer), peer_gap, peer_edges)}")
        for what, a, b in (("analysis", mine - starts[0], theirs - starts[1]),
                           ("program", mine, theirs)):
            rows.append((f"{case.name}_{kind}_{what}", f"{1e3 * a:.4g}", f"{1e3 * b:.4g}",
                         f"{b / a:.3g}", "ms", note))
    return rows, fine


def against_ngspice(build, rounds, only):
    rows, fine = [], True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts = (best(lambda: run_ours(EMPTY, ("step", 1.0), build, folder, False), 2 * rounds),
                  best(lambda: run_peer(EMPTY, 1.0, folder, output=False), 2 * rounds))
        rows.append(("start", f"{1e3 * starts[0]:.4g}", f"{1e3 * starts[1]:.4g}",
                     f"{starts[1] / starts[0]:.3g}", "ms", "program with one resistor"))
        for case in CASES:
            if only and case.name != only:
                continue
            more, close = compare_case(case, build, folder, rounds, starts)
            rows += more
            fine = fine and close
    return rows, fine


def ladder(nodes):
    lines = ["diode ladder", "V1 n0 0 sin(0 100 1k)"]
    for k in range(1, nodes // 2 + 1):
        lines += [f"R{k} n{k - 1} n{k} 1", f"D{k} n{k} p{k}", f"C{k} p{k} 0 0.1u", f"Rl{k} p{k} 0 10k"]
    return "\n".join([*lines, ".tran 2u 4m 0 2u uic", ".probe v(n1)"]) + "\n"


def converter(switches):
    """Interleaved half bridges, two switches with diodes each, on one output."""
    phases = switches // 2
    lines = [f"converter with {switches} switches", "V1 in 0 48"]
    for k in range(phases):
        delay = 10e-6 * k / phases
        lines += [f"Sa{k} in x{k} pulse(0 1 {delay:.9g} 0 0 2.5u 10u)", f"Da{k} x{k} in",
                  f"Sb{k} x{k} 0 pulse(0 1 {delay + 2.5e-6:.9g} 0 0 7.5u 10u)", f"Db{k} 0 x{k}",
                  f"L{k} x{k} y{k} 100u", f"Rs{k} y{k} out 10m"]
    return "\n".join([*lines, "C1 out 0 1000u", f"Rl out 0 {4 / phases:.6g}",
                      ".tran 0.1u 0.2m 0 0.1u uic", ".probe v(out)"]) + "\n"


def growth(build, rounds):
    rows = []
    with tempfile.TemporaryDirectory() as name:
        netlist = Path(name) / "big.cir"
        for title, make, counts in (("ladder", ladder, (250, 500, 1000, 2000)),
                                    ("converter", converter, (50, 100, 200))):
            first = None
            for count in counts:
                netlist.write_text(make(count))
                best = np.inf
                for _ in range(rounds):
                    done, seconds = timed([f"{build}/bin/saltus", "circuit", str(netlist), "--json"])
                    if done.returncode != 0:
                        raise RuntimeError(f"{title} {count}: {done.stderr}")
                    best = min(best, seconds)
                report = json.loads(done.stdout)
                cost = 1e6 * best / report["steps"]
                first = first or (count, cost)
                linear = first[1] * count / first[0]
                rows.append((f"{title}_{count}", f"{cost:.4g}", f"{linear:.4g}",
                             f"{linear / cost:.3g}", "us/step",
                             f"{report['unknowns']} unknowns, {report['commutations']} steps with "
                             f"commutations; second column: linear growth"))
    return rows


def main():
    parser = argparse.ArgumentParser(prog="circuits.py")
    parser.add_argument("--build", default="build", help="build folder, from the root of the tree")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="one case, or growth")
    given = parser.parse_args()
    if shutil.which("ngspice") is None:
        print("circuits.py: ngspice is not installed: apt-get install ngspice (Debian 12)")
        return 2
    rows, fine = ([], True) if given.only == "growth" else against_ngspice(
        given.build, given.rounds, given.only)
    if given.only in (None, "growth"):
        rows += growth(given.build, given.rounds)
    compare.print_table("Circuits: ours, ngspice (or linear growth), ratio above 1 is in our favour.",
                        rows)
    compare.write_csv(compare.ROOT / "out" / "bench" / "circuits.csv", rows)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
