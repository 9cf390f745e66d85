"""Painlevé's rod: a rod pushed over rough ground, lower end ahead. Beyond a coefficient of friction of 4/3 no
finite force keeps its end sliding: the end stops at once, by an impact without a collision, and the rod
vaults over it.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

half, speed = 0.5, 3.5  # half length [m], speed to the left [m/s]; mass 1 kg


def simulate(mu, step):
    angle = math.atan(2.0)
    scene = saltus.PlanarScene()
    scene.add_body(1.0, half**2 / 3, x=[0, half * math.sin(angle)], angle=angle, v=[-speed, 0])
    scene.on_line(0, saltus.Coulomb(mu=mu), point=[-half, 0], name="lower")
    scene.on_line(0, saltus.Coulomb(mu=mu), point=[half, 0], name="upper")
    return saltus.Simulation(scene.model(gravity=[0, -9.81]), saltus.MoreauJean(), step=step).run(0.6)


# The percussion that stops the lower end: W p = -u, u = (0, speed).
c, s = 1 / math.sqrt(5), 2 / math.sqrt(5)
W = np.array([[1 + 3 * c * c, 3 * s * c], [3 * s * c, 1 + 3 * s * s]])
theory = -np.linalg.solve(W, [0, speed])

slides, jams, fine = simulate(1, 1e-4), simulate(2, 1e-4), simulate(2, 2e-5)
energy = jams.report.energy
print(f"{jams.report.message()}\n\nfriction 1   normal force {slides.r[1, 0] / 1e-4:.3f} N in the first step"
      f"\nfriction 2   percussion {jams.r[1, :2]} N s in the first step, {fine.r[1, :2]} with a fifth of it, theory "
      f"{theory}\nenergy {energy.start:.3f} J, then {energy.total:.3f} J")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for axis, run, mu in zip(axes, (slides, jams), (1, 2)):
        for k in np.linspace(0, len(run.t) - 1, 13).astype(int):
            x, y, a = run.q[k]
            along = half * np.array([np.cos(a), np.sin(a)])
            ends = np.array([[x, y] - along, [x, y] + along])
            axis.plot(*ends.T, "-", color=plt.cm.viridis(k / len(run.t)), lw=2)
            axis.plot(*ends[0], "o", color=plt.cm.viridis(k / len(run.t)), ms=4)
        axis.axhline(0, color="k", lw=1)
        axis.set(aspect="equal", xlim=(-1.6, 0.35), xlabel="x [m]", ylabel="y [m]",
                 title=f"friction {mu}: the lower end {'slides' if mu == 1 else 'stops at once'}")
        early = run.t < 0.1
        axes[2].plot(run.t[early], run["lower.u[1]"][early], label=f"friction {mu}")
    axes[2].set(xlabel="time [s]", ylabel="sliding velocity [m/s]", title="Velocity of the lower end")
    axes[2].legend()
    figure.savefig(path, dpi=150)


def stops(run, step):
    """What a force adds in a step to the percussion is of the order of m g h."""
    return np.abs(run.r[1, :2] - theory).max() < 20 * step


slid = slides.r[1, 0] < 50 * 1e-4 and slides.u[1, 1] > 0.9 * speed
sys.exit(0 if slides.report.ok() and jams.report.ok() and slid and stops(jams, 1e-4) and stops(fine, 2e-5)
         and energy.total <= energy.start else 1)
