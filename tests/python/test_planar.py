"""Bodies of the plane, driven bodies and the gyroscopic term, from Python."""

import math

import numpy as np
import pytest
import saltus


def slider_crank(speed):
    """Crank of length 0.2, rod of length 0.5, slider along x."""
    scene = saltus.PlanarScene()
    for x in (0.1, 0.45, 0.7):
        scene.add_body(1.0, 0.02, x=[x, 0.0])
    scene.revolute(-1, 0, [0.0, 0.0], name="crank", velocity=speed)
    scene.revolute(0, 1, [0.2, 0.0])
    scene.revolute(1, 2, [0.7, 0.0])
    scene.prismatic(-1, 2, [0.7, 0.0], [1.0, 0.0], name="guide")
    return scene


def test_a_slider_crank_follows_its_closed_form():
    step = 1e-3
    scheme = saltus.MoreauJean(stabilisation=saltus.CombinedProjection())
    run = saltus.Simulation(slider_crank(5.0).model(gravity=[0.0, 0.0]), scheme, step=step).run(1.5)
    assert run.report.ok()
    angle = run["bodies.q[2]"]
    assert angle[-1] > 2 * math.pi  # turns are counted
    exact = 0.2 * np.cos(angle) + np.sqrt(0.25 - (0.2 * np.sin(angle)) ** 2)
    # the joints hold to the tolerance of the projection
    assert np.abs(run["bodies.q[6]"] - exact).max() < 1e-8
    assert saltus.mobility(slider_crank(5.0).model(gravity=[0.0, 0.0])).freedom == 0


def test_contacts_with_lines_and_between_disks():
    scene = saltus.PlanarScene()
    for x in (0.0, 3.0):
        scene.add_body(1.0, 0.5, x=[x, 1.0], v=[2.0 - x, 0.0])
        scene.on_line(scene.bodies() - 1, saltus.Coulomb(mu=0.0), radius=1.0)
    scene.disks(0, 1, saltus.Coulomb(mu=0.0, e=0.5), radius_a=1.0, radius_b=1.0, name="pair")
    run = saltus.Simulation(scene.model(gravity=[0.0, -9.81]), step=1e-3).run(1.0)
    assert run.report.ok()
    # equal masses at 2 and -1 m/s, e = 1/2: (2 - 1)/2 -/+ 3/4
    assert run["bodies.v[0]"][-1] == pytest.approx(-0.25, abs=1e-9)
    assert run["bodies.v[3]"][-1] == pytest.approx(1.25, abs=1e-9)
    with pytest.raises(saltus.Error, match="on body 7"):
        scene.on_line(7, saltus.Coulomb())


def test_relations_of_the_plane_tie_bodies_of_a_model():
    model = saltus.Model()
    pool = model.add(saltus.PlanarBodies(m=[1.0], inertia=[0.125], gravity=[0.0, -9.81]), q=[0, 0.5, 0])
    slope = math.pi / 6
    normal = [-math.sin(slope), math.cos(slope)]
    model.link((pool, 0), saltus.DiskOnLine(normal=normal, offset=0.5 * math.cos(slope) - 0.5, radius=0.5),
               saltus.Coulomb(mu=0.6))
    sim = saltus.Simulation(model, step=1e-3)
    assert sim.run(1.0).report.ok()
    # a full disk rolls with 2/3 g sin
    assert np.hypot(*sim.state().v[:2]) == pytest.approx(2 / 3 * 9.81 * 0.5, abs=1e-9)
    with pytest.raises(saltus.Error, match="length 2"):
        saltus.DiskOnLine(normal=[0.0, 2.0])
    with pytest.raises(saltus.Error, match="expected > 0"):
        saltus.DiskContact(radius_0=0.0)


def test_a_driven_body_follows_and_pulls():
    model = saltus.Model()
    pool = model.add(saltus.RigidBodies(m=[2.0], inertia=[[1.0, 1.0, 1.0]]), q=[0, 0, 0, 1, 0, 0, 0])
    model.link((pool, 0), saltus.DrivenBody(motion=lambda t: [0.5 * t * t, 0, 0, 0, 0, 0.3 * t]),
               saltus.Equality(), name="hand")
    run = saltus.Simulation(model, step=1e-3).run(0.5)
    assert run.report.ok()
    # the speed is asked for in the middle of the step: behind by t h/2
    assert run.q[-1, 0] == pytest.approx(0.125 - 0.5 * 0.5e-3, abs=1e-6)
    assert run["hand.r[0]"][-1] / 1e-3 == pytest.approx(2.0, abs=1e-6)  # m a
    assert run.v[-1, 5] == pytest.approx(0.3, abs=1e-6)


def test_the_gyroscopic_term_of_a_double_pendulum():
    def mass(q):
        c = 0.7 * math.cos(q[0] - q[1])
        return [[2.0, c], [c, 0.7]]

    q, v = np.array([0.4, -0.8]), np.array([1.5, -2.0])
    s = 0.7 * math.sin(q[0] - q[1])
    expected = [s * v[1] ** 2, -s * v[0] ** 2]
    assert saltus.gyroscopic_term(mass, q, v) == pytest.approx(expected, abs=1e-11)
    with pytest.raises(saltus.Error, match="expected 2x2"):
        saltus.gyroscopic_term(lambda q: [[1.0]], q, v)


def test_a_body_of_two_shapes_stands_on_both():
    scene = saltus.RigidScene()
    scene.fix_plane(mu=0.5)
    bell = scene.add_body(2.0, [0.1, 0.1, 0.1], x=[0.0, 0.0, 0.3])
    for x in (-0.5, 0.5):
        for y in (-0.5, 0.5):
            scene.attach_sphere(bell, 0.1, x=[x, y, -0.2])
    sim = saltus.Simulation(scene.model(), step=1e-3)
    assert sim.run(0.1).report.ok()
    assert len(sim.contacts()) == 4
    assert sim.state().q[2] == pytest.approx(0.3, abs=1e-9)
    with pytest.raises(saltus.Error, match="on body 5"):
        scene.attach_box(5, [1.0, 1.0, 1.0])
