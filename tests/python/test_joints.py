"""Joints between rigid bodies, from Python."""

import math

import numpy as np
import pytest
import saltus

ROD = [0.02, 0.02, 0.01]


def parallelogram():
    scene = saltus.RigidScene()
    for x in ([0.0, 0.0, -0.5], [0.5, 0.0, -1.0], [1.0, 0.0, -0.5]):
        scene.add_body(1.0, ROD, x=x)
    axis = [0.0, 1.0, 0.0]
    scene.hinge(-1, 0, [0.0, 0.0, 0.0], axis, name="left")
    scene.hinge(0, 1, [0.0, 0.0, -1.0], axis)
    scene.hinge(1, 2, [1.0, 0.0, -1.0], axis)
    scene.hinge(-1, 2, [1.0, 0.0, 0.0], axis, name="right")
    return scene


def test_an_over_constrained_mechanism_is_reported_and_moves():
    model = parallelogram().model(gravity=[3.0, 0.0, -9.81])
    freedom = saltus.mobility(model)
    assert (freedom.dof, freedom.rows, freedom.rank, freedom.freedom) == (18, 20, 17, 1)
    assert freedom.redundant == {"right": 3}
    assert freedom.moving == {}
    sim = saltus.Simulation(model, step=1e-3)
    assert sim.run(0.2).report.ok()
    assert abs(sim.state().v[0]) > 0.1


def test_a_motor_turns_a_crank_at_its_speed_and_the_trajectory_has_its_torque():
    scene = saltus.RigidScene()
    scene.add_body(1.0, ROD)
    scene.hinge(-1, 0, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], name="axle",
                velocity=lambda t: 2.0 * t, max_force=10.0)
    run = saltus.Simulation(scene.model(gravity=[0.0, 0.0, 0.0]), step=1e-2).run(1.0)
    assert run.report.ok()
    # the speed is asked for at the middle of the step; the torque is I dω/dt
    assert run["bodies.v[5]"][-1] == pytest.approx(2.0 * 0.995, abs=1e-9)
    assert run["axle.motor.r[0]"][50] / 1e-2 == pytest.approx(0.01 * 2.0, abs=1e-9)


def test_limits_and_friction_of_a_slider():
    scene = saltus.RigidScene()
    scene.add_body(2.0, ROD, v=[1.0, 0.0, 0.0])
    scene.slider(-1, 0, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], limits=(-0.3, 0.3), e=0.5, friction=0.4)
    sim = saltus.Simulation(scene.model(gravity=[0.0, 0.0, 0.0]), step=1e-3)
    run = sim.run(6.0)
    assert run.report.ok()
    x, v = run.q[:, 0], run.v[:, 0]
    assert np.abs(x).max() < 0.3 + 2e-3
    first = math.sqrt(1.0 - 2 * 0.2 * 0.3)  # speed at the limit: 0.4 N on 2 kg brake with 0.2 m/s²
    assert v.min() == pytest.approx(-0.5 * first, abs=1e-3)
    assert v[-1] == 0.0


