"""A block on a belt, held by a spring, with friction that falls with the speed of slip: it sticks to the
belt until the spring tears it off. The implicit scheme sticks exactly; the explicit one chatters.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

belt, largest, fall, step, end = 0.2, 1.0, 3.0, 2e-3, 30.0


def field(side):
    """q' = v, v' = -q - F(v - belt), F = side * largest / (1 + fall |v - belt|)."""
    return lambda t, x: [x[1], -x[0] - side * largest / (1 + fall * abs(x[1] - belt))]


def block():
    return saltus.filippov_system([0.0, 0.0], field(1), field(-1), lambda x: x[1] - belt,
                                  lambda x: [0.0, 1.0])


implicit = saltus.Simulation(block(), saltus.MoreauJean(theta=1.0), step=step).run(end)
explicit = saltus.Simulation(block(), saltus.ExplicitInclusion(), step=step).run(end)


def changes(run):
    slip = run.x[:, 1] - belt
    return int(np.sum(slip[1:] * slip[:-1] < 0))


slip = np.abs(implicit.x[:, 1] - belt)
stuck = slip < 1e-12
torn = np.flatnonzero(stuck[:-1] & ~stuck[1:]) + 1
spring = implicit.x[torn[-1], 0]
print(f"implicit: {stuck.sum()} steps at rest on the belt, {changes(implicit)} changes of sign")
print(f"explicit: {(np.abs(explicit.x[:, 1] - belt) < 1e-12).sum()} steps at rest on the belt, "
      f"{changes(explicit)} changes of sign")
print(f"torn off every {implicit.t[torn[-1]] - implicit.t[torn[-2]]:.3f} s at a spring force of {spring:.4f}")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    axes[0].plot(implicit.x[:, 0], implicit.x[:, 1], lw=1)
    axes[0].axhline(belt, color="0.6", lw=0.7)
    axes[0].set(xlabel="position", ylabel="velocity", title="stick and slip")
    part = (implicit.t > 4) & (implicit.t < 4.1)
    axes[1].plot(explicit.t[part], explicit.x[part, 1] - belt, lw=1, label="explicit")
    axes[1].plot(implicit.t[part], implicit.x[part, 1] - belt, lw=2, label="implicit")
    axes[1].set(xlabel="time", ylabel="velocity against the belt", title="while it sticks")
    axes[1].legend()
    figure.savefig(path, dpi=150)

# The spring tears when it reaches the largest friction, up to its change in a step.
ok = implicit.report.ok() and explicit.report.ok() and abs(spring - largest) < 3 * step
sys.exit(0 if ok and changes(implicit) < 20 and changes(explicit) > 500 else 1)
