"""Methods for contact with friction beyond the usual ones: by name and as typed values."""

import numpy as np
import pytest
import saltus
from saltus import friction

W = np.array([[1, 0.2, -0.1], [0.2, 1.5, 0.3], [-0.1, 0.3, 0.8]])
Q = [-1, 0.6, -0.4]
R = [1.0699203022, -0.2472815867, 0.2046398486]  # FS:V7

SOLVERS = [
    friction.SpectralProjection(),
    friction.PredictionCorrection(),
    friction.PredictionCorrection(projected=False, gamma=1.5),
    friction.SkewedProjection(),
    friction.SkewedProjection(extragradient=True, step=saltus.AdaptiveStep(solodov_tseng=True)),
    saltus.NonsmoothNewton(linear=saltus.GmresIlu(restart=10)),
    saltus.NonsmoothNewton(linear=saltus.BicgstabIlu()),
    saltus.NonsmoothNewton(equation=saltus.NormalMap()),
    saltus.NonsmoothNewton(equation=saltus.SkewedNaturalMap()),
    saltus.NonsmoothNewton(equation=saltus.SmoothedFischerBurmeister(smoothing=0.5)),
    saltus.NonsmoothNewton(equation=saltus.SmoothedNaturalMap()),
    saltus.TrescaFixedPoint(inner=saltus.Mprgp()),
    saltus.Aclm(inner=saltus.Mprgp(gamma=2.0)),
    saltus.Panagiotopoulos(normal=saltus.Gpcg(jacobi=True), tangent=saltus.Mprgp()),
    saltus.Panagiotopoulos(normal=saltus.TwoPhaseProjection(jacobi=True)),
]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_every_method_slides_on_the_coupled_contact(solver):
    r, report = saltus.solve(saltus.FrictionContact(W, Q, [0.3]), solver=solver)
    assert report.converged() and report.solver == type(solver).__name__
    np.testing.assert_allclose(r, R, atol=1e-7)


@pytest.mark.parametrize(
    "name, kind",
    [
        ("FP-VI-BB", "SpectralProjection"),
        ("PC-VI-HE", "PredictionCorrection"),
        ("EG-VI-SKEW", "SkewedProjection"),
        ("NSN-AC-GMRES", "NonsmoothNewton"),
        ("NSN-SMOOTH-FB", "NonsmoothNewton"),
        ("NSN-NOR-GP", "NonsmoothNewton"),
        ("TRESCA-MPRGP", "TrescaFixedPoint"),
        ("CONVEXQP-MPRGP", "Mprgp"),
    ],
)
def test_presets_are_typed_values(name, kind):
    assert type(friction.preset(name)).__name__ == kind
    assert name in friction.presets()


def test_tresca_friction_by_conjugate_gradients():
    form = saltus.BlockForm(W, Q, [(saltus.FrictionCylinder(radius=0.1), 3)])
    r, report = saltus.solve(form, solver=saltus.Mprgp(tolerance=1e-12))
    assert report.converged()
    assert np.hypot(r[1], r[2]) == pytest.approx(0.1, abs=1e-11)
    u = W @ r + Q
    np.testing.assert_allclose(u[1:] / np.linalg.norm(u[1:]), -r[1:] / 0.1, atol=1e-9)
