"""Chain of N rigid links on the ground, ball joints between neighbours, four feet under each link.

Link i has its centre at ((i + 1/2) L, 0, height); the anchors of its joints are its ends. The feet
stand at the corners of a rectangle: four contacts with Coulomb friction per link. At the start the joints move sideways with w_i = speed sin(2 pi i / wave), the
links with them; friction slows the chain down.

The one-step problem is SICONOS's GenericMechanical, Gauss-Seidel on all blocks, joints among them:
the only way of the library to have joints and friction in one problem that does not abort here.
"""
import itertools
import math
from types import SimpleNamespace

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.mechanics.joints import KneeJointR

PARAMETERS = {"T": 0.02, "h": 1e-3, "theta": 0.5, "N": 100, "mu": 0.3, "speed": 0.5, "wave": 10.0,
              "tolerance": 1e-8, "iterations": 100000, "activation": 1e6}
GRAVITY = 9.81
LENGTH, MASS, INERTIA = 0.2, 1.0, (0.0008, 0.004, 0.004)
REACH, WIDTH, HEIGHT = 0.08, 0.04, 0.05  # half distances of the feet, centre of the link


def one_step_problem(p):
    problem = sk.GenericMechanical()
    problem.setKeepLambdaAndYState(True)
    options = problem.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = p["tolerance"]
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = p["iterations"]
    return problem


def link(p, i):
    """Body i, at rest but for the sideways motion of its joints."""
    w = [p["speed"] * math.sin(2 * math.pi * (i + k) / p["wave"]) for k in (0, 1)]
    q = [(i + 0.5) * LENGTH, 0.0, HEIGHT, 1.0, 0.0, 0.0, 0.0]
    v = [0.0, (w[0] + w[1]) / 2, 0.0, 0.0, 0.0, (w[1] - w[0]) / LENGTH]
    body = sk.NewtonEulerDS(q, v, MASS, np.diag(INERTIA))
    body.setFExtPtr(np.array([0.0, 0.0, -MASS * GRAVITY]))
    return body


def foot(x, y):
    """The lowest point of a foot, fixed in the body, on the ground. The library measures the gap to a
    point of the ground, not to its plane: the contact is kept active instead (`activation`), and
    its law says whether it opens."""
    contact = sk.NewtonEuler3DR()
    contact.setRelPc1([x, y, -HEIGHT])
    contact.setRelPc2([0.0, 0.0, 0.0])
    contact.setRelNc([0.0, 0.0, 1.0])
    return contact


def build(p):
    model = sk.NonSmoothDynamicalSystem(0.0, p["T"])
    law = sk.NewtonImpactFrictionNSL(0.0, 0.0, p["mu"], 3)
    bodies = []
    for i in range(p["N"]):
        bodies.append(link(p, i))
        model.insertDynamicalSystem(bodies[-1])
        for x, y in itertools.product((-REACH, REACH), (-WIDTH, WIDTH)):
            model.link(sk.Interaction(law, foot(x, y)), bodies[-1])
        if i > 0:
            joint = KneeJointR()
            joint.setPoint(0, [i * LENGTH, 0.0, HEIGHT])
            joint.setAbsolute(True)
            joint.setBasePositions(bodies[-2].q(), bodies[-1].q())
            tie = sk.EqualityConditionNSL(joint.numberOfConstraints())
            model.link(sk.Interaction(tie, joint), bodies[-2], bodies[-1])
    integrator = sk.MoreauJeanOSI(p["theta"])
    integrator.setConstraintActivationThreshold(p["activation"])
    problem = one_step_problem(p)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, p["h"]))
    simulation.insertIntegrator(integrator)
    simulation.insertNonSmoothProblem(problem)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    return SimpleNamespace(simulation=simulation, model=model, bodies=bodies, problem=problem)


def final(m):
    q = np.array([body.q() for body in m.bodies])
    v = np.array([body.twist() for body in m.bodies])
    n = len(q)
    return {"t": m.simulation.startingTime(), "y": [float(q[i, 1]) for i in (0, n // 3, n - 1)],
            "vy": [float(v[i, 1]) for i in (0, n // 3, n - 1)],
            "speed": float(np.sqrt(np.mean(v[:, 1] ** 2))),
            "height": [float(q[i, 2]) for i in (0, n // 3, n - 1)]}


def check(p, m, state):
    options = m.problem.numericsSolverOptions()
    residual = options.dparam[sn.SICONOS_DPARAM_RESIDU]
    return residual <= p["tolerance"], (
        f"last step: {options.iparam[sn.SICONOS_IPARAM_ITER_DONE]} "
        f"iterations, solver residual {residual:.1e}")
