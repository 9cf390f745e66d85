"""A delta-sigma modulator: an integrator, a clocked comparator, one bit that follows a sine.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

# The filtered bits follow the sine of 0.6 V through two poles of 3.4 kHz; what is left of the bits
# after them is some 0.03 V. The bits have no offset.
gain = 1 / (1 + (500 * 2 * 3.14159 * 47e-6) ** 2)
runs, right = netlists.check(netlists.folder_of(__file__), {
    "delta_sigma.cir": {"amplitude": (0.6 * gain, 0.05), "drift": (0, 1e-3)},
})
run = runs["delta_sigma.cir"]
netlists.draw([
    ("input and bits", "voltage [V]", run, ["v(bit)", "v(in)"], 4e-3, 6e-3),
    ("integrator", "voltage [V]", run, ["v(int)"], 4e-3, 6e-3),
    ("input and filtered bits", "voltage [V]", run, ["v(in)", "v(f2)"], 4e-3, 12e-3),
])
netlists.leave(right)
