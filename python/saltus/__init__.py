"""Saltus: nonsmooth dynamical systems, with impacts, friction, ideal diodes, relays.

Systems tied by relations that obey laws form a model; an integrator turns it into a problem at each
step, a solver solves it. Five statements simulate a bouncing ball:

    import saltus

    model = saltus.Model()
    ball = model.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0], v=[0.0])
    model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.9))
    sim = saltus.Simulation(model, saltus.MoreauJean(theta=0.5, solver=saltus.Lemke()), step=5e-3)
    run = sim.run(10.0)

Then run.t, run.q, run.v, run.y, run.u, run.r are NumPy arrays (views, not copies),
run["system0.q[0]"] is one column, run.report says how it went, run.plot() draws it, and
run.save("ball.h5") keeps it.

Where to look:

    systems     PointMass PointMasses LinearLagrangian Lagrangian FirstOrderLinear FirstOrder,
                SparseLagrangian SparseFirstOrder: given by SciPy sparse matrices,
                or your own class: see Lagrangian, FirstOrder
    relations   LinearRelation Driven FirstOrderLinearRelation, or your own class: see LinearRelation;
                DiskOnLine DiskContact RimOnPlane DrivenBody
    laws        Equality Complementarity NewtonImpact Relay Coulomb EllipticCoulomb RollingCoulomb
                SpinningCoulomb Tresca PoissonCoulomb Spring CompliantContact ElasticPlastic
                PiecewiseLinear (saturation() dead_zone() relay_with_dead_zone() zener()
                hinge_sum()) NormalCone
    schemes     MoreauJean StewartTrinkle AnitescuPotra PaoliSchatzman GeneralizedAlpha; for first
                order ThetaMethod Bdf2 Sdirk CatchingUp ZeroOrderHold, and for comparison
                ExplicitInclusion Mannshardt; Theta ExactFlow: of single systems (`systems=`)
    inclusions  sweeping_process() polyhedral_sweeping() play() unilateral_inclusion()
                differential_variational_inequality() relay_system() filippov_system()
                complementarity_system() nonlinear_complementarity_system() gradient_system()
                switched_system(): models; as values that convert to one another
                UnilateralInclusion EvolutionVariationalInequality ProjectedDynamicalSystem
                SweepingProcess DifferentialVariationalInequality RelaySystem
                PiecewiseAffineSystem ImpulsiveSystem to_sweeping() to_piecewise();
                ProxRegularSweeping TwoSurfaceSystem; ReachableSet; solve_boundary_value();
                surfaces: surface_kind() ActiveRegions
    simulation  Model Simulation AdaptiveSteps RecordOptions Trajectory
    algorithms  Automatic, BlockPivoting, Lemke, Mehrotra, SemismoothNewton, Psor; CoulombCascade,
                Nsgs, NonsmoothNewton, Admm for friction, and others: `saltus solvers` on the
                command line lists them with when to use which; which belong to which problem is in
                help(saltus.solve); friction_preset("NSN-AC-GP") knows names of the literature
    problems    Lcp Mlcp BlockForm, HorizontalLcp VerticalLcp ExtendedLcp GeneralisedLcp
                ParametricLcp, FrictionContact GlobalFrictionContact GlobalBlockForm, Qp Nlp SetNlp,
                Ncp Mcp, Vi Avi Qvi Soclcp: data or functions, residual(), conversions to_...();
                solve() for all of them
                classify() and explain() tell what a matrix allows; friction_errors()
                friction_certificate() contact_status() diagnose() friction_existence()
                friction_infeasibility() judge contact problems; all of friction under short names
                in saltus.friction
    analysis    Lcs(A=, B=, C=, D=) or linearised(model): relative_degree() zero_dynamics_form()
                transfer_function() passivity() positivity() storage_bounds() consistent_jump()
                equilibria() well_posedness() well_posedness_of() solution_class(); simulate_lcs()
                by Emts for any relative degree, simulate_lcs_events() exactly; lipschitz_constants() one_sided_lipschitz()
                lyapunov_rate() of inclusions
    files       read_problem() write_problem() read_solution(), read_fclib() write_fclib()
                write_fclib_solution()
    sets        Reals Zero NonNegative Interval Box Disk Ball FrictionCone SecondOrderCone
                EllipticCone RollingCone RollingDualCone FrictionCylinder PolyhedralCone Product
    mechanics   RigidScene: spheres, capsules, boxes, polyhedra in contact with friction, and joints
                between them; mobility() counts what joints leave free,
                penetrations() names contacts that start too deep
                PlanarScene: the same in the plane, contacts declared one by one
                ElasticBody of a Mesh, box_mesh(): finite elements; link_plane() link_sides():
                contacts of their nodes
                RigidBodies PlanarBodies: pools of bodies; gyroscopic_term() of a mass matrix
                CohesiveZone: adhesion and damage; vibro_impact(): an oscillator with a stop
                polygon_contains() angle_sum() ray_crossings()
    circuits    circuit(): a netlist with diodes, switches, transistors; CircuitResult
    ready       BouncingBall BeadColumn DiodeBridge PileOfSpheres PileOfBoxes PileOfCapsules
                BoxStack Wall KaplaTower Arch

Names, defaults and errors are those of the C++ library. Options are given by name; their classes
tell what each means: help(saltus.MoreauJean). A mistake of the caller raises saltus.Error (a
ValueError) that says what was given and what was expected; what comes out of a computation is a
status in a report.
"""

import importlib.util as _importlib
import inspect as _inspect
import sys as _sys

if _importlib.find_spec("numpy") is None:
    raise ImportError(
        f"saltus needs NumPy, which {_sys.executable} does not have; "
        "it is built for Debian's Python, /usr/bin/python3"
    )

from . import _saltus  # noqa: E402
from ._saltus import *  # noqa: E402, F403
from ._saltus import __version__  # noqa: E402
from ._trajectory import plot as _plot  # noqa: E402

__all__ = [name for name in vars(_saltus) if not name.startswith("_")] + ["__version__"]

for _name in __all__:
    _object = globals()[_name]
    if isinstance(_object, type):
        _object.__module__ = __name__
        if hasattr(_object, "_fields"):
            _object.__signature__ = _inspect.Signature(
                _inspect.Parameter(field, _inspect.Parameter.KEYWORD_ONLY, default=default)
                for field, default in _object._fields.items()
            )
del _name, _object

Trajectory.plot = _plot  # noqa: F405

from . import friction  # noqa: E402, F401  (takes its names from here)


def _rebuild(cls, fields):
    """Makes the copy of an options object, for copy and pickle."""
    return cls(**fields)
