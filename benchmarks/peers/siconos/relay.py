"""Two relays, ẋ = B λ, λ = -sgn(x), B = [[1, -2], [2, 1]] (F:V57): spirals into 0 in finite time."""
from types import SimpleNamespace

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

PARAMETERS = {"T": 1.0, "h": 1e-4, "theta": 1.0, "repeat": 5}


def build(p):
    system = sk.FirstOrderLinearTIDS([0.0, 1.0], np.zeros((2, 2)))
    output, feedback = np.eye(2), np.array([[1.0, -2.0], [2.0, 1.0]])
    relation = sk.FirstOrderLinearTIR(output, feedback)
    relays = sk.Interaction(sk.RelayNSL(2, -1.0, 1.0), relation)
    model = sk.NonSmoothDynamicalSystem(0.0, p["T"])
    model.insertDynamicalSystem(system)
    model.link(relays, system)
    integrator = sk.EulerMoreauOSI(p["theta"])
    clock = sk.TimeDiscretisation(0.0, p["h"])
    simulation = sk.TimeStepping(model, clock, integrator, sk.Relay(sn.SICONOS_RELAY_LEMKE))
    return SimpleNamespace(simulation=simulation, system=system, keep=(relays, relation))


def final(m):
    a, b = m.system.x()
    return {"t": m.simulation.startingTime(), "a": a, "b": b}


def check(p, _model, state):
    if p["T"] < 0.5:
        return True, "Lemke"
    size = max(abs(state["a"]), abs(state["b"]))
    return size <= 1e-8, f"Lemke; distance from 0 {size:.1e}"
