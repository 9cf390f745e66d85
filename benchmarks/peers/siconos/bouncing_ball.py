"""Ball on a plane, 3 degrees of freedom q = (z, x, angle), M = I (PL:C-02, TI:V-30).

Newton's law with restitution e on y = z; Moreau-Jean theta-scheme, contact active when
z + h/2 v_z <= 0 (the library's default forecast), LCP by Lemke.
"""
from types import SimpleNamespace

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

PARAMETERS = {"T": 10.0, "h": 5e-3, "theta": 0.5, "e": 0.9, "repeat": 10}
GRAVITY = 9.81
TOLERANCE = 1e-9  # sums of some 1e4 terms of size 1: rounding stays below 1e-11


def build(p):
    ball = sk.LagrangianLinearTIDS([1.0, 0.0, 0.0], [0.0, 0.0, 0.0], np.eye(3))
    ball.setFExtPtr([-GRAVITY, 0.0, 0.0])
    contact = sk.Interaction(sk.NewtonImpactNSL(p["e"]),
                             sk.LagrangianLinearTIR(np.array([[1.0, 0.0, 0.0]])))
    model = sk.NonSmoothDynamicalSystem(0.0, p["T"])
    model.insertDynamicalSystem(ball)
    model.link(contact, ball)
    integrator = sk.MoreauJeanOSI(p["theta"])
    clock = sk.TimeDiscretisation(0.0, p["h"])
    lcp = sk.LCP(sn.SICONOS_LCP_LEMKE)
    simulation = sk.TimeStepping(model, clock, integrator, lcp)
    return SimpleNamespace(simulation=simulation, ball=ball, contact=contact)


def final(m):
    q, v = m.ball.q(), m.ball.velocity()
    return {"t": m.simulation.startingTime(), "z": q[0], "x": q[1], "angle": q[2], "v": v[0],
            "p": m.contact.lambda_(1)[0]}


def replay(p):
    """The same scheme for z alone, where the LCP has one unknown: p = max(0, -(v_free + e v))."""
    z, v, h = 1.0, 0.0, p["h"]
    for _ in range(round(p["T"] / h)):
        free = v - h * GRAVITY
        active = z + 0.5 * h * v <= 0.0
        impulse = max(0.0, -(free + p["e"] * v)) if active else 0.0
        z += h * ((1.0 - p["theta"]) * v + p["theta"] * (free + impulse))
        v = free + impulse
    return z, v


def check(p, _model, state):
    z, v = replay(p)
    error = max(abs(state["z"] - z), abs(state["v"] - v))
    return error <= TOLERANCE, f"Lemke; difference to a scalar replay of the scheme {error:.1e}"
