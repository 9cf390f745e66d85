"""A coin that rolls and one that wobbles on the spot: a thin disk on rough ground, in space.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import math
import sys

import numpy as np
import saltus

m, radius, g, mu, step = 1.0, 0.1, 9.81, 1.0, 2e-4
inertia = [m * radius**2 / 4, m * radius**2 / 4, m * radius**2 / 2]


def simulate(lean, omega, v, end):
    """A disk whose plane is inclined by `lean` to the ground, its highest point towards +y; omega in its axes."""
    model = saltus.Model()
    pool = model.add(saltus.RigidBodies(m=[m], inertia=[inertia], gravity=[0, 0, -g]),
                     q=[0, 0, radius * math.sin(lean), math.cos(lean / 2), math.sin(lean / 2), 0, 0], v=[*v, *omega])
    model.link((pool, 0), saltus.RimOnPlane(radius=radius), saltus.Coulomb(mu=mu), name="rim")
    sim = saltus.Simulation(model, saltus.MoreauJean(stabilisation=saltus.CombinedProjection()), step=step)
    return sim.run(end)


def axis_of(run):
    w, x, y, z = run.q[:, 3:7].T
    return np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x**2 + y**2)])


# On the spot: the centre at rest, the disk turns about its diameter through the point of contact.
lean = math.radians(30)
rate = math.sqrt(4 * g / (radius * math.sin(lean)))
spot = simulate(lean, [0, rate * math.sin(lean), 0], [0, 0, 0], 1.0)
a = axis_of(spot)
angle = np.unwrap(np.arctan2(a[:, 1], a[:, 0]))
measured = (angle[-1] - angle[0]) / spot.t[-1]
inclination = np.degrees(np.arccos(a[:, 2]))
print(f"{spot.report.message()}\n\nwobbling: {abs(measured):.4f} rad/s, theory {rate:.4f}; inclination "
      f"{inclination.min():.3f} to {inclination.max():.3f} degrees, centre moves by "
      f"{1e3 * np.abs(spot.q[:, :2]).max():.3f} mm")

# Straight on, almost upright: above v = (g R/3)^½ it stays up.
critical = math.sqrt(g * radius / 3)
runs, lowest = {}, {}
for share in (0.7, 1.5):
    v = share * critical
    runs[share] = simulate(math.radians(89), [0, 0, -v / radius], [v, 0, 0], 1.5)
    lowest[share] = np.degrees(np.arccos(np.abs(axis_of(runs[share])[:, 2]))).min()
    print(f"rolling with {share} of the critical speed: inclination at least {lowest[share]:.1f} degrees")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    axes[0].plot(a[:, 0], a[:, 1], lw=0.8)
    axes[0].set(aspect="equal", xlabel="x of the axis", ylabel="y of the axis", title="Wobbling: path of the disk's axis")
    for share, run in runs.items():
        axes[1].plot(run.t, np.degrees(np.arccos(np.abs(axis_of(run)[:, 2]))), label=f"{share} of the critical speed")
        axes[2].plot(run.q[:, 0], run.q[:, 1], label=f"{share} of the critical speed")
    axes[1].set(xlabel="time [s]", ylabel="inclination [degrees]", title="Rolling: fast it stays up, slowly it leans over")
    axes[2].set(aspect="equal", xlabel="x [m]", ylabel="y [m]", title="Path of the centre",
                ylim=(-0.4, 0.8))
    axes[2].legend(loc="upper left")
    figure.savefig(path, dpi=150)

# The scheme is of order one on a contact that turns with `rate`: relative errors of a few rate·h.
error = abs(abs(measured) / rate - 1)
ok = (all(run.report.ok() for run in (spot, *runs.values())) and error < 2 * rate * step
      and np.abs(inclination - 30).max() < 30 * 4 * rate * step and lowest[1.5] > 80 and lowest[0.7] < 60)
sys.exit(0 if ok else 1)
