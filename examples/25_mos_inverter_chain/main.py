"""Eight CMOS inverters: every transistor is ten complementarity conditions.

    python3 main.py [--plot PICTURE.png]
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import netlists
import numpy as np

# Rail to rail; the capacitance between gate and drain drives the output a little beyond the rails.
runs, right = netlists.check(netlists.folder_of(__file__), {
    "chain.cir": {"low": (0, 0.1), "high": (5, 0.1)},
})
run = runs["chain.cir"]


def rise(k):
    """When node k first passes 2.5 V upwards."""
    return run.t[np.argmax(run[f"v(n{k})"] > 2.5)]


delays = np.diff([rise(k) for k in (2, 4, 6, 8)])
print("delay of two stages [ps]:", np.round(delays * 1e12).astype(int))
right = right and np.ptp(delays) <= 2 * 20e-12  # equal up to a step at each end
netlists.draw([("", "voltage [V]", run, run.names(), 0, 40e-9)], scale=1e9, label="t [ns]")
netlists.leave(right)
