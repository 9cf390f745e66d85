"""Newton's cradle, and what an impact law knows of it. With small gaps the blows pass from ball to ball
and the last one leaves, as on the desk; where the balls touch, Newton's law has all contacts at once.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

n, m, g, length, pull = 5, 0.05, 9.81, 0.15, 0.03
step, omega2 = 1e-4, g / length


def simulate(gap, end):
    """Small swings of n pendulums, q_i'' = -g/l q_i; ball i + 1 stays to the right of ball i."""
    model = saltus.Model()
    balls = model.add(saltus.LinearLagrangian(M=m * np.eye(n), K=m * omega2 * np.eye(n)),
                      q=[-pull] + [0] * (n - 1), name="balls")
    for i in range(n - 1):
        H = np.zeros((1, n))
        H[0, i], H[0, i + 1] = -1, 1
        model.link(balls, saltus.LinearRelation(H=H, b=[gap]), saltus.NewtonImpact(e=1.0))
    return saltus.Simulation(model, saltus.MoreauJean(theta=0.5), step=step).run(end)


quarter = 0.5 * math.pi / math.sqrt(omega2)
speed = pull * math.sqrt(omega2)
apart, touching = simulate(5e-4, 3), simulate(0.0, 3)
# Right behind the blows: with gaps they take (n - 1) gap/speed, a few milliseconds.
k = round((quarter + 0.01) / step)
swing = math.cos(math.sqrt(omega2) * 0.01)
left, kicked = apart.v[k] / (speed * swing), touching.v[k] / (speed * swing)
expected = np.array([-1 + 2 / n] + [2 / n] * (n - 1))
print("velocities behind the first blow, in units of the first ball's\n")
print("gaps of 0.5 mm:", np.array2string(left, precision=3, suppress_small=True))
print("touching:      ", np.array2string(kicked, precision=3, suppress_small=True))
print("touching, exact", np.array2string(expected, precision=3))

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(9, 6), sharex=True, layout="constrained")
    for axis, run, title in zip(axes, (apart, touching), ("balls 0.5 mm apart", "balls that touch")):
        axis.plot(run.t, 1e3 * run.q, lw=1)
        axis.set(ylabel="swing [mm]", title=title)
    axes[1].set_xlabel("time [s]")
    axes[1].legend([f"ball {i + 1}" for i in range(n)], loc="lower left", fontsize="small")
    figure.savefig(path, dpi=150)

# Order 1 in the step: the speed at a blow is right to omega² pull h, the phases to the gaps.
ok = apart.report.ok() and touching.report.ok()
ok = ok and np.abs(left - np.eye(n)[-1]).max() < 0.05
ok = ok and np.abs(kicked - expected).max() < 0.05
sys.exit(0 if ok else 1)
