"""The four RLC circuits with a diode, Zener circuits and the four-diode bridge, from their netlists.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from math import pi
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

C = 1 / (2 * pi) ** 2
a, w = 500.0, (1e8 - 500.0**2) ** 0.5
t = np.linspace(0, 5e-3, 50001)
v = 10 * np.exp(-a * t) * (np.cos(w * t) - a / w * np.sin(w * t))
rms = np.sqrt(np.mean((v[1:] ** 2 + v[:-1] ** 2) / 2))
# Exact solutions of circuits (a) to (d) and of the Zener circuit; errors of 1e-5 of full scale in a
# step add up to what is allowed. The bridge is a parallel RLC circuit for its source: v is
# 10 V exp(-at) (cos wt - (a/w) sin wt), a = 1/(2RC), and its root of the mean square over 5 ms is below.
runs, right = netlists.check(netlists.folder_of(__file__), {
    "circuit_a.cir": {"voltage": (-0.485895555496 / C, 0.02), "current": (-0.004548243574, 2e-4)},
    "circuit_b.cir": {"voltage": (0.00435278 / C, 0.01), "current": (-0.02211051, 2e-3)},
    "circuit_c.cir": {"voltage": (-0.9753091 / C, 0.002), "current": (0, 1e-15)},
    "circuit_d.cir": {"voltage": (0.1389111 / C, 0.003), "current": (0, 1e-15)},
    "zener.cir": {"voltage": (0.0369018 / C, 2e-3), "current": (0, 1e-15)},
    "zener_regulator.cir": {"least": (5.1, 1e-9), "largest": (5.1, 1e-9)},
    "bridge.cir": {"resistor": (rms, 2e-3)},
})
panels = [(f"circuit ({k})", "v, i", runs[f"circuit_{k}.cir"], None, 0, 5) for k in "abcd"]
panels = [(title, y, run, run.names()[:2], a, b) for title, y, run, _, a, b in panels]
zener, bridge = runs["zener.cir"], runs["bridge.cir"]
panels += [("Zener circuit", "v, i", zener, ["v(b,c)", "i(l1)", "v(c)"], 0, 2),
           ("bridge", "voltage [V]", bridge, ["v(p,n)", "v(a)"], 0, 5e-3)]
netlists.draw(panels, scale=1, label="t [s]")
netlists.leave(right)
