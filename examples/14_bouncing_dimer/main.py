"""A dimer, two beads on a rod, bounces on a shaken plate: one bead bounces high, the other hardly, and friction
drives the dimer sideways.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

# Beads of radius r [m] at a distance d, of 0.5 kg each; the plate moves as A cos ωt with A ω² = 0.9 g.
r, d, mass, g, e, omega, step = 0.02, 0.15, 0.5, 9.81, 0.85, 2 * math.pi * 15, 1e-4
amplitude = 0.9 * g / omega**2


class Bead:
    """The bead at the end `side` of the dimer on the plate: gap, and slip to the left."""

    def __init__(self, side):
        self.arm = side * d / 2

    def rows(self):
        return 2

    def dof(self):
        return 3

    def output(self, s):
        return [s.q[1] + self.arm * math.sin(s.q[2]) - r - amplitude * math.cos(omega * s.t), 0]

    def jacobian(self, s):
        return [[0, 1, self.arm * math.cos(s.q[2])], [-1, 0, self.arm * math.sin(s.q[2]) - r]]

    def time_derivative(self, s):
        return [amplitude * omega * math.sin(omega * s.t), 0]


def simulate(mu, tilt):
    inertia = 2 * mass * (d / 2) ** 2 + 2 * 0.4 * mass * r**2
    model = saltus.Model()
    dimer = model.add(saltus.PlanarBodies(m=[2 * mass], inertia=[inertia], gravity=[0, -g]), name="dimer",
                      q=[0, r + amplitude + d / 2 * abs(math.sin(tilt)), tilt])
    for side, name in ((-1, "left"), (1, "right")):
        model.link(dimer, Bead(side), saltus.Coulomb(mu=mu, e=e), name=name)
    return saltus.Simulation(model, saltus.MoreauJean(), step=step).run(3.0)


def drift(run):
    """Mean velocity of the second half, in units of the largest velocity of the plate."""
    x, half = run.q[:, 0], len(run.t) // 2
    return (x[-1] - x[half]) / (run.t[-1] - run.t[half]) / (amplitude * omega)


right, left, smooth = simulate(0.3, 0.2), simulate(0.3, -0.2), simulate(0.0, 0.2)
late = right.t > 1.5
low, high = right["left.y[0]"][late].max(), right["right.y[0]"][late].max()
pushed = -(right["left.r[1]"] + right["right.r[1]"]).sum()
print(f"{right.report.message()}\n\nthe right bead bounces {1e3 * high:.2f} mm high, the left one {1e3 * low:.2f} mm"
      f"\ndrift {drift(right):.4f} of the velocity of the plate, {drift(left):.4f} for the mirror image, "
      f"{drift(smooth):.1e} without friction"
      f"\nmomentum {2 * mass * right.v[-1, 0]:.6f} N s, of friction {pushed:.6f} N s")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    short = right.t > 2.6
    plate = amplitude * np.cos(omega * right.t[short])
    for name in ("left", "right"):
        axes[0].plot(right.t[short], 1e3 * (right[f"{name}.y[0]"][short] + plate), label=f"{name} bead", lw=0.9)
    axes[0].plot(right.t[short], 1e3 * plate, "k", lw=0.9, label="plate")
    axes[0].set(xlabel="time [s]", ylabel="height [mm]", title="One bead bounces, the other hardly")
    axes[0].legend()
    for run, label in ((right, "right end up first"), (left, "left end up first"), (smooth, "no friction")):
        axes[1].plot(run.t, 1e3 * run.q[:, 0], label=label)
    axes[1].set(xlabel="time [s]", ylabel="x [mm]", title="Where the dimer goes")
    axes[1].legend()
    figure.savefig(path, dpi=150)

# Friction is the only horizontal force; the mirror image drifts the other way, as far as impacts of rounding let it.
ok = (all(run.report.ok() for run in (right, left, smooth)) and np.abs(smooth.q[:, 0]).max() < 1e-12
      and abs(2 * mass * right.v[-1, 0] - pushed) < 1e-10 and low < 0.2 * high
      and drift(right) > 0.01 and abs(drift(left) / drift(right) + 1) < 0.2)
sys.exit(0 if ok else 1)
