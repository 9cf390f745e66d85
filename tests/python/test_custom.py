"""Systems and relations written in Python: the same numbers as those of the library."""

import numpy as np
import pytest
import saltus

G = 9.81


class Ball:
    time_invariant = True

    def dof(self):
        return 1

    def mass(self, state):
        return [[1.0]]

    def force(self, state):
        return -G

    def stiffness(self, state):
        return 0.0

    def damping(self, state):
        return np.zeros((1, 1))


class Ground:
    time_invariant = True

    def rows(self):
        return 1

    def dof(self):
        return 1

    def output(self, state):
        return state.q

    def jacobian(self, state):
        return [1.0]


def simulate(system, relation, end=3.0, law=saltus.NewtonImpact(e=0.9), step=5e-3):
    model = saltus.Model()
    body = model.add(system, q=[1.0], v=[0.0])
    model.link(body, relation, law)
    return saltus.Simulation(model, saltus.MoreauJean(), step=step).run(end)


def assert_same_bits(first, second):
    assert first.names() == second.names()
    for name in first.names():
        assert first[name].tobytes() == second[name].tobytes(), name


def test_a_python_class_equals_the_point_mass_bit_by_bit():
    library = simulate(saltus.PointMass(m=1.0, gravity=[-G]), saltus.LinearRelation(H=[[1.0]]))
    assert_same_bits(simulate(Ball(), Ground()), library)


def test_functions_equal_a_class_bit_by_bit():
    class Pendulum:
        def dof(self):
            return 1

        def mass(self, state):
            return 2.0

        def force(self, state):
            return -G * np.sin(state.q) - 0.1 * state.v

    functions = saltus.Lagrangian(n=1, M=[[2.0]], F=lambda s: -G * np.sin(s.q) - 0.1 * s.v)
    assert_same_bits(simulate(Pendulum(), Ground()), simulate(functions, Ground()))


def test_a_given_jacobian_and_finite_differences_agree():
    force = lambda s: -G * np.sin(s.q)  # noqa: E731
    differences = saltus.Lagrangian(n=1, M=1.0, F=force)
    given = saltus.Lagrangian(
        n=1, M=1.0, F=force, K=lambda s: [[G * np.cos(s.q[0])]], C=np.zeros((1, 1))
    )
    first, second = simulate(differences, Ground(), end=0.5), simulate(given, Ground(), end=0.5)
    # both solve the same equations to newton_tolerance = 1e-12 in each of 100 steps
    assert first.q == pytest.approx(second.q, abs=1e-9)


def test_the_energy_of_a_pendulum_is_kept_to_second_order():
    energy = []
    for step in (2e-2, 1e-2):
        model = saltus.Model()
        model.add(saltus.Lagrangian(n=1, M=1.0, F=lambda s: -G * np.sin(s.q)), q=[1.0])
        run = saltus.Simulation(model, step=step).run(2.0)
        total = 0.5 * run.v[:, 0] ** 2 - G * np.cos(run.q[:, 0])
        energy.append(np.abs(total - total[0]).max())
    assert energy[0] / energy[1] == pytest.approx(4.0, rel=0.1)


class Oscillator:
    time_invariant = True
    A = np.array([[0.0, -1e6], [1e2, 0.0]])

    def dimension(self):
        return 2

    def rate(self, state):
        return self.A @ state.x

    def jacobian(self, state):
        return self.A


class Bridge:
    time_invariant = True
    C = np.array([[0, 0], [0, 0], [-1, 0], [1, 0]])
    B = [[0, 0, -1e6, 1e6], [0, 0, 0, 0]]
    D = [[1e-3, 1e-3, -1, 0], [1e-3, 1e-3, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]]

    def rows(self):
        return 4

    def dimension(self):
        return 2

    def output(self, state):
        return self.C @ state.x

    def jacobian(self, state):
        return self.C

    def input(self, state):
        return self.B

    def feedthrough(self, state):
        return self.D


