"""Several integrators in one simulation, spinning friction, the account of momentum, from Python."""

import numpy as np
import pytest
import saltus


def two_oscillators():
    model = saltus.Model()
    a = model.add(saltus.LinearLagrangian(M=[[2.0]], K=[[50.0]]), q=[0.0], v=[1.0], name="a")
    b = model.add(saltus.LinearLagrangian(M=[[1.0]], K=[[300.0]]), q=[0.02], v=[-0.5], name="b")
    model.link([a, b], saltus.LinearRelation(H=[[-1.0, 1.0]]), saltus.NewtonImpact(e=0.4))
    return model


def run(**options):
    return saltus.Simulation(two_oscillators(), saltus.MoreauJean(**options), step=5e-3).run(1.0)


def test_equal_rules_give_the_same_bits():
    """PL:OI-04"""
    same = {"a": saltus.Theta(theta=0.7), "b": saltus.Theta(theta=0.7)}
    assert np.array_equal(run(theta=0.7).q, run(theta=0.5, systems=same).q)


def test_each_system_has_its_own_rule():
    mixed = run(systems={"b": saltus.Theta(theta=1.0)})
    assert mixed.report.ok()
    assert not np.array_equal(mixed.q, run().q)
    exact = run(systems={"a": saltus.ExactFlow(), "b": saltus.ExactFlow()})
    assert exact.report.ok() and np.abs(exact.q - run().q).max() < 0.05


def test_rules_are_options_like_others():
    scheme = saltus.MoreauJean(systems={"a": saltus.ExactFlow()})
    assert scheme.systems["a"] == saltus.ExactFlow()
    scheme.systems["b"] = saltus.Theta(theta=0.75)
    sim = saltus.Simulation(two_oscillators(), scheme, step=5e-3)
    assert sim.scheme().systems == {"a": saltus.ExactFlow(), "b": saltus.Theta(theta=0.75)}
    with pytest.raises(saltus.Error, match="the model has no system 'c'; it has a, b"):
        run(systems={"c": saltus.Theta()})
    with pytest.raises(TypeError, match="expected one of Theta, ExactFlow"):
        run(systems={"a": 0.5})
    with pytest.raises(TypeError, match="expected a dict"):
        run(systems=[saltus.Theta()])


def test_a_spinning_ball_stops_in_time():
    """TI:TI-122"""
    scene = saltus.RigidScene()
    scene.fix_plane(kind=1)
    scene.add_sphere(0.1, x=[0, 0, 0.1], omega=[0, 0, 5], kind=2)
    law = saltus.SpinningCoulomb(mu=0.3, mu_spinning=2e-3, mu_rolling=1e-3)
    scene.law(1, 2, law)
    sim = saltus.Simulation(scene.model(), step=1e-3)
    result = sim.run(1.2)
    assert result.report.ok()
    rate = 2e-3 * 9.81 / (0.4 * 0.01)
    assert np.abs(result.v[:, 5] - np.maximum(0, 5 - rate * result.t)).max() < 1e-6


def test_the_report_says_where_the_momentum_went(tmp_path):
    model = saltus.Model()
    ball = model.add(saltus.PointMass(m=2.0, gravity=[0, 0, -9.81]), q=[1, 0, 1])
    model.link(ball, saltus.LinearRelation(H=[[0, 0, 1.0]]), saltus.NewtonImpact(e=0.5))
    result = saltus.Simulation(model, step=1e-3).run(5.0)
    momentum = result.report.momentum
    assert momentum.known
    assert momentum.forces.linear == pytest.approx([0, 0, -2 * 9.81 * 5])
    assert momentum.forces.angular == pytest.approx([0, 2 * 9.81 * 5, 0])
    assert momentum.interactions.linear[2] == pytest.approx(2 * 9.81 * 5)
    assert np.abs(momentum.error.linear).max() < 1e-10
    assert np.abs(momentum.end.linear).max() < 1e-8
    assert "MomentumBalance(" in repr(momentum) and "Momentum(" in repr(momentum.start)
    result.save(tmp_path / "run.h5")
    kept = saltus.load(tmp_path / "run.h5").report.momentum
    assert np.array_equal(kept.forces.angular, momentum.forces.angular)


def test_generalized_alpha_turns_rigid_bodies():
    model = saltus.Model()
    bodies = saltus.RigidBodies(m=[2.0], inertia=[[0.3, 0.5, 0.7]], accelerated=True)
    model.add(bodies, q=[0, 0, 0, 1, 0, 0, 0], v=[0, 0, 0, 1, 4, 0.2])
    result = saltus.Simulation(model, saltus.GeneralizedAlpha(), step=1e-3).run(1.0)
    assert result.report.ok()
    assert np.linalg.norm(result.q[:, 3:], axis=1) == pytest.approx(np.ones(len(result.t)))
