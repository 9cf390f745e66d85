"""Contact with Coulomb friction: all that belongs to it, under short names.

    from saltus import friction

    file = friction.read("scene.hdf5")            # FCLib; read_problem knows the text formats
    (v, r), report = friction.solve(file.problem) # the default; of a reduced problem r, report
    friction.errors(file.problem, r).worst()      # max(e1, e2), relative to q
    friction.certificate(file.problem, r).dq      # the velocities by which r is wrong
    friction.status(file.problem, r)              # open, stick or slide, contact by contact
    friction.diagnose(file.problem).rank_ratio    # how hard the problem is
    friction.existence(file.problem).verdict      # does it have a solution at all
    friction.solve(file.problem.reduce(), solver=friction.preset("NSN-AC-GP"))

The names without "friction_" are those of the package: friction.errors is saltus.friction_errors.
"""

from . import (
    Aclm,
    Admm,
    Automatic,
    BlockForm,
    ContactStatus,
    ConvexProjectedGradient,
    CoulombCascade,
    DirectMcp,
    EllipticCone,
    Existence,
    FacetedFriction,
    FclibFile,
    FclibPoint,
    FixedPointProjection,
    FrictionCertificate,
    FrictionCone,
    FrictionContact,
    FrictionCylinder,
    FrictionDiagnostics,
    FrictionErrors,
    FrictionExistence,
    FrictionProximalPoint,
    GlobalBlockForm,
    GlobalFrictionContact,
    GlockerNcp,
    HyperplaneProjection,
    MixedNonlinear,
    Mprgp,
    NonsmoothNewton,
    Nsgs,
    Panagiotopoulos,
    PiecewiseFriction,
    PredictionCorrection,
    RollingCone,
    SecondOrderCone,
    SkewedProjection,
    SlipFriction,
    SlipGraph,
    SoclcpRelaxation,
    SpectralProjection,
    TrescaFixedPoint,
    diagnose,
    read_problem,
    solve,
    write_problem,
)
from . import contact_status as status
from . import friction_certificate as certificate
from . import friction_errors as errors
from . import friction_existence as existence
from . import friction_infeasibility as infeasibility
from . import friction_preset as preset
from . import friction_preset_names as presets
from . import read_fclib as read
from . import write_fclib as write
from . import write_fclib_solution as write_solution

__all__ = [
    "Aclm",
    "Admm",
    "Automatic",
    "BlockForm",
    "ContactStatus",
    "ConvexProjectedGradient",
    "CoulombCascade",
    "DirectMcp",
    "EllipticCone",
    "Existence",
    "FacetedFriction",
    "FclibFile",
    "FclibPoint",
    "FixedPointProjection",
    "FrictionCertificate",
    "FrictionCone",
    "FrictionContact",
    "FrictionCylinder",
    "FrictionDiagnostics",
    "FrictionErrors",
    "FrictionExistence",
    "FrictionProximalPoint",
    "GlobalBlockForm",
    "GlobalFrictionContact",
    "GlockerNcp",
    "HyperplaneProjection",
    "MixedNonlinear",
    "Mprgp",
    "NonsmoothNewton",
    "Nsgs",
    "Panagiotopoulos",
    "PiecewiseFriction",
    "PredictionCorrection",
    "RollingCone",
    "SecondOrderCone",
    "SkewedProjection",
    "SlipFriction",
    "SlipGraph",
    "SoclcpRelaxation",
    "SpectralProjection",
    "TrescaFixedPoint",
    "certificate",
    "diagnose",
    "errors",
    "existence",
    "infeasibility",
    "preset",
    "presets",
    "read",
    "read_problem",
    "solve",
    "status",
    "write",
    "write_problem",
    "write_solution",
]