def test_a_diode_bridge_of_python_classes_equals_the_linear_one_bit_by_bit():
    def run(system, relation):
        model = saltus.Model()
        body = model.add(system, x=[10.0, 0.0])
        model.link(body, relation, saltus.Complementarity())
        return saltus.Simulation(model, step=1e-6).run(5e-4)

    linear = saltus.FirstOrderLinearRelation(C=Bridge.C, B=Bridge.B, D=Bridge.D)
    assert_same_bits(
        run(Oscillator(), Bridge()), run(saltus.FirstOrderLinear(A=Oscillator.A), linear)
    )


def test_a_nonlinear_relation_without_jacobian_keeps_a_point_on_a_circle():
    class Circle:
        def rows(self):
            return 1

        def dof(self):
            return 2

        def output(self, state):
            return state.q @ state.q - 1.0

    model = saltus.Model()
    point = model.add(saltus.PointMass(gravity=[0.0, -G]), q=[1.0, 0.0])
    model.link(point, Circle(), saltus.Equality())
    run = saltus.Simulation(model, step=1e-3).run(1.0)
    assert run.report.ok()
    # the constraint holds on the velocity: y drifts by h² v² a step, and v² ≤ 2 g
    assert np.abs(run.y).max() < 2 * G * 1e-3
    assert run.q[:, 1].min() == pytest.approx(-1.0, abs=1e-2)


def test_a_load_in_time_drives_a_linear_oscillator():
    model = saltus.Model()
    model.add(
        saltus.LinearLagrangian(M=[[1.0]], K=[[4.0]], load=lambda t, z: z * np.sin(t)),
        q=[0.0],
        v=[0.0],
        z=[3.0],
    )
    run = saltus.Simulation(model, step=1e-3).run(5.0)
    exact = np.sin(run.t) - 0.5 * np.sin(2 * run.t)
    # second order: h² t times the third derivative, at most 1e-6 · 5 · (1 + 8) / 12
    assert run.q[:, 0] == pytest.approx(exact, abs=1e-5)


def test_a_source_in_time_drives_a_first_order_system():
    model = saltus.Model()
    model.add(saltus.FirstOrderLinear(A=[[-1.0]], source=lambda t, z: [np.cos(t)]), x=[0.5])
    run = saltus.Simulation(model, step=1e-3).run(5.0)
    exact = 0.5 * (np.cos(run.t) + np.sin(run.t))
    assert run.x[:, 0] == pytest.approx(exact, abs=1e-6)


def test_a_nonlinear_first_order_system_follows_the_logistic_curve():
    model = saltus.Model()
    model.add(saltus.FirstOrder(n=1, f=lambda s: s.x * (1 - s.x)), x=[0.1])
    run = saltus.Simulation(model, step=1e-3).run(5.0)
    assert run.x[:, 0] == pytest.approx(1 / (1 + 9 * np.exp(-run.t)), abs=1e-6)


def test_one_interaction_may_tie_any_number_of_systems():
    model = saltus.Model()
    bodies = [model.add(saltus.PointMass(m=m), q=[0.0], v=[v]) for m, v in ((1, 3.0), (2, 0.0))]
    model.link(bodies, saltus.LinearRelation(H=[[1.0, -1.0]]), saltus.Equality())
    run = saltus.Simulation(model, step=1e-2).run(0.1)
    assert run.v[-1] == pytest.approx([1.0, 1.0], abs=1e-12)  # plastic: momentum 3 over mass 3


def test_pools_are_tied_by_pairs_of_id_and_body():
    model = saltus.Model()
    pool = model.add(saltus.PointMasses(m=[1.0, 2.0]), q=[0.0, 0.0], v=[3.0, 0.0])
    tie = model.link([(pool, 0), (pool, 1)], saltus.LinearRelation(H=[[1, -1]]), saltus.Equality())
    assert model[tie].endpoints == [(pool, 0), (pool, 1)]
    run = saltus.Simulation(model, step=1e-2).run(0.1)
    assert run.v[-1] == pytest.approx([1.0, 1.0], abs=1e-12)
