"""The play operator: a piston in a cylinder with a clearance, the simplest hysteresis. And the stop
operator, what is left of the input: a spring in series with dry friction.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

clearance, step = 0.5, 0.01


def signal(t):
    """A triangle that dies out: loops in loops."""
    phase, swing = t % 4, 2 - 0.4 * (t // 4)
    return swing * (phase if phase < 1 else 2 - phase if phase < 3 else phase - 4)


run = saltus.Simulation(saltus.play(clearance, signal), saltus.CatchingUp(), step=step).run(16.0)
u = np.array([signal(t) for t in run.t])

# The play of a function that is monotone between nodes is exact at the nodes.
exact = [0.0]
for value in u[1:]:
    exact.append(max(value - clearance, min(value + clearance, exact[-1])))
error = np.abs(run.x[:, 0] - exact).max()
print(f"largest error at the nodes: {error:.1e}")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the loops into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained")
    axes[0].plot(run.t, u, color="0.6", label="input u")
    axes[0].plot(run.t, run.x[:, 0], label="play x")
    axes[0].set(xlabel="time")
    axes[0].legend()
    axes[1].plot(u, run.x[:, 0], lw=1)
    axes[1].set(xlabel="u", ylabel="x", title="play")
    axes[2].plot(u, u - run.x[:, 0], lw=1)
    axes[2].set(xlabel="u", ylabel="u − x", title="stop")
    figure.savefig(path, dpi=150)

sys.exit(0 if run.report.ok() and error < 1e-12 else 1)
