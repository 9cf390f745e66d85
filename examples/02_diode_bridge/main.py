"""An LC oscillator feeds a resistor through four ideal diodes. No smoothing, no commutation logic: the
diodes are complementarity conditions.

    python3 main.py [--plot PICTURE.png]
"""

import argparse
import sys

import numpy as np
import saltus

L, C, R = 1e-2, 1e-6, 1e3
model = saltus.Model()
oscillator = model.add(
    saltus.FirstOrderLinear(A=[[0, -1 / C], [1 / L, 0]]), x=[10.0, 0.0], name="oscillator"
)
bridge = saltus.FirstOrderLinearRelation(
    C=[[0, 0], [0, 0], [-1, 0], [1, 0]],
    B=[[0, 0, -1 / C, 1 / C], [0, 0, 0, 0]],
    D=[[1 / R, 1 / R, -1, 0], [1 / R, 1 / R, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]],
)
model.link(oscillator, bridge, saltus.Complementarity(), name="bridge")
scheme = saltus.MoreauJean(theta=0.5, solver=saltus.Lemke())
run = saltus.Simulation(model, scheme, step=1e-6).run(5e-3)

# Exact: the ideal bridge makes the oscillator a linear parallel RLC circuit.
a = 1 / (2 * R * C)
w = np.sqrt(1 / (L * C) - a**2)
exact = 10 * np.exp(-a * run.t) * (np.cos(w * run.t) - a / w * np.sin(w * run.t))
v = run["oscillator.x[0]"]
worst = np.abs(v - exact).max()

print(f"{run.report.message()}\n\n t [ms]      exact [V]   simulated [V]")
for k in (100, 1000, 5000):
    print(f"{run.t[k] * 1e3:7.1f}  {exact[k]:13.8f}   {v[k]:13.8f}")
print(f"\nlargest error: {worst:.5f} V")

parser = argparse.ArgumentParser()
parser.add_argument("--plot", metavar="PICTURE.png", help="draw the run into this file")
if path := parser.parse_args().plot:
    import matplotlib.pyplot as plt

    resistor = run["bridge.r[0]"] + run["bridge.r[1]"]
    plt.plot(run.t[1:] * 1e3, resistor[1:], color="orange", linewidth=4, label="resistor |v|")
    plt.plot(run.t * 1e3, v, label="oscillator v")
    plt.xlabel("t [ms]")
    plt.ylabel("voltage [V]")
    plt.legend()
    plt.savefig(path, dpi=150)

# Order 1: the error is 0.01909 V at h = 1e-6 s and halves with h.
sys.exit(0 if run.report.ok() and abs(worst - 0.01909) < 1e-4 else 1)
