"""Rectifiers with ideal diodes, from their netlists.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from math import cos, pi, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

# The averages of ideal rectifiers. With a capacitor the average lies between the peak less the ripple
# I / (2 f C) = 1 V of a constant discharge, and the peak.
runs, right = netlists.check(netlists.folder_of(__file__), {
    "half_wave.cir": {"average": (10 / pi, 1e-3)},
    "bridge.cir": {"average": (9.6, 0.1), "ripple": (0.83, 0.05)},
    "three_phase.cir": {"average": (3 * sqrt(3) / pi * 325, 0.5),
                        "ripple": (sqrt(3) * 325 * (1 - cos(pi / 6)), 0.5)},
    "doubler.cir": {"average": (20, 0.1)},
})
volt = "voltage [V]"
netlists.draw([
    ("half wave", volt, runs["half_wave.cir"], ["v(in)", "v(out)"], 0, 60e-3),
    ("bridge and capacitor", volt, runs["bridge.cir"], ["v(a,b)", "v(out)"], 0, 60e-3),
    ("three phases", volt, runs["three_phase.cir"], ["v(a,n)", "v(p,m)"], 0, 60e-3),
    ("voltage doubler", volt, runs["doubler.cir"], ["v(in)", "v(out)"], 0, 200e-3),
])
netlists.leave(right)
