"""The four RLC circuits with a diode, Zener circuits and the four-diode bridge, from their netlists.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from math import pi
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

C = 1 / (2 * pi) ** 2
# Exact solutions of circuits (a) to (d) and of the Zener circuit; the implicit Euler method with the
# steps of the netlists is off by what is allowed. The bridge is a parallel RLC circuit for its source.
runs, right = netlists.check(netlists.folder_of(__file__), {
    "circuit_a.cir": {"voltage": (-0.485895555496 / C, 0.2), "current": (-0.004548243574, 2e-4)},
    "circuit_b.cir": {"voltage": (0.00435278 / C, 0.05), "current": (-0.02211051, 2e-3)},
    "circuit_c.cir": {"voltage": (-0.9753091 / C, 0.04), "current": (0, 1e-15)},
    "circuit_d.cir": {"voltage": (0.1389111 / C, 0.003), "current": (0, 1e-15)},
    "zener.cir": {"voltage": (0.0369018 / C, 0.06), "current": (0, 1e-15)},
    "zener_regulator.cir": {"least": (5.1, 1e-9), "largest": (5.1, 1e-9)},
    "bridge.cir": {"resistor": (3.02, 0.02)},
})
panels = [(f"circuit ({k})", "v, i", runs[f"circuit_{k}.cir"], None, 0, 5) for k in "abcd"]
panels = [(title, y, run, run.names()[:2], a, b) for title, y, run, _, a, b in panels]
zener, bridge = runs["zener.cir"], runs["bridge.cir"]
panels += [("Zener circuit", "v, i", zener, ["v(b,c)", "i(l1)", "v(c)"], 0, 2),
           ("bridge", "voltage [V]", bridge, ["v(p,n)", "v(a)"], 0, 5e-3)]
netlists.draw(panels, scale=1, label="t [s]")
netlists.leave(right)
