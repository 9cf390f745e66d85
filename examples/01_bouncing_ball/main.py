"""A ball falls from 1 m and bounces, each time at 0.9 of the speed, until it rests: infinitely many
impacts before t = 8.58 s. Moreau-Jean steps over them.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

model = saltus.Model()
ball = model.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0], v=[0.0], name="ball")
model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.9), name="ground")
sim = saltus.Simulation(model, saltus.MoreauJean(theta=0.5, solver=saltus.Lemke()), step=5e-3)
run = sim.run(10.0)

# The exact impact times: t_1 = sqrt(2/g), then 2 e^k v_1 / g later each.
g, e = 9.81, 0.9
speed = np.sqrt(2 * g) * e ** np.arange(6)
exact = np.sqrt(2 / g) + np.concatenate(([0.0], np.cumsum(2 * speed[1:] / g)))
v = run["ball.v[0]"]
simulated = run.t[1:][(v[:-1] < 0) & (v[1:] > 0)][:6]

print(f"{run.report.message()}\n\n impact      exact   simulated")
for impact, (t, t_simulated) in enumerate(zip(exact, simulated), start=1):
    print(f"{impact:7}  {t:9.5f}  {t_simulated:9.5f}")
print(f"\nspeed at t = 10 s: {abs(v[-1]):.1e} m/s")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    run.plot("ball.q[0]", "ball.v[0]", show=False)
    plt.savefig(path, dpi=150)

# The first impact is caught within a step h. Its speed is then wrong by up to g h and the flight that
# follows by up to 2 e h, so that each bounce delays the later ones by a step or two.
late = np.abs(simulated - exact)
ok = late[0] <= 5e-3 and np.all(late <= 2 * 5e-3 * np.arange(1, 7))
sys.exit(0 if ok and run.report.ok() and abs(v[-1]) < 1e-12 else 1)
