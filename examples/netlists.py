"""What the examples with netlists share: run each file of a folder, compare its measurements with the
known values, draw probes."""

import argparse
import sys
from pathlib import Path

import saltus


def check(folder, expected):
    """Runs the netlists; `expected`: file -> {measurement: (value, tolerance)}. Returns the runs and
    whether all is as expected."""
    runs, right = {}, True
    for file, values in expected.items():
        run = saltus.circuit(folder / file)
        runs[file] = run
        report = run.trajectory.report
        print(f"{file}: {run.unknowns} unknowns, {report.steps} steps, {report.seconds * 1e3:.1f} ms")
        for text in run.remarks:
            print(f"  {text}")
        if run.failure:
            print(f"  {run.failure}")
        right = right and not run.failure
        for name, (value, tolerance) in values.items():
            good = abs(run.measures[name] - value) <= tolerance
            right = right and good
            print(f"  {name:<10} {run.measures[name]:14.8g}   expected {value:.8g}"
                  f" ± {tolerance:.2g}{'' if good else '   WRONG'}")
    return runs, right


def draw(panels, scale=1e3, label="t [ms]"):
    """Draws the picture if --plot names a file. `panels`: (title, y label, run, probes, from, to)."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
    path = parser.parse_args().plot
    if not path:
        return
    import matplotlib.pyplot as plt

    rows = (len(panels) + 1) // 2 if len(panels) > 3 else len(panels)
    columns = 2 if len(panels) > 3 else 1
    figure, axes = plt.subplots(rows, columns, figsize=(5 * columns + 2, 2.4 * rows), squeeze=False)
    for ax, (title, y_label, run, probes, begin, end) in zip(axes.T.flat, panels):
        chosen = (run.t >= begin) & (run.t <= end)
        for probe in probes:
            ax.plot(run.t[chosen] * scale, run[probe][chosen], label=probe, linewidth=1)
        ax.set(title=title, ylabel=y_label, xlabel=label)
        ax.legend(loc="upper right", fontsize=8)
    for ax in list(axes.T.flat)[len(panels):]:
        ax.set_visible(False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def leave(right):
    sys.exit(0 if right else 1)


def folder_of(script):
    return Path(script).resolve().parent
