"""A slender block, tilted and let go, rocks from edge to edge and loses speed at each landing, as in
Housner's analysis: no restitution, no bounce, enough friction not to slide.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

b, h, g = 0.1, 0.4, 9.81  # half width, half height [m]
R, alpha = math.hypot(b, h), math.atan2(b, h)
p = math.sqrt(3 * g / (4 * R))  # of a rectangle: I = 4/3 m R² about an edge
theta0 = 0.5 * alpha

scene = saltus.RigidScene()
scene.fix_plane(mu=0.8)
# The right edge stands on the ground at x = 0, the block leans over it by theta0.
centre = [-b * math.cos(theta0) + h * math.sin(theta0), 0, b * math.sin(theta0) + h * math.cos(theta0)]
scene.add_box([b, 0.2, h], x=centre, turn=[0, theta0, 0], mu=0.8)
model = scene.model(gravity=[0, 0, -g])
step = 5e-4
sim = saltus.Simulation(model, saltus.MoreauJean(theta=0.5), step=step)
run = sim.run(4.0)

tilt = 2 * np.arctan2(run["bodies.q[5]"], run["bodies.q[3]"])
rate = run["bodies.v[4]"]
landings = np.flatnonzero(np.sign(tilt[1:]) != np.sign(tilt[:-1]))

# Exact: theta'' = -p² sin(alpha - theta) until the block stands; at a landing the angular momentum about
# the new edge is kept, omega+ = (1 - 3/2 sin² alpha) omega-.
ratio = 1 - 1.5 * math.sin(alpha) ** 2


def fall(theta):
    """Time from rest at theta to upright: the integral of dx / |theta'|, with x = theta - u²."""
    u = (np.arange(20000) + 0.5) / 20000 * math.sqrt(theta)
    x = theta - u**2
    speed2 = 2 * p**2 * (np.cos(alpha - theta) - np.cos(alpha - x))
    return float(np.sum(2 * u / np.sqrt(speed2)) * math.sqrt(theta) / 20000)


print(f"{run.report.message()}\n\nlanding    exact  simulated   speed ratio")
times, late, off, angle = [], [], [], theta0
t = fall(angle)
for k in range(4):
    i = landings[k]
    before, after = rate[i - 2], rate[i + 3]
    times.append(t)
    late.append(abs(run.t[i] - t))
    off.append(abs(after / before - ratio))
    print(f"{k + 1:7} {t:8.4f}   {run.t[i]:8.4f}      {after / before:.4f}")
    # Height of the next swing: cos(alpha - angle) from the energy behind the landing.
    energy = ratio**2 * (math.cos(alpha - angle) - math.cos(alpha))
    angle = alpha - math.acos(math.cos(alpha) + energy)
    t += 2 * fall(angle)
print(f"\nexact ratio 1 - 3/2 sin²(alpha) = {ratio:.4f}")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, (top, bottom) = plt.subplots(2, 1, sharex=True, figsize=(8, 6), layout="constrained")
    top.plot(run.t, np.degrees(tilt))
    top.plot(times, np.zeros(len(times)), "k.", label="exact landings")
    top.axhline(np.degrees(alpha), color="0.7", lw=0.8)
    top.set(ylabel="tilt [°]", title="A block rocks from edge to edge")
    top.legend()
    bottom.plot(run.t, rate)
    bottom.set(xlabel="time [s]", ylabel="angular velocity [rad/s]", title="It jumps at each landing")
    figure.savefig(path, dpi=150)

# The scheme is of order 1: a landing is caught within a step, and each earlier one shifts it by a
# few more. The speeds are read a few steps away from the landing, where p² alpha times that adds.
ok = run.report.ok() and max(late) < 20 * step and max(off) < 0.02
sys.exit(0 if ok else 1)
