"""Switched converters of ideal elements, from their netlists: the averages of the textbook.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

D = 0.4
# Discontinuous conduction: V_out / V_in = 2 / (1 + sqrt(1 + 4 K / D^2)), K = 2 L / (R T)
K = 2 * 20e-6 / (200 * 10e-6)
discontinuous = 24 * 2 / (1 + sqrt(1 + 4 * K / D**2))
# Ripple of the output and what is left of the start: 0.3 %
runs, right = netlists.check(netlists.folder_of(__file__), {
    "buck.cir": {"average": (D * 24, 0.03), "current": (D * (1 - D) * 24 * 10e-6 / 100e-6, 0.01)},
    "buck_discontinuous.cir": {"average": (discontinuous, 0.06), "least": (0, 1e-12)},
    "boost.cir": {"average": (12 / (1 - D), 0.06)},
    "buck_boost.cir": {"average": (-12 * D / (1 - D), 0.024)},
    "cuk.cir": {"average": (-12 * D / (1 - D), 0.024)},
    "flyback.cir": {"average": (24 / 2 * D / (1 - D), 0.024)},
})
netlists.draw([
    ("buck", "v(out) [V]", runs["buck.cir"], ["v(out)"], 0, 5e-3),
    ("boost", "v(out) [V]", runs["boost.cir"], ["v(out)"], 0, 5e-3),
    ("Cuk", "v(out) [V]", runs["cuk.cir"], ["v(out)"], 0, 5e-3),
    ("buck: inductor", "current [A]", runs["buck.cir"], ["i(l1)"], 4.95e-3, 5e-3),
    ("buck with a light load", "current [A]", runs["buck_discontinuous.cir"], ["i(l1)"], 29.95e-3, 30e-3),
    ("flyback: both windings", "current [A]", runs["flyback.cir"], ["i(l1)", "i(l2)"], 14.95e-3, 15e-3),
])
netlists.leave(right)
