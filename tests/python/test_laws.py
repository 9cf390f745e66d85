"""Laws of contact, prescribed motion and the balance of energy, from Python."""

import math

import numpy as np
import pytest
import saltus


def touching(law, m=(1.0, 1.0), force=(0.0, 0.0), v=(0.0, 0.0), step=1e-3):
    model = saltus.Model()
    body = model.add(saltus.LinearLagrangian(M=np.diag(m), F=list(force)), q=[0.0] * len(m),
                     v=list(v) if len(v) == len(m) else None)
    model.link(body, saltus.LinearRelation(H=np.eye(len(m))), law)
    return saltus.Simulation(model, step=step)


def test_tangential_restitution_and_cohesion():
    sim = touching(saltus.Coulomb(mu=0.6, e=0.5, e_t=0.5), m=(1.0, 1 / 3), v=(-2.0, 3.0))
    assert sim.advance().done()
    assert sim.state().v == pytest.approx([1.0, -1.5], abs=1e-7)
    sim = touching(saltus.Coulomb(mu=0.5, cohesion=2.0), force=(1.5, 0.2))
    for _ in range(10):  # tension 1.5 < 2, friction 0.2 < 0.5 (2 - 1.5)
        assert sim.advance().done()
    assert sim.state().v == pytest.approx([0.0, 0.0], abs=1e-9)


@pytest.mark.parametrize("law", [
    saltus.EllipticCoulomb(mu_1=0.5, mu_2=0.2), saltus.Tresca(bound=1.0),
    saltus.PoissonCoulomb(mu=0.3, e=0.5), saltus.CompliantContact(k=1e5, c=10.0, mu=0.3),
])
def test_contacts_do_not_let_through(law):
    sim = touching(law, m=(1.0, 1.0, 1.0), force=(-5.0, 0.1, 0.1), step=1e-3)
    run = sim.run(0.2)
    assert run.report.ok()
    assert run.q[-1, 0] > -1e-3


def test_laws_that_do_not_suit_are_refused():
    with pytest.raises(saltus.Error, match="EllipticCoulomb needs"):
        touching(saltus.EllipticCoulomb())
    with pytest.raises(saltus.Error):
        saltus.Spring(k=0.0)


def test_surfaces_of_two_kinds_have_their_own_law():
    scene = saltus.RigidScene()
    scene.fix_plane(kind=1)
    scene.add_sphere(0.2, x=[0.0, 0.0, 0.2], v=[1.0, 0.0, 0.0], omega=[0.0, 5.0, 0.0], kind=2)
    scene.law(1, 2, saltus.RollingCoulomb(mu=0.5, mu_rolling=0.01))
    sim = saltus.Simulation(scene.model(), step=1e-3)
    assert sim.run(1.0).report.ok()
    assert sim.state().v[0] == pytest.approx(1.0 - 5 / 7 * 0.01 * 9.81 / 0.2, abs=1e-4)
    with pytest.raises(saltus.Error, match="no law of contact"):
        scene.law(0, 0, saltus.Equality())
        scene.model()


def test_driven_coordinates_follow_and_report_their_reaction():
    model = saltus.Model()
    mass = model.add(saltus.PointMass(m=2.0), q=[0.0], v=[1.0])
    model.link(mass, saltus.Driven(n=1, coordinates=[0], position=lambda t: [math.sin(t)],
                                   velocity=lambda t: [math.cos(t)]), saltus.Equality(), name="d")
    run = saltus.Simulation(model, saltus.MoreauJean(gamma=1.0), step=1e-3).run(1.0)
    assert run.q[-1, 0] == pytest.approx(math.sin(1.0), abs=1e-6)
    assert run["d.r[0]"][-1] / 1e-3 == pytest.approx(-2.0 * math.sin(1.0), abs=2e-3)
    held = saltus.Driven(n=2, coordinates=[1], value=[0.5])
    assert held.n == 2
    with pytest.raises(saltus.Error, match="coordinate 5 of 2"):
        saltus.Driven(n=2, coordinates=[5], value=[0.0])


def test_the_report_of_a_run_says_where_the_energy_went():
    model = saltus.Model()
    ball = model.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0])
    model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.5))
    energy = saltus.Simulation(model, step=1e-3).run(5.0).report.energy
    assert energy.known and energy.start == pytest.approx(9.81)
    assert energy.impact == pytest.approx(9.81, abs=1e-2)  # it lies still
    assert abs(energy.error) < 1e-12 and abs(energy.scheme) < 1e-6
    assert "impact" in repr(energy)
