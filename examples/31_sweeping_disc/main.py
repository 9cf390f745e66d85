"""A disc that moves on a table with a point inside: once the rim has caught it, the point is dragged along
the inward normal, on a tractrix. Moreau's sweeping process, by catching up.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus


def sweep(start, step, end=3.0):
    """-x' in N_K(t)(x), K(t) the unit disc about (t, 0)."""
    model = saltus.sweeping_process(start, saltus.Disk(radius=1.0), lambda t: [t, 0.0])
    return saltus.Simulation(model, saltus.CatchingUp(), step=step).run(end)


def error(run):
    exact = np.stack([run.t - np.tanh(run.t), 1 / np.cosh(run.t)], axis=1)
    return np.abs(run.x - exact).max()


runs = {step: sweep([0.0, 1.0], step) for step in (1e-1, 1e-2, 1e-3)}
inside = sweep([0.0, 0.6], 1e-3)
for step, run in runs.items():
    print(f"step {step:g}: distance from the tractrix {error(run):.2e}")
exact = np.sin(2 * np.arctan(np.exp(-2.2) / 3))
print(f"a point inside, caught at t = 0.8: ends at y = {inside.x[-1, 1]:.6f}, exactly {exact:.6f}")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(9, 4), layout="constrained")
    for t in (0, 1, 2, 3):
        axis.add_patch(plt.Circle((t, 0), 1, fill=False, color="0.7"))
    axis.plot(*runs[1e-3].x.T, label="starts on the rim")
    axis.plot(*runs[1e-1].x.T, ".", ms=4, label="the same, step 0.1")
    axis.plot(*inside.x.T, label="starts inside")
    axis.set(xlabel="x", ylabel="y", xlim=(-1.1, 4.1), ylim=(-1.1, 1.1), aspect="equal")
    axis.legend(loc="lower left")
    figure.savefig(path, dpi=150)

# Order 1: a tenth of the step, a tenth of the error.
ok = all(run.report.ok() for run in runs.values()) and error(runs[1e-3]) < 2e-4
ok = ok and abs(error(runs[1e-2]) / error(runs[1e-3]) - 10) < 1 and abs(inside.x[-1, 1] - exact) < 1e-4
sys.exit(0 if ok else 1)
