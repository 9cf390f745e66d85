"""A chain of rigid links, held at one end and let go horizontally, swings and falls over a peg: joints,
contacts with friction, and positions that do not drift.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

n, length, radius = 20, 0.1, 0.015
scene = saltus.RigidScene()
# A peg across the plane of the motion, half-way below the hook.
scene.fix_box([0.05, 0.5, 0.05], x=[0.6, 0, -0.45], turn=[0, 0.6, 0], mu=0.4)
for i in range(n):
    # A capsule has its axis along z: turned into the x-axis.
    scene.add_capsule(radius, 0.5 * length - radius, x=[(i + 0.5) * length, 0, 0], turn=[0, np.pi / 2, 0],
                      mu=0.4, density=2000)
    scene.ball(i - 1, i, [i * length, 0, 0], name=f"joint{i}")  # body -1 is the world
model = scene.model(gravity=[0, 0, -9.81])
scheme = saltus.MoreauJean(theta=0.5, stabilisation=saltus.CombinedProjection())
run = saltus.Simulation(model, scheme, step=1e-3).run(1.5)

joints = np.array([[run[f"joint{i}.y[{k}]"] for k in range(3)] for i in range(n)])
gap = np.abs(joints).max()
energy = run.report.energy
print(f"{run.report.message()}\n\nlargest gap in a joint   {gap:.1e} m"
      f"\nenergy {energy.start:.3f} J, then {energy.total:.3f} J: {energy.impact:.3f} J lost in impacts, "
      f"{energy.friction:.3f} J by friction, {energy.scheme:.3f} J by the scheme")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle
    from matplotlib.transforms import Affine2D

    figure, axis = plt.subplots(figsize=(9, 7), layout="constrained")
    for k in np.linspace(0, len(run.t) - 1, 13).astype(int):
        q = run.q[k].reshape(n, 7)
        w, x, y, z = q[:, 3:].T
        along = np.column_stack([2 * (x * z + w * y), 1 - 2 * (x**2 + y**2)])  # body z-axis in x, z
        ends = q[:, [0, 2]] - 0.5 * length * along
        points = np.vstack([ends, q[-1, [0, 2]] + 0.5 * length * along[-1]])
        axis.plot(*points.T, "-", color=plt.cm.viridis(run.t[k] / run.t[-1]), lw=1.5,
                  label=f"{run.t[k]:.2f} s")
    peg = Rectangle((-0.05, -0.05), 0.1, 0.1, fc="0.5")
    peg.set_transform(Affine2D().rotate(-0.6).translate(0.6, -0.45) + axis.transData)
    axis.add_patch(peg)
    axis.plot(0, 0, "k^", ms=10)
    axis.set(aspect="equal", xlabel="x [m]", ylabel="z [m]", title="A chain of 20 links falls over a peg")
    axis.legend(fontsize="small")
    figure.savefig(path, dpi=150)

# Projection puts the joints back to its tolerance; a dissipative motion does not gain energy.
sys.exit(0 if run.report.ok() and gap < 1e-9 and energy.total < energy.start else 1)
