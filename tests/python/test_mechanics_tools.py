"""Cohesive zones, polygons, and the screw joint from Python."""

import math
import pickle

import numpy as np
import pytest
import saltus

ARROW = [[0, 0], [4, 0], [4, 4], [2, 1]]  # not convex


def test_an_interface_torn_off_without_viscosity_takes_its_energy_of_decohesion():  # F:F171
    zone = saltus.CohesiveZone(c_N=1e3, w=0.05)
    beta, work, force, step = 1.0, 0.0, 0.0, 1e-6
    for g in np.arange(step, 1.0, 1e-4):
        beta = zone.adhesion(beta, g, 0.0, 1e-3)
        now = -zone.normal_force(beta, g)
        work += 0.5 * (force + now) * (1e-4 if g > step else step)
        force = now
    # β G = w beyond G = w: R = β² c_N g = w²/(c_N g³), whose work from g_0 = (w/c_N)^½ is w/2, after w/2 until then;
    # w²/(2 c_N) is missing beyond g = 1, the trapezoidal rule is good to (1e-4/g_0)² = 2e-4 of it
    assert work == pytest.approx(0.05 - 0.05**2 / 2e3, rel=5e-4)
    assert beta == pytest.approx(0.05 / 1e3, rel=1e-3)
    assert zone.energy(beta, 1.0, 0.0) == pytest.approx(0.5 * beta**2 * 1e3)


def test_a_cohesive_zone_pulls_along_the_tangent_and_is_a_value():
    zone = saltus.CohesiveZone(c_N=2.0, c_T=3.0, w=1.0, b=0.1)
    assert zone.tangential_force(0.5, 2.0) == -0.25 * 3 * 2
    assert zone.normal_force(1.0, -0.1) == 0.0
    assert pickle.loads(pickle.dumps(zone)) == zone
    assert 0 < zone.adhesion(1.0, 1.0, 1.0, 1e-3) < 1


def test_adhesion_along_an_interface_is_smoothed_by_its_gradient():  # F:C0-26
    g = np.where(np.arange(40) < 20, 1.0, 2.0)
    sharp = saltus.CohesiveZone(c_N=10.0, w=2.0).adhesion_along(np.ones(40), g, 0 * g, 0.025, 1e-3)
    smooth = saltus.CohesiveZone(c_N=10.0, w=2.0, k=1.0).adhesion_along(np.ones(40), g, 0 * g, 0.025, 1e-3)
    assert np.allclose(sharp, 2.0 / (10 * g**2), atol=1e-15)
    assert np.all(np.diff(smooth) < 0) and np.max(-np.diff(smooth)) < 0.1 * np.max(-np.diff(sharp))


def test_an_oscillator_with_a_stop_impacts_where_the_cards_say():  # TI:V-15
    run = saltus.vibro_impact(-1.0, 0.0, 3.2, 400, omega=math.pi, x_max=0.5, e=0.8)
    assert run.impacts == pytest.approx([2 / 3, 2.0646391738], abs=1e-7)
    assert (run.x[-1], run.v[-1]) == pytest.approx((-0.22681122, 2.23419298), abs=1e-6)
    assert np.max(run.x) <= 0.5 and len(run.t) == 401
    held = saltus.vibro_impact(0.0, 0.0, 1.0, 10, x_max=0.0, e=0.5, f=lambda t: 1.0)
    assert not np.any(held.x)


@pytest.mark.parametrize("call, text", [
    (lambda: saltus.vibro_impact(2.0, 0.0, 1.0, 10), "beyond the stop"),
    (lambda: saltus.vibro_impact(0.0, 0.0, 1.0, 10, impact_time="cubic"), "expected one of linear, quadratic, dichotomy"),
    (lambda: saltus.vibro_impact(0.0, 0.0, 1.0, 10, f=lambda t: math.nan), "finite load"),
    (lambda: saltus.CohesiveZone().adhesion_along([1.0, 1.0], [0.1], [0.0, 0.0], 0.1, 1e-3), "2, 1 and 2 points"),
    (lambda: saltus.CohesiveZone().adhesion_along([1.0], [0.1], [0.0], 0.0, 1e-3), "spacing is 0"),
    (lambda: saltus.CohesiveZone(p=0.0), "p is 0"),
    (lambda: saltus.CohesiveZone(c_N=-1.0), "c_N is -1"),
    (lambda: saltus.CohesiveZone().adhesion(1.5, 0.1, 0.0, 1e-3), "beta is 1.5"),
    (lambda: saltus.CohesiveZone().adhesion(1.0, 0.1, 0.0, 0.0), "h is 0"),
    (lambda: saltus.polygon_contains([[0, 0], [1, 0]], [0, 0]), "at least 3 corners"),
    (lambda: saltus.angle_sum(ARROW, [0, 0, 0]), "point has 3 entries"),
])
def test_mistakes_are_told(call, text):
    with pytest.raises(saltus.Error, match=text):
        call()


@pytest.mark.parametrize("point, inside", [([3, 1], True), ([1, 0.25], True), ([2, 2], False), ([5, 1], False)])
def test_where_points_lie_against_a_polygon_that_is_not_convex(point, inside):  # F:F130, F:F131
    assert saltus.polygon_contains(ARROW, point) is inside
    assert saltus.ray_crossings(ARROW, point) % 2 == inside
    assert saltus.angle_sum(ARROW, point) == pytest.approx(2 * math.pi * inside, abs=1e-12)
    assert saltus.angle_sum(ARROW[::-1], point) == pytest.approx(-2 * math.pi * inside, abs=1e-12)


def test_a_screw_ties_the_way_along_its_axis_to_the_turn():
    pitch, inertia, mass = 0.1, 0.02, 2.0
    scene = saltus.RigidScene()
    nut = scene.add_body(mass, [inertia] * 3)
    scene.screw(-1, nut, [0, 0, 0], [0, 0, 1], pitch)
    sim = saltus.Simulation(scene.model(gravity=[0.0, 0.0, -9.81]), step=1e-3)
    run = sim.run(0.5)
    assert run.report.ok()
    speed, turn = sim.state().v[2], sim.state().v[5]
    # falling turns it, z = p φ/2π with the way p of a turn: (m p²/4π² + I) φ'' = −m g p/2π
    lead = pitch / (2 * math.pi)
    assert speed == pytest.approx(lead * turn, rel=1e-9)
    assert turn == pytest.approx(-mass * 9.81 * lead / (mass * lead**2 + inertia) * 0.5, rel=1e-9)
