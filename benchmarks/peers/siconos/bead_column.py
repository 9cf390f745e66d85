"""Column of N beads on the ground, nominally at rest with gaps zero (PL:C-03).

N systems of one degree of freedom (displacement from the touching position), mass 1; contacts
y_1 = q_1 and y_i = q_i - q_{i-1}. At rest the impulses of every step are P_i = (N - i + 1) m g h.

The contacts sit exactly on the boundary of activation, so that after one step the rounding of
q (about 1e-16) decides which of them stay active. `activation` is the library's own remedy: a
contact is active when y + h/2 dy/dt <= activation.

With `drop` (height of the lowest bead) or `gap` (between neighbours) the column falls instead;
then there is no reference state and only the solver's last residual is judged.
"""
from types import SimpleNamespace

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

PARAMETERS = {"T": 6e-3, "h": 1e-3, "theta": 0.5, "e": 0.0, "N": 1000, "drop": 0.0, "gap": 0.0,
              "activation": 1e-10, "solver": "lemke", "tolerance": 1e-10, "iterations": 10000,
              "warmstart": 1}
GRAVITY = 9.81
ACCURACY = 1e-8  # of impulses relative to N m g h, of velocities relative to N g h
RESIDUAL = 1e-6  # of the LCP of a falling column, where no reference state is known

# All solvers of the library for an LCP, with the storage they accept. With NM_SPARSE every one
# of them crashes; with block storage all but nsgs_sbm end the process ("unknown solver"). qp and
# nsqp abort (solver not in the package); path and gams are not in the package.
SOLVERS = {
    "lemke": sn.SICONOS_LCP_LEMKE,
    "pivot": sn.SICONOS_LCP_PIVOT,
    "pivot_lumod": sn.SICONOS_LCP_PIVOT_LUMOD,
    "murty": sn.SICONOS_LCP_MURTY,
    "bard": sn.SICONOS_LCP_BARD,
    "avi": sn.SICONOS_LCP_AVI_CAOFERRIS,
    "pathsearch": sn.SICONOS_LCP_PATHSEARCH,
    "newton_min": sn.SICONOS_LCP_NEWTONMIN,
    "newton_fb": sn.SICONOS_LCP_NEWTON_FB_FBLSA,
    "newton_min_fb": sn.SICONOS_LCP_NEWTON_MIN_FBLSA,
    "pgs": sn.SICONOS_LCP_PGS,
    "psor": sn.SICONOS_LCP_PSOR,
    "rpgs": sn.SICONOS_LCP_RPGS,
    "cpg": sn.SICONOS_LCP_CPG,
    "latin": sn.SICONOS_LCP_LATIN,
    "latin_w": sn.SICONOS_LCP_LATIN_W,
    "projected_gradient": sn.SICONOS_LCP_CONVEXQP_PG,
    "nsgs_sbm": sn.SICONOS_LCP_NSGS_SBM,
}


def one_step_problem(p):
    if p["solver"] not in SOLVERS:
        raise SystemExit(f"bead_column: solver is one of {sorted(SOLVERS)}; given {p['solver']}")
    lcp = sk.LCP(SOLVERS[p["solver"]])
    lcp.setMStorageType(sn.NM_SPARSE_BLOCK if p["solver"] == "nsgs_sbm" else sn.NM_DENSE)
    lcp.setKeepLambdaAndYState(bool(p["warmstart"]))
    options = lcp.numericsSolverOptions()
    options.dparam[sn.SICONOS_DPARAM_TOL] = p["tolerance"]
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = p["iterations"]
    return lcp


def build(p):
    law = sk.NewtonImpactNSL(p["e"])
    model = sk.NonSmoothDynamicalSystem(0.0, p["T"])
    beads, contacts = [], []
    for i in range(p["N"]):
        bead = sk.LagrangianLinearTIDS([p["drop"] + i * p["gap"]], [0.0], np.eye(1))
        bead.setFExtPtr([-GRAVITY])
        model.insertDynamicalSystem(bead)
        beads.append(bead)
    for i in range(p["N"]):
        pair = beads[max(i - 1, 0):i + 1]
        jacobian = np.array([[1.0]]) if i == 0 else np.array([[-1.0, 1.0]])
        contact = sk.Interaction(law, sk.LagrangianLinearTIR(jacobian))
        model.link(contact, *pair)
        contacts.append(contact)
    integrator = sk.MoreauJeanOSI(p["theta"])
    integrator.setConstraintActivationThreshold(p["activation"])
    lcp = one_step_problem(p)
    clock = sk.TimeDiscretisation(0.0, p["h"])
    simulation = sk.TimeStepping(model, clock, integrator, lcp)
    return SimpleNamespace(simulation=simulation, beads=beads, contacts=contacts, lcp=lcp,
                           h=p["h"])


def final(m):
    count = len(m.contacts)
    impulse = np.array([contact.lambda_(1)[0] for contact in m.contacts])
    expected = GRAVITY * m.h * (count - np.arange(count))
    speed = max(abs(bead.velocity()[0]) for bead in m.beads)
    return {"t": m.simulation.startingTime(), "impulse_ground": impulse[0],
            "impulse_top": impulse[-1], "displacement_top": m.beads[-1].q()[0],
            "velocity_top": m.beads[-1].velocity()[0],
            "impulse_error": float(np.max(np.abs(impulse - expected)) / expected[0]),
            "velocity_error": float(speed / expected[0])}


def check(p, m, state):
    options = m.lcp.numericsSolverOptions()
    residual = options.dparam[sn.SICONOS_DPARAM_RESIDU]
    if p["drop"] > 0 or p["gap"] > 0:
        return residual <= RESIDUAL, f"{p['solver']}; falling, last solver residual {residual:.1e}"
    accurate = max(state["impulse_error"], state["velocity_error"]) <= ACCURACY
    note = (f"{p['solver']} warmstart={p['warmstart']}; last step: "
            f"{options.iparam[sn.SICONOS_IPARAM_ITER_DONE]} iterations, solver residual "
            f"{residual:.1e}; impulse error "
            f"{state['impulse_error']:.1e}, velocity error {state['velocity_error']:.1e}")
    return accurate, note
