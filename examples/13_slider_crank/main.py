"""A slider-crank whose slider has some play in its guide: it hits the walls with its corners, and drifts from
the ideal mechanism by no more than the play allows.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

# Flores, Leine & Glocker (2010): lengths [m], masses [kg], moments of inertia [kg m²].
crank, rod, half, width, play = 0.153, 0.306, 0.05, 0.025, 1e-3
step = 1e-5

scene = saltus.PlanarScene()
scene.add_body(0.038, 7.4e-5, x=[crank / 2, 0], v=[0, 150 * crank / 2], omega=150)
scene.add_body(0.038, 5.9e-4, x=[crank + rod / 2, 0], v=[0, 75 * rod / 2], omega=-75)
scene.add_body(0.076, 2.7e-6, x=[crank + rod, 0], angle=0.01)
scene.revolute(-1, 0, [0, 0])
scene.revolute(0, 1, [crank, 0])
scene.revolute(1, 2, [crank + rod, 0])
wall = saltus.Coulomb(mu=0.01, e=0.4)
for x in (-half, half):
    scene.on_line(2, wall, normal=[0, 1], offset=-width - play, point=[x, -width])
    scene.on_line(2, wall, normal=[0, -1], offset=-width - play, point=[x, width])
scheme = saltus.MoreauJean(stabilisation=saltus.CombinedProjection())
record = saltus.RecordOptions(every=10)
run = saltus.Simulation(scene.model(), scheme, step=step, record=record).run(0.2)

angle, y, tilt = run["bodies.q[2]"], run["bodies.q[7]"], run["bodies.q[8]"]
ideal = crank * np.cos(angle) + np.sqrt(rod**2 - (crank * np.sin(angle)) ** 2)
away = np.abs(run["bodies.q[6]"] - ideal).max()
gaps = np.array([run[f"contact{c}.y[0]"] for c in range(4)])
energy = run.report.energy
print(f"{run.report.message()}\n\n{angle[-1] / (2 * math.pi):.1f} turns of the crank; slider at most {away:.2e} m "
      f"from the ideal mechanism, tilted by {np.abs(tilt).max():.2e} rad"
      f"\nenergy {energy.start:.3f} J, then {energy.total:.3f} J: {energy.impact:.3f} J lost in impacts, "
      f"{energy.friction:.3f} J by friction")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    axes[0].plot(run.t, 1e3 * y, lw=0.8)
    for bound in (-1, 1):
        axes[0].axhline(bound * 1e3 * play, color="k", ls="--", lw=0.8)
    axes[0].set(xlabel="time [s]", ylabel="height of the slider [mm]", title="In its guide, with a play of ±1 mm")
    axes[1].plot(1e3 * y, 1e3 * tilt, lw=0.5)
    axes[1].set(xlabel="height of the slider [mm]", ylabel="tilt [mrad]", title="Where it goes")
    axes[2].plot(run.t, run["bodies.v[2]"], lw=0.8)
    axes[2].set(xlabel="time [s]", ylabel="speed of the crank [rad/s]", title="Impacts and friction slow it down")
    figure.savefig(path, dpi=150)

# The pin of the slider is off the axis by the play at most: the ideal mechanism with an offset a has
# x = r cos θ + (l² − (r sin θ − a)²)^½, which differs by a tan of the rod's angle.
most = play * (crank + play) / math.sqrt(rod**2 - (crank + play) ** 2)
# Corners touch a guide of height 2 (width + play) at a tilt of about play/half at most.
ok = (run.report.ok() and gaps.min() > -1e-9 and away < 1.01 * most and np.abs(tilt).max() < 1.1 * play / half
      and energy.impact > 0 and energy.total < energy.start)
sys.exit(0 if ok else 1)
