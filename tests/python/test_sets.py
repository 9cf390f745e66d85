"""Sets as Python objects."""

import numpy as np
import pytest
import saltus


def test_the_friction_cone_projects_on_its_nearest_ray():
    cone = saltus.FrictionCone(mu=1.0)
    assert cone.project([0.0, 2.0]) == pytest.approx([1.0, 1.0], abs=1e-15)
    assert cone.project([-3.0, 1.0]) == pytest.approx([0.0, 0.0], abs=1e-15)
    assert cone.distance([0.0, 2.0]) == pytest.approx(np.sqrt(2.0), abs=1e-15)
    assert cone.contains([2.0, 1.0, 1.0]) and not cone.contains([1.0, 2.0])
    assert saltus.FrictionCone(mu=0.5).dual() == saltus.FrictionCone(mu=2.0)


SETS = [
    saltus.Reals(),
    saltus.Zero(),
    saltus.NonNegative(),
    saltus.Interval(lower=-1.0, upper=0.5),
    saltus.Box(lower=[-np.inf, 0.0, -1.0], upper=[1.0, np.inf, 1.0]),
    saltus.Ball(center=[1.0, 0.0, 0.0], radius=2.0),
    saltus.FrictionCone(mu=0.3),
    saltus.SecondOrderCone(mu=0.7),
    saltus.EllipticCone(mu_1=0.3, mu_2=1.5),
    saltus.RollingCone(mu=0.5, mu_rolling=0.2),
    saltus.RollingDualCone(mu=0.5, mu_rolling=0.2),
    saltus.FrictionCylinder(radius=0.4),
    saltus.PolyhedralCone(generators=[[1.0, 1.0], [0.0, 1.0], [0.0, 0.5]]),
    saltus.PolyhedralCone(inequalities=[[1.0, -1.0, 0.0]]),
    saltus.Product(factors=[(saltus.NonNegative(), 1), (saltus.Disk(radius=0.5), 2)]),
]
POINTS = np.random.default_rng(1).normal(scale=2.0, size=(20, 3))


@pytest.mark.parametrize("set_", SETS, ids=lambda s: type(s).__name__)
def test_projection_is_the_nearest_point(set_):
    for x in POINTS:
        p = set_.project(x)
        assert set_.distance(x) == pytest.approx(np.linalg.norm(x - p), abs=1e-12)
        assert set_.contains(p, tolerance=1e-12)
        for other in POINTS:
            # the angle at p towards any other point of the set is obtuse
            assert (x - p) @ (set_.project(other) - p) <= 1e-10


@pytest.mark.parametrize("set_", [s for s in SETS if s.is_cone()], ids=lambda s: type(s).__name__)
def test_cones_obey_moreaus_decomposition(set_):
    for x in POINTS:
        p, polar = set_.project(x), set_.project_polar(x)
        assert p + polar == pytest.approx(x, abs=1e-12)
        assert p @ polar == pytest.approx(0.0, abs=1e-11)
        assert -set_.dual().project(-x) == pytest.approx(polar, abs=1e-11)


def test_the_jacobian_of_a_projection_is_its_derivative():
    cone, x, step = saltus.FrictionCone(mu=0.3), np.array([0.5, 1.0, -2.0]), 1e-6
    columns = [(cone.project(x + step * d) - cone.project(x - step * d)) / (2 * step) for d in np.eye(3)]
    assert cone.projection_jacobian(x) == pytest.approx(np.transpose(columns), abs=1e-8)


def test_support_functions():
    assert saltus.Ball(center=[1.0, 0.0], radius=2.0).support([3.0, 4.0]) == 13.0
    assert saltus.NonNegative().support([1.0]) == np.inf
    assert saltus.Interval(lower=-1.0, upper=2.0).support([1.0, -1.0]) == 3.0


def test_wrong_sets_and_points():
    with pytest.raises(saltus.Error, match="FrictionCone"):
        saltus.FrictionCone(mu=-1.0)
    with pytest.raises(saltus.Error, match="expected 2"):
        saltus.Disk().project([1.0, 2.0, 3.0])
    with pytest.raises(saltus.Error):
        saltus.Interval(lower=1.0, upper=0.0)
    with pytest.raises(saltus.Error):
        saltus.Disk().dual()
    with pytest.raises(TypeError, match="expected a set"):
        saltus.Product(factors=[(3.0, 1)])
