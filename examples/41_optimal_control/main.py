"""The optimal climb to a ceiling. Pontryagin's conditions of a control problem with a state constraint are a
complementarity system of relative degree four; its multiplier has an atom where the ceiling is reached.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

# minimise ∫ u²/2 - rho x dt,  x'' = u,  x <= l,  x(0) = 0, x'(0) = v.
# With z = l - x: z'''' = λ - rho, 0 <= z, and (z, z', z'', z''') = (l - x, -x', -u, -u').
rho, l, v, end, h = 2.0, 1.0, 1.0, 3.0, 1e-3
# Until the ceiling is reached at t1, smoothly: z = alpha s³ - rho s⁴/24, s = t1 - t.
t1 = 3 * l / v
for _ in range(50):
    t1 += (3 * l / t1 - rho * t1**3 / 24 - v) / (3 * l / t1**2 + rho * t1**2 / 8)
alpha = (l + rho * t1**4 / 24) / t1**3
start = [l, -v, 6 * alpha * t1 - rho * t1**2 / 2, -6 * alpha + rho * t1]

system = saltus.Lcs(A=np.eye(4, k=1), B=[[0], [0], [0], [1]], C=[[1, 0, 0, 0]], a=[0, 0, 0, -rho])
run = saltus.simulate_lcs(system, start, step=h, end=end)
s = np.maximum(t1 - run.t, 0)
exact = -(6 * alpha * s - rho * s**2 / 2)
atom, density = run.impulses[0].sum(), run.density[0, -1]
print(f"ceiling at {t1:.4f}; λ has the atom {atom:.6f} there (exact {6 * alpha:.6f}) and the density {density:.6f} "
      f"after it\nlargest error of the control {np.abs(-run.x[2] - exact).max():.2e}")

# The same problem as a quadratic program: u constant on each of n steps.
n = 150
d = end / n
lag = np.arange(1, n + 1)[:, None] - np.arange(n)[None, :]
X = np.where(lag > 0, d * d * (lag - 0.5), 0.0)  # heights at the ends of the steps, x = X u + v t
t = d * np.arange(1, n + 1)
qp = saltus.Qp(Q=d * np.eye(n), p=-rho * d * X.T @ np.ones(n), A=-X, b=v * t - l)
point, report = saltus.solve(qp)
u, masses = point.z, point.lambda_
between = np.interp(t - d / 2, run.t, -run.x[2])
print(f"quadratic program: control differs by {np.abs(u - between).max():.3f}, "
      f"total mass of λ {masses.sum():.4f}, here {atom + rho * (end - t1):.4f}")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    axes[0].plot(run.t, l - run.x[0])
    axes[0].axhline(l, color="0.6", lw=0.8)
    axes[0].set(xlabel="time", ylabel="height $x$", title="The climb")
    axes[1].plot(t - d / 2, u, ".", ms=3, color="C1", label="quadratic program")
    axes[1].plot(run.t, -run.x[2], label="sweeping process")
    axes[1].set(xlabel="time", ylabel="control $u$", title="The control")
    axes[1].legend()
    mass = np.cumsum(run.impulses[0][0] + h * run.density[0])
    axes[2].plot(t, np.cumsum(masses), ".", ms=3, color="C1", label="quadratic program")
    axes[2].plot(run.t, mass, label="atom and density")
    axes[2].set(xlabel="time", ylabel=r"$\int_0^t \lambda$", title="The multiplier")
    axes[2].legend()
    figure.savefig(path, dpi=150)

# The atom is found a step or so off, while z''' changes by rho h per step. Backward Euler has an error of h |u'|
# in the control; the program's grid is coarser by d / h, and so is its knowledge of where the ceiling is
# reached, which moves the density by one step.
ok = (run.done() and report.converged() and abs(atom - 6 * alpha) < 2 * rho * h and abs(density - rho) < 1e-12
      and np.abs(-run.x[2] - exact).max() < 12 * alpha * h and not run.x[:, -1].any()
      and np.abs(u - between).max() < 12 * alpha * d
      and abs(masses.sum() - atom - rho * (end - t1)) < 2 * rho * d)
sys.exit(0 if ok else 1)
