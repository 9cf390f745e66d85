"""A column of 1000 beads falls on the ground and comes to rest, every contact carrying the weight above
it. One system (a pool of 1000 bodies), 1000 contacts, one sparse problem per step.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

n, radius, m, g, h = 1000, 0.0625, 1.0, 9.81, 1e-3
heights = 0.1 + radius + 2 * radius * np.arange(n)

model = saltus.Model()
beads = model.add(saltus.PointMasses(m=[m] * n, gravity=[-g]), q=heights, name="bead")
ground = saltus.LinearRelation(H=[[1.0]], b=[-radius])
neighbours = saltus.LinearRelation(H=[[-1.0, 1.0]], b=[-2 * radius])
model.link((beads, 0), ground, saltus.NewtonImpact())
for i in range(1, n):
    model.link([(beads, i - 1), (beads, i)], neighbours, saltus.NewtonImpact())
sim = saltus.Simulation(model, saltus.MoreauJean(), step=h, record=saltus.RecordOptions(every=20))
run = sim.run(1.0)

# At rest the contact below bead i carries the n - i beads above it.
exact = (n - np.arange(n)) * m * g * h
worst = np.abs(sim.multipliers() - exact).max()

print(f"{run.report.message()} in {run.report.seconds:.2f} s\n\n contact    exact [N]   simulated [N]")
for i in (0, 9, 99, 999):
    print(f"{i + 1:8}  {exact[i] / h:11.4f}  {sim.multipliers()[i] / h:14.4f}")
print(f"\nlargest error of the percussions: {worst:.1e} N s")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    run.plot(*[f"bead.q[{i}]" for i in range(10)], show=False)
    plt.savefig(path, dpi=150)

sys.exit(0 if run.report.ok() and worst < 1e-9 else 1)
