"""Two elastic cubes fall on a rough floor, one on the other: finite elements in contact with friction.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

drop, h = 0.1, 2e-3


def cube(edge, n, origin):
    """Rubber of low stiffness."""
    mesh = saltus.box_mesh("brick", [edge] * 3, [n] * 3, origin=origin)
    return saltus.ElasticBody(mesh, young=2e5, poisson=0.3, density=1000, damping_stiffness=0.02,
                              gravity=[0, 0, -9.81])


# The upper cube is smaller, has another mesh and is thrown sideways.
lower, upper = cube(1, 6, [0, 0, drop]), cube(0.6, 4, [0.1, 0.2, 1 + 2 * drop])
v = np.zeros(upper.dof)
v[::3] = 0.2
model = saltus.Model()
below = model.add(lower, q=np.zeros(lower.dof), name="lower")
above = model.add(upper, q=np.zeros(upper.dof), v=v, name="upper")
law = saltus.Coulomb(mu=0.3)
floor = saltus.link_plane(model, below, lower, lower.mesh.nodes_on(2, drop), [0, 0, 1], 0, law, name="floor")
saltus.link_sides(model, above, upper, upper.mesh.nodes_on(2, 1 + 2 * drop), below, lower,
                  lower.mesh.nodes_on(2, 1 + drop), [0, 0, 1], law, name="between")
run = saltus.Simulation(model, saltus.MoreauJean(theta=0.6), step=h,
                        record=saltus.RecordOptions(every=5)).run(2.0)

# At rest in the end, the floor carries the weight of both.
normal = run.r[:, ::3] / h
on_floor, between = normal[:, :len(floor)].sum(axis=1), normal[:, len(floor):].sum(axis=1)
top = 9.81 * upper.mass()
both = top + 9.81 * lower.mass()
energy = run.report.energy
print(f"{run.report.message()}\nforce between the cubes {between[-1]:.1f} N, weight {top:.1f} N"
      f"\nforce on the floor {on_floor[-1]:.1f} N, weight {both:.1f} N"
      f"\nlost: {energy.impact:.1f} J in impacts, {energy.friction:.1f} J by friction")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    sides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    figure = plt.figure(figsize=(12, 7), layout="constrained")
    instants = [0.0, 0.2, 0.3, 2.0]
    for k, t in enumerate(instants):
        axis = figure.add_subplot(2, 4, k + 1, projection="3d")
        row = int(np.argmin(abs(run.t - t)))
        start = 0
        for body in (lower, upper):
            q = run.q[row, start:start + body.dof]
            start += body.dof
            x = body.mesh.nodes + q.reshape(-1, 3)
            pressure = -body.stresses(q)[:, 2]
            faces, colours = [], []
            X = body.mesh.nodes
            for element, value in zip(body.mesh.elements, pressure):
                for side in sides:
                    corners = element[side]
                    if any(np.ptp(X[corners, a]) < 1e-9 and (X[corners[0], a] - X[:, a].min() < 1e-9 or
                                                             X[:, a].max() - X[corners[0], a] < 1e-9)
                           for a in range(3)):
                        faces.append(x[corners])
                        colours.append(plt.cm.viridis(np.clip(value / 3e4, 0, 1)))
            axis.add_collection3d(Poly3DCollection(faces, facecolors=colours, edgecolors="0.3", lw=0.3))
        axis.set(xlim=(0, 1.2), ylim=(-0.1, 1.1), zlim=(0, 1.8), title=f"t = {run.t[row]:.2f} s")
        axis.set_aspect("equal")
        axis.view_init(12, -60)
        axis.set_axis_off()
    axis = figure.add_subplot(2, 1, 2)
    axis.plot(run.t, on_floor / 1e3, lw=1, label="on the floor")
    axis.plot(run.t, between / 1e3, lw=1, label="between the cubes")
    for weight in (both, top):
        axis.axhline(weight / 1e3, color="k", ls=":", lw=1)
    axis.set(xlabel="t [s]", ylabel="normal force [kN]")
    axis.legend()
    figure.savefig(path, dpi=130)

good = abs(on_floor[-1] / both - 1) < 0.02 and abs(between[-1] / top - 1) < 0.02
sys.exit(0 if run.report.ok() and good else 1)
