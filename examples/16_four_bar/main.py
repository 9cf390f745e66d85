"""A four-bar linkage swings under gravity and comes to rest by dry friction in its four joints.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

# A crank, a coupler and a rocker over a base of 0.5 m: lengths [m], a mass of 1 kg per metre, and a friction
# torque [N m] in every joint.
crank, coupler, rocker, base, torque, step = 0.2, 0.55, 0.4, 0.5, 0.02, 5e-4


def corners(angle):
    """The two moving joints for an angle of the crank."""
    a = crank * np.array([np.cos(angle), np.sin(angle)])
    d = np.array([base, 0]) - a
    length = np.hypot(*d)
    along = (coupler**2 - rocker**2 + length**2) / (2 * length)
    up = np.array([-d[1], d[0]]) / length
    return a, a + along * d / length + np.sqrt(coupler**2 - along**2) * up


start = 2.5
a, b = corners(start)
ends = [(np.zeros(2), a), (a, b), (np.array([base, 0]), b)]
scene = saltus.PlanarScene()
for first, second in ends:
    length = np.hypot(*(second - first))
    scene.add_body(length, length**3 / 12, x=(first + second) / 2, angle=np.arctan2(*(second - first)[::-1]))
scene.revolute(-1, 0, [0, 0], name="crank", friction=torque)
scene.revolute(0, 1, a, name="knee", friction=torque)
scene.revolute(1, 2, b, name="elbow", friction=torque)
scene.revolute(-1, 2, [base, 0], name="rocker", friction=torque)
scheme = saltus.MoreauJean(stabilisation=saltus.CombinedProjection())
run = saltus.Simulation(scene.model(), scheme, step=step).run(8.0)

# Dry friction takes the torque times the way that each joint turns.
angles = run.q[:, [2, 5, 8]]
turns = np.column_stack([angles[:, 0], angles[:, 1] - angles[:, 0], angles[:, 2] - angles[:, 1], angles[:, 2]])
work = torque * np.abs(np.diff(turns, axis=0)).sum()
names = ["crank", "knee", "elbow", "rocker"]
friction = np.column_stack([run[f"{name}.friction.r[0]"] / step for name in names])
energy = run.report.energy
moving = np.flatnonzero(np.abs(run.v[:, 2]) > 1e-6)[-1]
print(f"{run.report.message()}\n\nat rest after {run.t[moving]:.2f} s\n{energy.friction:.4f} J lost by friction, "
      f"{work:.4f} J by the turns of the joints; {energy.scheme:.4f} J by the scheme"
      f"\nthe joints hold {np.abs(friction[-1]).max():.4f} N m at the end, of {torque} N m")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for k in np.linspace(0, 1.2 / step, 9).astype(int):
        p, q = corners(angles[k, 0])
        axes[0].plot(*np.array([[0, 0], p, q, [base, 0]]).T, "o-", ms=3, color=plt.cm.viridis(k * step / 1.2))
    axes[0].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="The first 1.2 s")
    axes[1].plot(run.t, np.degrees(angles[:, 0]))
    axes[1].set(xlabel="time [s]", ylabel="angle of the crank [degrees]", title="It swings and stops")
    axes[2].plot(run.t, friction[:, 0], label="crank", lw=0.8)
    axes[2].plot(run.t, friction[:, 2], label="elbow", lw=0.8)
    axes[2].set(xlabel="time [s]", ylabel="friction torque [N m]", title="At its bound while a joint turns")
    axes[2].legend()
    figure.savefig(path, dpi=150)

# A turn of a step and the velocity at its end differ by O(h²): the two accounts of friction agree far better than
# one in a thousand. At rest friction carries the weight with less than its bound.
ok = (run.report.ok() and abs(energy.friction / work - 1) < 1e-3 and np.abs(run.v[-1]).max() < 1e-6
      and np.abs(friction[-1]).max() < torque)
sys.exit(0 if ok else 1)
