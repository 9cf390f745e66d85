"""Four-diode bridge over an LC circuit, x = (v, i) (PL:C-01).

Scheme PL:B3: theta on A x, multiplier fully implicit. In this library that is EulerMoreauOSI
with its gamma options left off (useGamma and useGammaForRelation false, the default).
"""
from types import SimpleNamespace

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

PARAMETERS = {"T": 5e-3, "h": 1e-6, "theta": 0.5, "repeat": 5}
L, C, R = 1e-2, 1e-6, 1e3
SCHEME_V = {1e-4: 4.7514752533, 1e-3: -4.9784213353, 5e-3: 0.7883868726}  # h = 1e-6, theta = 1/2
TOLERANCE = 1e-6


def build(p):
    source = sk.FirstOrderLinearTIDS([10.0, 0.0], np.array([[0.0, -1 / C], [1 / L, 0.0]]))
    output = np.array([[0.0, 0.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0]])
    feedback = np.array([[0.0, 0.0, -1 / C, 1 / C], [0.0, 0.0, 0.0, 0.0]])
    through = np.array([[1 / R, 1 / R, -1.0, 0.0], [1 / R, 1 / R, 0.0, -1.0],
                        [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    relation = sk.FirstOrderLinearTIR(output, feedback)
    relation.setDPtr(through)
    diodes = sk.Interaction(sk.ComplementarityConditionNSL(4), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, p["T"])
    model.insertDynamicalSystem(source)
    model.link(diodes, source)
    integrator = sk.EulerMoreauOSI(p["theta"])
    clock = sk.TimeDiscretisation(0.0, p["h"])
    lcp = sk.LCP(sn.SICONOS_LCP_LEMKE)
    simulation = sk.TimeStepping(model, clock, integrator, lcp)
    # The bindings do not keep every array alive that the library points to.
    return SimpleNamespace(simulation=simulation, source=source, diodes=diodes,
                           keep=(relation, through))


def final(m):
    v, i = m.source.x()
    return {"t": m.simulation.startingTime(), "v": v, "i": i, "a": v, "b": i}


def check(p, _model, state):
    if (p["h"], p["theta"]) != (1e-6, 0.5) or p["T"] not in SCHEME_V:
        return True, "Lemke; no reference value for these parameters"
    error = abs(state["v"] - SCHEME_V[p["T"]])
    return error <= TOLERANCE, f"Lemke; difference to the scheme value of v {error:.1e}"
