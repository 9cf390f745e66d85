"""A triple integrator that must not become negative: relative degree three. The multiplier that stops it
contains the derivative of a Dirac impulse; backward Euler, which looks for a number, throws the state away,
the further the smaller the step.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import saltus

system = saltus.Lcs(A=[[0, 1, 0], [0, 0, 1], [0, 0, 0]], B=[[0], [0], [1]], C=[[1, 0, 0]])
start = [1.0, 0.0, -2.0]  # x = 1 - t² until t = 1, where it arrives with x' = x'' = -2
print(f"relative degree {saltus.relative_degree(system).uniform()}; {saltus.well_posedness(system).text()}")


def backward_euler(step):
    model = saltus.Model()
    integrator = model.add(saltus.FirstOrderLinear(A=system.A), x=start, name="z")
    model.link(integrator, saltus.FirstOrderLinearRelation(C=system.C, B=system.B), saltus.Complementarity())
    return saltus.Simulation(model, saltus.MoreauJean(theta=1.0), step=step).run(3.0)


ok = True
for h in (1e-2, 1e-3):
    run, euler = saltus.simulate_lcs(system, start, step=h, end=3.0), backward_euler(h)
    delta, dipole = (part.sum() for part in run.impulses[:2])
    print(f"h = {h}: λ = {delta:.4f} δ + {dipole:.4f} δ', x(3) = {run.x[0, -1]:.1e}; "
          f"by backward Euler {euler['z.x[0]'][-1]:.0f}")
    # The last step before contact ends within a step of t = 1, where x' = -2 t.
    ok = (ok and run.done() and abs(delta - 2) < 1e-12 and abs(dipole - 2) < 6 * h
          and not run.x[:, -1].any() and abs(euler["z.x[0]"][-1] - 2 / h) < 2)

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    for row, name in enumerate(("$x$", "$\\dot x$", "$\\ddot x$")):
        axes[0].step(run.t, run.z[row], where="post", label=name)
    axes[0].set(xlabel="time", title="Extended Moreau time stepping", xlim=(0, 2))
    axes[0].legend()
    for part, name, marker, size in zip(run.impulses[:2], ("$\\delta$", "$\\dot\\delta$"), "o.", (9, 4)):
        axes[1].plot(run.t, part[0], marker, ms=size, mfc="none", label=f"coefficient of {name}")
    axes[1].set(xlabel="time", title="Parts of the multiplier", xlim=(0.95, 1.05))
    axes[1].legend()
    for h in (4e-2, 2e-2, 1e-2):
        euler = backward_euler(h)
        axes[2].plot(euler.t, euler["z.x[0]"], label=f"h = {h}")
    axes[2].set(xlabel="time", ylabel="$x$", title="Backward Euler")
    axes[2].legend()
    figure.savefig(path, dpi=150)
sys.exit(0 if ok else 1)
