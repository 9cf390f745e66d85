"""A full bridge makes 50 Hz out of 48 V by sine-triangle modulation.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from cmath import pi
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists

# Amplitude m V_dc at the bridge, times the filter |R || 1/jwC| / |jwL + ...| at 50 Hz
w = 2j * pi * 50
load = 1 / (1 / 10 + w * 10e-6)
amplitude = 0.8 * 48 * abs(load / (load + w * 2e-3))
runs, right = netlists.check(netlists.folder_of(__file__), {
    "inverter.cir": {"output": (amplitude / 2**0.5, 0.03 * amplitude), "filtered": (0, 0.002)},
})
run = runs["inverter.cir"]
netlists.draw([
    ("bridge and output", "voltage [V]", run, ["v(a,b)", "v(o,b)"], 20e-3, 40e-3),
    ("inductor", "current [A]", run, ["i(l1)"], 20e-3, 40e-3),
])
netlists.leave(right)