def test_wheels_and_rack():
    scene = saltus.RigidScene()
    for k in range(3):
        scene.add_body(1.0, ROD, x=[float(k), 0.0, 0.0])
    first = scene.hinge(-1, 0, [0.0, 0.0, 0.0], [0.0, 0.0, 1.0], velocity=5.0)
    second = scene.hinge(-1, 1, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    rail = scene.slider(-1, 2, [2.0, 0.0, 0.0], [1.0, 0.0, 0.0])
    scene.gear(first, second, 20, 40, name="mesh")
    scene.rack(rail, second, 0.1)
    sim = saltus.Simulation(scene.model(gravity=[0.0, 0.0, 0.0]), step=1e-3)
    assert sim.run(0.1).report.ok()
    assert sim.state().v[11] == pytest.approx(-2.5)
    assert sim.state().v[12] == pytest.approx(-0.25)


def test_every_kind_of_joint_can_be_made():
    scene = saltus.RigidScene()
    for k in range(7):
        scene.add_body(1.0, np.diag(ROD), x=[float(k), 0.0, 0.0])
    z = [0.0, 0.0, 1.0]
    assert scene.ball(0, 1, [0.5, 0.0, 0.0], name="ball") == 0
    scene.fixed(1, 2, [1.5, 0.0, 0.0])
    scene.distance(2, 3, [2.0, 0.0, 0.0], [3.0, 0.0, 0.0])
    scene.universal(3, 4, [3.5, 0.0, 0.0], z, [0.0, 1.0, 0.0])
    scene.cylindrical(4, 5, [4.5, 0.0, 0.0], z, friction=0.1)
    scene.screw(5, 6, [5.5, 0.0, 0.0], z, 0.1)
    freedom = saltus.mobility(scene.model())
    assert freedom.rows == 3 + 6 + 1 + 4 + 4 + 5 == freedom.rank


@pytest.mark.parametrize("make, text", [
    (lambda s: s.hinge(-1, 5, [0, 0, 0], [0, 0, 1]), "is on body 5"),
    (lambda s: s.hinge(-1, 0, [0, 0, 0], [0, 0, 0]), "expected a direction"),
    (lambda s: s.hinge(-1, 0, [0, 0, 0], [0, 0, 1], limits=[1]), "limits has 1 entries"),
    (lambda s: s.hinge(-1, 0, [0, 0, 0], [0, 0, 1], friction=-1.0), "friction is -1"),
    (lambda s: s.distance(-1, 0, [1, 0, 0], [0, 0, 0], 2.0, name="rope"), "distance 'rope'"),
])
def test_what_is_no_joint_is_refused(make, text):
    scene = saltus.RigidScene()
    scene.add_body(1.0, ROD)
    with pytest.raises(saltus.Error, match=text):
        make(scene)
        scene.model()


def test_a_motor_that_returns_no_number_is_a_type_error():
    scene = saltus.RigidScene()
    scene.add_body(1.0, ROD)
    scene.hinge(-1, 0, [0, 0, 0], [0, 0, 1], velocity=lambda t: "fast")
    with pytest.raises(TypeError, match="velocity"):
        saltus.Simulation(scene.model(), step=1e-3).run(0.01)
    with pytest.raises(TypeError, match="a number or a function"):
        scene.hinge(-1, 0, [0, 0, 0], [0, 0, 1], velocity="fast")


def test_springs_and_ropes():
    scene = saltus.RigidScene()
    scene.add_body(2.0, ROD, x=[0.0, 0.0, -1.0])
    scene.add_body(2.0, ROD, x=[5.0, 0.0, -1.0])
    scene.add_body(1.0, ROD, x=[9.0, 0.0, 0.0])
    scene.spring(-1, 0, [0, 0, 0], [0, 0, -1], stiffness=100.0, damping=30.0, rest=1.0, name="s")
    scene.rope(-1, 1, [5, 0, 0], [5, 0, -1], 1.0, name="rope")
    scene.hinge(-1, 2, [9, 0, 0], [0, 0, 1], spring=(1.0, 0.2, 0.5), name="axle")
    run = saltus.Simulation(scene.model(), step=1e-3).run(5.0)
    assert run.report.ok()
    assert run["s.spring.r[0]"][-1] / 1e-3 == pytest.approx(-2.0 * 9.81, rel=1e-6)
    assert run["rope.limits.r[0]"][-1] / 1e-3 == pytest.approx(2.0 * 9.81, rel=1e-6)
    assert run["axle.spring.y[0]"][-1] == pytest.approx(0.0, abs=1e-3)
    with pytest.raises(saltus.Error, match="'short' of length 1"):
        scene.rope(-1, 1, [5, 0, 0], [5, 0, -2], 1.0, name="short")


def test_penetrations_at_the_start_are_named():
    scene = saltus.RigidScene()
    scene.fix_plane()
    scene.add_sphere(0.5, x=[0.0, 0.0, 0.4])
    found = saltus.penetrations(scene.model())
    assert list(found.values()) == pytest.approx([0.1])
    assert "body 0 of bodies" in next(iter(found)) and "the world" in next(iter(found))
