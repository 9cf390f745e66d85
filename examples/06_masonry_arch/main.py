"""A semicircular arch of 25 dry blocks stands by its thickness and by friction, and falls when either
is missing.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

step, end = 5e-3, 0.5
cases = {
    "stands": saltus.Arch(count=25, thickness=0.2, mu=0.7),
    "slides, µ = 0.2": saltus.Arch(count=25, thickness=0.2, mu=0.2),
    "hinges, too thin": saltus.Arch(count=25, thickness=0.07, mu=0.7),
}

runs, moved = {}, {}
print("arch               largest way of a block [m]   factorisations")
for name, arch in cases.items():
    sim = saltus.Simulation(arch.model(), saltus.MoreauJean(theta=0.5), step=step)
    runs[name] = sim.run(end)
    moved[name] = np.abs(runs[name].q[-1] - runs[name].q[0]).max()
    print(f"{name:18} {moved[name]:24.2e} {runs[name].report.factorisations:16}")


def centroid(p):
    x, y = p.T
    x1, y1 = np.roll(x, -1), np.roll(y, -1)
    cross = x * y1 - x1 * y
    return np.array([((x + x1) * cross).sum(), ((y + y1) * cross).sum()]) / (3 * cross.sum())


def corners(arch):
    """The outline of a voussoir in its own frame: its middle points along z."""
    half = 0.5 * math.pi / arch.count
    radii = arch.radius - 0.5 * arch.thickness, arch.radius + 0.5 * arch.thickness
    points = np.array([[radii[i] * math.sin(s * half), radii[i] * math.cos(s * half)]
                       for i, s in ((0, -1), (0, 1), (1, 1), (1, -1))])
    return points - centroid(points)


parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Polygon

    figure, axes = plt.subplots(1, 3, figsize=(12, 4), layout="constrained", sharey=True)
    for axis, (name, arch) in zip(axes, cases.items()):
        q = runs[name].q[-1].reshape(-1, 7)
        for x, _, z, w, _, qy, _ in q:
            a, shape = 2 * math.atan2(qy, w), corners(arch)
            turned = np.column_stack([x + math.cos(a) * shape[:, 0] + math.sin(a) * shape[:, 1],
                                      z - math.sin(a) * shape[:, 0] + math.cos(a) * shape[:, 1]])
            axis.add_patch(Polygon(turned, fc="#d8c8a8", ec="#604020", lw=0.8))
        axis.axhline(0, color="k", lw=1)
        axis.set(aspect="equal", xlim=(-1.4, 1.4), ylim=(-0.1, 1.2), title=f"{name} (t = {end} s)")
    figure.savefig(path, dpi=150)

stands, slides, hinges = moved.values()
ok = all(r.report.ok() for r in runs.values()) and stands < 1e-6 and slides > 0.05 and hinges > 0.05
sys.exit(0 if ok else 1)
