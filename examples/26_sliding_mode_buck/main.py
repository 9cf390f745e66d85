"""A buck converter with sliding-mode control: an implicit relay, no chattering.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists
import numpy as np

# On the surface the error decays like exp(-t / 100 us); 0.8 ms after the start it is e^-8 of 10 V.
# The relay's value is then the equivalent control, the output voltage itself.
runs, right = netlists.check(netlists.folder_of(__file__), {
    "buck.cir": {"before": (10, 0.01), "loaded": (10, 0.01), "control": (10, 0.01)},
})
run = runs["buck.cir"]
sliding = (run.t > 0.5e-3) & (run.t < 1e-3)
worst = np.abs(run["v(error,rate)"][sliding]).max()
print(f"distance from the sliding surface: {worst:.1e} V")
right = right and worst < 1e-9
netlists.draw([
    ("output", "voltage [V]", run, ["v(out)"], 0, 3e-3),
    ("relay: switching to reach the surface, equivalent control on it", "v(x) [V]", run, ["v(x)"], 0, 3e-3),
    ("inductor", "current [A]", run, ["i(l1)"], 0, 3e-3),
])
netlists.leave(right)
