"""The woodpecker toy: a sleeve with play on a pole, a spring, a bird. It hacks its way down by impacts and
by friction that jams the sleeve; without friction it just falls.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

# q = (y, phi_M, phi_S): height of the sleeve, angles of sleeve and bird. Data: Leine, Glocker & van Campen 2003.
m_M, J_M, m_S, J_S, c, g = 0.0003, 5e-9, 0.0045, 7e-7, 0.0056, 9.81
r_0, r_M, h_M, l_M, l_G, h_S, l_S = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
bird = saltus.LinearLagrangian(
    M=[[m_S + m_M, m_S * l_M, m_S * l_G],
       [m_S * l_M, J_M + m_S * l_M**2, m_S * l_M * l_G],
       [m_S * l_G, m_S * l_M * l_G, J_S + m_S * l_G**2]],
    K=[[0, 0, 0], [0, c, -c], [0, -c, c]],
    F=[-(m_S + m_M) * g, -m_S * g * l_M, -m_S * g * l_G])
step = 1e-4
start = dict(q=[0, -0.1036, -0.2788], v=[-0.3411, 0, -7.4583])


def simulate(mu, end):
    """Each contact: gap and its rate, sliding velocity along the pole."""
    model = saltus.Model()
    toy = model.add(bird, name="toy", **start)
    contacts = {
        "beak": ([0, 0, -h_S], [1, l_M, l_G - l_S], l_M + l_G - l_S - r_0, 0.5),
        "lower": ([0, h_M, 0], [1, r_M, 0], r_M - r_0, 0.0),
        "upper": ([0, -h_M, 0], [1, r_M, 0], r_M - r_0, 0.0),
    }
    for name, (normal, tangent, gap, e) in contacts.items():
        model.link(toy, saltus.LinearRelation(H=[normal, tangent], b=[gap, 0]),
                   saltus.Coulomb(mu=mu, e=e), name=name)
    return saltus.Simulation(model, saltus.MoreauJean(theta=0.5), step=step).run(end)


run = simulate(mu=0.3, end=2.0)
y, angle, rate = run["toy.q[0]"], run["toy.q[2]"], run["toy.v[2]"]
# A period ends when the bird swings through its rest towards the pole.
rises = np.flatnonzero((angle[:-1] < 0) & (angle[1:] >= 0))
times = run.t[rises][-8:]
periods, drops = np.diff(times), -np.diff(y[rises][-8:])
print(f"{run.report.message()}\n\nperiod    {periods.mean():.4f} s   (spread {np.ptp(periods):.1e})"
      f"\ndescent   {1e3 * drops.mean():.3f} mm per period (spread {1e3 * np.ptp(drops):.1e})")
smooth = simulate(mu=0.0, end=0.5)
print(f"without friction it falls {-smooth['toy.q[0]'][-1]:.3f} m in 0.5 s, with friction "
      f"{-np.interp(0.5, run.t, y):.3f} m")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    late = run.t > 1.2
    figure, axes = plt.subplots(2, 2, figsize=(10, 7), layout="constrained")
    axes[0, 0].plot(run.t[late], 1e3 * y[late])
    axes[0, 0].set(xlabel="time [s]", ylabel="height of the sleeve [mm]", title="It slips and jams")
    axes[0, 1].plot(run.t[late], run["toy.q[1]"][late], label="sleeve")
    axes[0, 1].plot(run.t[late], angle[late], label="bird")
    axes[0, 1].set(xlabel="time [s]", ylabel="angle [rad]", title="Angles")
    axes[0, 1].legend()
    axes[1, 0].plot(angle[late], rate[late], ".", ms=1)
    axes[1, 0].set(xlabel="angle of the bird [rad]", ylabel="rate [rad/s]", title="Limit cycle of the bird")
    axes[1, 1].plot(run["toy.q[1]"][late], run["toy.v[1]"][late], ".", ms=1)
    axes[1, 1].set(xlabel="angle of the sleeve [rad]", ylabel="rate [rad/s]", title="and of the sleeve")
    figure.savefig(path, dpi=150)

# A stable periodic motion: the periods agree to some steps, whose number does not depend on the step;
# friction carries the toy.
ok = (run.report.ok() and smooth.report.ok() and len(periods) == 7 and np.ptp(periods) < 20 * step
      and 0.1 < periods.mean() < 0.2 and -smooth["toy.q[0]"][-1] > 5 * -np.interp(0.5, run.t, y))
sys.exit(0 if ok else 1)
