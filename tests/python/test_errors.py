"""A caller's mistake gives one clear Error; an outcome of the computation gives a status."""

import math

import numpy as np
import pytest
import saltus
from scipy import sparse


def fails(match):
    return pytest.raises(saltus.Error, match=match)


def model_with_ball():
    model = saltus.Model()
    return model, model.add(saltus.PointMass(gravity=[-9.81]), q=[1.0], name="ball")


def test_error_is_a_value_error():
    assert issubclass(saltus.Error, ValueError)
    assert saltus.Error.__module__ == "saltus"


def test_wrong_sizes_of_the_initial_state():
    with fails(r"ball: q has size 3, system has 1 dof"):
        saltus.Model().add(saltus.PointMass(), q=[1.0, 2.0, 3.0], name="ball")
    with fails("x was given, but the system is of second order"):
        saltus.Model().add(saltus.PointMass(), q=[1.0], x=[1.0])
    with fails(r"q: has shape \(1, 1\), expected a vector"):
        saltus.Model().add(saltus.PointMass(), q=[[1.0]])


def test_values_that_are_not_numbers():
    with fails("Model.add: q: entry 0 is nan, expected a finite number"):
        saltus.Model().add(saltus.PointMass(), q=[math.nan])
    with fails("expected real numbers, given 'high'"):
        saltus.Model().add(saltus.PointMass(), q="high")
    with fails("LinearRelation: H: entry 1 is nan"):
        saltus.LinearRelation(H=[[1.0, math.nan]])
    with fails("LinearRelation: H: expected real numbers"):
        saltus.LinearRelation(H=[[1j]])


def test_masses_must_be_positive():
    with fails("PointMass: m is -1, expected > 0"):
        saltus.PointMass(m=-1.0)
    with fails(r"PointMasses: m\[1\] is 0"):
        saltus.PointMasses(m=[1.0, 0.0])
    with fails("mass matrix of body 0 must be positive definite"):
        saltus.Model().add(saltus.LinearLagrangian(M=[[1.0, 2.0], [2.0, 1.0]]), q=[0.0, 0.0])
    with fails("not symmetric"):
        saltus.Model().add(saltus.LinearLagrangian(M=[[1.0, 0.5], [0.0, 1.0]]), q=[0.0, 0.0])


def test_matrices_that_do_not_fit_each_other():
    with fails(r"LinearLagrangian: K is 1x1, expected 2x2 like M"):
        saltus.LinearLagrangian(M=np.eye(2), K=[[1.0]])
    with fails(r"FirstOrderLinearRelation: B is 1x2, expected 2x1"):
        saltus.FirstOrderLinearRelation(C=[[1.0, 0.0]], B=[[1.0, 0.0]])
    with fails(r"has shape \(2,\), expected a matrix"):
        saltus.LinearRelation(H=[1.0, 0.0])


def test_parameters_of_laws_out_of_range():
    with fails(r"NewtonImpact: e is 1.5, expected in \[0, 1\]"):
        saltus.NewtonImpact(e=1.5)
    with fails("NewtonImpact: e is -0.1"):
        saltus.NewtonImpact(e=-0.1)
    with fails("NewtonImpact: e is nan"):
        saltus.NewtonImpact(e=math.nan)
    with fails("Coulomb: mu is -0.3, expected >= 0"):
        saltus.Coulomb(mu=-0.3)
    with fails("Relay: upper is 1, expected"):
        saltus.Relay(lower=2.0)


def test_unknown_names_and_types_are_type_errors_that_name_the_known():
    with pytest.raises(TypeError, match="MoreauJean: unknown field 'thta'; known: theta, gamma"):
        saltus.MoreauJean(thta=0.5)
    with pytest.raises(TypeError, match="NewtonImpact: fields are given by name; known: e"):
        saltus.NewtonImpact(0.9)
    with pytest.raises(TypeError, match="theta: expected a number, given 'half'"):
        saltus.MoreauJean(theta="half")
    with pytest.raises(TypeError, match="newton_iterations: expected an integer, given 2.5"):
        saltus.MoreauJean(newton_iterations=2.5)
    with pytest.raises(TypeError, match="solver: expected one of Automatic, Lemke"):
        saltus.MoreauJean(solver="Lemke")
    with pytest.raises(AttributeError):
        saltus.MoreauJean().thta = 0.5


def test_what_link_refuses():
    model, ball = model_with_ball()
    contact, law = saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact()
    with fails("relation has 2 columns, the systems it ties have 1 unknowns"):
        model.link(ball, saltus.LinearRelation(H=[[1.0, 1.0]]), law)
    with fails("Complementarity needs a first-order relation"):
        model.link(ball, contact, saltus.Complementarity())
    with fails("body 1 of ball, which has 1 bodies"):
        model.link((ball, 1), contact, law)
    with fails("given twice"):
        model.link([ball, ball], saltus.LinearRelation(H=[[1.0, -1.0]]), law)
    with pytest.raises(TypeError, match="law: expected one of Equality"):
        model.link(ball, contact, 0.9)
    with pytest.raises(TypeError, match="expected an id, a pair"):
        model.link(0, contact, law)
    with fails("is no relation"):
        model.link(ball, object(), law)


