"""An elastic bar flies against a wall and rebounds: the force on the wall is that of the wave that runs through
the bar and back, 2 L/c long.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

E, L, speed, gap, elements = 900.0, 10.0, 10.0, 5.0, 200  # density 1, section 1
c, h = E**0.5, 2e-3
bar = saltus.ElasticBody(saltus.box_mesh("bar", [L], [elements]), young=E)
model = saltus.Model()
system = model.add(bar, q=np.zeros(bar.dof), v=np.full(bar.dof, speed), name="bar")
saltus.link_plane(model, system, bar, [elements], [-1.0], -(L + gap), saltus.NewtonImpact(), name="wall")
scheme = saltus.GeneralizedAlpha(coefficients=saltus.ChungHulbert(rho=0.8), newton_tolerance=1e-6)
run = saltus.Simulation(model, scheme, step=h).run(1.5)

# Exact: contact on [gap/v, gap/v + 2 L/c] with the force rho c v, impulse 2 rho L v.
force = run[f"wall[{elements}].r[0]"] / h
mean = force[(run.t > 0.6) & (run.t < 1.1)].mean()
release = run.t[force > 0.1 * c * speed].max()
exact, impulse = gap / speed + 2 * L / c, h * force.sum()
print(f"{run.report.message()}\nforce on the wall {mean:.2f} N, exact {c * speed:.2f} N"
      f"\nend of contact {release:.3f} s, exact {exact:.3f} s"
      f"\nimpulse {impulse:.2f} N s, exact {2 * L * speed:.2f} N s")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.plot(run.t, force, lw=1, label="generalized-α, 200 elements")
    left.plot([0, gap / speed, gap / speed, exact, exact, 1.5], [0, 0, c * speed, c * speed, 0, 0], "k--",
              lw=1, label="exact")
    left.set(xlabel="t [s]", ylabel="force on the wall [N]")
    left.legend()
    x = bar.mesh.nodes[:, 0] + run.q
    stress = E * (np.diff(run.q, axis=1) / (L / elements))
    image = right.pcolormesh(0.5 * (x[::5, 1:] + x[::5, :-1]), np.repeat(run.t[::5, None], elements, 1),
                             stress[::5], cmap="RdBu", vmin=-300, vmax=300, shading="gouraud")
    right.axvline(L + gap, color="k", lw=3)
    right.set(xlabel="x [m]", ylabel="t [s]", title="stress [Pa]")
    figure.colorbar(image)
    figure.savefig(path, dpi=150)

good = abs(mean / (c * speed) - 1) < 5e-3 and abs(release - exact) < 0.01 and abs(impulse - 2 * L * speed) < 2
sys.exit(0 if run.report.ok() and good else 1)
