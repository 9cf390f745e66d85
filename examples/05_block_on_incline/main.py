"""A block on a slope stays, slides or topples: it slides if tan(slope) > mu, it topples if the slope
is steeper than its diagonal and friction holds its foot.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

slope, g, step, end = math.radians(25), 9.81, 1e-3, 0.5
tangent = math.tan(slope)  # 0.466

# half width, half height, mu, what is expected
cases = {
    "stays": (0.3, 0.3, 0.6),
    "slides": (0.3, 0.3, 0.2),
    "topples": (0.1, 0.4, 0.9),
}


def simulate(b, h, mu):
    """The ground is level, gravity is inclined: the same thing, and the slope is the x-axis."""
    scene = saltus.RigidScene()
    scene.fix_plane(mu=mu)
    scene.add_box([b, 0.2, h], x=[0, 0, h], mu=mu)
    model = scene.model(gravity=[g * math.sin(slope), 0, -g * math.cos(slope)])
    return saltus.Simulation(model, saltus.MoreauJean(theta=0.5), step=step).run(end)


runs, ok = {}, True
print(f"slope {math.degrees(slope):.0f}°, tan = {tangent:.3f}\n\ncase       b/h    mu   way [m]  turn [°]")
for name, (b, h, mu) in cases.items():
    run = runs[name] = simulate(b, h, mu)
    way, turn = run["bodies.q[0]"], 2 * np.degrees(np.arctan2(run["bodies.q[5]"], run["bodies.q[3]"]))
    print(f"{name:8} {b / h:5.2f} {mu:5.2f} {way[-1]:9.4f} {turn[-1]:9.2f}")
    ok = ok and run.report.ok()
    if name == "stays":
        ok = ok and abs(way[-1]) < 1e-6 and abs(turn[-1]) < 1e-4
    elif name == "slides":
        # Constant acceleration; the positions are right to a step of the velocity.
        exact = 0.5 * g * (math.sin(slope) - mu * math.cos(slope)) * end**2
        print(f"{'':19} {exact:9.4f} exact")
        ok = ok and abs(way[-1] - exact) < 2 * step and abs(turn[-1]) < 1e-4
    else:
        # Falls over its lower edge with theta'' = p² sin(theta + slope - alpha), rectangle.
        R, alpha = math.hypot(b, h), math.atan2(b, h)
        theta = rate = 0.0
        fine = step / 10
        for _ in range(round(end / fine)):  # implicit-explicit Euler with a tenth of the step
            rate += fine * 3 * g / (4 * R) * math.sin(theta + slope - alpha)
            theta += fine * rate
        print(f"{'':19} {'':9} {math.degrees(theta):9.2f} exact")
        ok = ok and abs(turn[-1] - math.degrees(theta)) < 0.1

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the runs into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt
    from matplotlib.patches import Polygon

    figure, axes = plt.subplots(1, 3, figsize=(11, 4), layout="constrained")
    cos, sin = math.cos(-slope), math.sin(-slope)
    for axis, (name, (b, h, mu)) in zip(axes, cases.items()):
        run = runs[name]
        for k in np.linspace(0, len(run.t) - 1, 5).astype(int):
            x, z = run["bodies.q[0]"][k], run["bodies.q[2]"][k]
            a = 2 * math.atan2(run["bodies.q[5]"][k], run["bodies.q[3]"][k])
            corners = [(-b, -h), (b, -h), (b, h), (-b, h)]
            turned = [(x + math.cos(a) * i + math.sin(a) * j, z - math.sin(a) * i + math.cos(a) * j)
                      for i, j in corners]
            world = [(cos * i - sin * j, sin * i + cos * j) for i, j in turned]
            axis.add_patch(Polygon(world, fill=False, ec=plt.cm.viridis(run.t[k] / end)))
        axis.plot([-0.6 * cos, 1.4 * cos], [-0.6 * sin, 1.4 * sin], "k")
        axis.set(aspect="equal", title=f"{name}: b/h = {b / h:.2f}, µ = {mu}")
    figure.savefig(path, dpi=150)

sys.exit(0 if ok else 1)