def test_what_a_simulation_refuses():
    model, ball = model_with_ball()
    model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact())
    with pytest.raises(TypeError, match="step"):
        saltus.Simulation(model)
    with fails("step is 0, expected > 0"):
        saltus.Simulation(model, step=0.0)
    with fails("the model has no system"):
        saltus.Simulation(saltus.Model(), step=1e-3)
    sim = saltus.Simulation(model, step=1e-3)
    run = sim.run(0.1)
    with fails("end time is 0.05, the clock stands at 0.1"):
        sim.run(0.05)
    with fails("q has size 2, expected 1"):
        sim.set_state(saltus.State(q=[0.0, 0.0], v=[0.0]))
    with fails("no column 'ball.w'; known: t, ball.q"):
        run["ball.w"]


def test_a_solver_that_cannot_treat_the_laws_is_refused_before_the_run():
    model = saltus.Model()
    body = model.add(saltus.PointMass(gravity=[-9.81, 0.0]), q=[0.0, 0.0])
    model.link(body, saltus.LinearRelation(H=np.eye(2)), saltus.Coulomb(mu=0.3))
    with fails("friction cone"):
        saltus.Simulation(model, saltus.MoreauJean(solver=saltus.Lemke()), step=1e-3)


class Pendulum:
    def __init__(self, **returned):
        self.returned = {"mass": 1.0, "force": 0.0, **returned}

    def dof(self):
        return 1

    def mass(self, state):
        return self.returned["mass"]

    def force(self, state):
        return self.returned["force"]


def test_wrong_shapes_out_of_a_callback_name_the_method():
    with fails(r"Pendulum.force: returned shape \(2,\), expected \(1,\)"):
        saltus.Model().add(Pendulum(force=[0.0, 0.0]), q=[0.0])
    with fails(r"Pendulum.mass: returned shape \(2, 2\), expected \(1, 1\)"):
        saltus.Model().add(Pendulum(mass=np.eye(2)), q=[0.0])
    with fails("Pendulum.force: expected real numbers, given None"):
        saltus.Model().add(Pendulum(force=None), q=[0.0])
    with fails(r"Lagrangian.M: has shape \(1, 1\), expected \(2, 2\)"):
        saltus.Model().add(saltus.Lagrangian(n=2, M=1.0, F=lambda s: s.q), q=[0.0, 0.0])


def test_wrong_shapes_out_of_a_relation_name_the_method():
    class Wall:
        def rows(self):
            return 1

        def dof(self):
            return 1

        def output(self, state):
            return state.q

        def jacobian(self, state):
            return np.eye(3)

    model, ball = model_with_ball()
    model.link(ball, Wall(), saltus.NewtonImpact())
    with fails(r"Wall.jacobian: returned shape \(3, 3\), expected \(1, 1\)"):
        saltus.Simulation(model, step=1e-3).run(1.0)


def test_objects_that_lack_methods():
    class Massless:
        def dof(self):
            return 1

        def force(self, state):
            return 0.0

    with fails(r"Massless: a second-order system needs a method mass\(state\)"):
        saltus.Model().add(Massless(), q=[0.0])
    with fails("is no system"):
        saltus.Model().add(3.0, q=[0.0])
    with fails("the force function F is not set"):
        saltus.Lagrangian(n=1, M=1.0)


def test_a_force_that_turns_nan_is_a_status_and_keeps_the_record():
    model = saltus.Model()
    model.add(saltus.Lagrangian(n=1, M=1.0, F=lambda s: np.nan if s.t > 0.5 else 0.0), q=[0.0])
    run = saltus.Simulation(model, step=0.01).run(1.0)
    assert run.report.end == saltus.RunEnd.step_failed and not run.report.ok()
    assert run.report.last.status in (saltus.StepStatus.not_finite, saltus.StepStatus.singular_matrix)
    assert run.t[-1] == pytest.approx(0.5) and len(run) == 51


def test_problems_that_do_not_fit():
    with fails("Lcp"):
        saltus.Lcp(np.eye(2), [1.0])
    with fails("Lcp: q: entry 0 is nan"):
        saltus.Lcp(np.eye(1), [math.nan])
    with fails("Lcp: M: expected real numbers"):
        saltus.Lcp(sparse.identity(1) * 1j, [1.0])
    with fails("mu"):
        saltus.FrictionContact(np.eye(3), [0.0] * 3, [-0.5])
    with fails("dimension is 4, expected 2 or 3"):
        saltus.FrictionContact(np.eye(4), [0.0] * 4, [0.5], dimension=4)
    with fails("guess has size 3, the problem has 2 unknowns"):
        saltus.solve(saltus.Lcp(np.eye(2), [1.0, 1.0]), [0.0] * 3)
    with pytest.raises(TypeError, match="solver: expected one of Automatic, CoulombCascade, Nsgs"):
        saltus.solve(saltus.FrictionContact(np.eye(3), [0.0] * 3, [0.5]), solver=saltus.Lemke())
